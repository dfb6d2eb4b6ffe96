/* SPDX-License-Identifier: MIT */
/* Tests the line of moves: branches return to where they started, lines after an error stay invalid, and nesting
 * does not use the C stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"
#include "pgn_support.h"

static const char *const moves[] = {"e4", "e5", "Nf3", "Nc6"};

static void play(pgn_line *line, const char *san)
{
    stamma_move move;
    assert_int_equal(stamma_san_read(pgn_line_position(line), (stamma_text){san, strlen(san)}, &move), STAMMA_OK);
    pgn_line_play(line, move);
}

static pgn_line start(const stamma_allocator *allocator)
{
    pgn_line line = {.allocator = allocator};
    stamma_position position = stamma_position_start();
    stamma_pgn_line_start(&line, &position);
    return line;
}

static void expect_position(const pgn_line *line, const stamma_position *expected, uint32_t ply)
{
    assert_true(pgn_line_is_known(line));
    assert_memory_equal(pgn_line_position(line), expected, sizeof *expected);
    assert_int_equal(line->ply, ply);
}

static void test_branch_and_return(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    pgn_line line = start(&allocator);
    stamma_position before[5];
    for (int i = 0; i < 4; i++) {
        before[i] = *pgn_line_position(&line);
        play(&line, moves[i]);
    }
    before[4] = *pgn_line_position(&line);
    assert_true(stamma_pgn_line_branch(&line));
    expect_position(&line, &before[3], 3);
    assert_true(stamma_pgn_line_branch(&line)); /* no move yet: the branch replaces the next move */
    expect_position(&line, &before[3], 3);
    play(&line, "d6");
    stamma_pgn_line_return(&line);
    expect_position(&line, &before[3], 3);
    play(&line, "d6");
    play(&line, "d4");
    assert_true(stamma_pgn_line_branch(&line));
    assert_int_equal(line.depth, 2);
    stamma_pgn_line_return(&line);
    stamma_pgn_line_return(&line);
    expect_position(&line, &before[4], 4);
    stamma_pgn_line_release(&line);
}

static void test_failures(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    pgn_line line = start(&allocator);
    play(&line, "e4");
    stamma_position before = *pgn_line_position(&line);
    stamma_pgn_line_fail(&line, STAMMA_ERROR_ILLEGAL);
    assert_false(pgn_line_is_known(&line));
    assert_int_equal(line.error, STAMMA_ERROR_ILLEGAL);
    assert_true(stamma_pgn_line_branch(&line)); /* the replacement of the bad move is playable */
    expect_position(&line, &before, 1);
    play(&line, "e5");
    stamma_pgn_line_return(&line);
    assert_false(pgn_line_is_known(&line));
    stamma_pgn_line_fail(&line, STAMMA_ERROR_SYNTAX);
    assert_int_equal(line.error, STAMMA_ERROR_ILLEGAL); /* the first error is kept */
    assert_int_equal(line.ply, 3);
    assert_true(stamma_pgn_line_branch(&line)); /* the replacement of a later move is not */
    assert_false(pgn_line_is_known(&line));
    stamma_pgn_line_return(&line);
    assert_int_equal(line.ply, 3);
    stamma_pgn_line_release(&line);
}

static void test_deep(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    pgn_line line = start(&allocator);
    play(&line, "e4");
    stamma_position after = *pgn_line_position(&line);
    for (int i = 0; i < 200000; i++) {
        assert_true(stamma_pgn_line_branch(&line));
        play(&line, "d4");
    }
    for (int i = 0; i < 200000; i++)
        stamma_pgn_line_return(&line);
    expect_position(&line, &after, 1);
    stamma_pgn_line_release(&line);
}

static void test_no_memory(void **state)
{
    (void)state;
    failing_memory memory = {.fail_at = 2};
    stamma_allocator allocator = failing_allocator(&memory);
    pgn_line line = start(&allocator);
    unsigned levels = 0;
    while (stamma_pgn_line_branch(&line))
        levels++;
    assert_true(levels > 0);
    assert_int_equal(line.depth, levels);
    assert_true(stamma_pgn_line_branch(&line)); /* only one allocation fails */
    stamma_pgn_line_release(&line);
    assert_int_equal(memory.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch_and_return),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
