/* SPDX-License-Identifier: MIT */
/* Tests `bcgn-square` (doc/format/archive.md, clause 5.2) with golden codes. The valid codes of each position are its
 * legal moves and, if the side to move is not in check, the null move; all other codes are corrupt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static unsigned code_of(const stamma_position *position, stamma_move move)
{
    uint8_t code = 0, same = 0;
    assert_int_equal(stamma_byte_encode(position, move, &code), STAMMA_OK);
    assert_int_equal(stamma_byte_encode_slowly(position, move, &same), STAMMA_OK);
    assert_int_equal(same, code);
    return code;
}

/* The bounds before the piece, then the index of the move, computed by hand from clause 5.2. */
static void golden_codes(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_int_equal(code_of(&start, stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH)), 105 + 4 * 12 + 5); /* e2e4 */
    assert_int_equal(code_of(&start, stamma_move_make(12, 20, STAMMA_FLAG_QUIET)), 105 + 4 * 12 + 4);
    assert_int_equal(code_of(&start, stamma_move_make(6, 21, STAMMA_FLAG_QUIET)), 83 + 1); /* g1f3: e2, f3, h3 */
    assert_int_equal(code_of(&start, STAMMA_MOVE_NULL), 255);
    stamma_position castling = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -");
    assert_int_equal(code_of(&castling, stamma_move_make(4, 6, STAMMA_FLAG_KING_CASTLE)), 14 + 6);
    assert_int_equal(code_of(&castling, stamma_move_make(4, 2, STAMMA_FLAG_QUEEN_CASTLE)), 14 + 7);
    assert_int_equal(code_of(&castling, stamma_move_make(0, 56, STAMMA_FLAG_CAPTURE)), 13); /* a1a8, the last of 14 */
    stamma_position promotion = position_of_fen("3r1n2/4P3/8/8/8/8/8/k1K5 w - -");
    assert_int_equal(code_of(&promotion, stamma_move_make(52, 59, STAMMA_FLAG_CAPTURE_PROMOTE_KNIGHT)), 8 + 0);
    assert_int_equal(code_of(&promotion, stamma_move_make(52, 60, STAMMA_FLAG_PROMOTE_QUEEN)), 8 + 4 + 3);
    assert_int_equal(code_of(&promotion, stamma_move_make(52, 61, STAMMA_FLAG_CAPTURE_PROMOTE_ROOK)), 8 + 8 + 2);
}

static void legal_index_where_bounds_do_not_fit(void **state)
{
    (void)state;
    stamma_position petrovic = position_of_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -");
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(&petrovic, moves);
    assert_int_equal(count, 218);
    for (size_t n = 0; n < count; n++)
        assert_int_equal(code_of(&petrovic, moves[n]), n);
    uint8_t code = 77;
    assert_int_equal(stamma_byte_encode(&petrovic, stamma_move_make(0, 0, STAMMA_FLAG_CAPTURE), &code),
                     STAMMA_ERROR_ILLEGAL);
    assert_int_equal(code, 77);
}

/* Each byte decodes to a legal move that encodes to this byte, or is corrupt. The number of valid bytes is the
 * number of moves. */
static void check_all_codes(const stamma_position *position)
{
    size_t found = 0, count = stamma_legal_moves_count(position);
    for (unsigned code = 0; code < 256; code++) {
        stamma_move move = 6 << 12;
        stamma_error error = stamma_byte_decode(position, (uint8_t)code, &move);
        if (error != STAMMA_OK) {
            assert_int_equal(error, STAMMA_ERROR_CORRUPT);
            assert_int_equal(move, 6 << 12);
            continue;
        }
        assert_true(move == STAMMA_MOVE_NULL ? !stamma_position_in_check(position)
                                             : stamma_move_is_legal(position, move));
        assert_int_equal(code_of(position, move), code);
        found += move != STAMMA_MOVE_NULL;
    }
    assert_int_equal(found, count);
}

static const char *const starts[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
    "4QQQQ/8/k7/8/8/8/7K/qqqq4 w - -",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -",
    "bnrkqrbn/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRBN w FCfc -",
    "1r3k1r/8/8/8/8/8/8/RK5R w HAhb -",
    "8/8/8/K1Pp3r/8/8/8/7k w - d6",
};

static void codes_are_the_legal_moves(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t n = 0; n < 20 * sizeof starts / sizeof *starts; n++) {
        stamma_position position = position_of_fen(starts[n % (sizeof starts / sizeof *starts)]);
        for (unsigned ply = 0; ply < 60; ply++) {
            stamma_move moves[STAMMA_MOVES_MAX];
            size_t count = stamma_legal_moves(&position, moves);
            check_all_codes(&position);
            if (count == 0)
                break;
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            stamma_position_make(&position, moves[(random >> 33) % count], &position);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_codes),
        cmocka_unit_test(legal_index_where_bounds_do_not_fit),
        cmocka_unit_test(codes_are_the_legal_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
