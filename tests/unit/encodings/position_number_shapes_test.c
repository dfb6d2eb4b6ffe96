/* SPDX-License-Identifier: MIT */
/* Tests the order of the shapes of positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_number.h"
#include "sample_positions.h"

/* Returns the number of all positions, without regard to the side to move and the clock. */
static wide total(void)
{
    static const unsigned castlings[3] = {1, 56, 56};
    wide sum = {{0}};
    for (unsigned n = 0; n < 9; n++) {
        wide part = stamma_positions_before[n / 3][n % 3][PAWN_CLASSES];
        stamma_wide_multiply(&part, castlings[n / 3] * castlings[n % 3]);
        stamma_wide_add(&sum, &part);
    }
    return sum;
}

/* 152.724 bits with the side, 159.382 with the clock. */
static void below_2_to_160(void **state)
{
    (void)state;
    wide positions = total();
    stamma_wide_multiply(&positions, 2);
    assert_int_equal(positions.limb[4] >> 24, 1); /* 2^152 */
    stamma_wide_multiply(&positions, 101);
    assert_int_equal(positions.limb[5], 0);
    assert_true(positions.limb[4] >> 31 == 1); /* 2^159 */
}

/* A random number belongs to a shape. The number is the shape's first number plus the remainder, and the remainder
 * is below the shape's count. */
static void numbers_of_shapes(void **state)
{
    (void)state;
    uint64_t random = 4;
    wide end = total();
    unsigned en_passants = 0, castlings = 0;
    for (unsigned n = 0; n < 3000; n++) {
        wide number = {{0}};
        for (unsigned limb = 0; limb < 5; limb++)
            number.limb[limb] = (uint32_t)random_next(&random) >> (limb == 4 ? 8 + n % 16 : 0);
        wide over = number, place = number;
        if (stamma_wide_subtract(&over, &end))
            continue;
        position_shape s;
        assert_true(stamma_shape_unrank(&place, &s));
        wide first = stamma_shape_rank(&s);
        unsigned squares = stamma_shape_squares(&s);
        wide count = stamma_wide_product(stamma_pawns_count(&s), stamma_binomials[squares][s.pieces[0]],
                                         stamma_binomials[squares - s.pieces[0]][s.pieces[1]]);
        stamma_wide_multiply(&count, stamma_kinds_count(&s));
        over = place;
        assert_false(stamma_wide_subtract(&over, &count));
        stamma_wide_add(&first, &place);
        assert_memory_equal(&first, &number, sizeof number);
        en_passants += s.en_passant > 0;
        castlings += s.castling[0] > 0 || s.castling[1] > 0;
    }
    assert_true(en_passants > 0 && castlings > 0);
    wide last = end;
    position_shape s;
    assert_false(stamma_shape_unrank(&last, &s));
}

/* 112 castlings of a side in Chess960, each with a different number. */
static void castlings(void **state)
{
    (void)state;
    for (unsigned number = 1; number <= 112; number++) {
        back_rank c;
        assert_int_equal(stamma_castling_find(&c, number), number);
        assert_true(c.h_rook > c.king && (c.a_rook == 8 || c.a_rook < c.king));
        assert_int_equal((c.h_rook < 8) + (c.a_rook < 8), number <= 56 ? 1 : 2);
        back_rank same = c;
        assert_int_equal(stamma_castling_find(&same, 0), number);
    }
    back_rank none = {4, 3, 8};
    assert_int_equal(stamma_castling_find(&none, 0), 0);
    assert_int_equal(stamma_castling_find(&none, 113), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_2_to_160),
        cmocka_unit_test(numbers_of_shapes),
        cmocka_unit_test(castlings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
