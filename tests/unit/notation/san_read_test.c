/* SPDX-License-Identifier: MIT */
/* Tests reading SAN, with the fast and the lenient reader: round trips, damaged texts, and short texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "notation/notation.h"
#include "sample_positions.h"

/* Asserts that the fast, lenient and public readers read the text that the writer writes, with and without the mark of
 * check or mate. */
static void assert_moves_are_read(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX], read;
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        char san[STAMMA_SAN_SIZE];
        stamma_text text = {san, stamma_san_write(position, moves[i], san, sizeof san)};
        assert_int_equal(stamma_san_read_fast(position, text.data, text.size), moves[i]);
        assert_int_equal(stamma_san_read_lenient(position, text, &read), STAMMA_OK);
        assert_int_equal(read, moves[i]);
        text.size -= strchr("+#", san[text.size - 1]) != NULL;
        assert_int_equal(stamma_san_read_fast(position, text.data, text.size), moves[i]);
        assert_int_equal(stamma_san_read(position, text, &read), STAMMA_OK);
        assert_int_equal(read, moves[i]);
    }
}

static void every_legal_move_is_read(void **state)
{
    (void)state;
    each_sample(300, 80, assert_moves_are_read);
}

/* Makes a text of one to seven letters that occur in moves, usually close to a move. */
static size_t mangle(uint64_t *random, char *out)
{
    static const char letters[] = "abcdefgh12345678NBRQKOx=+#-";
    size_t length = strlen(out);
    for (unsigned changes = (unsigned)(random_next(random) % 3) + 1; changes > 0; changes--) {
        size_t at = (size_t)(random_next(random) % length);
        char letter = letters[random_next(random) % (sizeof letters - 1)];
        switch (random_next(random) % 3) {
        case 0: out[at] = letter; break;
        case 1:
            if (length > 1)
                memmove(out + at, out + at + 1, length-- - at);
            break;
        default: memmove(out + at + 1, out + at, length++ - at + 1); out[at] = letter;
        }
    }
    return length;
}

static uint64_t mangle_random = 3;

/* For any text, the result is a legal move or an error. If the fast reader returns a move, the lenient reader returns
 * the same move. */
static void assert_mangled_moves_do_no_harm(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t i = 0; i < count; i++) {
        char san[STAMMA_SAN_SIZE + 8];
        stamma_san_write(position, moves[i], san, sizeof san);
        stamma_text text = {san, mangle(&mangle_random, san)};
        stamma_move fast = stamma_san_read_fast(position, text.data, text.size), lenient = STAMMA_MOVE_NULL;
        stamma_error error = stamma_san_read_lenient(position, text, &lenient);
        if (fast != STAMMA_MOVE_NULL) {
            assert_true(stamma_move_is_legal(position, fast));
            assert_int_equal(error, STAMMA_OK);
            assert_int_equal(lenient, fast);
        }
        if (error == STAMMA_OK && lenient != STAMMA_MOVE_NULL)
            assert_true(stamma_move_is_legal(position, lenient));
    }
}

static void mangled_moves_do_no_harm(void **state)
{
    (void)state;
    each_sample(600, 80, assert_mangled_moves_do_no_harm);
}

/* Tests all texts of two letters, and all of a piece letter and a square, in many kinds of positions. */
static void short_texts_are_legal_or_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLE_STARTS; i++) {
        stamma_position position = position_of_fen(sample_starts[i]);
        for (unsigned n = 0; n < 256 * 256; n++) {
            char text[3] = {"NBRQKPnb"[n >> 3 & 7], (char)n, (char)(n >> 8)};
            stamma_text two = {text + 1, 2}, three = {text, 3};
            stamma_move move;
            if (stamma_san_read(&position, two, &move) == STAMMA_OK && move != STAMMA_MOVE_NULL)
                assert_true(stamma_move_is_legal(&position, move));
            if (stamma_san_read(&position, three, &move) == STAMMA_OK)
                assert_true(stamma_move_is_legal(&position, move));
        }
    }
}

