/* SPDX-License-Identifier: MIT */
/* Tests trees from games without text, which a caller may have made, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pgn_support.h"

/* 1. e4 e5 */
static stamma_move moves[2];

static unsigned count_nodes(const stamma_game *tree)
{
    unsigned count = 0;
    for (stamma_node n = stamma_game_first_child(tree, 0); n != STAMMA_NODE_NONE; n = stamma_game_first_child(tree, n))
        count++;
    return count;
}

static void typed_games(void **state)
{
    (void)state;
    static const stamma_archive_item late = {.kind = STAMMA_ITEM_NAG, .ply = 5, .nag = 1};
    const stamma_archive_game right = {
        .start = stamma_position_start(), .moves = moves, .ply_count = 2, .items = &late, .item_count = 1};
    moves[0] = stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH);
    moves[1] = stamma_move_make(52, 36, STAMMA_FLAG_DOUBLE_PUSH);
    stamma_game *tree;
    assert_int_equal(stamma_game_open(NULL, &tree), STAMMA_OK);
    assert_int_equal(stamma_archive_game_read_tree(&right, NULL, tree), STAMMA_OK);
    assert_int_equal(count_nodes(tree), 2); /* the late item belongs to the last move */
    stamma_archive_game game = right;
    game.continuation = true;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    game = right;
    game.reason = STAMMA_REASON_SYNTAX;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    game = right;
    game.moves = NULL; /* the moves were not read */
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(count_nodes(tree), 2);
    game.ply_count = game.item_count = 0;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_OK);
    assert_int_equal(count_nodes(tree), 0);
    stamma_game_close(tree);
}

/* Each allocation fails, also while the moves before an item are added. */
static void without_memory(void **state)
{
    (void)state;
    enum { PLIES = 200 };
    static const uint8_t squares[4][2] = {{6, 21}, {62, 45}, {21, 6}, {45, 62}}; /* 1. Nf3 Nf6 2. Ng1 Ng8 */
    static stamma_move line[PLIES];
    static const stamma_archive_item last = {.kind = STAMMA_ITEM_NAG, .ply = PLIES, .nag = 1};
    const stamma_archive_game game = {
        .start = stamma_position_start(), .moves = line, .ply_count = PLIES, .items = &last, .item_count = 1};
    for (size_t n = 0; n < PLIES; n++)
        line[n] = stamma_move_make(squares[n % 4][0], squares[n % 4][1], STAMMA_FLAG_QUIET);
    bool failed = true;
    for (unsigned n = 1; failed; n++) {
        failing_memory memory = {.fail_at = 0};
        const stamma_allocator allocator = failing_allocator(&memory);
        stamma_game *tree;
        assert_int_equal(stamma_game_open(&allocator, &tree), STAMMA_OK);
        memory.fail_at = memory.calls + n;
        const stamma_error error = stamma_archive_game_read_tree(&game, &allocator, tree);
        failed = memory.calls >= memory.fail_at;
        assert_int_equal(error, failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK);
        if (!failed)
            assert_int_equal(count_nodes(tree), PLIES);
        stamma_game_close(tree);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(typed_games), cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
