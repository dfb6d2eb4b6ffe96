/* SPDX-License-Identifier: MIT */
/* Tests classes of symbols (clause 14.11): stored trees, and the trees that the writer finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entropy/entropy.h"
#include "pgn_support.h"

static bool read_tree_of(unsigned kinds, const uint8_t *bytes, size_t size, class_map *map)
{
    cursor in = {bytes, bytes + size, false};
    return stamma_classes_read_tree(&in, kinds, map) && cursor_left(&in) == 0;
}

static bool read_tree(const uint8_t *bytes, size_t size, class_map *map)
{
    return read_tree_of(CONTEXT_KINDS, bytes, size, map);
}

/* Numbers of contexts, in the numbering of their user. */
enum { SECOND = 0, FIRST = 4, THIRD = 5 };

/* The tree splits the first context at 4; for values from 4 on, it splits the second context at 9. This makes three
 * classes. */
static void golden_tree(void **state)
{
    (void)state;
    const uint8_t bytes[] = {FIRST, SECOND, FIRST, 0x04, 0, 0x19, 0, 0};
    class_map map;
    assert_true(read_tree(bytes, sizeof bytes, &map));
    assert_int_equal(map.count, 3);
    for (unsigned first = 0; first < CONTEXT_LEVELS; first++)
        for (unsigned second = 0; second < CONTEXT_LEVELS; second++) {
            const uint8_t levels[CONTEXT_KINDS] = {[FIRST] = (uint8_t)first, [SECOND] = (uint8_t)second};
            unsigned class = first < 4 ? 0 : second < 9 ? 1 : 2;
            assert_int_equal(map.of[context_cell(levels, map.contexts)], class);
        }
}

static void bad_trees_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[9];
    } bad[] = {
        {4, {7, 0, 0, 0}},                   /* a context that does not exist */
        {2, {0, 0}},                         /* too few contexts */
        {3, {0, 0, 0}},                      /* no tree */
        {6, {0, 1, 2, 0x10, 0, 0}},          /* a cut without a level below it */
        {6, {0, 1, 2, 0x31, 0, 0}},          /* a cut of a fourth context */
        {5, {0, 1, 2, 0x05, 0}},             /* a branch is missing */
        {8, {0, 1, 2, 0x05, 0x05, 0, 0, 0}}, /* no level remains from 5 on */
        {8, {0, 1, 2, 0x05, 0, 0x04, 0, 0}}, /* no level remains below 4 */
        {5, {0, 1, 2, 0, 0}},                /* one byte too many */
    };
    class_map map;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
        assert_false(read_tree(bad[n].bytes, bad[n].size, &map));
}

static void contexts_of_other_users_are_refused(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0, 3, 1, 0};
    class_map map;
    assert_true(read_tree_of(4, bytes, sizeof bytes, &map));
    assert_false(read_tree_of(3, bytes, sizeof bytes, &map));
}

/* 32 classes are valid, 33 are not: 15 cuts of one context in a row, 15 of the next, and one or two of the last. */
static void a_tree_has_32_classes_at_most(void **state)
{
    (void)state;
    for (uint8_t more = 1; more <= 2; more++) {
        uint8_t bytes[80] = {0, 1, 2};
        size_t size = 3;
        for (uint8_t context = 0; context < 3; context++)
            for (uint8_t cut = 1; cut <= (context < 2 ? 15 : more); cut++) {
                bytes[size++] = (uint8_t)(context * CONTEXT_LEVELS + cut);
                bytes[size++] = 0;
            }
        class_map map;
        assert_int_equal(read_tree(bytes, size + 1, &map), more == 1);
        assert_true(map.count <= CLASSES_MAX);
    }
}

enum { SYMBOLS = 40000 };

/* Fills symbols that two contexts nearly determine. */
static void fill_symbols(context_symbol list[SYMBOLS])
{
    uint64_t random = 9;
    for (size_t i = 0; i < SYMBOLS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        for (size_t context = 0; context < CONTEXT_KINDS; context++)
            list[i].levels[context] = (uint8_t)(random >> (4 + 6 * context) & 15);
        unsigned group = (list[i].levels[FIRST] >= 6) + 2u * (list[i].levels[THIRD] >= 11);
        list[i].symbol = (uint8_t)(group * 50 + (random >> 60));
    }
}

/* If two contexts nearly determine the symbols, the writer finds classes by these contexts, and the output is small. */
static void classes_are_found(void **state)
{
    (void)state;
    static context_symbol list[SYMBOLS];
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer parameters = {.allocator = &allocator}, out = parameters;
    fill_symbols(list);
    unsigned classes = CLASSES_MAX;
    assert_true(stamma_classes_write(list, SYMBOLS, SIZE_MAX, &classes, &allocator, &parameters, &out));
    assert_int_equal(classes, 4);
    assert_int_equal(parameters.data[0], FIRST);
    assert_int_equal(parameters.data[1], THIRD);
    assert_in_range(out.size, SYMBOLS / 2, SYMBOLS / 2 + SYMBOLS / 100); /* four bits per symbol */
    parameters.size = out.size = 0;
    classes = 2; /* the maximum */
    assert_true(stamma_classes_write(list, SYMBOLS, SIZE_MAX, &classes, &allocator, &parameters, &out));
    assert_int_equal(classes, 2);
    stamma_buffer_release(&parameters);
    stamma_buffer_release(&out);
}

/* Parameters are complete, or the call returns STAMMA_ERROR_NO_MEMORY. */
static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    static context_symbol list[SYMBOLS];
    const stamma_allocator heap = stamma_allocator_or_default(NULL);
    unsigned failed = 0;
    fill_symbols(list);
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator allocator = failing_allocator(&memory);
        buffer parameters = {.allocator = &allocator}, out = parameters;
        unsigned classes = CLASSES_MAX, left = CLASSES_MAX;
        if (stamma_classes_write(list, SYMBOLS, SIZE_MAX, &classes, &allocator, &parameters, &out)) {
            cursor in = buffer_cursor(&parameters);
            buffer read = {.allocator = &heap};
            assert_int_equal(stamma_classes_read(&in, CONTEXT_KINDS, &left, &read), STAMMA_OK);
            assert_int_equal(cursor_left(&in), 0);
            stamma_buffer_release(&read);
        } else {
            failed++;
        }
        stamma_buffer_release(&parameters);
        stamma_buffer_release(&out);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failed > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_tree),
        cmocka_unit_test(bad_trees_are_refused),
        cmocka_unit_test(contexts_of_other_users_are_refused),
        cmocka_unit_test(a_tree_has_32_classes_at_most),
        cmocka_unit_test(classes_are_found),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
