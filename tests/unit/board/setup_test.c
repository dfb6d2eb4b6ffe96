/* SPDX-License-Identifier: MIT */
/* Tests setting up positions: every problem is reported, and legal set-ups are restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

/* Returns the parts of the initial position, for modification. */
static stamma_setup good_setup(void)
{
    stamma_position start = stamma_position_start();
    return stamma_position_setup(&start);
}

/* Bare kings on e1 and e8. */
static stamma_setup bare_setup(void)
{
    stamma_position kings = position_of_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    return stamma_position_setup(&kings);
}

static void expect(const stamma_setup *setup, unsigned problems)
{
    stamma_position position, before;
    memset(&position, 0x5A, sizeof position);
    before = position;
    assert_int_equal(stamma_setup_problems(setup), problems);
    assert_int_equal(stamma_position_set_up(setup, &position), problems ? STAMMA_ERROR_ILLEGAL : STAMMA_OK);
    if (problems)
        assert_memory_equal(&position, &before, sizeof position);
}

static void good_ones(void **state)
{
    (void)state;
    stamma_setup setup = good_setup();
    expect(&setup, 0);
    setup = bare_setup();
    expect(&setup, 0);
    assert_string_equal(stamma_setup_problem_text(0), "no problem");
}

static void kings(void **state)
{
    (void)state;
    stamma_setup setup = bare_setup();
    setup.board[4] = STAMMA_PIECE_NONE;
    expect(&setup, STAMMA_SETUP_NO_WHITE_KING);
    setup.board[60] = STAMMA_PIECE_NONE;
    expect(&setup, STAMMA_SETUP_NO_WHITE_KING | STAMMA_SETUP_NO_BLACK_KING);
    setup = bare_setup();
    setup.board[0] = STAMMA_KING;
    expect(&setup, STAMMA_SETUP_WHITE_KINGS);
    setup.board[63] = STAMMA_KING + 8;
    expect(&setup, STAMMA_SETUP_WHITE_KINGS | STAMMA_SETUP_BLACK_KINGS);
    setup = bare_setup();
    setup.board[4] = STAMMA_PIECE_NONE;
    setup.board[52] = STAMMA_KING; /* e7, next to the black king */
    expect(&setup, STAMMA_SETUP_OPPONENT_IN_CHECK);
}

static void numbers_of_pieces(void **state)
{
    (void)state;
    stamma_setup setup = bare_setup();
    for (unsigned square = 8; square < 17; square++)
        setup.board[square] = STAMMA_PAWN;
    expect(&setup, STAMMA_SETUP_WHITE_PAWNS);
    for (unsigned square = 32; square < 41; square++)
        setup.board[square] = STAMMA_PAWN + 8;
    expect(&setup, STAMMA_SETUP_WHITE_PAWNS | STAMMA_SETUP_BLACK_PAWNS);
    setup = bare_setup();
    for (unsigned square = 24; square < 40; square++)
        setup.board[square] = STAMMA_KNIGHT;
    expect(&setup, STAMMA_SETUP_WHITE_PIECES);
    for (unsigned square = 24; square < 40; square++)
        setup.board[square] = STAMMA_KNIGHT + 8;
    expect(&setup, STAMMA_SETUP_BLACK_PIECES);
    setup.board[24] = STAMMA_PIECE_NONE; /* sixteen black pieces: legal */
    expect(&setup, 0);
}

static void pawns_on_last_ranks(void **state)
{
    (void)state;
    static const unsigned squares[] = {0, 7, 56, 63};
    for (unsigned n = 0; n < 4; n++) {
        stamma_setup setup = bare_setup();
        setup.board[squares[n]] = (stamma_piece)(STAMMA_PAWN + 8 * (n % 2));
        expect(&setup, STAMMA_SETUP_PAWN_ON_LAST_RANK);
    }
}

static void opponent_in_check(void **state)
{
    (void)state;
    stamma_setup setup = bare_setup();
    setup.board[12] = STAMMA_ROOK; /* attacks along the file to e8 */
    expect(&setup, STAMMA_SETUP_OPPONENT_IN_CHECK);
    setup.side = STAMMA_BLACK;
    expect(&setup, 0);
    setup.board[51] = STAMMA_PAWN; /* d7 attacks e8 as well; a double check is valid */
    expect(&setup, 0);
}

