/* SPDX-License-Identifier: MIT */
/* Tests `enumeration`: the bijection between moves and numbers, and every subtotal of the two tables and the sheet
 * in the Chess Programming Wiki, by counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static stamma_enumerated_move unranked(unsigned number)
{
    stamma_enumerated_move move = {0, 9, 9, 9};
    assert_int_equal(stamma_enumeration_unrank(number, &move), STAMMA_OK);
    return move;
}

static void all_numbers_there_and_back(void **state)
{
    (void)state;
    for (unsigned number = 0; number < STAMMA_ENUMERATION_COUNT; number++) {
        stamma_enumerated_move move = unranked(number);
        uint16_t back = 0;
        assert_int_equal(stamma_enumeration_rank(move, &back), STAMMA_OK);
        assert_int_equal(back, number);
        assert_int_equal(move.side, number / STAMMA_ENUMERATION_SIDE);
    }
    stamma_enumerated_move move;
    for (unsigned number = STAMMA_ENUMERATION_COUNT; number < 70000; number++)
        assert_int_equal(stamma_enumeration_unrank(number, &move), STAMMA_ERROR_BAD_ARGUMENT);
}

/* No other combination of side, piece, captured piece and sixteen bits has a number, so there are 45,356 numbers. */
static void nothing_else_has_a_number(void **state)
{
    (void)state;
    unsigned ranked = 0;
    for (unsigned pieces = 0; pieces < 2 * 8 * 8; pieces++)
        for (unsigned value = 0; value < 65536; value++) {
            stamma_enumerated_move move = {(stamma_move)value, (uint8_t)(pieces & 1), (uint8_t)(pieces >> 1 & 7),
                                           (uint8_t)(pieces >> 4)};
            uint16_t number = 0;
            if (stamma_move_is_castling(move.move) && stamma_move_from(move.move) % 56 != 4)
                continue; /* the king's square is not part of the number */
            ranked += stamma_enumeration_rank(move, &number) == STAMMA_OK;
        }
    assert_int_equal(ranked, 45356);
    stamma_enumerated_move bad = {0x131C, 2, STAMMA_PAWN, STAMMA_PIECE_TYPE_NONE};
    uint16_t number = 7;
    assert_int_equal(stamma_enumeration_rank(bad, &number), STAMMA_ERROR_BAD_ARGUMENT);
    assert_int_equal(number, 7);
}

/* The kinds of moves that the source distinguishes. */
enum { PUSH, PROMOTION, DOUBLE, CAPTURE, CAPTURE_PROMOTION, EN_PASSANT, CASTLE, PIECE_QUIET, PIECE_CAPTURE, KINDS };

static unsigned kind_of(stamma_enumerated_move move)
{
    unsigned flags = stamma_move_flags(move.move);
    if (stamma_move_is_castling(move.move))
        return CASTLE;
    if (move.piece != STAMMA_PAWN)
        return flags == STAMMA_FLAG_CAPTURE ? PIECE_CAPTURE : PIECE_QUIET;
    if (flags == STAMMA_FLAG_EN_PASSANT)
        return EN_PASSANT;
    if (flags & STAMMA_FLAG_PROMOTION)
        return flags & STAMMA_FLAG_CAPTURE ? CAPTURE_PROMOTION : PROMOTION;
    return flags == STAMMA_FLAG_CAPTURE ? CAPTURE : flags == STAMMA_FLAG_DOUBLE_PUSH ? DOUBLE : PUSH;
}

