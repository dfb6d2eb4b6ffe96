/* SPDX-License-Identifier: MIT */
/* Tests reading and writing FEN: golden texts, round trips, lenient and strict reading, errors, and damaged texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static void assert_written(const stamma_position *position, stamma_fen_style style, const char *expected)
{
    char fen[STAMMA_FEN_SIZE];
    assert_int_equal(stamma_fen_write(position, style, fen, sizeof fen), strlen(expected));
    assert_string_equal(fen, expected);
}

static void play(stamma_position *position, const char *san)
{
    stamma_move move;
    assert_int_equal(stamma_san_read(position, text_of(san), &move), STAMMA_OK);
    stamma_position_make(position, move, position);
}

/* Wikipedia: e3 is written after 1. e4, although no pawn can capture there. */
static void the_fens_of_the_seed(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    assert_written(&position, STAMMA_FEN_STANDARD, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    play(&position, "e4");
    assert_written(&position, STAMMA_FEN_STANDARD, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    play(&position, "c5");
    assert_written(&position, STAMMA_FEN_STANDARD, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2");
}

static void assert_round_trip(const stamma_position *position)
{
    for (int style = STAMMA_FEN_STANDARD; style <= STAMMA_FEN_SHREDDER; style++) {
        char fen[STAMMA_FEN_SIZE];
        stamma_position strict, lenient;
        unsigned problems = 99;
        stamma_text text = {fen, stamma_fen_write(position, (stamma_fen_style)style, fen, sizeof fen)};
        assert_true(text.size < sizeof fen);
        assert_int_equal(stamma_fen_read_strict(text, &strict, &problems, NULL), STAMMA_OK);
        assert_int_equal(problems, 0);
        assert_memory_equal(&strict, position, sizeof strict);
        assert_int_equal(stamma_fen_read(text, &lenient, NULL, NULL), STAMMA_OK);
        assert_memory_equal(&lenient, position, sizeof lenient);
    }
}

static void reading_what_was_written_gives_the_position(void **state)
{
    (void)state;
    each_sample(200, 60, assert_round_trip);
}

static void every_chess960_start_round_trips(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 960; number++) {
        stamma_position position;
        assert_int_equal(stamma_position_chess960(number, &position), STAMMA_OK);
        assert_round_trip(&position);
    }
}

/* Texts that only the lenient reader accepts, with their standard forms. */
static void lenient_forms(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen, *standard, *shredder;
        unsigned problems;
    } cases[] = {
        {"the board alone", "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0},
        {"no clocks, blanks around", "  4k3/8/8/8/8/8/8/4K3\tb   -  -\r\n", "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
         "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0},
        {"no move number", "4k3/8/8/8/8/8/8/4K3 b - - 7", "4k3/8/8/8/8/8/8/4K3 b - - 7 1",
         "4k3/8/8/8/8/8/8/4K3 b - - 7 1", 0},
        {"dashes for clocks, capital side", "4k3/8/8/8/8/8/8/4K3 W - - - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
         "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0},
        {"empty squares split, clocks with zeros", "1111k111/8/8/8/44/8/8/4K3 w - - 007 012",
         "4k3/8/8/8/8/8/8/4K3 w - - 7 12", "4k3/8/8/8/8/8/8/4K3 w - - 7 12", 0},
        {"clocks that are too large", "4k3/8/8/8/8/8/8/4K3 w - - 99999 123456789012345678901234567890",
         "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535", 0},
        {"rights in any order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
         "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", 0},
        {"rights twice", "r3k2r/8/8/8/8/8/8/R3K2R w KHKk - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1",
         "r3k2r/8/8/8/8/8/8/R3K2R w Hh - 0 1", 0},
        {"Shredder letters", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
         "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", 0},
        {"X-FEN: the inner rooks may castle", "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w EBec - 0 1",
         "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w EBec - 0 1", "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w EBec - 0 1", 0},
        {"X-FEN: K is the outermost rook", "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w KBeq - 0 1",
         "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w KBeq - 0 1", "r1rkr1r1/8/8/8/8/8/8/RR1KR1R1 w GBea - 0 1", 0},
        {"a right without its rook goes", "r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1",
         "r3k3/8/8/8/8/8/8/R3K2R w HAa - 0 1", STAMMA_SETUP_CASTLING},
        {"rights without their king go", "r6r/4k3/8/8/8/8/8/R3K2R w KQkq - 0 1", "r6r/4k3/8/8/8/8/8/R3K2R w KQ - 0 1",
         "r6r/4k3/8/8/8/8/8/R3K2R w HA - 0 1", STAMMA_SETUP_CASTLING},
        {"an en passant square without a pawn goes", "4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
         "4k3/8/8/8/8/8/8/4K3 b - - 0 1", STAMMA_SETUP_EN_PASSANT},
        {"an en passant square on a wrong rank goes", "4k3/8/8/8/4P3/8/8/4K3 b - E4 0 1",
         "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", STAMMA_SETUP_EN_PASSANT},
        {"a capital en passant square", "4k3/8/8/8/4P3/8/8/4K3 b - E3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
         "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", 0},
        {"move number 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
         "4k3/8/8/8/8/8/8/4K3 w - - 0 0", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position;
        unsigned problems = 99;
        stamma_error error = stamma_fen_read(text_of(cases[i].fen), &position, &problems, NULL);
        if (error != STAMMA_OK)
            fail_msg("%s: %s", cases[i].what, stamma_error_text(error));
        assert_int_equal(problems, cases[i].problems);
        assert_written(&position, STAMMA_FEN_STANDARD, cases[i].standard);
        assert_written(&position, STAMMA_FEN_SHREDDER, cases[i].shredder);
    }
}

/* The offset of the first invalid byte is reported, and the outputs stay unchanged. */
static void what_is_no_fen(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen;
        size_t offset;
    } cases[] = {
        {"nothing", "", 0},
        {"blanks", "   ", 3},
        {"a word", "hello", 0},
        {"seven ranks", "8/8/8/8/8/8/8 w - - 0 1", 13},
        {"nine ranks", "8/8/8/8/8/8/8/8/8 w - - 0 1", 15},
        {"a rank too long", "44p/8/8/8/8/8/8/8 w - - 0 1", 2},
        {"a rank too long by its empty squares", "p8/8/8/8/8/8/8/8 w - - 0 1", 1},
        {"a rank too short", "7/8/8/8/8/8/8/8 w - - 0 1", 1},
        {"a nought", "0p7/8/8/8/8/8/8/8", 0},
        {"a letter that is no piece", "8/8/8/4x3/8/8/8/8 w - - 0 1", 7},
        {"a point, which stands in the table of letters", "8/8/8/4.3/8/8/8/8 w - - 0 1", 7},
        {"no such side", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", 20},
        {"a side that runs on", "4k3/8/8/8/8/8/8/4K3 ww - - 0 1", 21},
        {"no such right", "4k3/8/8/8/8/8/8/4K3 w X - 0 1", 22},
        {"two rooks for one side", "4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", 25},
        {"no such file", "4k3/8/8/8/8/8/8/4K3 w - i3 0 1", 24},
        {"no such rank", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", 25},
        {"half an en passant square", "4k3/8/8/8/8/8/8/4K3 w - e", 25},
        {"a clock that is no number", "4k3/8/8/8/8/8/8/4K3 w - - x 1", 26},
        {"a negative clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", 26},
        {"a number that is none", "4k3/8/8/8/8/8/8/4K3 w - - 0 1x", 28},
        {"more than six fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position, before;
        memset(&position, 0xA5, sizeof position);
        before = position;
        size_t offset = 999;
        unsigned problems = 999;
        if (stamma_fen_read(text_of(cases[i].fen), &position, &problems, &offset) != STAMMA_ERROR_SYNTAX ||
            offset != cases[i].offset)
            fail_msg("%s: offset %zu, not %zu", cases[i].what, offset, cases[i].offset);
        assert_int_equal(problems, 999);
        assert_memory_equal(&position, &before, sizeof position);
        assert_int_equal(stamma_fen_read_strict(text_of(cases[i].fen), &position, NULL, &offset), STAMMA_ERROR_SYNTAX);
        assert_memory_equal(&position, &before, sizeof position);
    }
}

static void the_strict_reader_wants_what_the_writer_writes(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen;
        size_t offset;
    } cases[] = {
        {"a field missing", "4k3/8/8/8/8/8/8/4K3 w - - 0", 27},
        {"two blanks", "4k3/8/8/8/8/8/8/4K3  w - - 0 1", 20},
        {"a blank after it", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", 29},
        {"empty squares split", "4k3/8/8/44/8/8/8/4K3 w - - 0 1", 8},
        {"rights out of order", "r3k2r/8/8/8/8/8/8/R3K2R w QKkq - 0 1", 26},
        {"both styles mixed", "r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1", 28},
        {"a clock with zeros", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", 27},
        {"a clock too large", "4k3/8/8/8/8/8/8/4K3 w - - 0 65536", 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position;
        size_t offset = 999;
        if (stamma_fen_read_strict(text_of(cases[i].fen), &position, NULL, &offset) != STAMMA_ERROR_SYNTAX ||
            offset != cases[i].offset)
            fail_msg("%s: offset %zu, not %zu", cases[i].what, offset, cases[i].offset);
        assert_int_equal(stamma_fen_read(text_of(cases[i].fen), &position, NULL, NULL), STAMMA_OK);
    }
}

static void every_problem_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        unsigned problems;
        bool forgiven;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/8 w - - 0 1", STAMMA_SETUP_NO_WHITE_KING, false},
        {"8/8/8/8/8/8/8/4K3 w - - 0 1", STAMMA_SETUP_NO_BLACK_KING, false},
        {"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", STAMMA_SETUP_WHITE_KINGS, false},
        {"3kk3/8/8/8/8/8/8/4K3 w - - 0 1", STAMMA_SETUP_BLACK_KINGS, false},
        {"4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1", STAMMA_SETUP_WHITE_PIECES, false},
        {"rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w kq - 0 1", STAMMA_SETUP_BLACK_PIECES, false},
        {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", STAMMA_SETUP_WHITE_PAWNS, false},
        {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", STAMMA_SETUP_BLACK_PAWNS, false},
        {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", STAMMA_SETUP_PAWN_ON_LAST_RANK, false},
        {"4k3/8/8/8/8/8/8/p3K3 w - - 0 1", STAMMA_SETUP_PAWN_ON_LAST_RANK, false},
        {"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", STAMMA_SETUP_OPPONENT_IN_CHECK, false},
        {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", STAMMA_SETUP_CASTLING, true},
        {"8/8/4k3/8/8/8/8/4K3 w - e6 0 1", STAMMA_SETUP_EN_PASSANT, true},
        {"8/8/8/8/8/8/8/8 w K e3 0 1",
         STAMMA_SETUP_NO_WHITE_KING | STAMMA_SETUP_NO_BLACK_KING | STAMMA_SETUP_CASTLING | STAMMA_SETUP_EN_PASSANT,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position, before;
        memset(&position, 0xA5, sizeof position);
        before = position;
        unsigned problems = 0;
        assert_int_equal(stamma_fen_read_strict(text_of(cases[i].fen), &position, &problems, NULL),
                         STAMMA_ERROR_ILLEGAL);
        assert_memory_equal(&position, &before, sizeof position);
        assert_int_equal(problems, cases[i].problems);
        problems = 0;
        assert_int_equal(stamma_fen_read(text_of(cases[i].fen), &position, &problems, NULL),
                         cases[i].forgiven ? STAMMA_OK : STAMMA_ERROR_ILLEGAL);
        assert_int_equal(problems, cases[i].problems);
    }
}

static void a_buffer_too_small_gets_only_a_nul(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    char fen[STAMMA_FEN_SIZE];
    size_t length = stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    for (size_t size = 0; size <= length + 1; size++) {
        memset(fen, '?', sizeof fen);
        assert_int_equal(stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, size), length);
        if (size == length + 1)
            assert_int_equal(strlen(fen), length);
        else
            assert_true(size == 0 || fen[0] == '\0');
        for (size_t i = size == length + 1 ? size : size != 0; i < sizeof fen; i++)
            assert_int_equal(fen[i], '?');
    }
    assert_int_equal(stamma_fen_write(&position, STAMMA_FEN_STANDARD, NULL, 0), length);
}

/* The longest possible FEN fits in STAMMA_FEN_SIZE. */
static void the_longest_fen_fits(void **state)
{
    (void)state;
    static const char longest[] =
        "r1n1k1nr/p1p1p1p1/1p1p1p1p/b1b1q3/1B1B1Q2/P1P1P1P1/1P1P1P1P/R1N1K1NR w KQkq - 65535 65535";
    stamma_position position = position_of_fen(longest);
    assert_written(&position, STAMMA_FEN_STANDARD, longest);
    assert_true(sizeof longest <= STAMMA_FEN_SIZE);
}

static void mangled_fens_never_give_a_bad_position(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (unsigned round = 0; round < 200000; round++) {
        char fen[STAMMA_FEN_SIZE];
        size_t length = strlen(sample_starts[round % SAMPLE_STARTS]);
        memcpy(fen, sample_starts[round % SAMPLE_STARTS], length);
        for (unsigned changes = 1 + (unsigned)(random_next(&random) % 3); changes > 0; changes--)
            fen[random_next(&random) % length] = "rnbqkpRNBQKP/12345678 wbKQkqAHah-e36x"[random_next(&random) % 38];
        stamma_text text = {fen, random_next(&random) % 4 ? length : random_next(&random) % length};
        stamma_position position;
        if (stamma_fen_read(text, &position, NULL, NULL) == STAMMA_OK) {
            stamma_setup setup = stamma_position_setup(&position);
            assert_int_equal(stamma_setup_problems(&setup), 0);
            assert_round_trip(&position);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fens_of_the_seed),
        cmocka_unit_test(reading_what_was_written_gives_the_position),
        cmocka_unit_test(every_chess960_start_round_trips),
        cmocka_unit_test(lenient_forms),
        cmocka_unit_test(what_is_no_fen),
        cmocka_unit_test(the_strict_reader_wants_what_the_writer_writes),
        cmocka_unit_test(every_problem_is_named),
        cmocka_unit_test(a_buffer_too_small_gets_only_a_nul),
        cmocka_unit_test(the_longest_fen_fits),
        cmocka_unit_test(mangled_fens_never_give_a_bad_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
