/* Allocation-failure sweeps. */
#include "allocation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

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

/* The first two rounds fail a single allocation and fill new memory differently. The last round fails all
 * allocations from the n-th on. */
enum { ROUNDS = 3, THINNED = 3 };
/* How a sweep is thinned: tests each n up to `all_up_to`, then in steps of n divided by `fractions`. */
static const unsigned all_up_to[THINNED] = {150, 32, 4}, fractions[THINNED] = {16, 16, 4};

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
static void fail_at(work *w, trial *t, unsigned n, unsigned round, const listing *wanted)
{
    failing_memory memory = {.fail_at = n, .zeros = round == 1, .lasting = round == ROUNDS - 1};
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
    if (t.thinned == 0 && thinned_step(1) > 1)
        t.thinned = 1;
    failing_memory memory = {.zeros = true}, garbage = {.zeros = false};
    assert_int_equal(attempt(w, &t, &memory), STAMMA_OK);
    const unsigned calls = memory.calls;
    const listing wanted = t.result;
    assert_int_equal(attempt(w, &t, &garbage), STAMMA_OK);
    assert_wanted(&t.result, &wanted);
    assert_int_equal(garbage.calls, calls);
    assert_true(calls > 0);
    free(t.result.text);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned thinned = t.thinned == 0 && round == ROUNDS - 1 ? 1 : t.thinned;
        for (unsigned n = 1; n <= calls; n += n < all_up_to[thinned] ? 1 : n / fractions[thinned] + round)
            fail_at(w, &t, n, round, &wanted);
    }
    free(wanted.text);
}
