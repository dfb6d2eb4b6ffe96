/* SPDX-License-Identifier: MIT */
/* Tests the look-up tables of the BMI2 sliders. Computes pext in plain C, so any processor can run the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

#if STAMMA_HAVE_BMI2
static uint64_t extract(uint64_t x, uint64_t mask)
{
    uint64_t packed = 0;
    for (unsigned n = 0; mask; mask = bits_rest(mask), n++)
        packed |= (x >> bits_first(mask) & 1) << n;
    return packed;
}

static uint64_t look_up(const pext_line *line, uint64_t occupied)
{
    return stamma_pext_attacks[line->offset + extract(occupied, line->mask)];
}

/* Tests every subset of each line's squares, with all other squares empty or all occupied. */
static void check_line(const pext_line *line, unsigned square, bool diagonal, uint64_t keep)
{
    uint64_t subset = 0;
    do {
        for (unsigned full = 0; full < 2; full++) {
            uint64_t occupied = full ? subset | ~line->mask : subset;
            uint64_t attacks = diagonal ? bishop_attacks(square, occupied) : rook_attacks(square, occupied) & keep;
            assert_true(look_up(line, occupied) == attacks);
        }
        subset = (subset - line->mask) & line->mask;
    } while (subset);
}

static void every_entry(void **state)
{
    (void)state;
    for (unsigned square = 0; square < 64; square++) {
        const pext_lines *lines = &stamma_pext_lines[square];
        check_line(&lines->diagonals, square, true, 0);
        check_line(&lines->row, square, false, stamma_line_masks[square][0]);
        check_line(&lines->column, square, false, stamma_line_masks[square][1]);
    }
}
#else
static void every_entry(void **state)
{
    (void)state;
    print_message("this build has no BMI2 code\n");
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
