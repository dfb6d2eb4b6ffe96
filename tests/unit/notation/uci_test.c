/* SPDX-License-Identifier: MIT */
/* Tests reading and writing UCI moves: golden texts, both forms of castling, round trips, and rejected texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static void golden_texts(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen;
        unsigned from, to, flags;
        const char *standard, *chess960;
    } cases[] = {
        {"a double push", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 12, 28, STAMMA_FLAG_DOUBLE_PUSH,
         "e2e4", "e2e4"},
        {"a promotion with capture", "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", 52, 59, STAMMA_FLAG_CAPTURE_PROMOTE_KNIGHT,
         "e7d8n", "e7d8n"},
        {"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 36, 43, STAMMA_FLAG_EN_PASSANT, "e5d6", "e5d6"},
        {"white castles short", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 4, 6, STAMMA_FLAG_KING_CASTLE, "e1g1", "e1h1"},
        {"black castles long", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", 60, 58, STAMMA_FLAG_QUEEN_CASTLE, "e8c8", "e8a8"},
        {"castling where the king stays", "4k3/8/8/8/8/8/8/R5KR w HA - 0 1", 6, 6, STAMMA_FLAG_KING_CASTLE, "g1g1",
         "g1h1"},
        {"the null move", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, 0, 0, "0000", "0000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position = position_of_fen(cases[i].fen);
        stamma_move move = stamma_move_make(cases[i].from, cases[i].to, cases[i].flags), read = 1;
        char text[STAMMA_UCI_SIZE];
        stamma_uci_write(&position, move, false, text, sizeof text);
        assert_string_equal(text, cases[i].standard);
        assert_int_equal(stamma_uci_read(&position, text_of(text), &read), STAMMA_OK);
        assert_int_equal(read, move);
        stamma_uci_write(&position, move, true, text, sizeof text);
        assert_string_equal(text, cases[i].chess960);
        assert_int_equal(stamma_uci_read(&position, text_of(text), &read), STAMMA_OK);
        assert_int_equal(read, move);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *text;
        stamma_error error;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1i1", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e0e1", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2k", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1-e2", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2qq", STAMMA_ERROR_SYNTAX},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", STAMMA_ERROR_ILLEGAL},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2q", STAMMA_ERROR_ILLEGAL},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8e7", STAMMA_ERROR_ILLEGAL},
        {"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", STAMMA_ERROR_ILLEGAL},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", STAMMA_ERROR_ILLEGAL},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1", STAMMA_ERROR_ILLEGAL},
        {"4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "0000", STAMMA_ERROR_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position = position_of_fen(cases[i].fen);
        stamma_move move = 0xABCD;
        if (stamma_uci_read(&position, text_of(cases[i].text), &move) != cases[i].error || move != 0xABCD)
            fail_msg("%s in %s", cases[i].text, cases[i].fen);
    }
    stamma_position position = position_of_fen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    stamma_move move;
    assert_int_equal(stamma_uci_read(&position, text_of("e7e8Q"), &move), STAMMA_OK);
    assert_int_equal(move, stamma_move_make(52, 60, STAMMA_FLAG_PROMOTE_QUEEN));
}

static bool standard_castling(const stamma_position *position)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned rook = position->castling[i >> 1][i & 1];
        if (rook != STAMMA_SQUARE_NONE && (rook & 7) != (i & 1 ? 0 : 7))
            return false;
        if (rook != STAMMA_SQUARE_NONE && !(position->by_type[STAMMA_KING] >> ((i >> 1) * 56 + 4) & 1))
            return false;
    }
    return true;
}

static void assert_moves_round_trip(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX], read;
    size_t count = stamma_legal_moves_canonical(position, moves);
    char text[STAMMA_UCI_SIZE], before[STAMMA_UCI_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        if (standard_castling(position)) {
            stamma_uci_write(position, moves[i], false, text, sizeof text);
            assert_int_equal(stamma_uci_read(position, text_of(text), &read), STAMMA_OK);
            assert_int_equal(read, moves[i]);
        }
        size_t length = stamma_uci_write(position, moves[i], true, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(stamma_uci_read(position, text_of(text), &read), STAMMA_OK);
        assert_int_equal(read, moves[i]);
        assert_true(strcmp(before, text) < 0); /* the canonical order is the order of the texts, so all texts differ */
        strcpy(before, text);
    }
}

static void every_legal_move_round_trips(void **state)
{
    (void)state;
    each_sample(200, 60, assert_moves_round_trip);
}

/* Of all 64 x 64 x 5 texts, only legal moves are read, each in at most two forms. */
static void assert_only_legal_moves(const stamma_position *position)
{
    size_t answers = 0, castlings = 0;
    stamma_move moves[STAMMA_MOVES_MAX];
    for (unsigned n = 0; n < 64 * 64 * 5; n++) {
        unsigned from = n / 5 / 64, to = n / 5 % 64;
        char text[5] = {(char)('a' + from % 8), (char)('1' + from / 8), (char)('a' + to % 8), (char)('1' + to / 8),
                        "nbrq"[n % 5 % 4]};
        stamma_text uci = {text, n % 5 == 4 ? 4 : 5};
        stamma_move move;
        if (stamma_uci_read(position, uci, &move) != STAMMA_OK)
            continue;
        assert_true(stamma_move_is_legal(position, move));
        answers += !stamma_move_is_castling(move);
        castlings += stamma_move_is_castling(move);
    }
    size_t count = stamma_legal_moves(position, moves), castling_moves = 0;
    for (size_t i = 0; i < count; i++)
        castling_moves += stamma_move_is_castling(moves[i]);
    assert_int_equal(answers, count - castling_moves);
    assert_true(castlings >= castling_moves && castlings <= 2 * castling_moves);
}

static void only_legal_moves_are_read(void **state)
{
    (void)state;
    each_sample(72, 8, assert_only_legal_moves);
}

static void a_buffer_too_small_gets_only_a_nul(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    stamma_move move = stamma_move_make(52, 60, STAMMA_FLAG_PROMOTE_ROOK);
    for (size_t size = 0; size <= STAMMA_UCI_SIZE; size++) {
        char text[] = "????????";
        assert_int_equal(stamma_uci_write(&position, move, false, text, size), 5);
        assert_string_equal(text, size == 0 ? "????????" : size <= 5 ? "" : "e7e8r");
        assert_int_equal(text[size == STAMMA_UCI_SIZE ? size : size != 0], '?');
    }
}

/* A castling move without the right: the rook is not known, so the king's target is written. */
static void castling_without_a_right(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    stamma_move move = stamma_move_make(4, 6, STAMMA_FLAG_KING_CASTLE);
    char text[STAMMA_UCI_SIZE];
    assert_int_equal(stamma_uci_write(&position, move, true, text, sizeof text), 4);
    assert_string_equal(text, "e1g1");
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
        cmocka_unit_test(golden_texts),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(every_legal_move_round_trips),
        cmocka_unit_test(only_legal_moves_are_read),
        cmocka_unit_test(a_buffer_too_small_gets_only_a_nul),
        cmocka_unit_test(castling_without_a_right),
        cmocka_unit_test(so_in_the_perft_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
