/* SPDX-License-Identifier: MIT */
/* Tests the trie of shared beginnings: it contains exactly the beginnings that enough strings share, each once and in
 * order. The node of a string is the deepest node on its path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "prefix_strings.h"
#include "sample_positions.h"

enum { DEPTH_MAX = 4096 };

static prefix_trie new_trie(const stamma_allocator *a)
{
    return (prefix_trie){.children.allocator = a,
                         .codes.allocator = a,
                         .nodes.allocator = a,
                         .depths.allocator = a,
                         .order.allocator = a};
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

/* Returns the number of different sharing strings that begin with these codes. */
static size_t count_different(const sample_strings *s, const uint8_t *begin, size_t size)
{
    size_t count = 0;
    for (size_t n = 0; n < s->strings.count; n++) {
        const uint8_t *at = sample_string(s, n);
        const uint32_t own = s->strings.sizes[n];
        bool is_new = !s->strings.apart[n] && own >= size && memcmp(at, begin, size) == 0;
        for (size_t k = 0; k < n && is_new; k++)
            is_new = s->strings.apart[k] || s->strings.sizes[k] != own || memcmp(at, sample_string(s, k), own) != 0;
        count += is_new;
    }
    return count;
}

typedef struct walk {
    const sample_strings *s;
    const prefix_trie *t;
    bool different;
    const uint8_t *least; /* for each string, the least depth of its node; NULL: 0 */
    uint8_t way[DEPTH_MAX];
    uint32_t next;
} walk;

/* Returns whether these codes must have a node. */
static bool is_node(const walk *w, const uint8_t *begin, size_t size)
{
    const uint8_t *at = w->s->strings.codes;
    for (size_t n = 0; w->least && n < w->s->strings.count; at += w->s->strings.sizes[n++])
        if (!w->s->strings.apart[n] && w->s->strings.sizes[n] >= size && w->least[n] >= size &&
            memcmp(at, begin, size) == 0)
            return true;
    return w->different
               ? count_different(w->s, begin, size) >= PREFIX_SHARED || count_like(w->s, begin, size) >= PREFIX_COPIES
               : count_like(w->s, begin, size) >= PREFIX_SHARED;
}

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
                assert_false(is_node(w, at, depth + 1));
        }
    for (unsigned code = 0; code < 256; code++) {
        w->way[depth] = (uint8_t)code;
        if (!is_node(w, w->way, depth + 1))
            continue;
        assert_true(found++ < children);
        assert_int_equal(w->t->codes.data[w->next - 1], code);
        walk_node(w, depth + 1);
    }
    assert_int_equal(found, children);
}

/* Checks that the order has each string once, sorted, unless it is apart. */
static void expect_order(const sample_strings *s, const prefix_trie *t)
{
    const size_t count = t->order.size / sizeof(uint32_t);
    size_t apart = 0;
    for (size_t n = 0; n < s->strings.count; n++)
        apart += s->strings.apart[n];
    assert_int_equal(count + apart, s->strings.count);
    for (size_t n = 0; n < count; n++) {
        const uint32_t before = numbers(&t->order)[n > 0 ? n - 1 : n], here = numbers(&t->order)[n];
        const uint32_t size = s->strings.sizes[before], own = s->strings.sizes[here];
        int order = memcmp(sample_string(s, before), sample_string(s, here), size < own ? size : own);
        order = order == 0 ? (size > own) - (size < own) : order;
        assert_false(s->strings.apart[here]);
        assert_true(n == 0 || order < 0 || (order == 0 && before < here));
    }
}

static void expect_walk(const sample_strings *s, const prefix_trie *t, bool different, const uint8_t *least)
{
    walk *w = calloc(1, sizeof *w);
    assert_non_null(w);
    *w = (walk){.s = s, .t = t, .different = different, .least = least};
    walk_node(w, 0);
    assert_int_equal(w->next, t->children.size / sizeof(uint32_t));
    assert_int_equal(w->next, t->codes.size + 1);
    for (size_t n = 0; n < s->strings.count; n++)
        assert_true(!s->strings.apart[n] || numbers(&t->nodes)[n] == 0);
    free(w);
}

static void expect_right(sample_strings *s)
{
    prefix_trie t = new_trie(&s->allocator);
    assert_int_equal(stamma_prefix_trie_build(&t, &s->strings), STAMMA_OK);
    expect_walk(s, &t, false, NULL);
    assert_int_equal(stamma_prefix_trie_build_different(&t, &s->strings, NULL), STAMMA_OK);
    expect_walk(s, &t, true, NULL);
    expect_order(s, &t);
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

/* Adds more copies of some strings, and nodes that some strings need at least. */
static void copies_of_strings(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        sample_strings s;
        uint8_t least[512], codes[16];
        sample_strings_init(&s, seed);
        sample_strings_draw(&s, (size_t)(2 * seed), 12);
        for (size_t n = 0; n < seed; n++)
            for (size_t copies = random_next(&s.seed) % (PREFIX_COPIES + 2); copies > 0; copies--) {
                const uint32_t size = s.strings.sizes[n];
                if (size > 0)
                    memcpy(codes, sample_string(&s, n), size);
                sample_strings_add(&s, codes, size, false);
            }
        assert_true(s.strings.count <= sizeof least);
        for (size_t n = 0; n < s.strings.count; n++)
            least[n] = (uint8_t)(random_next(&s.seed) % 20 < 2 ? random_next(&s.seed) % (s.strings.sizes[n] + 1) : 0);
        prefix_trie t = new_trie(&s.allocator);
        assert_int_equal(stamma_prefix_trie_build_different(&t, &s.strings, least), STAMMA_OK);
        expect_walk(&s, &t, true, least);
        stamma_prefix_trie_release(&t);
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
        prefix_trie t = new_trie(&allocator);
        error = stamma_prefix_trie_build_different(&t, &s.strings, NULL);
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
        cmocka_unit_test(copies_of_strings),
        cmocka_unit_test(too_few),
        cmocka_unit_test(one_within_another),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
