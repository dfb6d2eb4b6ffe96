/* SPDX-License-Identifier: MIT */
/* Tests the board representation x88: indexes 0rrr0fff, and the difference of two squares. */
#include "board_laws.h"
#include "boards/boards.h"

static void laws(void **state)
{
    (void)state;
    law_all("x88", UINT16_MAX);
}

static unsigned x88(unsigned square)
{
    return square / 8 * 16 + square % 8;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Returns the step of the line between two squares at this distance in ranks and files; 0 if they are not on a line. */
static int step_of(int ranks, int files)
{
    bool line = ranks == 0 || files == 0 || ranks == files || ranks == -files;
    return line ? 16 * sign(ranks) + sign(files) : 0;
}

/* b8 is 71 (Wikipedia), a1 00, h8 77. The right half of the board stays empty. */
static void numbers(void **unused)
{
    (void)unused;
    stamma_position position = position_of_fen("kn6/8/8/8/8/8/8/1R5K w - - 0 1");
    stamma_board_state state;
    assert_int_equal(board_named("x88")->set_up(&position, &state), STAMMA_OK);
    assert_int_equal(state.bytes[0x71], 8 + 2);
    assert_int_equal(state.bytes[0x01], 4);
    assert_int_equal(state.bytes[0x07], 6);
    for (unsigned index = 0; index < 128; index++)
        if (index & 0x88)
            assert_int_equal(state.bytes[index], 0);
}

/* `& 0x88` detects every step off the board, for any piece. */
static void edge(void **unused)
{
    (void)unused;
    for (int square = 0; square < 64; square++)
        for (int ranks = -7; ranks <= 7; ranks++)
            for (int files = -7; files <= 7; files++) {
                int rank = square / 8 + ranks, file = square % 8 + files;
                bool on_board = rank >= 0 && rank < 8 && file >= 0 && file < 8;
                unsigned to = x88((unsigned)square) + (unsigned)(16 * ranks + files);
                assert_int_equal((to & 0x88) == 0, on_board);
            }
}

/* For all 4096 pairs of squares: the difference of two squares determines their distance in ranks and files, and
 * therefore the kind of line between them. The table contains this kind. */
static void difference_determines_line(void **unused)
{
    (void)unused;
    int step_by_difference[0xEF];
    for (unsigned n = 0; n < 0xEF; n++)
        step_by_difference[n] = 99;
    for (unsigned from = 0; from < 64; from++)
        for (unsigned to = 0; to < 64; to++) {
            int step = step_of((int)(to / 8) - (int)(from / 8), (int)(to % 8) - (int)(from % 8));
            int *known = &step_by_difference[x88(to) + 0x77 - x88(from)];
            assert_true(*known == 99 || *known == step);
            *known = step;
            assert_int_equal(stamma_x88_step(x88(from), x88(to)), step);
        }
}

/* Consecutive numbers do not have this property: b1 is next to a1, but a2 is not next to h1, with the same
 * difference. */
static void plain_numbers_do_not(void **unused)
{
    (void)unused;
    unsigned a1 = 0, b1 = 1, h1 = 7, a2 = 8;
    assert_int_equal(b1 - a1, a2 - h1);
    assert_int_equal(step_of(0, 1), 1);
    assert_int_equal(step_of(1, -7), 0);
    assert_int_equal(stamma_x88_step(x88(a1), x88(b1)), 1);
    assert_int_equal(stamma_x88_step(x88(h1), x88(a2)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(numbers),
        cmocka_unit_test(edge),
        cmocka_unit_test(difference_determines_line),
        cmocka_unit_test(plain_numbers_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
