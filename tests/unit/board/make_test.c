/* SPDX-License-Identifier: MIT */
/* Tests making moves: changed and unchanged parts of the position, and illegal moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static stamma_position after(const char *fen, const char *uci)
{
    stamma_position position = position_of_fen(fen);
    stamma_move move;
    assert_int_equal(stamma_uci_read(&position, text_of(uci), &move), STAMMA_OK);
    stamma_position_make(&position, move, &position);
    return position;
}

static void expect(const char *fen, const char *uci, const char *result)
{
    stamma_position position = after(fen, uci), expected = position_of_fen(result);
    assert_memory_equal(&position, &expected, sizeof position);
}

/* Every kind of move, with the complete position after it. */
static void kinds_of_moves(void **state)
{
    (void)state;
    expect("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "e2e3", "4k3/8/8/8/8/4P3/8/4K3 b - - 0 9");
    expect("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 9");
    expect("4k3/4p3/8/8/8/8/8/4K3 b - - 3 9", "e7e5", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 10");
    expect("4k3/8/8/8/8/8/8/4K1N1 w - - 3 9", "g1f3", "4k3/8/8/8/8/5N2/8/4K3 b - - 4 9");
    expect("4k3/8/8/8/4b3/8/8/4K2R b K - 3 9", "e4h1", "4k3/8/8/8/8/8/8/4K2b w - - 0 10");
    expect("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 9");
    expect("3rk3/4P3/8/8/8/8/8/4K3 w - - 5 9", "e7d8n", "3Nk3/8/8/8/8/8/8/4K3 b - - 0 9");
    expect("k7/4P3/8/8/8/8/8/4K3 w - - 5 9", "e7e8q", "k3Q3/8/8/8/8/8/8/4K3 b - - 0 9");
    expect("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 6 9");
    expect("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 6 10");
    expect("4k3/8/8/8/8/8/8/R5KR w HA - 5 9", "g1h1", "4k3/8/8/8/8/8/8/R4RK1 b - - 6 9");
    expect("4k3/8/8/8/8/8/8/5KR1 w G - 5 9", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 6 9");
}

/* The king's move ends both castling rights of its side. A rook's move or capture ends only the right of this rook. */
static void castling_rights(void **state)
{
    (void)state;
    expect("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
    expect("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1", "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1");
    expect("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8", "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
    expect("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "a8a1", "4k2r/8/8/8/8/8/8/r3K2R w Kk - 0 2");
}

static void the_null_move(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("4k3/8/8/4p3/8/8/8/R3K3 w Q e6 0 9");
    stamma_position expected = position_of_fen("4k3/8/8/4p3/8/8/8/R3K3 b Q - 1 9");
    stamma_position_make(&position, STAMMA_MOVE_NULL, &position);
    assert_memory_equal(&position, &expected, sizeof position);
}

static void clocks_stay_at_their_ends(void **state)
{
    (void)state;
    stamma_setup setup;
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    setup = stamma_position_setup(&position);
    setup.halfmove_clock = setup.fullmove_number = UINT16_MAX;
    assert_int_equal(stamma_position_set_up(&setup, &position), STAMMA_OK);
    stamma_position_make(&position, stamma_move_make(60, 59, STAMMA_FLAG_QUIET), &position);
    assert_int_equal(position.halfmove_clock, UINT16_MAX);
    assert_int_equal(position.fullmove_number, UINT16_MAX);
    for (unsigned side = 0; side < 2; side++) {
        stamma_position_make(&position, STAMMA_MOVE_NULL, &position);
        assert_int_equal(position.halfmove_clock, UINT16_MAX);
        assert_int_equal(position.fullmove_number, UINT16_MAX);
    }
}

/* The incremental key equals the computed key. A move made in place has the same result as a move made into another
 * position. */
static void check_moves(const stamma_position *p)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_position there, here = *p;
        stamma_position_make(p, moves[n], &there);
        stamma_position_make(&here, moves[n], &here);
        assert_memory_equal(&here, &there, sizeof here);
        assert_true(there.key == stamma_position_fresh_key(&there));
        stamma_setup setup = stamma_position_setup(&there);
        assert_int_equal(stamma_setup_problems(&setup), 0);
    }
}

static void incremental_keys(void **state)
{
    (void)state, each_sample(200, 60, check_moves);
}

/* No square contains two pieces, and every piece has a colour. */
static void check_sets(const stamma_position *p)
{
    uint64_t all = 0;
    assert_true(!(p->by_color[STAMMA_WHITE] & p->by_color[STAMMA_BLACK]));
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++) {
        assert_true(!(all & p->by_type[type]));
        all |= p->by_type[type];
    }
    assert_true(all == position_occupied(p));
}

/* Any 16 bits can be made as a move, legal or not, several in sequence, and all functions accept the resulting
 * position. With sanitizers, detects reads out of bounds. */
static void check_any_move(const stamma_position *p)
{
    static uint64_t random = 11;
    stamma_move moves[STAMMA_MOVES_MAX];
    for (unsigned round = 0; round < 2000; round++) {
        stamma_position wild = *p;
        for (unsigned n = 0; n < 6; n++) {
            stamma_position_make(&wild, (stamma_move)random_next(&random), &wild);
            check_sets(&wild);
            assert_true(wild.key == stamma_position_fresh_key(&wild));
            assert_true(stamma_legal_moves_canonical(&wild, moves) <= STAMMA_MOVES_MAX);
            (void)stamma_position_status(&wild, NULL, 0);
            (void)stamma_position_polyglot_key(&wild);
            (void)stamma_position_key(&wild);
            (void)stamma_move_is_legal(&wild, (stamma_move)random);
            (void)stamma_move_gives_check(&wild, (stamma_move)random);
        }
        (void)stamma_perft(&wild, round % 64 ? 1 : 3);
    }
}

static void moves_that_are_not_legal(void **state)
{
    (void)state, each_sample(36, 3, check_any_move);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_moves),   cmocka_unit_test(castling_rights),
        cmocka_unit_test(the_null_move),    cmocka_unit_test(clocks_stay_at_their_ends),
        cmocka_unit_test(incremental_keys), cmocka_unit_test(moves_that_are_not_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
