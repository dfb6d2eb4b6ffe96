/* SPDX-License-Identifier: MIT */
/* Tests reading and writing long algebraic notation (LAN): golden texts, round trips, and rejected texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static void golden_lan(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen, *uci, *lan;
    } cases[] = {
        {"a pawn move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2-e4"},
        {"a piece move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Ng1-f3"},
        {"a capture", "4k3/8/8/8/8/5p2/8/4K1N1 w - - 0 1", "g1f3", "Ng1xf3"},
        {"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5xd6"},
        {"the source's longest, of eight characters", "5r1k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7f8q", "e7xf8=Q+"},
        {"mate", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", "Rd1-d8#"},
        {"castling short", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"},
        {"castling long with check", "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"},
        {"the null move", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "0000", "--"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position = position_of_fen(cases[i].fen);
        stamma_move move, read = 1;
        assert_int_equal(stamma_uci_read(&position, text_of(cases[i].uci), &move), STAMMA_OK);
        char lan[STAMMA_LAN_SIZE];
        size_t length = stamma_lan_write(&position, move, lan, sizeof lan);
        if (strcmp(lan, cases[i].lan) != 0)
            fail_msg("%s: %s, not %s", cases[i].what, lan, cases[i].lan);
        assert_int_equal(length, strlen(lan));
        assert_int_equal(stamma_lan_read(&position, text_of(lan), &read), STAMMA_OK);
        assert_int_equal(read, move);
    }
}

static void assert_moves_round_trip(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX], read;
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        char lan[STAMMA_LAN_SIZE];
        stamma_text text = {lan, stamma_lan_write(position, moves[i], lan, sizeof lan)};
        assert_true(text.size <= 8);
        assert_int_equal(stamma_lan_read(position, text, &read), STAMMA_OK);
        assert_int_equal(read, moves[i]);
    }
}

static void every_legal_move_round_trips(void **state)
{
    (void)state;
    each_sample(200, 80, assert_moves_round_trip);
}

static void the_origin_must_be_said(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        stamma_error error;
    } cases[] = {
        {"Nf3", STAMMA_ERROR_SYNTAX},
        {"Ngf3", STAMMA_ERROR_SYNTAX},
        {"N1f3", STAMMA_ERROR_SYNTAX},
        {"e4", STAMMA_ERROR_SYNTAX},
        {"", STAMMA_ERROR_SYNTAX},
        {"e2-e5", STAMMA_ERROR_ILLEGAL},
        {"Ng1-e2", STAMMA_ERROR_ILLEGAL},
        {"Ng1-f3", STAMMA_OK},
        {"Ng1f3", STAMMA_OK},
        {"Ng1xf3+", STAMMA_OK},
        {"Ng1-f3 g8-f6", STAMMA_ERROR_SYNTAX},
        {"O-O", STAMMA_ERROR_ILLEGAL},
    };
    stamma_position position = stamma_position_start();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_move move = 0xABCD;
        stamma_error error = stamma_lan_read(&position, text_of(cases[i].text), &move);
        if (error != cases[i].error || (error != STAMMA_OK && move != 0xABCD))
            fail_msg("%s: %s", cases[i].text, stamma_error_text(error));
    }
}

static void a_small_b_is_a_bishop_where_no_pawn_fits(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/1P1B4/4K3 w - - 0 1");
    stamma_move move;
    assert_int_equal(stamma_lan_read(&position, text_of("bd2-b4"), &move), STAMMA_OK);
    assert_int_equal(move, stamma_move_make(11, 25, STAMMA_FLAG_QUIET));
    assert_int_equal(stamma_lan_read(&position, text_of("b2-b4"), &move), STAMMA_OK);
    assert_int_equal(move, stamma_move_make(9, 25, STAMMA_FLAG_DOUBLE_PUSH));
}

static void a_buffer_too_small_gets_only_a_nul(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("5r1k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    stamma_move move = stamma_move_make(52, 61, STAMMA_FLAG_CAPTURE_PROMOTE_QUEEN);
    for (size_t size = 0; size <= 9; size++) {
        char text[] = "????????????";
        assert_int_equal(stamma_lan_write(&position, move, text, size), 8);
        assert_string_equal(text, size == 0 ? "????????????" : size <= 8 ? "" : "e7xf8=Q+");
        assert_int_equal(text[size > 8 ? 9 : size != 0], '?');
    }
}

static void so_in_the_perft_suites(void **state)
{
    (void)state;
    if (!each_perft_position(assert_moves_round_trip)) {
        printf("../shared/perft is not there\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_lan),
        cmocka_unit_test(every_legal_move_round_trips),
        cmocka_unit_test(the_origin_must_be_said),
        cmocka_unit_test(a_small_b_is_a_bishop_where_no_pawn_fits),
        cmocka_unit_test(a_buffer_too_small_gets_only_a_nul),
        cmocka_unit_test(so_in_the_perft_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
