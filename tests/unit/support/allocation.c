/* SPDX-License-Identifier: MIT */
/* Allocation-failure sweeps. */
#include "allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <execinfo.h>
#endif

#include <cmocka.h>

uint64_t untouched_object;

void *expect_untouched(const void *object)
{
    assert_ptr_equal(object, &untouched_object);
    return NULL;
}

static void start_now(void *context, void (*work)(void *argument), void *argument)
{
    (void)context;
    work(argument);
}

static void wait_for_none(void *context, void *argument)
{
    (void)context;
    (void)argument;
}

const stamma_executor immediate_executor = {NULL, 3, start_now, wait_for_none};

/* ---- the calls to fail ---- */

/* FRAMES: callers that distinguish stacks. FIRST_CALLS: calls that fail in each sweep. */
#ifdef __NO_INLINE__ /* inline functions of buffers and allocators are on the stack, too */
enum { FRAMES = 12, FIRST_CALLS = 8 };
#else
enum { FRAMES = 8, FIRST_CALLS = 8 };
#endif

typedef struct call {
    uint64_t stack; /* a hash of the functions that called the allocator */
    size_t number;  /* from 1 */
} call;

typedef struct calls {
    call *list;
    size_t count;
    size_t room;
} calls;

static void list_call(calls *c, call added)
{
    if (c->count == c->room) {
        c->room = 2 * c->room + 1024;
        c->list = realloc(c->list, c->room * sizeof *c->list);
        assert_non_null(c->list);
    }
    c->list[c->count++] = added;
}

/* Without stacks, each call of the process has a separate stack. */
static uint64_t hash_stack(void)
{
#ifdef __GLIBC__
    void *frames[FRAMES];
    uint64_t hash = 0;
    for (int i = 0, count = backtrace(frames, FRAMES); i < count; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
#else
    static uint64_t calls_of_process;
    return calls_of_process++;
#endif
}

static void add_call(void *context)
{
    calls *c = context;
    list_call(c, (call){hash_stack(), c->count + 1});
}

static int compare_stacks(const void *a, const void *b)
{
    const call *x = a, *y = b;
    return (x->stack > y->stack) - (x->stack < y->stack);
}

static int compare_calls(const void *a, const void *b)
{
    const call *x = a, *y = b;
    const int order = compare_stacks(a, b);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/* Returns whether no sweep of this process has failed a call with this stack; with LONG=1 always true. */
static bool is_new(const calls *failed, const call *c)
{
    return sweeps_are_long() || failed->count == 0 ||
           !bsearch(c, failed->list, failed->count, sizeof *c, compare_stacks);
}

/* Keeps the calls to fail: the first FIRST_CALLS, and the first and the last of each new stack. */
static void choose_calls(calls *c)
{
    static calls failed;
    const size_t count = c->count;
    const call *list = c->list;
    qsort(c->list, count, sizeof *c->list, compare_calls);
    c->count = 0;
    for (size_t i = 0; i < count; i++) {
        bool inner = i > 0 && list[i - 1].stack == list[i].stack && i + 1 < count && list[i + 1].stack == list[i].stack;
        if (list[i].number <= FIRST_CALLS || (!inner && is_new(&failed, &list[i])))
            c->list[c->count++] = list[i];
    }
    for (size_t i = 0; i < c->count; i++)
        list_call(&failed, list[i]);
    qsort(failed.list, failed.count, sizeof *failed.list, compare_calls);
}

/* ---- sweeps ---- */

/* The first two rounds fail a single allocation and fill new memory differently. The last round fails all
 * allocations from the n-th on. Each call fails in one of the rounds, with LONG=1 in all. */
enum { ROUNDS = 3 };

static stamma_error attempt(work *w, trial *t, failing_memory *memory)
{
    const stamma_allocator allocator = failing_allocator(memory);
    t->allocator = &allocator;
    t->result = (listing){NULL, 0, 0};
    stamma_error error = w(t);
    assert_int_equal(memory->alive, 0);
    return error;
}

static void assert_wanted(const listing *result, const listing *wanted)
{
    assert_int_equal(result->size, wanted->size);
    if (wanted->size > 0)
        assert_memory_equal(result->text, wanted->text, wanted->size);
}

/* Fails the n-th allocation, and in the last round also all later ones. */
static void fail_at(work *w, trial *t, size_t n, unsigned round, const listing *wanted)
{
    failing_memory memory = {.fail_at = (unsigned)n, .zeros = round == 1, .lasting = round == ROUNDS - 1};
    stamma_error error = attempt(w, t, &memory);
    assert_true(memory.calls >= n);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
    if (error == STAMMA_OK)
        assert_wanted(&t->result, wanted);
    if (memory.lasting && n == 1)
        assert_int_equal(error, STAMMA_ERROR_NO_MEMORY);
    free(t->result.text);
}

void sweep(work *w, trial t)
{
    calls chosen = {NULL, 0, 0};
    failing_memory memory = {.called = add_call, .context = &chosen, .zeros = true}, garbage = {.zeros = false};
    assert_int_equal(attempt(w, &t, &memory), STAMMA_OK);
    const listing wanted = t.result;
    assert_int_equal(attempt(w, &t, &garbage), STAMMA_OK);
    assert_wanted(&t.result, &wanted);
    assert_int_equal(garbage.calls, memory.calls);
    assert_true(memory.calls > 0);
    free(t.result.text);
    choose_calls(&chosen);
    for (size_t i = 0; i < chosen.count; i++)
        for (unsigned round = 0; round < ROUNDS; round++)
            if (sweeps_are_long() || i % ROUNDS == round)
                fail_at(w, &t, chosen.list[i].number, round, &wanted);
    free(chosen.list);
    free(wanted.text);
}
