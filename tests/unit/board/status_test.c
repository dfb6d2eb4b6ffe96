/* SPDX-License-Identifier: MIT */
/* Tests the ends of games and the claims of draws (FIDE Laws 5.2, 9.2, 9.3, 9.6), and their precedence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

/* FIDE Laws 5.2.2. Because of helpmates in the corner, knight against bishop and bishops on two colours are
 * sufficient. */
static void insufficient_material(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool insufficient;
    } known[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},         {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true},        {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
        {"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},      {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
        {"b1b1k3/1b6/b7/8/8/8/8/4KB1B w - - 0 1", true}, {"2b1k3/1b6/b7/8/8/4B3/8/4KB1B w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false},      {"4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false},      {"4k3/8/8/8/8/8/7P/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false},       {"4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false},
        {"b1b1k3/8/b1b5/8/8/8/8/4K3 w - - 0 1", true},
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        if (stamma_position_is_insufficient(&position) != known[n].insufficient)
            fail_msg("%s", known[n].fen);
    }
}

static stamma_status status_of(const char *fen)
{
    stamma_position position = position_of_fen(fen);
    return stamma_position_status(&position, NULL, 0);
}

static void positions_alone(void **state)
{
    (void)state;
    assert_int_equal(status_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), STAMMA_STATUS_PLAY);
    assert_int_equal(status_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
                     STAMMA_STATUS_CHECKMATE);
    assert_int_equal(status_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), STAMMA_STATUS_STALEMATE);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6N1 b - - 0 1"), STAMMA_STATUS_INSUFFICIENT_MATERIAL);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6R1 b - - 99 1"), STAMMA_STATUS_PLAY);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6R1 b - - 100 1"), STAMMA_STATUS_FIFTY_MOVES);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6R1 b - - 149 1"), STAMMA_STATUS_FIFTY_MOVES);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6R1 b - - 150 1"), STAMMA_STATUS_SEVENTY_FIVE_MOVES);
}

/* Mate with the last counted move wins (9.6.2). Insufficient material ends the game before any count. */
static void what_goes_first(void **state)
{
    (void)state;
    assert_int_equal(status_of("R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 1"), STAMMA_STATUS_CHECKMATE);
    assert_int_equal(status_of("7k/5Q2/6K1/8/8/8/8/8 b - - 150 1"), STAMMA_STATUS_STALEMATE);
    assert_int_equal(status_of("7k/8/6K1/8/8/8/8/6N1 b - - 150 1"), STAMMA_STATUS_INSUFFICIENT_MATERIAL);
}

/* Knights move back and forth. The initial position recurs every four plies. */
static void repetition(void **state)
{
    (void)state;
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    static const stamma_status at_home[] = {STAMMA_STATUS_PLAY, STAMMA_STATUS_PLAY, STAMMA_STATUS_THREEFOLD,
                                            STAMMA_STATUS_THREEFOLD, STAMMA_STATUS_FIVEFOLD};
    uint64_t earlier[16];
    stamma_position p = stamma_position_start();
    for (unsigned ply = 0; ply <= 16; ply++) {
        stamma_status status = stamma_position_status(&p, earlier, ply);
        if (ply % 4 == 0)
            assert_int_equal(status, at_home[ply / 4]);
        if (ply == 16)
            break;
        stamma_move move;
        earlier[ply] = stamma_position_key(&p);
        assert_int_equal(stamma_uci_read(&p, text_of(shuffle[ply % 4]), &move), STAMMA_OK);
        stamma_position_make(&p, move, &p);
    }
    p.halfmove_clock = 100; /* the fifth occurrence has priority over a claim, the third does not */
    assert_int_equal(stamma_position_status(&p, earlier, 16), STAMMA_STATUS_FIVEFOLD);
    assert_int_equal(stamma_position_status(&p, earlier, 12), STAMMA_STATUS_FIFTY_MOVES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insufficient_material),
        cmocka_unit_test(positions_alone),
        cmocka_unit_test(what_goes_first),
        cmocka_unit_test(repetition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
