/* SPDX-License-Identifier: MIT */
/* Finds out whether a game is over, or a draw can be claimed. */
#include "board/board.h"

bool stamma_position_is_insufficient(const stamma_position *position)
{
    uint64_t knights = position->by_type[STAMMA_KNIGHT], bishops = position->by_type[STAMMA_BISHOP];
    if (position->by_type[STAMMA_PAWN] | position->by_type[STAMMA_ROOK] | position->by_type[STAMMA_QUEEN])
        return false;
    if (knights)
        return !bishops && !bits_rest(knights);
    return !(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES);
}

static size_t occurrences(uint64_t key, const uint64_t *earlier, size_t count)
{
    size_t found = 1;
    for (size_t n = 0; n < count; n++)
        found += earlier[n] == key;
    return found;
}

stamma_status stamma_position_status(const stamma_position *position, const uint64_t *earlier, size_t count)
{
    if (stamma_legal_moves_count(position) == 0)
        return stamma_position_in_check(position) ? STAMMA_STATUS_CHECKMATE : STAMMA_STATUS_STALEMATE;
    if (stamma_position_is_insufficient(position))
        return STAMMA_STATUS_INSUFFICIENT_MATERIAL;
    if (position->halfmove_clock >= 150)
        return STAMMA_STATUS_SEVENTY_FIVE_MOVES;
    size_t times = count ? occurrences(stamma_position_key(position), earlier, count) : 1;
    if (times >= 5)
        return STAMMA_STATUS_FIVEFOLD;
    if (position->halfmove_clock >= 100)
        return STAMMA_STATUS_FIFTY_MOVES;
    return times >= 3 ? STAMMA_STATUS_THREEFOLD : STAMMA_STATUS_PLAY;
}
