/* SPDX-License-Identifier: MIT */
/* bitboard: stamma_position with the interface of the other boards (Wikipedia). A set of squares is one 64-bit word, so
 * one operation computes a fact about all pieces at once: the pawns that can advance are `pawns << 8 & ~occupied`. The
 * generator is in the board room. */
#include "boards/boards.h"

STAMMA_BOARD_FITS(stamma_position, stamma_position);

static stamma_error set_up(const stamma_position *position, void *state)
{
    stamma_setup setup = stamma_position_setup(position);
    return stamma_position_set_up(&setup, state);
}

static stamma_error give_back(const void *state, stamma_position *position)
{
    return set_up(state, position);
}

static size_t legal_moves(const void *state, stamma_move moves[STAMMA_MOVES_MAX])
{
    return stamma_legal_moves(state, moves);
}

/* Makes a move. Stores a copy of the position, which unmake restores. The position is small, and making a move copies
 * it anyway. */
static void make(void *state, stamma_move move, void *undo)
{
    memcpy(undo, state, sizeof(stamma_position));
    stamma_position_make(undo, move, state);
}

static void unmake(void *state, stamma_move move, const void *undo)
{
    (void)move;
    memcpy(state, undo, sizeof(stamma_position));
}

const stamma_board stamma_board_bitboard = {
    .name = "bitboard",
    .description = "a 64-bit set of squares for each colour and type of piece",
    .size = sizeof(stamma_position),
    .set_up = set_up,
    .give_back = give_back,
    .legal_moves = legal_moves,
    .make = make,
    .unmake = unmake,
};