static void the_tables_of_the_source(void **state)
{
    (void)state;
    for (unsigned side = 0; side < 2; side++) {
        unsigned count[6][KINDS] = {{0}}, pawn_captures_on_edge = 0;
        for (unsigned n = 0; n < STAMMA_ENUMERATION_SIDE; n++) {
            stamma_enumerated_move move = unranked(side * STAMMA_ENUMERATION_SIDE + n);
            unsigned rank = stamma_move_to(move.move) >> 3;
            count[move.piece][kind_of(move)]++;
            pawn_captures_on_edge += move.captured == STAMMA_PAWN && (rank == 0 || rank == 7);
        }
        const unsigned *pawn = count[STAMMA_PAWN], *king = count[STAMMA_KING];
        /* Pawn moves */
        assert_int_equal(pawn[PUSH], 40);
        assert_int_equal(pawn[PROMOTION], 32);
        assert_int_equal(pawn[DOUBLE], 8);
        assert_int_equal(pawn[PUSH] + pawn[PROMOTION] + pawn[DOUBLE], 80);
        assert_int_equal(pawn[CAPTURE], 350);
        assert_int_equal(pawn[CAPTURE_PROMOTION], 224);
        assert_int_equal(pawn[EN_PASSANT], 14);
        assert_int_equal(pawn[CAPTURE] + pawn[CAPTURE_PROMOTION] + pawn[EN_PASSANT], 588);
        assert_int_equal(80 + 588, 668);
        /* Piece moves: the number of pairs of squares (influence); five times this number of captures; six times this
         * number in total */
        static const unsigned influence[6] = {0, 336, 560, 896, 1456, 420};
        unsigned pieces = 0;
        for (unsigned piece = STAMMA_KNIGHT; piece <= STAMMA_KING; piece++) {
            assert_int_equal(count[piece][PIECE_QUIET], influence[piece]);
            assert_int_equal(count[piece][PIECE_CAPTURE], 5 * influence[piece]);
            pieces += count[piece][PIECE_QUIET] + count[piece][PIECE_CAPTURE];
        }
        assert_int_equal(pieces, 22008);
        assert_int_equal(pieces - 2520, 19488);
        /* All moves */
        assert_int_equal(king[CASTLE], 2);
        assert_int_equal(king[PIECE_QUIET] + king[CASTLE], 422);
        assert_int_equal(king[PIECE_CAPTURE], 2100);
        assert_int_equal(668 + pieces + king[CASTLE], 22678);
        assert_int_equal(80 + 422 + 3248, 3750);
        assert_int_equal(588 + 2100 + 16240, 18928);
        /* moves that the source counts although they are impossible */
        assert_int_equal(pawn_captures_on_edge, 796);
    }
    assert_int_equal(2 * STAMMA_ENUMERATION_SIDE, STAMMA_ENUMERATION_COUNT);
}

/* A different captured piece, promotion or side has a different number. */
static void numbers_say_all(void **state)
{
    (void)state;
    stamma_move queen = stamma_move_make(52, 61, STAMMA_FLAG_CAPTURE_PROMOTE_QUEEN);
    stamma_enumerated_move move = {queen, STAMMA_WHITE, STAMMA_PAWN, STAMMA_ROOK};
    uint16_t a = 0, b = 0;
    assert_int_equal(stamma_enumeration_rank(move, &a), STAMMA_OK);
    move.captured = STAMMA_KNIGHT;
    assert_int_equal(stamma_enumeration_rank(move, &b), STAMMA_OK);
    assert_int_not_equal(a, b);
    move.captured = STAMMA_PAWN; /* pawns are never on the last rank */
    assert_int_equal(stamma_enumeration_rank(move, &b), STAMMA_ERROR_BAD_ARGUMENT);
    move.captured = STAMMA_KING;
    assert_int_equal(stamma_enumeration_rank(move, &b), STAMMA_ERROR_BAD_ARGUMENT);
}

/* The number does not contain the square of the king. A Chess960 king's castling decodes with the king's actual
 * square. */
static void chess960_castling(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1");
    stamma_move castling = stamma_move_make(1, 6, STAMMA_FLAG_KING_CASTLE), back = STAMMA_MOVE_NULL;
    stamma_code code;
    assert_int_equal(stamma_codec_encode(&stamma_codec_enumeration, &p, castling, &code), STAMMA_OK);
    assert_int_equal(code.value, 668);
    assert_int_equal(stamma_codec_decode(&stamma_codec_enumeration, &p, code, &back), STAMMA_OK);
    assert_int_equal(back, castling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_numbers_there_and_back), cmocka_unit_test(nothing_else_has_a_number),
        cmocka_unit_test(the_tables_of_the_source),     cmocka_unit_test(numbers_say_all),
        cmocka_unit_test(chess960_castling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
