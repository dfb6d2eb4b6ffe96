/* SPDX-License-Identifier: MIT */
/* Tests the board representation piece-list, which has no board. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("piece-list", UINT16_MAX);
}

/* The state is smaller than sixty-four squares, including side, rights and clocks. */
static void smaller_than_a_board(void **unused)
{
    (void)unused;
    assert_true(board_named("piece-list")->size < 64);
}

/* The place of a captured piece becomes empty. A promoting pawn keeps its place and changes its kind. */
static void places(void **unused)
{
    (void)unused;
    const stamma_board *board = board_named("piece-list");
    stamma_position position = position_of_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    stamma_board_state state;
    stamma_board_undo undo;
    assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
    assert_int_equal(state.bytes[0], 4);     /* White's king, e1 */
    assert_int_equal(state.bytes[1], 48);    /* the pawn, a7 */
    assert_int_equal(state.bytes[16], 60);   /* Black's king, e8 */
    assert_int_equal(state.bytes[17], 57);   /* the knight, b8 */
    assert_int_equal(state.bytes[33], 0x05); /* kinds: king in the low bits, pawn in the high bits */
    board->make(&state, stamma_move_make(48, 57, STAMMA_FLAG_CAPTURE_PROMOTE_QUEEN), &undo);
    assert_int_equal(state.bytes[1], 57);
    assert_int_equal(state.bytes[17], STAMMA_SQUARE_NONE);
    assert_int_equal(state.bytes[33], 0x45);
}

/* The maximum is sixteen pieces per side, of any kinds. */
static void full_lists(void **unused)
{
    (void)unused;
    stamma_position position = position_of_fen("qqqqqqqq/qqqqqqqk/8/8/8/8/RRRRRRRR/NNNNNNNK b - - 0 1");
    law_position(board_named("piece-list"), &position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(smaller_than_a_board),
        cmocka_unit_test(places),
        cmocka_unit_test(full_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
