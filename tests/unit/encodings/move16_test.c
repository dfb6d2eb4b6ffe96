/* SPDX-License-Identifier: MIT */
/* Tests `move16` and `butterfly`: the golden values of the encoding table, the lines printed in the sources, and
 * corrupt values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static stamma_move move_of(const char *fen, const char *uci)
{
    stamma_position position = position_of_fen(fen);
    stamma_move move = STAMMA_MOVE_NULL;
    assert_int_equal(stamma_uci_read(&position, text_of(uci), &move), STAMMA_OK);
    return move;
}

/* A square and flags as packed in the three sources. */
static void golden_values(void **state)
{
    (void)state;
    assert_int_equal(move_of(sample_starts[0], "e2e4"), 0x131C);
    assert_int_equal(move_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), 0x2106);
    assert_int_equal(move_of("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8q"), 0xBD3C);
    assert_int_equal(move_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), 0x592B);
    assert_int_equal(move_of("k6r/8/8/8/8/8/8/B3K3 w - - 0 1", "a1h8"), 0x403F);
}

static void accessors_and_masks(void **state)
{
    (void)state;
    assert_int_equal(STAMMA_FLAG_PROMOTION, 8);
    assert_int_equal(STAMMA_FLAG_CAPTURE, 4);
    for (unsigned value = 0; value < 65536; value++) {
        stamma_move move = (stamma_move)value;
        unsigned flags = value >> 12;
        assert_int_equal(stamma_move_make(stamma_move_from(move), stamma_move_to(move), flags), value);
        assert_int_equal(stamma_move_to(move), value & 63);
        assert_int_equal(stamma_move_from(move), value >> 6 & 63);
        assert_int_equal(stamma_move_flags(move), flags);
        assert_int_equal(stamma_move_is_capture(move), (flags & 4) != 0);
        assert_int_equal(stamma_move_is_promotion(move), (flags & 8) != 0);
        assert_int_equal(stamma_move_is_castling(move), flags == 2 || flags == 3);
        assert_int_equal(stamma_move_is_en_passant(move), flags == 5);
        assert_int_equal(stamma_move_butterfly(move), value % 4096);
        unsigned other = value * 37 % 64;
        assert_int_equal(stamma_move_with_to(move, other + 64), stamma_move_make(value >> 6 & 63, other, flags));
        assert_int_equal(stamma_move_with_from(move, other + 64), stamma_move_make(other, value & 63, flags));
    }
    /* 0 knight, 1 bishop, 2 rook, 3 queen, without colour. */
    assert_int_equal(stamma_move_promotion(stamma_move_make(52, 60, 8)), STAMMA_KNIGHT);
    assert_int_equal(stamma_move_promotion(stamma_move_make(52, 61, 13)), STAMMA_BISHOP);
    assert_int_equal(stamma_move_promotion(stamma_move_make(12, 4, 10)), STAMMA_ROOK);
    assert_int_equal(stamma_move_promotion(stamma_move_make(12, 4, 15)), STAMMA_QUEEN);
}

/* The four lines that the Grand Chess Tree prints, and its round trip. */
static void printed_lines_of_the_series(void **state)
{
    (void)state;
    static const struct {
        unsigned from, to, flags;
        bool capture, promotion, castling, en_passant;
    } lines[] = {{12, 28, STAMMA_FLAG_DOUBLE_PUSH, false, false, false, false},
                 {4, 6, STAMMA_FLAG_KING_CASTLE, false, false, true, false},
                 {52, 60, STAMMA_FLAG_PROMOTE_QUEEN, false, true, false, false},
                 {36, 43, STAMMA_FLAG_EN_PASSANT, true, false, false, true}};
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        stamma_move move = stamma_move_make(lines[n].from, lines[n].to, lines[n].flags);
        assert_int_equal(stamma_move_is_capture(move), lines[n].capture);
        assert_int_equal(stamma_move_is_promotion(move), lines[n].promotion);
        assert_int_equal(stamma_move_is_castling(move), lines[n].castling);
        assert_int_equal(stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT, lines[n].en_passant);
    }
    stamma_move a1h8 = stamma_move_make(0, 63, STAMMA_FLAG_CAPTURE);
    assert_int_equal(stamma_move_from(a1h8), 0);
    assert_int_equal(stamma_move_to(a1h8), 63);
    assert_true(stamma_move_is_capture(a1h8));
}

/* Of all 65,536 values, a position accepts its legal moves and the null move. Flags 6 and 7 are never valid. */
static void all_other_values_are_corrupt(const stamma_position *position)
{
    size_t taken = 0;
    for (unsigned value = 0; value < 65536; value++) {
        stamma_move move = 1;
        stamma_error error = stamma_codec_decode(&stamma_codec_move16, position, (stamma_code){value, 16}, &move);
        assert_true(error == STAMMA_OK ? move == value : error == STAMMA_ERROR_CORRUPT && move == 1);
        assert_true(error != STAMMA_OK || (value >> 12 != 6 && value >> 12 != 7));
        taken += error == STAMMA_OK;
    }
    assert_int_equal(taken, stamma_legal_moves_count(position) + !stamma_position_in_check(position));
}

static void other_values_are_corrupt(void **state)
{
    (void)state;
    each_sample(2 * SAMPLE_STARTS, 3, all_other_values_are_corrupt);
}

/* In Chess960 the flag distinguishes castling: the king may stay on its square, or go to a square that it could step
 * to. */
static void chess960_castling(void **state)
{
    (void)state;
    stamma_position stays = position_of_fen("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    stamma_move castling = stamma_move_make(6, 6, STAMMA_FLAG_KING_CASTLE);
    assert_true(stamma_move_is_legal(&stays, castling));
    char uci[STAMMA_UCI_SIZE];
    assert_int_equal(stamma_uci_write(&stays, castling, true, uci, sizeof uci), 4);
    assert_string_equal(uci, "g1h1");
    stamma_position steps = position_of_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_true(stamma_move_is_legal(&steps, stamma_move_make(5, 6, STAMMA_FLAG_KING_CASTLE)));
    assert_true(stamma_move_is_legal(&steps, stamma_move_make(5, 6, STAMMA_FLAG_QUIET)));
}

static stamma_error decode_butterfly(const stamma_position *position, unsigned index, stamma_move *move)
{
    return stamma_codec_decode(&stamma_codec_butterfly, position, (stamma_code){index, 12}, move);
}

/* The index determines the move, unless several promotions, or castling and a king's step, have the same index. */
static void butterfly(void **state)
{
    (void)state;
    stamma_move move = STAMMA_MOVE_NULL;
    stamma_position start = stamma_position_start();
    assert_int_equal(decode_butterfly(&start, 12 * 64 + 28, &move), STAMMA_OK);
    assert_int_equal(move, 0x131C);
    assert_int_equal(decode_butterfly(&start, 12 * 64 + 36, &move), STAMMA_ERROR_CORRUPT);
    stamma_position promotion = position_of_fen("8/4P3/8/8/8/8/k7/4K3 w - - 0 1");
    assert_int_equal(decode_butterfly(&promotion, 52 * 64 + 60, &move), STAMMA_ERROR_AMBIGUOUS);
    stamma_position steps = position_of_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_int_equal(decode_butterfly(&steps, 5 * 64 + 6, &move), STAMMA_ERROR_AMBIGUOUS);
    assert_int_equal(move, 0x131C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(accessors_and_masks),
        cmocka_unit_test(printed_lines_of_the_series),
        cmocka_unit_test(other_values_are_corrupt),
        cmocka_unit_test(chess960_castling),
        cmocka_unit_test(butterfly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
