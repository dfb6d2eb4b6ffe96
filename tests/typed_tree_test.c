/* Tests trees from games without text, which a caller may have made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stamma.h>

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
    assert_int_equal(count_nodes(tree), 2); /* the item after the last move is its */
    stamma_archive_game game = right;
    game.continuation = true;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    game = right;
    game.reason = STAMMA_REASON_SYNTAX;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    game = right;
    game.moves = NULL; /* they were not read */
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(count_nodes(tree), 2);
    game.ply_count = game.item_count = 0;
    assert_int_equal(stamma_archive_game_read_tree(&game, NULL, tree), STAMMA_OK);
    assert_int_equal(count_nodes(tree), 0);
    stamma_game_close(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(typed_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
