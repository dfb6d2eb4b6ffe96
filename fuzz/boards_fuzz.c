/* SPDX-License-Identifier: MIT */
/* Fuzz target: all board representations. The input is a FEN, a line feed, and one byte for each ply, which selects
 * a legal move. All representations must produce the same moves and positions. Unmaking a move must restore the
 * state exactly. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

enum { PLIES_MAX = 64 };

static int by_number(const void *a, const void *b)
{
    return (int)*(const stamma_move *)a - (int)*(const stamma_move *)b;
}

static size_t sorted_moves(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX])
{
    size_t count = stamma_legal_moves(position, moves);
    qsort(moves, count, sizeof *moves, by_number);
    return count;
}

/* Plays the moves that the bytes of `choices` select. */
static void play(const stamma_board *board, stamma_position position, const uint8_t *choices, size_t plies)
{
    stamma_board_state state, before;
    stamma_error error = board->set_up(&position, &state);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_UNSUPPORTED);
    for (size_t ply = 0; error == STAMMA_OK && ply < plies && ply < PLIES_MAX; ply++) {
        stamma_move expected[STAMMA_MOVES_MAX], moves[STAMMA_MOVES_MAX];
        size_t count = sorted_moves(&position, expected);
        demand(board->legal_moves(&state, moves) == count);
        qsort(moves, count, sizeof *moves, by_number);
        demand(memcmp(moves, expected, count * sizeof *moves) == 0);
        if (count == 0 || position.halfmove_clock > 30000)
            return;
        stamma_board_undo undo;
        stamma_position given;
        stamma_move move = moves[choices[ply] % count];
        memcpy(&before, &state, board->size);
        board->make(&state, move, &undo);
        board->unmake(&state, move, &undo);
        demand(memcmp(&before, &state, board->size) == 0);
        board->make(&state, move, &undo);
        stamma_position_make(&position, move, &position);
        demand(board->give_back(&state, &given) == STAMMA_OK);
        demand(memcmp(&given, &position, sizeof given) == 0);
    }
}

const work_limit fuzz_limit = {.fixed = 50000, .per_byte = 100000};

void fuzz_input(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size, plies = end ? size - length - 1 : 0;
    stamma_position position;
    if (stamma_fen_read((stamma_text){(const char *)data, length}, &position, NULL, NULL) != STAMMA_OK)
        return;
    for (size_t n = 0; stamma_board_at(n); n++)
        play(stamma_board_at(n), position, end ? end + 1 : data, plies);
}
