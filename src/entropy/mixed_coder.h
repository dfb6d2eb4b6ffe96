/* The mixed coder: binary decisions whose probabilities are mixed from what each of several contexts saw before, as in
 * PAQ (M. Mahoney, Adaptive Weighing of Context Models for Lossless Data Compression, 2005; clause 20). All is integer
 * arithmetic. */
#ifndef STAMMA_MIXED_CODER_H
#define STAMMA_MIXED_CODER_H

#include "entropy/range_coder.h"

enum {
    MIXED_CONTEXTS = 12, /* that a decision may have */
    MIXED_KINDS = 2,     /* of decisions */
    MIXED_INPUTS = 2 * MIXED_CONTEXTS + 1,
    MIXED_SLOT_BITS_MIN = 12,
    MIXED_SLOT_BITS_MAX = 22,
    MIXED_MAP_BITS_MIN = 12,
    MIXED_MAP_BITS_MAX = 20,
    MIXED_COUNT_MAX = 255
};

/* What is learnt of a stream. */
typedef struct mixed_model {
    const stamma_allocator *allocator;
    uint16_t *slots; /* by hashes of contexts: a check in the high byte, how often 0 and 1 came lately in the low one */
    uint32_t *direct;   /* in place of these: by hashes of contexts what `maps` have; NULL: there are slots */
    unsigned slot_bits; /* of the number of either */
    /* By kind of decision, context and counts: the probability of 1 in 1/2^22, and how often it was learnt. */
    uint32_t maps[MIXED_KINDS][MIXED_CONTEXTS][256];
    int32_t (*weights)[MIXED_INPUTS]; /* in 1/2^16 */
    size_t sets;                      /* of weights */
    uint32_t reciprocals[MIXED_COUNT_MAX + 1];
    int16_t stretched[4096];
} mixed_model;

/* NULL: no memory. */
mixed_model *stamma_mixed_new(const stamma_allocator *allocator, unsigned slot_bits, size_t sets);
/* One whose contexts have probabilities of their own, without a check, for decisions that are noisy (10.13). */
mixed_model *stamma_mixed_new_direct(const stamma_allocator *allocator, unsigned map_bits, size_t sets);
void stamma_mixed_delete(mixed_model *m);

/* Where decisions are written or, where `out.out` is NULL, read. */
typedef struct mixed_stream {
    range_encoder out;
    range_decoder in;
} mixed_stream;

STAMMA_INLINE uint32_t mixed_hash(uint32_t a, uint32_t b)
{
    uint32_t h = (a ^ b) * UINT32_C(0x85EBCA6B);
    return h ^ h >> 15;
}
typedef struct mixed_decision {
    uint32_t contexts[MIXED_CONTEXTS]; /* hashes of what is known */
    unsigned count;
    unsigned kind;
    uint32_t node; /* what of the symbol is known */
    size_t set;    /* of weights */
} mixed_decision;

/* Codes a decision, `bit` where it is written; gives it. */
unsigned stamma_mixed_bit(mixed_model *m, mixed_stream *s, const mixed_decision *d, unsigned bit);

#endif
