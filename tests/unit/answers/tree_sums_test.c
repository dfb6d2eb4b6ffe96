/* SPDX-License-Identifier: MIT */
/* Tests adding the sums of games that blocks and index files contain to a tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers/answers.h"
#include "pgn_support.h"

enum { LONG = 70000 /* each copy of a text of this size needs an allocation */, MONTH = 2001 * SEARCH_YEAR + 2 };

static unsigned code_of_e4(void)
{
    const stamma_position start = stamma_position_start();
    uint8_t code = 0;
    assert_int_equal(stamma_byte_encode(&start, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH), &code), STAMMA_OK);
    return code;
}

/* Sums of two games in the initial position: one game has a next move, the other ends there. */
static index_sums *make_sums(unsigned code)
{
    index_sums *sums = calloc(1, sizeof *sums);
    assert_non_null(sums);
    sums->months = calloc(INDEX_MONTHS, sizeof *sums->months);
    assert_non_null(sums->months);
    const index_facts won = {{2400, 2200}, MONTH, 0, 0, 0}, drawn = {{0, 2000}, MONTH, 2, 0, 0};
    const index_example first = index_example_of(&won, 1, 0, code),
                        second = index_example_of(&drawn, 2, 1, INDEX_NO_MOVE);
    stamma_index_sums_add(sums, &won, &first);
    stamma_index_sums_add(sums, &drawn, &second);
    return sums;
}

static void free_sums(index_sums *sums)
{
    free(sums->months);
    free(sums);
}

static stamma_tree *open_tree(const stamma_allocator *allocator)
{
    const stamma_position start = stamma_position_start();
    stamma_tree *tree = NULL;
    assert_int_equal(stamma_tree_open(&start, allocator, &tree), STAMMA_OK);
    assert_int_equal(stamma_tree_keep_history(tree), STAMMA_OK);
    return tree;
}

static void adds_games(void **state)
{
    (void)state;
    index_sums *sums = make_sums(code_of_e4());
    stamma_tree *tree = open_tree(NULL);
    stamma_tree_month month = {.month = 0};
    assert_int_equal(stamma_tree_add_sums(tree, (stamma_text){"a", 1}, sums), STAMMA_OK);
    const stamma_tree_counts c = stamma_tree_total(tree);
    assert_true(c.games == 2 && c.white_wins == 1 && c.draws == 1 && c.black_wins == 0 && c.rated == 1 &&
                c.rating_sum == 4600);
    assert_int_equal(stamma_tree_move_count(tree), 1);
    assert_int_equal(stamma_tree_move_at(tree, 0)->counts.games, 1);
    assert_int_equal(stamma_tree_top_game(tree, 0)->game, 1);
    assert_int_equal(stamma_tree_recent_game(tree, 0)->game, 2);
    assert_true(stamma_tree_recent_game(tree, 0)->ended);
    assert_true(stamma_tree_next_month(tree, &month) && month.month == 200102 && month.white_wins == 1 &&
                month.draws == 1);
    stamma_tree_close(tree);
    free_sums(sums);
}

/* A code without a move is damage, even if only an example game has this code. */
static void checks_codes(void **state)
{
    (void)state;
    for (unsigned list = 0; list < 3; list++) {
        index_sums *sums = make_sums(list == 0 ? 254u : code_of_e4());
        stamma_tree *tree = open_tree(NULL);
        if (list > 0)
            (list == 1 ? &sums->top : &sums->recent)->games[list == 1 ? 0 : 1].code = 254;
        assert_int_equal(stamma_tree_add_sums(tree, (stamma_text){"a", 1}, sums), STAMMA_ERROR_CORRUPT);
        stamma_tree_close(tree);
        free_sums(sums);
    }
}

static void memory_may_fail_at_any_call(void **state)
{
    (void)state;
    char *name = malloc(LONG);
    index_sums *sums = make_sums(code_of_e4());
    unsigned failed = 0;
    assert_non_null(name);
    memset(name, 'a', LONG);
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned at = 1, ended = 0; !ended; at++) {
            failing_memory memory = {.fail_at = 0};
            const stamma_allocator allocator = failing_allocator(&memory);
            stamma_tree *tree = open_tree(&allocator);
            memory.fail_at = memory.calls + at;
            const stamma_error error = stamma_tree_add_sums(tree, (stamma_text){name, LONG}, sums);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_NO_MEMORY);
            ended = error == STAMMA_OK;
            failed += error != STAMMA_OK;
            stamma_tree_close(tree);
            assert_int_equal(memory.alive, 0);
        }
        memset(sums->of, 0, sizeof sums->of); /* only examples */
    }
    assert_true(failed > 4);
    free(name);
    free_sums(sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_games),
        cmocka_unit_test(checks_codes),
        cmocka_unit_test(memory_may_fail_at_any_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