static void strict_texts_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen, *text;
        stamma_error error;
    } cases[] = {
        {"nothing", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", STAMMA_ERROR_SYNTAX},
        {"a mark alone", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "+", STAMMA_ERROR_SYNTAX},
        {"a piece alone", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "K", STAMMA_ERROR_SYNTAX},
        {"no such square", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke9", STAMMA_ERROR_SYNTAX},
        {"too much", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2e2e2", STAMMA_ERROR_SYNTAX},
        {"too far", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", STAMMA_ERROR_ILLEGAL},
        {"no such piece", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Nf3", STAMMA_ERROR_ILLEGAL},
        {"an own piece there", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Ke2", STAMMA_ERROR_ILLEGAL},
        {"into check", "4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "Ke2", STAMMA_ERROR_ILLEGAL},
        {"along the line of the check", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "Ke2", STAMMA_ERROR_ILLEGAL},
        {"a check not met", "4k3/8/8/8/4r3/8/P7/4K3 w - - 0 1", "a3", STAMMA_ERROR_ILLEGAL},
        {"a pinned knight", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", STAMMA_ERROR_ILLEGAL},
        {"a pinned pawn that takes", "4r1k1/8/8/8/8/5p2/4P3/4K3 w - - 0 1", "exf3", STAMMA_ERROR_ILLEGAL},
        {"a pinned pawn that goes on", "4r1k1/8/8/8/8/5p2/4P3/4K3 w - - 0 1", "e4", STAMMA_OK},
        {"two knights", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2", STAMMA_ERROR_AMBIGUOUS},
        {"two knights, the wrong file", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Ncd2", STAMMA_ERROR_ILLEGAL},
        {"three queens by file", "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qhe1", STAMMA_ERROR_AMBIGUOUS},
        {"a pawn before a piece", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e3", STAMMA_ERROR_ILLEGAL},
        {"a double step over a piece", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e4", STAMMA_ERROR_ILLEGAL},
        {"a double step from the third rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e5", STAMMA_ERROR_ILLEGAL},
        {"a pawn that takes nothing", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "exd4", STAMMA_ERROR_ILLEGAL},
        {"a promotion without a piece", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", STAMMA_ERROR_AMBIGUOUS},
        {"a promotion to a king", "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8=K", STAMMA_ERROR_SYNTAX},
        {"a promotion on the seventh", "8/8/4P1k1/8/8/8/8/4K3 w - - 0 1", "e7=Q", STAMMA_ERROR_ILLEGAL},
        {"a knight that promotes", "8/8/4N1k1/8/8/8/8/4K3 w - - 0 1", "Nd8=Q", STAMMA_ERROR_ILLEGAL},
        {"en passant that is over", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", STAMMA_ERROR_ILLEGAL},
        {"en passant that opens a rank", "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1", "exd6", STAMMA_ERROR_ILLEGAL},
        {"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", STAMMA_OK},
        {"castling without a right", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", STAMMA_ERROR_ILLEGAL},
        {"castling through check", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", STAMMA_ERROR_ILLEGAL},
        {"castling the other way", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O", STAMMA_ERROR_ILLEGAL},
        {"castling four times", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O-O", STAMMA_ERROR_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stamma_position position = position_of_fen(cases[i].fen);
        stamma_move move = 0xABCD;
        stamma_error error = stamma_san_read(&position, text_of(cases[i].text), &move);
        if (error != cases[i].error || (error != STAMMA_OK && move != 0xABCD))
            fail_msg("%s: %s", cases[i].what, stamma_error_text(error));
    }
}

static void castling_in_chess960(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("6r1/4k3/8/8/8/8/8/1R3KR1 w GB - 0 1");
    stamma_move move;
    /* The rook on g1 shields the king's target square until it moves. */
    assert_int_equal(stamma_san_read(&position, text_of("O-O"), &move), STAMMA_ERROR_ILLEGAL);
    position = position_of_fen("8/4k3/8/8/8/8/8/1R3KR1 w GB - 0 1");
    assert_int_equal(stamma_san_read(&position, text_of("O-O"), &move), STAMMA_OK);
    assert_int_equal(move, stamma_move_make(5, 6, STAMMA_FLAG_KING_CASTLE));
    assert_int_equal(stamma_san_read(&position, text_of("O-O-O"), &move), STAMMA_OK);
    assert_int_equal(move, stamma_move_make(5, 2, STAMMA_FLAG_QUEEN_CASTLE));
}

static void so_in_the_perft_suites(void **state)
{
    (void)state;
    if (!each_perft_position(assert_moves_are_read)) {
        printf("../shared/perft is not there\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_move_is_read),
        cmocka_unit_test(mangled_moves_do_no_harm),
        cmocka_unit_test(short_texts_are_legal_or_refused),
        cmocka_unit_test(strict_texts_that_do_not_fit),
        cmocka_unit_test(castling_in_chess960),
        cmocka_unit_test(so_in_the_perft_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
