/* SPDX-License-Identifier: MIT */
/* Random numbers for sample_games. All arithmetic is integer arithmetic: the same numbers on every machine.
 *
 * Source: xoshiro256** and splitmix64 by David Blackman and Sebastiano Vigna, in the public domain
 * (https://prng.di.unimi.it). */
#ifndef SAMPLE_RANDOM_H
#define SAMPLE_RANDOM_H

#include <stdint.h>

typedef struct random_state {
    uint64_t word[4];
} random_state;

/* The uses of random numbers. Each use has separate sequences. */
enum { RANDOM_GAME, RANDOM_EVENT, RANDOM_PLAYER, RANDOM_FORM };

/* Returns the output function of splitmix64. */
static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Begins the sequence of a seed, a use and a number, such as the number of a game. */
static inline random_state random_begin(uint64_t seed, unsigned use, uint64_t number)
{
    random_state r;
    uint64_t x = random_mix(random_mix(random_mix(seed + UINT64_C(0x9E3779B97F4A7C15)) + use) + number);
    for (unsigned n = 0; n < 4; n++)
        r.word[n] = random_mix(x += UINT64_C(0x9E3779B97F4A7C15));
    return r;
}

static inline uint64_t random_next(random_state *r)
{
    uint64_t *s = r->word, x = s[1] * 5, result = (x << 7 | x >> 57) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* Returns a number from 0 to `limit` - 1. The deviation from equal chances is below limit / 2^32. */
static inline uint32_t random_below(random_state *r, uint32_t limit)
{
    return (uint32_t)((random_next(r) >> 32) * limit >> 32);
}

/* Returns a number with nearly a normal distribution, of mean 0 and this standard deviation: the sum of 12 uniform
 * numbers. */
static inline int random_normal(random_state *r, int deviation)
{
    int64_t sum = 0;
    for (unsigned n = 0; n < 3; n++)
        for (uint64_t bits = random_next(r), k = 0; k < 4; k++, bits >>= 16)
            sum += (int64_t)(bits & 0xFFFF);
    return (int)((sum - 6 * 65536 + 6) * deviation / 65536);
}

#endif
