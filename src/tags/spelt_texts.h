/* SPDX-License-Identifier: MIT */
/* Different texts of a dictionary, spelt one after another with the mixed coder (clause 22). */
#ifndef STAMMA_SPELT_TEXTS_H
#define STAMMA_SPELT_TEXTS_H

#include "base/tables.h"
#include "entropy/mixed_coder.h"

enum {
    SPELT_TEXT_MAX = 1 << 16, /* maximum number of bytes of a text, with its zero */
    SPELT_RATIO_MAX = 32,     /* maximum number of bytes of texts for each coded byte, */
    SPELT_MORE = 4096         /* plus this constant */
};

typedef struct spelt_texts {
    const stamma_allocator *allocator;
    mixed_model *model; /* NULL until a text is needed */
    mixed_stream stream;
    const uint8_t *coded;
    size_t coded_size;
    buffer bytes;           /* the texts read so far, each followed by a zero; does not move */
    size_t size;            /* of all texts, with their zeros */
    size_t last;            /* offset of the last text */
    const stop_check *stop; /* owned by the caller: makes the text that is being read fail; NULL: none */
} spelt_texts;

/* Returns the number of slots of the model for texts of `size` bytes. */
size_t stamma_spelt_slots(size_t size);
/* Opens texts. The coded bytes must remain valid. Returns NULL if memory is exhausted; *error is then NO_MEMORY, or
 * CORRUPT if the texts are longer than the coded bytes allow. */
spelt_texts *stamma_spelt_open(const stamma_allocator *allocator, cursor coded, stamma_error *error);
void stamma_spelt_close(spelt_texts *s);
/* Reads the next text, which is valid as long as `s`. Errors: CORRUPT, also if s->stop ended the work; NO_MEMORY. */
stamma_error stamma_spelt_take(spelt_texts *s, stamma_text *text);
/* Returns whether all texts were read, and the coded bytes end after them. */
bool stamma_spelt_is_done(const spelt_texts *s);
/* Appends coded texts. `texts`: each followed by a zero. Adds nothing if a text is too long. Errors: NO_MEMORY. */
stamma_error stamma_spelt_write(const buffer *texts, buffer *coded);

#endif
