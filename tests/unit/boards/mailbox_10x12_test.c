/* SPDX-License-Identifier: MIT */
/* Tests the board representation mailbox-10x12: adjacent ranks share the guards at the edges. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("mailbox-10x12", UINT16_MAX);
}

static bool is_guard(int index)
{
    return index / 10 < 2 || index / 10 > 9 || index % 10 < 1 || index % 10 > 8;
}

/* As drawn in mailbox_10x12.c: a1 has index 21, h8 has 98, and the other 56 entries are 99. */
static void guards(void **unused)
{
    (void)unused;
    stamma_position start = stamma_position_start();
    stamma_board_state state;
    assert_int_equal(board_named("mailbox-10x12")->set_up(&start, &state), STAMMA_OK);
    for (int index = 0; index < 120; index++)
        assert_int_equal(state.bytes[index] == 99, is_guard(index));
    assert_int_equal((int8_t)state.bytes[21], 4);
    assert_int_equal((int8_t)state.bytes[98], -4);
}

/* One file of guards on each side is sufficient: every step from a square ends on the intended square or on a guard. */
static void overlapping_files_suffice(void **unused)
{
    (void)unused;
    for (int square = 0; square < 64; square++)
        for (int ranks = -2; ranks <= 2; ranks++)
            for (int files = -2; files <= 2; files++) {
                int rank = square / 8 + ranks, file = square % 8 + files;
                bool on_board = rank >= 0 && rank < 8 && file >= 0 && file < 8;
                int index = 21 + 10 * (square / 8) + square % 8 + 10 * ranks + files;
                if (ranks * ranks + files * files > 5)
                    continue; /* no piece moves like this */
                assert_true(index >= 0 && index < 120);
                assert_int_equal(is_guard(index), !on_board);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(guards),
        cmocka_unit_test(overlapping_files_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
