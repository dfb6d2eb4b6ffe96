/* SPDX-License-Identifier: MIT */
/* Tests the board representation array-16x16: guard squares around the board, modulo 256, and differences of
 * squares. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("array-16x16", UINT16_MAX);
}

/* As drawn in array_16x16.c: 64 squares in the lower left quarter, guards (33) on the other 192. Kings come first. */
static void guards(void **unused)
{
    (void)unused;
    stamma_position start = stamma_position_start();
    stamma_board_state state;
    assert_int_equal(board_named("array-16x16")->set_up(&start, &state), STAMMA_OK);
    for (unsigned index = 0; index < 256; index++)
        assert_int_equal(state.bytes[index] == 33, index / 16 > 7 || index % 16 > 7);
    assert_int_equal(state.bytes[0x04], 1);
    assert_int_equal(state.bytes[0x74], 17);
}

/* The difference of two squares as a byte determines their distance in ranks and files. */
static void difference_is_a_direction_and_distance(void **unused)
{
    (void)unused;
    int ranks[256], files[256];
    bool seen[256] = {false};
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++) {
            uint8_t difference = (uint8_t)(16 * (to / 8) + to % 8 - 16 * (from / 8) - from % 8);
            if (!seen[difference]) {
                seen[difference] = true;
                ranks[difference] = to / 8 - from / 8;
                files[difference] = to % 8 - from % 8;
            }
            assert_int_equal(ranks[difference], to / 8 - from / 8);
            assert_int_equal(files[difference], to % 8 - from % 8);
        }
}

/* Double checks by a pawn and a slider. The king may move away from the pawn on the line between them, but not away
 * from the slider on its line. */
static void lines_of_checks(void **unused)
{
    (void)unused;
    static const char *const fens[] = {
        "4k3/8/8/8/3p3r/4K3/8/8 w - - 0 1",  /* check by a pawn: the square beyond is safe */
        "8/8/8/7b/8/3pp3/4K3/2k5 w - - 0 1", /* pawn and bishop */
        "8/8/2k5/4q3/8/3p4/4K3/8 w - - 0 1", /* pawn and queen */
        "4r3/8/8/8/8/5p2/4K3/2k5 w - - 0 1", /* pawn and rook */
        "4k3/8/8/8/8/2n5/4K3/4r3 w - - 0 1", /* knight and rook */
    };
    for (size_t n = 0; n < sizeof fens / sizeof *fens; n++) {
        stamma_position position = position_of_fen(fens[n]);
        law_position(board_named("array-16x16"), &position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(guards),
        cmocka_unit_test(difference_is_a_direction_and_distance),
        cmocka_unit_test(lines_of_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
