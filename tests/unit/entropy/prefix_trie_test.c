/* SPDX-License-Identifier: MIT */
/* Tests the trie of shared beginnings: it contains exactly the beginnings that at least three strings share, each once
 * and in order. The node of a string is the deepest node on its path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "prefix_strings.h"

enum { DEPTH_MAX = 4096 };

static prefix_trie build(const sample_strings *s)
{
    prefix_trie t = {.children.allocator = &s->allocator,
                     .codes.allocator = &s->allocator,
                     .nodes.allocator = &s->allocator,
                     .depths.allocator = &s->allocator};
    assert_int_equal(stamma_prefix_trie_build(&t, &s->strings), STAMMA_OK);
    return t;
}

static const uint32_t *numbers(const buffer *b)
{
    return (const uint32_t *)(const void *)b->data;
}

/* Returns the number of sharing strings that begin with these codes. */
static size_t count_like(const sample_strings *s, const uint8_t *begin, size_t size)
{
    size_t count = 0;
    const uint8_t *at = s->strings.codes;
    for (size_t n = 0; n < s->strings.count; at += s->strings.sizes[n++])
        count += !s->strings.apart[n] && s->strings.sizes[n] >= size && memcmp(at, begin, size) == 0;
    return count;
}

typedef struct walk {
    const sample_strings *s;
    const prefix_trie *t;
    uint8_t way[DEPTH_MAX];
    uint32_t next;
} walk;

/* Checks that the nodes below a node are the shared beginnings, in order. */
static void walk_node(walk *w, size_t depth)
{
    uint32_t node = w->next++, children = numbers(&w->t->children)[node], found = 0;
    const uint8_t *at = w->s->strings.codes;
    for (size_t n = 0; n < w->s->strings.count; at += w->s->strings.sizes[n++])
        if (numbers(&w->t->nodes)[n] == node) {
            assert_int_equal(numbers(&w->t->depths)[n], depth);
            assert_true(w->s->strings.sizes[n] >= depth);
            assert_memory_equal(at, w->way, depth);
            if (w->s->strings.sizes[n] > depth && !w->s->strings.apart[n])
                assert_in_range(count_like(w->s, at, depth + 1), 1, PREFIX_SHARED - 1);
        }
    for (unsigned code = 0; code < 256; code++) {
        w->way[depth] = (uint8_t)code;
        if (count_like(w->s, w->way, depth + 1) < PREFIX_SHARED)
            continue;
        assert_true(found++ < children);
        assert_int_equal(w->t->codes.data[w->next - 1], code);
        walk_node(w, depth + 1);
    }
    assert_int_equal(found, children);
}

static void expect_right(sample_strings *s)
{
    prefix_trie t = build(s);
    walk *w = calloc(1, sizeof *w);
    assert_non_null(w);
    *w = (walk){.s = s, .t = &t};
    walk_node(w, 0);
    assert_int_equal(w->next, t.children.size / sizeof(uint32_t));
    assert_int_equal(w->next, t.codes.size + 1);
    for (size_t n = 0; n < s->strings.count; n++)
        assert_true(!s->strings.apart[n] || numbers(&t.nodes)[n] == 0);
    free(w);
    stamma_prefix_trie_release(&t);
    sample_strings_release(s);
}

static void beginnings_that_strings_share(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        sample_strings s;
        sample_strings_init(&s, seed);
        sample_strings_draw(&s, (size_t)(2 * seed), seed % 3 == 0 ? 9 : 30);
        expect_right(&s);
    }
}

static void too_few(void **state)
{
    (void)state;
    for (size_t count = 0; count < PREFIX_SHARED; count++) {
        sample_strings s;
        sample_strings_init(&s, 1);
        for (size_t n = 0; n < count; n++)
            sample_strings_add(&s, (const uint8_t *)"abc", 3, false);
        expect_right(&s);
    }
}

/* A string that is a prefix of another string, zeros, and strings that differ only near their ends. */
static void one_within_another(void **state)
{
    (void)state;
    static const char zeros[16] = {0};
    sample_strings s;
    sample_strings_init(&s, 1);
    for (size_t size = 0; size < 16; size += 3)
        sample_strings_add(&s, (const uint8_t *)zeros, size, false);
    sample_strings_add(&s, (const uint8_t *)"abcdefghijk", 11, false);
    sample_strings_add(&s, (const uint8_t *)"abcdefghijx", 11, false);
    sample_strings_add(&s, (const uint8_t *)"abcdefghijx", 11, true);
    sample_strings_add(&s, (const uint8_t *)"abcdefghijxyz", 13, false);
    for (size_t n = 0; n < PREFIX_SHARED; n++)
        sample_strings_add(&s, (const uint8_t *)"\377", 1, false);
    expect_right(&s);
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    sample_strings s;
    sample_strings_init(&s, 5);
    sample_strings_draw(&s, 60, 40);
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    for (unsigned call = 1; error != STAMMA_OK; call++) {
        failing_memory memory = {.fail_at = call};
        stamma_allocator allocator = failing_allocator(&memory);
        prefix_trie t = {.children.allocator = &allocator,
                         .codes.allocator = &allocator,
                         .nodes.allocator = &allocator,
                         .depths.allocator = &allocator};
        error = stamma_prefix_trie_build(&t, &s.strings);
        assert_int_equal(error, memory.calls < call ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY);
        stamma_prefix_trie_release(&t);
        assert_int_equal(memory.alive, 0);
    }
    sample_strings_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beginnings_that_strings_share),
        cmocka_unit_test(too_few),
        cmocka_unit_test(one_within_another),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
