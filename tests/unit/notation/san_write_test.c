/* SPDX-License-Identifier: MIT */
/* Tests writing SAN: the standard's rules, every legal move against a slow implementation, and illegal moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "notation/notation.h"
#include "sample_positions.h"

static stamma_move move_of_uci(const stamma_position *position, const char *uci)
{
    stamma_move move = 1;
    assert_int_equal(stamma_uci_read(position, text_of(uci), &move), STAMMA_OK);
    return move;
}

/* The rules of PGN standard 8.2.3. */
static void golden_san(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen, *uci, *san;
    } cases[] = {
        {"a pawn move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"},
        {"a piece move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"},
        {"a capture", "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"},
        {"a pawn's capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        {"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        {"a promotion", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+"},
        {"a promotion with mate", "k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h7h8q", "h8=Q#"},
        {"a promotion with capture and check", "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"},
        {"castling short", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"},
        {"castling long", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", "O-O-O"},
        {"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"castling with mate", "4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O#"},
        {"check", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", "Rd8+"},
        {"mate", "6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", "Rd8#"},
        {"fool's mate", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"},
        {"a discovered check", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c3", "Nc3+"},
        {"stalemate has no mark", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", "Qg6"},
        {"by file", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2"},
        {"by file, on one rank", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "h1d1", "Rhd1"},
        {"by rank, on one file", "4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a5a3", "R5a3"},
        {"by file, though neither is shared", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
        {"by both", "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
        {"by both, capture and check: the longest", "8/8/8/8/4Q2Q/2k5/8/K3r2Q w - - 0 1", "h4e1", "Qh4xe1+"},
        {"by rank of three on a file", "4k3/8/8/3N4/8/3N4/8/3NK3 w - - 0 1", "d3f2", "N3f2"},
        {"a pinned rival does not count", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
        {"two that can meet a check", "4r1k1/8/8/8/8/2N5/8/2B1K1N1 w - - 0 1", "g1e2", "Nge2"},
        {"a rival that is pinned on its way counts", "4r1k1/8/8/R7/8/4R3/8/4K3 w - - 0 1", "a5e5", "Rae5"},
        {"bishops of one square colour", "7k/8/8/8/B7/8/8/3BK3 w - - 0 1", "d1c2", "Bdc2"},
        {"Chess960: castling where the king stays", "4k3/8/8/8/8/8/8/R5KR w HA - 0 1", "g1h1", "O-O"},
        {"the null move", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "0000", "--"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position = position_of_fen(cases[i].fen);
        char san[STAMMA_SAN_SIZE];
        size_t length = stamma_san_write(&position, move_of_uci(&position, cases[i].uci), san, sizeof san);
        if (strcmp(san, cases[i].san) != 0)
            fail_msg("%s: %s, not %s", cases[i].what, san, cases[i].san);
        assert_int_equal(length, strlen(san));
    }
}

/* Follows the standard's rule literally over the list of legal moves. */
static void write_slowly(const stamma_position *p, stamma_move move, const stamma_move *moves, size_t count, char *out)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), others = 0, same_file = 0, same_rank = 0;
    stamma_piece piece = stamma_position_piece(p, (stamma_square)from);
    for (size_t i = 0; i < count; i++) {
        unsigned other = stamma_move_from(moves[i]);
        if (other == from || stamma_move_to(moves[i]) != to || stamma_move_is_castling(moves[i]) ||
            stamma_position_piece(p, (stamma_square)other) != piece)
            continue;
        others++;
        same_file += (other & 7) == (from & 7);
        same_rank += other >> 3 == from >> 3;
    }
    bool capture = stamma_move_is_capture(move), pawn = (piece & 7) == STAMMA_PAWN;
    char file[2] = {(char)('a' + from % 8), 0}, rank[2] = {(char)('1' + from / 8), 0}, promotion[3] = "";
    if (stamma_move_is_promotion(move))
        snprintf(promotion, sizeof promotion, "=%c", ".NBRQ"[stamma_move_promotion(move)]);
    bool by_file = pawn ? capture : others != 0 && (same_file == 0 || same_rank != 0);
    bool by_rank = !pawn && same_file != 0;
    stamma_position after;
    stamma_position_make(p, move, &after);
    const char *mark = !stamma_position_in_check(&after) ? "" : stamma_legal_moves_count(&after) == 0 ? "#" : "+";
    if (stamma_move_is_castling(move))
        sprintf(out, "%s%s", stamma_move_flags(move) == STAMMA_FLAG_KING_CASTLE ? "O-O" : "O-O-O", mark);
    else
        sprintf(out, "%.1s%s%s%s%c%c%s%s", pawn ? "" : &"PNBRQK"[piece & 7], by_file ? file : "", by_rank ? rank : "",
                capture ? "x" : "", 'a' + to % 8, '1' + to / 8, promotion, mark);
}

static void assert_written_by_the_rule(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        char expected[32], san[STAMMA_SAN_SIZE];
        write_slowly(position, moves[i], moves, count, expected);
        stamma_san_write(position, moves[i], san, sizeof san);
        assert_string_equal(san, expected);
    }
}

static void every_legal_move_is_written_by_the_rule(void **state)
{
    (void)state;
    each_sample(300, 80, assert_written_by_the_rule);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void assert_all_differ(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    char texts[STAMMA_MOVES_MAX][STAMMA_SAN_SIZE];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++)
        stamma_san_write(position, moves[i], texts[i], sizeof texts[i]);
    qsort(texts, count, sizeof *texts, compare_texts);
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(texts[i - 1], texts[i]) < 0);
}

static void no_two_moves_are_written_alike(void **state)
{
    (void)state;
    each_sample(300, 80, assert_all_differ);
}

static void marks_as_asked(void **state)
{
    (void)state;
    stamma_position mate = position_of_fen("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1");
    stamma_position check = position_of_fen("6k1/6pp/8/8/8/8/8/3RK3 w - - 0 1");
    stamma_move move = stamma_move_make(3, 59, STAMMA_FLAG_QUIET);
    static const struct {
        unsigned wanted;
        const char *mate, *check;
    } marks[] = {{SAN_FACT_TYPE, "Rd8", "Rd8"},
                 {SAN_FACT_TYPE | SAN_FACT_CHECK, "Rd8+", "Rd8+"},
                 {SAN_FACT_TYPE | SAN_FACT_CHECK | SAN_FACT_MATE, "Rd8#", "Rd8+"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char san[SAN_LENGTH_MAX + 1] = "";
        san[stamma_san_spell(move, move_san_facts(&mate, move) & marks[i].wanted, san)] = 0;
        assert_string_equal(san, marks[i].mate);
        san[stamma_san_spell(move, move_san_facts(&check, move) & marks[i].wanted, san)] = 0;
        assert_string_equal(san, marks[i].check);
    }
    assert_int_equal(stamma_san_mark(&mate, move), '#');
    assert_int_equal(stamma_san_mark(&check, move), '+');
    assert_int_equal(stamma_san_mark(&check, stamma_move_make(3, 51, STAMMA_FLAG_QUIET)), '\0');
}

static void a_buffer_too_small_gets_only_a_nul(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("8/8/8/8/4Q2Q/2k5/8/K3r2Q w - - 0 1");
    stamma_move move = move_of_uci(&position, "h4e1");
    for (size_t size = 0; size <= STAMMA_SAN_SIZE; size++) {
        char text[] = "????????????";
        assert_int_equal(stamma_san_write(&position, move, text, size), 7);
        assert_string_equal(text, size == 0 ? "????????????" : size <= 7 ? "" : "Qh4xe1+");
        assert_int_equal(text[size > 7 ? 8 : size != 0], '?');
    }
}

/* An illegal move, which is an error of the caller, must be safe. */
static void any_sixteen_bits_can_be_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_STARTS; i++) {
        stamma_position position = position_of_fen(sample_starts[i]);
        for (unsigned move = 0; move <= 0xFFFF; move++) {
            char text[STAMMA_LAN_SIZE];
            assert_true(stamma_san_write(&position, (stamma_move)move, text, sizeof text) <= SAN_LENGTH_MAX);
            assert_true(stamma_lan_write(&position, (stamma_move)move, text, sizeof text) <= LAN_LENGTH_MAX);
        }
    }
}

static void so_in_the_perft_suites(void **state)
{
    (void)state;
    if (!each_perft_position(assert_written_by_the_rule)) {
        printf("../shared/perft is not there\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_san),
        cmocka_unit_test(every_legal_move_is_written_by_the_rule),
        cmocka_unit_test(no_two_moves_are_written_alike),
        cmocka_unit_test(marks_as_asked),
        cmocka_unit_test(a_buffer_too_small_gets_only_a_nul),
        cmocka_unit_test(any_sixteen_bits_can_be_written),
        cmocka_unit_test(so_in_the_perft_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
