/* SPDX-License-Identifier: MIT */
/* Tag values in the mixed coder (clause 21): reading (mixed_texts.c) and writing (mixed_writer.c,
 * mixed_sources.c). */
#ifndef STAMMA_MIXED_TEXTS_H
#define STAMMA_MIXED_TEXTS_H

#include "base/tables.h"
#include "entropy/mixed_coder.h"

enum { CODEC_MIXED = 8 };

enum {
    MIXED_SOURCES = 3, /* columns that a value may depend on */
    MIXED_LIKELY = MIXED_SOURCES + 2,
    MIXED_MODELS_MAX = 8,       /* maximum in a block */
    MIXED_SLOTS_MAX = 12 << 20, /* maximum total number of slots of the models */
    MIXED_EXPANSION = 1024,     /* maximum number of bytes of values for each stored byte */
    MIXED_SPELT = 32,           /* maximum number of spelt bytes for each stored byte, */
    MIXED_SPELT_MORE = 4096,    /* plus this constant */
    MIXED_VALUE_MAX = 1 << 16   /* maximum number of bytes of a spelt value, with its zero */
};

/* Levels of values, as for codec 3 (clause 15.8). New texts have level 0. */
enum { LEVEL_SPELT = 14, LEVEL_LIKELY = 15 };

/* The statistics learnt from a column or from two counterparts. */
typedef struct mixed_texts {
    const stamma_allocator *allocator;
    mixed_model *model;
    text_table texts; /* all values */
    buffer spelt;
    uint32_t memories[MIXED_SOURCES][1 << 16]; /* by hash of a source's value: number of a text */
    uint32_t previous[2];                      /* by side: number of the last value, initially 0 */
    uint32_t histories[2];                     /* decisions about likely values, latest in the lowest bit */
    uint64_t spelt_bytes[2];                   /* by side, including the zero after each value */
    const stop_check *stop;                    /* NULL: values are not interrupted */
} mixed_texts;

/* Returns the maximum number of bytes that a column of `stored` bytes may spell, including the zero after each value
 * (21.8). */
STAMMA_INLINE uint64_t mixed_spelt_max(size_t stored)
{
    return (uint64_t)stored * MIXED_SPELT + MIXED_SPELT_MORE;
}

/* Returns NULL if memory is exhausted. */
mixed_texts *stamma_mixed_texts_new(const stamma_allocator *allocator, unsigned slot_bits);
void stamma_mixed_texts_delete(mixed_texts *x);
/* Codes the next value of a side, 0 or 1. Writes *value; when reading, stores the value there, which is valid as long
 * as `x`. `sources`: values of other columns, {NULL, 0} for none. `most`: maximum number of spelt bytes, including the
 * zero after the value; at most MIXED_VALUE_MAX. Returns the text's number and sets its level. Returns 0 if the value
 * is too long, if x->stop ends the work, or if memory is exhausted. */
uint32_t stamma_mixed_texts_code(mixed_texts *x, mixed_stream *s, unsigned side,
                                 const stamma_text sources[MIXED_SOURCES], size_t most, stamma_text *value,
                                 uint8_t *level);

/* The parameters before the coded values of a column. */
typedef struct mixed_plan {
    bool shared; /* continues with the statistics of the previous column, which is also in this codec */
    uint8_t slot_bits;
    uint8_t source_count;
    uint8_t sources[MIXED_SOURCES]; /* columns */
} mixed_plan;

#endif
