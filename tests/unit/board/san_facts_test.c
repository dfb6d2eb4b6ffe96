/* SPDX-License-Identifier: MIT */
/* Tests SAN facts with golden values. san_write_test.c tests the facts of every legal move through the resulting
 * SAN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

enum { SAN_FACT_ORIGIN = SAN_FACT_TYPE | SAN_FACT_FILE | SAN_FACT_RANK };

static unsigned san_facts_of(const char *fen, stamma_move move)
{
    stamma_position position = position_of_fen(fen);
    assert_true(move == STAMMA_MOVE_NULL || stamma_move_is_legal(&position, move));
    return move_san_facts(&position, move);
}

/* PGN standard 8.2.3.4: the origin's file if it is sufficient, otherwise its rank, otherwise both. Pieces without a
 * legal move are ignored. */
static void what_must_be_said_of_the_origin(void **state)
{
    (void)state;
    const char *queens = "8/8/8/8/4Q2Q/2k5/8/K6Q w - - 0 1";
    stamma_move h4e1 = stamma_move_make(31, 4, STAMMA_FLAG_QUIET), h1e1 = stamma_move_make(7, 4, STAMMA_FLAG_QUIET);
    stamma_move e4e1 = stamma_move_make(28, 4, STAMMA_FLAG_QUIET);
    assert_int_equal(san_facts_of(queens, h4e1) & SAN_FACT_ORIGIN, STAMMA_QUEEN | SAN_FACT_FILE | SAN_FACT_RANK);
    assert_int_equal(san_facts_of(queens, h1e1) & SAN_FACT_ORIGIN, STAMMA_QUEEN | SAN_FACT_RANK);
    assert_int_equal(san_facts_of(queens, e4e1) & SAN_FACT_ORIGIN, STAMMA_QUEEN | SAN_FACT_FILE);
    stamma_move knight = stamma_move_make(1, 18, STAMMA_FLAG_QUIET); /* b1c3; the other knight on e2 is pinned */
    assert_int_equal(san_facts_of("4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1", knight), STAMMA_KNIGHT);
    assert_int_equal(san_facts_of("6k1/4r3/8/8/8/8/4N3/1N1K4 w - - 0 1", knight), STAMMA_KNIGHT | SAN_FACT_FILE);
    assert_int_equal(san_facts_of("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", stamma_move_make(28, 35, STAMMA_FLAG_CAPTURE)),
                     STAMMA_PAWN | SAN_FACT_FILE);
}

static void check_and_mate(void **state)
{
    (void)state;
    stamma_move rook = stamma_move_make(3, 59, STAMMA_FLAG_QUIET); /* d1d8 */
    assert_int_equal(san_facts_of("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", rook),
                     STAMMA_ROOK | SAN_FACT_CHECK | SAN_FACT_MATE);
    assert_int_equal(san_facts_of("6k1/6pp/8/8/8/8/8/3RK3 w - - 0 1", rook), STAMMA_ROOK | SAN_FACT_CHECK);
    assert_int_equal(san_facts_of("4r1k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", stamma_move_make(4, 5, STAMMA_FLAG_QUIET)),
                     STAMMA_KING);
    assert_int_equal(san_facts_of("6k1/5ppp/8/1b6/8/8/8/3RK3 w - - 0 1", rook), STAMMA_ROOK | SAN_FACT_CHECK);
    assert_int_equal(san_facts_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1", STAMMA_MOVE_NULL), STAMMA_KING);
    assert_int_equal(san_facts_of("5k2/8/8/8/8/8/8/4K2R w K - 0 1", stamma_move_make(4, 6, STAMMA_FLAG_KING_CASTLE)),
                     STAMMA_KING | SAN_FACT_CHECK);
}

/* The king moves away, a piece interposes, or neither. */
static void mates(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool mate;
    } cases[] = {{"3Rk3/8/4K3/8/8/8/8/8 b - - 0 1", false},
                 {"3RkR2/8/4K3/8/8/8/8/8 b - - 0 1", true},
                 {"R3k3/8/4K3/8/8/8/8/3r4 b - - 0 1", false},
                 {"R3k3/8/4K3/8/8/8/8/8 b - - 0 1", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position p = position_of_fen(cases[i].fen);
        assert_true(stamma_position_in_check(&p));
        assert_int_equal(stamma_position_is_mate(&p), stamma_legal_moves_count(&p) == 0);
        assert_int_equal(stamma_position_is_mate(&p), cases[i].mate);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_be_said_of_the_origin),
        cmocka_unit_test(check_and_mate),
        cmocka_unit_test(mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
