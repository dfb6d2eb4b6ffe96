/* SPDX-License-Identifier: MIT */
/* Tests the board representation array-8x8, which has 64 signed numbers. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("array-8x8", UINT16_MAX);
}

/* As drawn in array_8x8.c: signs and numbers, from a1. */
static void pieces(void **unused)
{
    (void)unused;
    static const int8_t rank_1[8] = {4, 2, 3, 5, 6, 3, 2, 4}, rank_7[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const stamma_board *board = board_named("array-8x8");
    stamma_position start = stamma_position_start();
    stamma_board_state state;
    assert_int_equal(board->set_up(&start, &state), STAMMA_OK);
    assert_memory_equal(state.bytes, rank_1, 8);
    assert_memory_equal(state.bytes + 48, rank_7, 8);
    for (unsigned file = 0; file < 8; file++)
        assert_int_equal((int8_t)state.bytes[56 + file], -rank_1[file]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws), cmocka_unit_test(pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
