/* SPDX-License-Identifier: MIT */
/* Games of `bcgn` and `bcgn-square` for processors with fast BMI2: finds the n-th piece of a type with pdep. */
#include "codec/codec.h"

#if STAMMA_HAVE_BMI2
#define VARIANT(name) stamma_piece_game_##name##_bmi2

STAMMA_TARGET_BMI2_BEGIN

/* Returns the n-th square of a set, from 0, as a set; empty if the set has at most n squares. */
STAMMA_INLINE uint64_t nth_bit(uint64_t set, unsigned n)
{
    return bits_deposit(square_bit(n), set);
}

#define sliding_diagonal pext_bishop_attacks
#define sliding_straight pext_rook_attacks

#include "codec/piece_game.inc"

STAMMA_TARGET_BMI2_END
#endif
