/* SPDX-License-Identifier: MIT */
/* Games of `bcgn` and `bcgn-square` for all processors. */
#include "codec/codec.h"

#define VARIANT(name) stamma_piece_game_##name##_portable

/* Returns the n-th square of a set, from 0, as a set; empty if the set has at most n squares. */
STAMMA_INLINE uint64_t nth_bit(uint64_t set, unsigned n)
{
    while (n-- > 0)
        set = bits_rest(set);
    return bits_lowest(set);
}

#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "codec/piece_game.inc"