static void castling_rights(void **state)
{
    (void)state;
    stamma_setup setup = good_setup();
    setup.castling[STAMMA_WHITE][STAMMA_KING_SIDE] = 6; /* a knight is there */
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = good_setup();
    setup.castling[STAMMA_BLACK][STAMMA_QUEEN_SIDE] = 0; /* White's rook is there */
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = good_setup();
    setup.castling[STAMMA_WHITE][STAMMA_KING_SIDE] = 0; /* left of the king */
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = good_setup();
    setup.castling[STAMMA_WHITE][STAMMA_QUEEN_SIDE] = 7; /* right of the king */
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = bare_setup();
    setup.board[4] = STAMMA_PIECE_NONE;
    setup.board[12] = STAMMA_KING; /* on e2 */
    setup.board[7] = STAMMA_ROOK;
    setup.castling[STAMMA_WHITE][STAMMA_KING_SIDE] = 7;
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = bare_setup();
    setup.board[15] = STAMMA_ROOK; /* a castling rook cannot be on h2 */
    setup.castling[STAMMA_WHITE][STAMMA_KING_SIDE] = 15;
    expect(&setup, STAMMA_SETUP_CASTLING);
    setup = bare_setup();
    setup.board[5] = STAMMA_ROOK; /* Chess960: a rook on f1 can castle */
    setup.castling[STAMMA_WHITE][STAMMA_KING_SIDE] = 5;
    expect(&setup, 0);
}

static void en_passant(void **state)
{
    (void)state;
    stamma_setup setup = bare_setup();
    setup.board[36] = STAMMA_PAWN + 8; /* e5 */
    setup.en_passant = 44;
    expect(&setup, 0);
    setup.en_passant = 43; /* no pawn on d5 */
    expect(&setup, STAMMA_SETUP_EN_PASSANT);
    setup.en_passant = 36; /* the fifth rank */
    expect(&setup, STAMMA_SETUP_EN_PASSANT);
    setup.en_passant = 44;
    setup.board[44] = STAMMA_KNIGHT; /* the square is occupied */
    expect(&setup, STAMMA_SETUP_EN_PASSANT);
    setup.board[44] = STAMMA_PIECE_NONE;
    setup.board[52] = STAMMA_KNIGHT; /* e7 is occupied, so the pawn cannot have come from there */
    expect(&setup, STAMMA_SETUP_EN_PASSANT);
    setup.board[52] = STAMMA_PIECE_NONE;
    setup.side = STAMMA_BLACK; /* a pawn of the wrong side */
    expect(&setup, STAMMA_SETUP_EN_PASSANT);
}

static void bad_values(void **state)
{
    (void)state;
    static const stamma_piece pieces[] = {7, 14, 15, 16, 255};
    for (unsigned n = 0; n < sizeof pieces; n++) {
        stamma_setup setup = good_setup();
        setup.board[20] = pieces[n];
        expect(&setup, STAMMA_SETUP_BAD_VALUE);
    }
    stamma_setup setup = good_setup();
    setup.side = (stamma_color)2;
    expect(&setup, STAMMA_SETUP_BAD_VALUE);
    setup = good_setup();
    setup.en_passant = 65;
    expect(&setup, STAMMA_SETUP_BAD_VALUE);
    setup = good_setup();
    setup.castling[1][1] = 255;
    expect(&setup, STAMMA_SETUP_BAD_VALUE);
}

static void every_problem_has_a_text(void **state)
{
    (void)state;
    for (unsigned a = 0; a <= 12; a++) {
        const char *text = stamma_setup_problem_text(1u << a);
        assert_string_not_equal(text, "no problem");
        assert_string_equal(stamma_setup_problem_text(1u << a | 1u << 12), text);
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(text, stamma_setup_problem_text(1u << b));
    }
    assert_string_equal(stamma_setup_problem_text(1u << 31), "no problem");
}

static void set_up_again(const stamma_position *position)
{
    stamma_setup setup = stamma_position_setup(position);
    stamma_position again;
    assert_int_equal(stamma_setup_problems(&setup), 0);
    assert_int_equal(stamma_position_set_up(&setup, &again), STAMMA_OK);
    assert_memory_equal(&again, position, sizeof again);
}

/* Every position that legal moves reach is a legal set-up, and its parts restore the same position, including the
 * key. */
static void there_and_back(void **state)
{
    (void)state, each_sample(200, 80, set_up_again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_ones),
        cmocka_unit_test(kings),
        cmocka_unit_test(numbers_of_pieces),
        cmocka_unit_test(pawns_on_last_ranks),
        cmocka_unit_test(opponent_in_check),
        cmocka_unit_test(castling_rights),
        cmocka_unit_test(en_passant),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(every_problem_has_a_text),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
