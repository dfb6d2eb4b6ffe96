/* SPDX-License-Identifier: MIT */
/* Tests properties of a position that need no list of moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static void pieces(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_int_equal(stamma_position_piece(&start, 0), STAMMA_ROOK);
    assert_int_equal(stamma_position_piece(&start, 4), STAMMA_KING);
    assert_int_equal(stamma_position_piece(&start, 59), STAMMA_QUEEN + 8);
    assert_int_equal(stamma_position_piece(&start, 48), STAMMA_PAWN + 8);
    assert_int_equal(stamma_position_piece(&start, 30), STAMMA_PIECE_NONE);
}

static void checks(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool check;
    } known[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", false},     {"4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/4r3/8/8/4P3/8/8/4K3 w - - 0 1", false}, {"4k3/8/8/b7/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/5n2/8/4K3 w - - 0 1", true},    {"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", true},
        {"4k3/3P4/8/8/8/8/8/4K3 b - - 0 1", true},    {"4k3/4P3/8/8/8/8/8/4K3 b - - 0 1", false},
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        assert_int_equal(stamma_position_in_check(&position), known[n].check);
    }
}

/* The conditions of castling in the Laws of Chess. h: king side; a: queen side. */
static void castling(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool h, a;
    } known[] = {
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true},
        {"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", false, false},
        {"4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", false, false},
        {"4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, true}, /* f1 is attacked */
        {"1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true}, /* b1 may be attacked */
        {"2r1k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, false},
        {"4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", false, false}, /* in check */
        {"4k3/8/8/8/8/8/8/rRK4R w B - 0 1", false, false},    /* Chess960: the rook on b1 shields the king */
        {"4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", true, true},     /* the king is already on its target square */
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", true, false},       /* the king stays next to the rook */
        {"4k3/8/8/8/8/8/8/5RKR w HF - 0 1", false, true},     /* a rook is on the other's target square */
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", true, false},      /* king and rook swap squares */
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        if (stamma_position_can_castle(&position, STAMMA_KING_SIDE) != known[n].h ||
            stamma_position_can_castle(&position, STAMMA_QUEEN_SIDE) != known[n].a)
            fail_msg("%s", known[n].fen);
    }
}

/* En passant captures that expose the king: along the rank, or on a diagonal of the capturing or the captured pawn. */
static void en_passant(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        unsigned pawns;
    } known[] = {
        {"8/8/8/1k1PpP2/8/8/8/1K6 w - e6 0 1", 2}, {"8/8/8/K2Pp2q/8/8/8/7k w - e6 0 1", 0},
        {"8/8/8/K1PPp2q/8/8/8/7k w - e6 0 1", 1},  {"6k1/8/8/3Pp3/8/8/b7/K6r w - e6 0 1", 0},
        {"8/6b1/8/3Pp3/8/8/8/K6k w - e6 0 1", 0},  {"8/1b6/8/3Pp3/8/5K2/8/7k w - e6 0 1", 0},
        {"8/8/8/3Pp3/3K4/8/8/7k w - e6 0 1", 1},   {"4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", 1},
        {"4k3/8/8/8/5P2/8/8/4K3 b - f3 0 1", 0},
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        assert_int_not_equal(position.en_passant, STAMMA_SQUARE_NONE);
        if (bits_count(position_en_passant_pawns(&position)) != known[n].pawns)
            fail_msg("%s", known[n].fen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces),
        cmocka_unit_test(checks),
        cmocka_unit_test(castling),
        cmocka_unit_test(en_passant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
