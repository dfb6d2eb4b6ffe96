/* SPDX-License-Identifier: MIT */
/* Tests `bcgn` with golden values. Codes have one byte exactly if the bounds sum to at most 256, and the measured
 * numbers of queens are compared with the numbers in the sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static stamma_code code_of(const stamma_codec *codec, const stamma_position *position, const char *uci)
{
    stamma_move move = STAMMA_MOVE_NULL, back = STAMMA_MOVE_NULL;
    stamma_code code = {0, 0};
    assert_int_equal(stamma_uci_read(position, text_of(uci), &move), STAMMA_OK);
    assert_int_equal(stamma_codec_encode(codec, position, move, &code), STAMMA_OK);
    assert_int_equal(stamma_codec_decode(codec, position, code, &back), STAMMA_OK);
    assert_int_equal(back, move);
    return code;
}

/* Eight pawns have 96 codes, two knights 16, two bishops 26, two rooks 28, the queen 27, the king 8: 201 (Chess
 * Programming Wiki). */
static void golden_values(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_int_equal(code_of(&stamma_codec_bcgn, &start, "e2e4").value, 4 * 12 + 4 + 1);
    assert_int_equal(code_of(&stamma_codec_bcgn, &start, "e2e3").value, 4 * 12 + 4);
    assert_int_equal(code_of(&stamma_codec_bcgn, &start, "b1a3").value, 96 + 1);
    assert_int_equal(code_of(&stamma_codec_bcgn, &start, "g1f3").value, 96 + 8 + 1);
    stamma_position castling = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_int_equal(code_of(&stamma_codec_bcgn, &castling, "a8a1").value, 0);
    assert_int_equal(code_of(&stamma_codec_bcgn, &castling, "h8h1").value, 14);
    assert_int_equal(code_of(&stamma_codec_bcgn, &castling, "e8d7").value, 28);
    assert_int_equal(code_of(&stamma_codec_bcgn, &castling, "e8g8").value, 28 + 6);
    assert_int_equal(code_of(&stamma_codec_bcgn, &castling, "e8c8").value, 28 + 7);
    stamma_position chess960 = position_of_fen("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1");
    assert_int_equal(code_of(&stamma_codec_bcgn, &chess960, "c1h1").value, 28 + 6);
    assert_int_equal(code_of(&stamma_codec_bcgn, &chess960, "c1b1").value, 28 + 7);
    /* The second listing of the Chess Programming Wiki multiplies by the bound of the moved type: the second rook
     * begins at 14, not at 27 or 8. */
    stamma_position rooks = position_of_fen("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
    assert_int_equal(code_of(&stamma_codec_bcgn, &rooks, "h1f1").value, 14 + 0 + 5);
}

static unsigned sum_of_bounds(const stamma_position *p)
{
    static const unsigned bounds[6] = {12, 8, 13, 14, 27, 8};
    unsigned sum = 0;
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        sum += bounds[type] * bits_count(p->by_color[p->side] & p->by_type[type]);
    return sum;
}

static void one_byte_up_to_256(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    bool fits = sum_of_bounds(position) <= 256;
    assert_int_equal(stamma_codec_fallback(&stamma_codec_bcgn, position) == NULL, fits);
    for (size_t n = 0; n < count; n++) {
        stamma_code code;
        assert_int_equal(stamma_codec_encode(&stamma_codec_bcgn, position, moves[n], &code), STAMMA_OK);
        assert_int_equal(code.bits, fits ? 8 : 16);
        assert_true(code.value < sum_of_bounds(position));
    }
}

/* The bounds of 4 queens, 7 rooks, 2 knights, 2 bishops and the king sum to 256: the king's last code is 255. The
 * king in the centre has eight steps, so the code 255 is a move. */
static void exactly_256(void **state)
{
    (void)state;
    stamma_position full = position_of_fen("QQQQRRRR/RRR5/8/4K3/8/8/6nn/NNBB2nk w - - 0 1");
    assert_int_equal(sum_of_bounds(&full), 256);
    stamma_code last = code_of(&stamma_codec_bcgn, &full, "e5f6");
    assert_int_equal(last.value, 255);
    assert_int_equal(last.bits, 8);
    one_byte_up_to_256(&full);
    stamma_position over = position_of_fen("QQQQQRRR/RRR5/8/4K3/8/8/6nn/NNBB2nk w - - 0 1");
    assert_int_equal(sum_of_bounds(&over), 269);
    assert_int_equal(code_of(&stamma_codec_bcgn, &over, "e5f6").value, 268);
    one_byte_up_to_256(&over);
    /* bcgn-square reserves 255 for the null move. From a sum of 256 on it falls back to the legal index in one byte. */
    assert_non_null(stamma_codec_fallback(&stamma_codec_bcgn_square, &full));
    stamma_position less = position_of_fen("QQQQRRRR/RR6/8/4K3/8/8/6nn/NNBB2nk w - - 0 1");
    assert_null(stamma_codec_fallback(&stamma_codec_bcgn_square, &less));
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(&full, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_code code;
        assert_int_equal(stamma_codec_encode(&stamma_codec_bcgn_square, &full, moves[n], &code), STAMMA_OK);
        assert_int_equal(code.value, n);
        assert_int_equal(code.bits, 8);
    }
}

/* Finds the largest sum of bounds for each number of queens, over all armies that promotions can produce. */
static void largest_sums(unsigned largest[10])
{
    for (unsigned q = 0; q <= 9; q++)
        for (unsigned r = 0; r <= 10; r++)
            for (unsigned b = 0; b <= 10; b++)
                for (unsigned n = 0; n <= 10; n++) {
                    unsigned promoted =
                        (q > 1 ? q - 1 : 0) + (r > 2 ? r - 2 : 0) + (b > 2 ? b - 2 : 0) + (n > 2 ? n - 2 : 0);
                    if (promoted > 8)
                        continue;
                    unsigned sum = 12 * (8 - promoted) + 8 * n + 13 * b + 14 * r + 27 * q + 8;
                    largest[q] = sum > largest[q] ? sum : largest[q];
                }
}

/* The Chess Programming Wiki says "at most 3 queens", its f(3) = 256 means four, and the comment on Forster 2015 says
 * two. The right formula for n queens beyond the first is f(n) = 217 + 13 n: up to four queens always fit in 256, up to
 * three in the 255 of bcgn-square, and five may not fit. */
static void how_many_queens(void **state)
{
    (void)state;
    unsigned largest[10] = {0};
    largest_sums(largest);
    for (unsigned n = 0; n <= 8; n++)
        assert_int_equal(largest[1 + n], 217 + 13 * n);
    assert_int_equal(largest[4], 256);
    assert_true(largest[4] <= 256 && largest[5] > 256);
    assert_true(largest[3] <= 255 && largest[4] > 255);
    /* Nine queens and the initial pieces need codes of two bytes. */
    stamma_position petrovic = position_of_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_int_equal(sum_of_bounds(&petrovic), 2 * 8 + 2 * 13 + 2 * 14 + 9 * 27 + 8);
    one_byte_up_to_256(&petrovic);
}

static void sample_positions(void **state)
{
    (void)state;
    each_sample(8 * SAMPLE_STARTS, 60, one_byte_up_to_256);
}

/* Each value of one byte, or of two bytes, is the code of a legal move or corrupt. */
static void codes_are_the_legal_moves(const stamma_position *position)
{
    unsigned bits = stamma_codec_fallback(&stamma_codec_bcgn, position) ? 16 : 8;
    size_t found = 0;
    for (unsigned value = 0; value < 1u << bits; value++) {
        stamma_move move = STAMMA_MOVE_NULL;
        found += stamma_codec_decode(&stamma_codec_bcgn, position, (stamma_code){value, bits}, &move) == STAMMA_OK;
    }
    assert_int_equal(found, stamma_legal_moves_count(position));
}

static void all_codes(void **state)
{
    (void)state;
    each_sample(2 * SAMPLE_STARTS, 30, codes_are_the_legal_moves);
    stamma_position full = position_of_fen("QQQQRRRR/RRR5/8/4K3/8/8/6nn/NNBB2nk w - - 0 1");
    codes_are_the_legal_moves(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),    cmocka_unit_test(exactly_256), cmocka_unit_test(how_many_queens),
        cmocka_unit_test(sample_positions), cmocka_unit_test(all_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
