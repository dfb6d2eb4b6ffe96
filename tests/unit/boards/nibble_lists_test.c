/* SPDX-License-Identifier: MIT */
/* Compares the lists of nibble-rows with the geometry of the board. tests/generators/nibble_lists.sh compares them with
 * the output of their script. */
#include "board/board.h"
#include "board_laws.h"
#include "boards/boards.h"

/* Returns the squares that a piece attacks on an empty board. */
static uint64_t attacks_of(unsigned nibble, unsigned square)
{
    switch (nibble) {
    case 0:
    case 8: return 0;
    case 1: return pawn_attacks(STAMMA_WHITE, square);
    case 9: return pawn_attacks(STAMMA_BLACK, square);
    case 7:
    case 15: return rook_attacks(square, 0);
    default: return piece_attacks((nibble & 7) - 1, square, 0);
    }
}

/* A list contains every square that its piece attacks, once. A ray continues in one direction, square by square. */
static void lists(void **unused)
{
    (void)unused;
    for (unsigned nibble = 0; nibble < 16; nibble++)
        for (unsigned square = 0; square < 64; square++) {
            uint64_t listed = 0;
            unsigned before = square, ray_start = square;
            for (const uint8_t *to = stamma_nibble_lists + stamma_nibble_starts[nibble][square]; *to != 0x80; to++) {
                unsigned target = *to & 63;
                assert_false(listed >> target & 1);
                listed |= UINT64_C(1) << target;
                if (before != square)
                    assert_int_equal(target - before, before - ray_start);
                ray_start = before;
                before = target;
                if (*to & 0x40)
                    before = ray_start = square;
            }
            assert_int_equal(before, square); /* the last ray is closed */
            assert_true(listed == attacks_of(nibble, square));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
