/* SPDX-License-Identifier: MIT */
/* Tests the board representation bitboard: the library's position with the interface of all representations. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("bitboard", UINT16_MAX);
}

/* The state is a position. One shift and one mask find the pawns that can advance (the comment in bitboard.c). */
static void sets(void **unused)
{
    (void)unused;
    stamma_position position = position_of_fen("4k3/8/8/8/p7/8/PP6/4K3 w - - 0 1");
    stamma_board_state state;
    assert_int_equal(board_named("bitboard")->set_up(&position, &state), STAMMA_OK);
    assert_memory_equal(&state, &position, sizeof position);
    uint64_t pawns = position.by_color[STAMMA_WHITE] & position.by_type[STAMMA_PAWN];
    uint64_t occupied = position.by_color[STAMMA_WHITE] | position.by_color[STAMMA_BLACK];
    assert_int_equal(pawns << 8 & ~occupied, 0x030000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws), cmocka_unit_test(sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
