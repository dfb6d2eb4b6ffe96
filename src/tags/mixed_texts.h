/* Values of tags by the mixed coder (doc/format.md, clause 20): for reading (mixed_texts.c) and writing
 * (mixed_writer.c, mixed_sources.c). */
#ifndef STAMMA_MIXED_TEXTS_H
#define STAMMA_MIXED_TEXTS_H

#include "base/tables.h"
#include "entropy/mixed_coder.h"

enum { CODEC_MIXED = 8 };

enum {
    MIXED_SOURCES = 3, /* columns that a value may depend on */
    MIXED_LIKELY = MIXED_SOURCES + 2,
    MIXED_MODELS_MAX = 8,       /* of a block, */
    MIXED_SLOTS_MAX = 12 << 20, /* and their slots together */
    MIXED_EXPANSION = 1024,     /* bytes of values for each byte stored, at most */
    MIXED_SPELT = 32,           /* spelt bytes for each byte stored, at most, */
    MIXED_SPELT_MORE = 4096     /* and these in addition */
};

/* Levels of values, as codec 3 has them (clause 11.8): 0 is that of a new text. */
enum { LEVEL_SPELT = 14, LEVEL_LIKELY = 15 };

/* What is learnt of a column, or of two counterparts. */
typedef struct mixed_texts {
    const stamma_allocator *allocator;
    mixed_model *model;
    text_table texts; /* all values */
    buffer spelt;
    uint32_t memories[MIXED_SOURCES][1 << 16]; /* by hashes of sources' values: numbers of texts */
    uint32_t previous[2];                      /* by side: the number of its last value, 0 at first */
    uint32_t histories[2];                     /* of decisions for likely values, the last lowest */
    uint64_t spelt_bytes[2];                   /* by side, including the zero after each value */
    const stop_check *stop;                    /* NULL: values are never interrupted */
} mixed_texts;

/* How many bytes a column of `stored` bytes may spell, including the zero after each value (20.8). */
STAMMA_INLINE uint64_t mixed_spelt_max(size_t stored)
{
    return (uint64_t)stored * MIXED_SPELT + MIXED_SPELT_MORE;
}

/* NULL: no memory. */
mixed_texts *stamma_mixed_texts_new(const stamma_allocator *allocator, unsigned slot_bits);
void stamma_mixed_texts_delete(mixed_texts *x);
/* Codes the next value of a side, 0 or 1: *value where it is written, else it is put there and stays as long as `x`.
 * `sources`: values of other columns, {NULL, 0} where there is none. `most`: bytes that it may spell, including the
 * zero after the value. Gives its number
 * among the texts, and its level; 0 if it is too long, if x->stop says so, or if there is no memory. */
uint32_t stamma_mixed_texts_code(mixed_texts *x, mixed_stream *s, unsigned side,
                                 const stamma_text sources[MIXED_SOURCES], size_t most, stamma_text *value,
                                 uint8_t *level);

/* What stands before the coded values of a column. */
typedef struct mixed_plan {
    bool shared; /* it goes on with what the column before, of this codec, learnt */
    uint8_t slot_bits;
    uint8_t source_count;
    uint8_t sources[MIXED_SOURCES]; /* columns */
} mixed_plan;

#endif
