/* SPDX-License-Identifier: MIT */
/* The mixed coder: codes binary decisions with probabilities that are mixed from the statistics of several contexts,
 * as in PAQ (M. Mahoney, Adaptive Weighing of Context Models for Lossless Data Compression, 2005; clause 21). All
 * arithmetic is integer arithmetic. */
#ifndef STAMMA_MIXED_CODER_H
#define STAMMA_MIXED_CODER_H

#include "entropy/range_coder.h"

enum {
    MIXED_CONTEXTS = 12, /* maximum for a decision */
    MIXED_KINDS = 2,     /* kinds of decisions */
    MIXED_INPUTS = 2 * MIXED_CONTEXTS + 1,
    MIXED_SLOT_BITS_MIN = 12,
    MIXED_SLOT_BITS_MAX = 22,
    MIXED_MAP_BITS_MIN = 12,
    MIXED_MAP_BITS_MAX = 20,
    MIXED_COUNT_MAX = 255
};

/* The statistics learnt from a stream. */
typedef struct mixed_model {
    const stamma_allocator *allocator;
    uint16_t *slots;    /* by hashes of contexts: high byte a check, low byte counts of 0 and 1 */
    uint32_t *direct;   /* instead of slots: entries as in `maps` by hashes of contexts, or NULL */
    unsigned slot_bits; /* log2 of the number of slots or direct entries */
    /* By kind of decision, context and counts: the probability of 1 in 1/2^22 (high 22 bits), and the number of
     * updates. */
    uint32_t maps[MIXED_KINDS][MIXED_CONTEXTS][256];
    int32_t (*weights)[MIXED_INPUTS]; /* in 1/2^16 */
    size_t sets;                      /* number of sets of weights */
    uint32_t reciprocals[MIXED_COUNT_MAX + 1];
    int16_t stretched[4096];
} mixed_model;

/* Returns a new model with slots, or NULL if memory is exhausted. Free it with stamma_mixed_delete. */
mixed_model *stamma_mixed_new(const stamma_allocator *allocator, unsigned slot_bits, size_t sets);
/* Returns a new model that stores a probability for each context, without a check; for noisy decisions (14.13). NULL if
 * memory is exhausted. */
mixed_model *stamma_mixed_new_direct(const stamma_allocator *allocator, unsigned map_bits, size_t sets);
void stamma_mixed_delete(mixed_model *m);

/* A stream that is written or, if `out.out` is NULL, read. */
typedef struct mixed_stream {
    range_encoder out;
    range_decoder in;
} mixed_stream;

STAMMA_INLINE uint32_t mixed_hash(uint32_t a, uint32_t b)
{
    uint32_t h = (a ^ b) * UINT32_C(0x85EBCA6B);
    return h ^ h >> 15;
}
/* Returns whether a byte of a text belongs to a word. */
STAMMA_INLINE bool mixed_is_word(unsigned byte)
{
    return byte >= 128 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}
typedef struct mixed_decision {
    uint32_t contexts[MIXED_CONTEXTS]; /* hashes of the known facts */
    unsigned count;
    unsigned kind;
    uint32_t node; /* the known part of the symbol */
    size_t set;    /* index of the set of weights */
} mixed_decision;

/* Codes a decision. `bit`: the decision, if the stream is written. Returns the decision. */
unsigned stamma_mixed_bit(mixed_model *m, mixed_stream *s, const mixed_decision *d, unsigned bit);

#endif
