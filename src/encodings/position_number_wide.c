/* SPDX-License-Identifier: MIT */
/* Arithmetic of 192-bit numbers, and numbers of subsets; for position_number.c. */
#include "encodings/position_number.h"

/* ---- numbers of 192 bits ---- */

void stamma_wide_add(wide *a, const wide *b)
{
    uint64_t carry = 0;
    for (unsigned n = 0; n < 6; n++, carry >>= 32) {
        carry += (uint64_t)a->limb[n] + b->limb[n];
        a->limb[n] = (uint32_t)carry;
    }
}

bool stamma_wide_subtract(wide *a, const wide *b)
{
    wide rest;
    uint64_t borrow = 0;
    for (unsigned n = 0; n < 6; n++) {
        uint64_t difference = (uint64_t)a->limb[n] - b->limb[n] - borrow;
        rest.limb[n] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    if (!borrow)
        *a = rest;
    return !borrow;
}

static void wide_multiply_32(wide *a, uint32_t factor)
{
    uint64_t carry = 0;
    for (unsigned n = 0; n < 6; n++, carry >>= 32) {
        carry += (uint64_t)a->limb[n] * factor;
        a->limb[n] = (uint32_t)carry;
    }
}

void stamma_wide_multiply(wide *a, uint64_t factor)
{
    wide high = {{0}};
    memcpy(high.limb + 1, a->limb, 5 * sizeof *a->limb);
    wide_multiply_32(&high, (uint32_t)(factor >> 32));
    wide_multiply_32(a, (uint32_t)factor);
    stamma_wide_add(a, &high);
}

void stamma_wide_add_number(wide *a, uint64_t number)
{
    wide b = {{(uint32_t)number, (uint32_t)(number >> 32)}};
    stamma_wide_add(a, &b);
}

/* Binary long division. */
uint64_t stamma_wide_divide(wide *a, uint64_t divisor)
{
    uint64_t rest = 0;
    for (unsigned bit = 192; bit-- > 0;) {
        uint32_t *limb = &a->limb[bit / 32], mask = UINT32_C(1) << bit % 32;
        bool above = rest >> 63;
        rest = rest << 1 | ((*limb & mask) != 0);
        if (above || rest >= divisor) {
            rest -= divisor;
            *limb |= mask;
        } else {
            *limb &= ~mask;
        }
    }
    return rest;
}

wide stamma_wide_product(uint64_t a, uint64_t b, uint64_t c)
{
    wide product = {{(uint32_t)a, (uint32_t)(a >> 32)}};
    stamma_wide_multiply(&product, b);
    stamma_wide_multiply(&product, c);
    return product;
}

/* ---- subsets ---- */

/* Uses the combinatorial number system: the sum of binomials of the index of each bit over the bit's ordinal, from
 * 1. */
uint64_t stamma_subset_rank(uint64_t set, uint64_t all)
{
    uint64_t number = 0;
    for (unsigned n = 1; set; set = bits_rest(set), n++)
        number += stamma_binomials[bits_count(all & ((set & (0 - set)) - 1))][n];
    return number;
}

uint64_t stamma_subset_unrank(uint64_t number, unsigned count, uint64_t all)
{
    uint64_t set = 0;
    for (unsigned place = bits_count(all); count > 0 && place-- > 0;)
        if (stamma_binomials[place][count] <= number) {
            number -= stamma_binomials[place][count--];
            set |= square_bit(nth_along_ranks(all, place));
        }
    return set;
}
