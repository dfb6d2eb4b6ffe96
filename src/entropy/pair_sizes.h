/* SPDX-License-Identifier: MIT */
/* Prediction of the sizes of pairs, and the contexts of the residuals (clause 16.4); for pair_writer.c and
 * pair_reader.c. */
#ifndef STAMMA_PAIR_SIZES_H
#define STAMMA_PAIR_SIZES_H

#include "entropy/entropy.h"

enum { PAIR_SCALE_BITS = 16, PAIR_CONTEXTS = 3 };
#define PAIR_SCALE_MAX (UINT64_C(1) << 24)

/* Returns the expected size in units. The weights of two strings sum to less than 2^33. */
STAMMA_INLINE int64_t pair_expected(uint32_t weight, uint64_t scale)
{
    return (int64_t)((weight * scale + (UINT64_C(1) << (PAIR_SCALE_BITS - 1))) >> PAIR_SCALE_BITS);
}

/* Contexts: 0 is the weight; 1 and 2 are the numbers of bits of the last two residuals. */
typedef struct pair_levels {
    uint8_t of[CONTEXT_KINDS];
} pair_levels;

STAMMA_INLINE void pair_levels_weigh(pair_levels *levels, uint32_t weight)
{
    enum { LEAST = 16 };
    unsigned top = bits_last((uint64_t)weight * 2 + 2),
             level = 2 * top + (((weight * UINT64_C(2) + 2) >> (top - 1)) & 1u);
    levels->of[0] = context_cut(level < LEAST ? 0 : level - LEAST);
}
STAMMA_INLINE void pair_levels_note(pair_levels *levels, uint64_t folded)
{
    levels->of[2] = levels->of[1];
    levels->of[1] = context_cut(context_bits(folded));
}

#endif
