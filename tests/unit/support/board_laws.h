/* SPDX-License-Identifier: MIT */
/* Laws that every board representation must obey, for the tests of src/boards. The library's bitboards are the
 * reference. boards_differential_test.c compares the representations with published numbers and plays complete
 * games. */
#ifndef STAMMA_TESTS_BOARD_LAWS_H
#define STAMMA_TESTS_BOARD_LAWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static inline const stamma_board *board_named(const char *name)
{
    const stamma_board *board = stamma_board_find(text_of(name));
    assert_non_null(board);
    assert_string_equal(board->name, name);
    return board;
}

static inline int law_by_number(const void *a, const void *b)
{
    return (int)*(const stamma_move *)a - (int)*(const stamma_move *)b;
}

static inline void law_fail(const stamma_board *board, const stamma_position *position, const char *what)
{
    char fen[STAMMA_FEN_SIZE];
    stamma_fen_write(position, STAMMA_FEN_SHREDDER, fen, sizeof fen);
    fail_msg("%s: %s: %s", board->name, fen, what);
}

/* Asserts that the state converts back to the position, and that its legal moves equal the moves of the bitboard
 * generator. Stores them sorted in `moves`. */
static inline size_t law_same_moves(const stamma_board *board, const void *state, const stamma_position *position,
                                    stamma_move moves[STAMMA_MOVES_MAX])
{
    stamma_position given;
    stamma_move expected[STAMMA_MOVES_MAX];
    if (board->give_back(state, &given) != STAMMA_OK || memcmp(&given, position, sizeof given) != 0)
        law_fail(board, position, "another position is given back");
    size_t count = board->legal_moves(state, moves), expected_count = stamma_legal_moves(position, expected);
    qsort(moves, count, sizeof *moves, law_by_number);
    qsort(expected, expected_count, sizeof *expected, law_by_number);
    if (count != expected_count || memcmp(moves, expected, count * sizeof *moves) != 0)
        law_fail(board, position, "the legal moves differ");
    return count;
}

/* Makes every legal move and asserts that it leads to the right position, and that unmaking it restores every byte. */
static inline void law_position(const stamma_board *board, const stamma_position *position)
{
    stamma_board_state state, before;
    stamma_move moves[STAMMA_MOVES_MAX];
    memset(&state, 0xA5, sizeof state);
    assert_int_equal(board->set_up(position, &state), STAMMA_OK);
    before = state;
    size_t count = law_same_moves(board, &state, position, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_board_undo undo;
        stamma_position expected, given;
        stamma_position_make(position, moves[n], &expected);
        board->make(&state, moves[n], &undo);
        if (board->give_back(&state, &given) != STAMMA_OK || memcmp(&given, &expected, sizeof given) != 0)
            law_fail(board, &expected, "a move leads to another position");
        board->unmake(&state, moves[n], &undo);
        if (memcmp(&state, &before, sizeof state) != 0)
            law_fail(board, position, "a move taken back leaves something changed");
    }
}

/* Tests each piece on each square, with only the kings: representations differ most at the edges. */
static inline void law_every_square(const stamma_board *board)
{
    static const stamma_square kings[][2] = {{0, 63}, {7, 56}, {27, 45}};
    for (unsigned n = 0; n < 3 * 2 * 64 * 16; n++) {
        unsigned square = n / 16 % 64, piece = n % 16;
        const stamma_square *king = kings[n / 1024 % 3];
        stamma_setup setup = {{0}, n / 1024 / 3 ? STAMMA_BLACK : STAMMA_WHITE, {{64, 64}, {64, 64}}, 64, 7, 30};
        stamma_position position;
        memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
        setup.board[square] = (stamma_piece)piece;
        setup.board[king[0]] = STAMMA_KING;
        setup.board[king[1]] = STAMMA_KING + 8;
        if (stamma_position_set_up(&setup, &position) == STAMMA_OK)
            law_position(board, &position);
    }
}

/* Perft of six common positions (Chess Programming Wiki, "Perft Results") and of a Chess960 position with castling. */
static inline void law_known_perft(const stamma_board *board)
{
    static const struct {
        const char *fen;
        unsigned depth;
        uint64_t nodes;
    } known[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8902},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890},
    };
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        stamma_board_state state, before;
        memset(&state, 0, sizeof state);
        assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
        before = state;
        assert_int_equal(stamma_board_perft(board, &state, 0), 1);
        assert_int_equal(stamma_board_perft(board, &state, known[n].depth), known[n].nodes);
        assert_memory_equal(&state, &before, sizeof state);
    }
}

/* Asserts that impossible positions are rejected and leave the state unchanged. */
static inline void law_refuses(const stamma_board *board)
{
    stamma_position position = stamma_position_start();
    stamma_board_state state, before;
    memset(&state, 0xA5, sizeof state);
    before = state;
    position.by_type[STAMMA_KING] &= 0xFF; /* no black king */
    assert_int_equal(board->set_up(&position, &state), STAMMA_ERROR_ILLEGAL);
    memset(&position, 0xFF, sizeof position);
    assert_int_equal(board->set_up(&position, &state), STAMMA_ERROR_ILLEGAL);
    assert_memory_equal(&state, &before, sizeof state);
}

/* Asserts that the clocks count up and stop at their maximum. */
static inline void law_clocks(const stamma_board *board, uint16_t halfmove_max)
{
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), after;
    position.halfmove_clock = halfmove_max;
    position.fullmove_number = UINT16_MAX;
    stamma_board_state state;
    stamma_board_undo undo;
    assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
    board->make(&state, stamma_move_make(60, 59, STAMMA_FLAG_QUIET), &undo);
    assert_int_equal(board->give_back(&state, &after), STAMMA_OK);
    assert_int_equal(after.halfmove_clock, halfmove_max);
    assert_int_equal(after.fullmove_number, UINT16_MAX);
}

/* Makes moves of arbitrary 16 bits, which are mostly illegal. Asserts that nothing outside of the state changes, and
 * that the result converts to a position or is rejected. */
static inline void law_any_move(const stamma_board *board)
{
    uint64_t random = 960;
    for (unsigned round = 0; round < 2000; round++) {
        stamma_board_state state;
        stamma_board_undo undo;
        stamma_position position = position_of_fen(sample_starts[round % SAMPLE_STARTS]), given;
        memset(&state, 0x5A, sizeof state);
        assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
        for (unsigned n = 0; n < 4; n++) {
            stamma_move move = (stamma_move)random_next(&random);
            board->make(&state, move, &undo);
            if (round & 1)
                board->unmake(&state, move, &undo);
        }
        for (size_t byte = board->size; byte < sizeof state; byte++)
            assert_int_equal(state.bytes[byte], 0x5A);
        stamma_error error = board->give_back(&state, &given);
        assert_true(error == STAMMA_ERROR_ILLEGAL || error == STAMMA_OK);
    }
}

/* Runs all checks above for one representation, at the positions of random walks. */
static const stamma_board *law_board;

static inline void law_sample(const stamma_position *position)
{
    law_position(law_board, position);
}

static inline void law_all(const char *name, uint16_t halfmove_max)
{
    law_board = board_named(name);
    law_known_perft(law_board);
    law_every_square(law_board);
    law_refuses(law_board);
    law_clocks(law_board, halfmove_max);
    law_any_move(law_board);
    each_sample(72, 40, law_sample);
}

#endif
