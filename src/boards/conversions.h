/* SPDX-License-Identifier: MIT */
/* Functions that representations share: conversions, and the counts of moves. They do not depend on how a board is
 * stored or how pieces move, which is in the file of each representation. */
#ifndef STAMMA_BOARDS_CONVERSIONS_H
#define STAMMA_BOARDS_CONVERSIONS_H

#include "base/base.h"

/* ---- signed pieces: pawn 1, knight 2 ... king 6, Black's negative, 0 empty (array-8x8 and the mailboxes) ---- */

STAMMA_INLINE int8_t signed_piece(stamma_piece piece)
{
    return (int8_t)(piece == STAMMA_PIECE_NONE ? 0 : piece < 8 ? piece + 1 : 7 - piece);
}

STAMMA_INLINE stamma_piece piece_of_signed(int piece)
{
    return (stamma_piece)(piece == 0 ? STAMMA_PIECE_NONE : piece > 0 ? piece - 1 : 7 - piece);
}

/* Returns whether a number is between two others, in either order, or equals one of them. */
STAMMA_INLINE bool within(unsigned number, unsigned from, unsigned to)
{
    return from < to ? from <= number && number <= to : to <= number && number <= from;
}

/* ---- the counts of a position ---- */

typedef struct move_counts {
    uint16_t halfmove_clock;
    uint16_t fullmove_number;
} move_counts;

STAMMA_INLINE move_counts counts_of_setup(const stamma_setup *setup)
{
    return (move_counts){setup->halfmove_clock, setup->fullmove_number};
}

STAMMA_INLINE void counts_to_setup(move_counts counts, stamma_setup *setup)
{
    setup->halfmove_clock = counts.halfmove_clock;
    setup->fullmove_number = counts.fullmove_number;
}

/* Counts a move. Numbers that have reached their maximum do not change. */
STAMMA_INLINE void count_move(move_counts *counts, bool black, bool resets_clock)
{
    counts->halfmove_clock = (uint16_t)(counts->halfmove_clock + (counts->halfmove_clock < UINT16_MAX));
    counts->fullmove_number = (uint16_t)(counts->fullmove_number + (black && counts->fullmove_number < UINT16_MAX));
    if (resets_clock)
        counts->halfmove_clock = 0;
}

#endif
