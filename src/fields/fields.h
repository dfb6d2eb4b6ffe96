/* SPDX-License-Identifier: MIT */
/* The fields room: stores columns of machine-written texts as templates and typed fields. Each number is stored as the
 * difference from a prediction (doc/format/block_columns.md, clause 14). */
#ifndef STAMMA_FIELDS_H
#define STAMMA_FIELDS_H

#include "base/tables.h"
#include "entropy/entropy.h"
#include "entropy/mixed_coder.h"

/* ---- texts as templates and fields (field_template.c) ---- */

enum { FIELD_MARK = 1, FIELDS_MAX = 32, FIELD_TEMPLATE_MAX = 250 };

/* Types of fields. In a template, the type's byte follows FIELD_MARK. */
enum {
    FIELD_NUMBER = 'n',   /* natural, at most 15 digits */
    FIELD_PAIR = 'p',     /* two digits, 00 to 99 */
    FIELD_TIME = 't',     /* h:mm:ss, then a tenth unless it is 0; in tenths of a second */
    FIELD_TIME_TWO = 'u', /* hh:mm:ss, otherwise the same */
    FIELD_WORD = 'w',     /* text after `=`, up to the next comma or the end; the only type without a number */
    FIELD_DECIMAL =
        'A' /* A, B, C: one, two, three decimals; D, E, F: with a plus sign above 0; in units of the last decimal */
};

typedef struct field_text {
    uint8_t bytes[FIELD_TEMPLATE_MAX];
    size_t size;
    size_t field_count;
    int64_t values[FIELDS_MAX];
    stamma_text texts[FIELDS_MAX]; /* as written */
} field_text;

/* Finds the bytes after which numbers above 0 have a plus sign in a column's texts. Byte 0: at the start of the data.
 */
void stamma_field_find_signs(const uint8_t *data, size_t size, bool plus_after[256]);
/* Parses a text into a template and fields. Returns false if the text exceeds the limits of a template. */
bool stamma_field_parse(stamma_text text, const bool plus_after[256], field_text *t);
/* Parses a text with an expected template. Stores the values and texts in `t`, but not the template. Returns false if
 * the template does not match. The template must be a result of stamma_field_parse. */
bool stamma_field_match(stamma_text text, stamma_text template, const bool plus_after[256], field_text *t);
/* A template with a single field, a time, at most eight bytes before it and at most seven after it. Most comments have
 * a template of this form. Texts are stored as numbers, with the first byte lowest. */
typedef struct field_clock {
    uint64_t before, before_mask;
    uint64_t after, after_mask;      /* including the zero byte after the text */
    uint8_t before_size, after_size; /* after_size 0: not a template of this form */
} field_clock;

/* Converts a template; after_size is 0 if it does not have this form. */
void stamma_field_clock_find(stamma_text template, field_clock *c);
/* Parses the text at `at`, which ends with a zero byte, as stamma_field_match does. `left`: number of readable bytes.
 * Returns the size of the text with its zero byte, or 0 if this quick check cannot decide. */
size_t stamma_field_clock_match(const field_clock *c, const uint8_t *at, size_t left, int64_t *value);
/* Writes a field of any type except FIELD_WORD, at most 32 bytes. Most fields are times below ten hours. */
extern const char stamma_pairs[60][2]; /* "00" to "59" */
size_t stamma_field_write_any(char type, int64_t value, char *out);
STAMMA_INLINE size_t stamma_field_write(char type, int64_t value, char *out)
{
    if (STAMMA_UNLIKELY(type != FIELD_TIME || value >= 360000))
        return stamma_field_write_any(type, value, out);
    uint32_t tenths = (uint32_t)value, second = tenths / 10, minute = second / 60, hour = minute / 60;
    memcpy(out, "0:00:00.", 8);
    out[0] = (char)('0' + hour);
    memcpy(out + 2, stamma_pairs[minute - 60 * hour], 2);
    memcpy(out + 5, stamma_pairs[second - 60 * minute], 2);
    out[8] = (char)('0' + tenths - 10 * second);
    return tenths == 10 * second ? 7 : 9;
}

/* ---- state of a column's fields that encoder and decoder share (field_history.c) ----
 *
 * A field's stream is found by its key: the type, and the bytes of the template from the previous blank, comma or
 * bracket to the field. So "tl=5" belongs to the same stream in all templates. Encoder and decoder keep the same
 * history of each stream. */

enum {
    FIELD_STREAMS_MAX = 512,
    FIELD_TEMPLATES_MAX = 4096, /* maximum number of templates in a column */
    FIELD_KEYS_MAX = (FIELD_STREAMS_MAX - 4) / 2,
    FIELD_KEY_MAX = 12
};

/* How a stream's symbols are stored. The numbers are part of the format. */
enum { SYMBOLS_BYTES = 0, SYMBOLS_CODED = 1, SYMBOLS_MIXED = 2 };

#define FIELD_NO_VALUE INT64_MIN /* returned for a corrupt value */

/* How a stream's next value is predicted. The numbers are part of the format. */
enum {
    PREDICT_ZERO = 0,
    PREDICT_LAST = 1,    /* the previous value */
    PREDICT_SECOND = 2,  /* the second last value, which belongs to the same player */
    PREDICT_SPENT = 3,   /* the second last value minus the last value of stream `other` */
    PREDICT_PRODUCT = 4, /* product of the last values of `other` and `another`, / 1000 */
    PREDICT_OTHER = 5,   /* the last value of `other` */
    PREDICTORS
};

/* Contexts for the size of a residual, each with CONTEXT_LEVELS levels. The numbers are part of the format. */
enum {
    CONTEXT_POSITION = 0, /* number of values in this game */
    CONTEXT_LAST = 1,     /* bits of the last residual in this game */
    CONTEXT_SECOND = 2,   /* bits of the second last residual, which belongs to the same player */
    CONTEXT_FIRST = 3,    /* bits of the game's first value, which shows the time control */
    CONTEXT_OTHER = 4,    /* bits of the last value of `other` */
    FIELD_CONTEXTS = 5
};

typedef struct field_stream {
    uint8_t key[FIELD_KEY_MAX + 1];
    uint8_t key_size;
    bool word;
    bool coded; /* whether the symbols are SYMBOLS_CODED */
    uint8_t predictor;
    uint8_t other, another;
    uint32_t divisor;
    /* for decoding */
    uint64_t most;             /* maximum residual, in units of divisor, folded */
    int64_t least;             /* minimum value */
    bool alone;                /* the next value depends only on this stream's history */
    bool looks;                /* the prediction or a context uses another stream */
    bool looked_at;            /* another stream uses this stream */
    int64_t predicted;         /* prediction of the next value */
    const number_slots *slots; /* of coded streams: slots of the next symbol's class */
    uint8_t map_bits;          /* of mixed streams; 0: not mixed */
    /* for encoding and decoding */
    struct field_mixer *mixer; /* of mixed streams; NULL: not mixed */
    /* history */
    uint32_t game; /* game of the last value, from 1 */
    uint32_t seen; /* number of values in that game */
    /* last and second last value; at the start of a game, the second and first value of the previous game */
    int64_t back[2];
    int64_t first[2];
    /* of coded streams: the next position bucket begins when the number of values plus 1 reaches this */
    uint32_t bucket_end;
    uint8_t levels[CONTEXT_KINDS + 1];
} field_stream;

typedef struct field_keys {
    field_stream list[FIELD_KEYS_MAX];
    size_t count;
} field_keys;

/* A template in use. */
typedef struct field_template {
    const uint8_t *bytes;
    size_t size;
    size_t field_count;
    uint8_t streams[FIELDS_MAX];
    uint8_t types[FIELDS_MAX];
    uint8_t literals[FIELDS_MAX + 1]; /* number of bytes before each field and after the last */
    bool in_any_order;                /* its fields may be passed stream by stream */
    /* for reading: minimum size of a text with this template, including its zero byte */
    uint32_t least;
} field_template;

STAMMA_INLINE void field_enter_game(field_stream *x, uint32_t game)
{
    if (x->game == game)
        return;
    x->game = game;
    x->seen = 0;
    x->back[0] = x->first[1];
    x->back[1] = x->first[0];
    x->bucket_end = 2;
    x->levels[CONTEXT_POSITION] = x->levels[CONTEXT_LAST] = x->levels[CONTEXT_SECOND] = 0;
}

STAMMA_INLINE int64_t field_product(int64_t a, int64_t b)
{
    bool small = a >= 0 && b >= 0 && a < INT32_MAX && b < INT32_MAX;
    return small ? a * b / 1000 : 0;
}

STAMMA_INLINE int64_t field_predict(const field_keys *s, const field_stream *x, unsigned predictor, unsigned other,
                                    unsigned another)
{
    if (STAMMA_LIKELY(predictor == PREDICT_SECOND))
        return x->back[1];
    switch (predictor) {
    case PREDICT_LAST: return x->back[0];
    case PREDICT_SPENT: return x->back[1] - s->list[other].back[0];
    case PREDICT_PRODUCT: return field_product(s->list[other].back[0], s->list[another].back[0]);
    case PREDICT_OTHER: return s->list[other].back[0];
    default: return 0;
    }
}

STAMMA_INLINE void field_push(field_stream *x, int64_t value)
{
    if (STAMMA_UNLIKELY(x->seen < 2)) {
        if (x->seen == 0)
            x->levels[CONTEXT_FIRST] = context_value(value);
        x->first[x->seen] = value;
    }
    x->seen++;
    x->back[1] = x->back[0];
    x->back[0] = value;
}

/* Updates the contexts with a folded residual. Call it before field_push. A position bucket is the number of values
 * plus 1, reduced to its two highest bits. */
STAMMA_INLINE void context_note(field_stream *x, uint64_t folded)
{
    unsigned size = context_bits(folded);
    if (STAMMA_UNLIKELY(x->seen + 2 == x->bucket_end) && x->levels[CONTEXT_POSITION] < CONTEXT_LEVELS - 1) {
        unsigned next = x->levels[CONTEXT_POSITION] == 0 ? 2 : x->levels[CONTEXT_POSITION] + 1u;
        x->levels[CONTEXT_POSITION] = (uint8_t)next;
        x->bucket_end = (2 + (next + 1) % 2) << ((next + 1) / 2 - 1);
    }
    x->levels[CONTEXT_SECOND] = x->levels[CONTEXT_LAST];
    x->levels[CONTEXT_LAST] = context_cut(size);
}

/* Resets the history of all streams. */
void stamma_field_reset(field_keys *s);
/* Finds the streams of a template's fields, and adds missing streams. Returns false if the template is malformed or
 * there are too many streams. */
bool stamma_field_prepare(field_keys *s, field_template *t);

/* ---- residuals by the mixed coder (field_mixer.c; clause 14.13) ---- */

enum {
    FIELD_MIXERS_MAX = 8,   /* maximum in a column */
    FIELD_MIXED = 512,      /* maximum number of values for each stored byte */
    FIELD_MIXED_MORE = 4096 /* added to this maximum */
};

/* Returns the maximum number of values of a mixed string of `stored` bytes (14.13). */
STAMMA_INLINE uint64_t field_mixed_max(size_t stored)
{
    return (uint64_t)stored * FIELD_MIXED + FIELD_MIXED_MORE;
}

/* State of a mixed stream in addition to its history. */
typedef struct field_mixer {
    mixed_model *model;
    mixed_stream stream;
    int64_t residuals[6]; /* in this game, latest first; 0 if there are fewer */
    int64_t means[2];     /* mean residual of each player: by the number of earlier values modulo 2 */
    buffer string;        /* output when writing */
    uint64_t left;        /* when reading: maximum number of further values */
} field_mixer;

/* Returns a new mixer, or NULL if memory is exhausted. */
field_mixer *stamma_field_mixer_new(const stamma_allocator *allocator, unsigned map_bits);
/* Deletes a mixer. `m` may be NULL. */
void stamma_field_mixer_delete(field_mixer *m, const stamma_allocator *allocator);
/* Deletes the mixers of all streams. */
void stamma_field_delete_mixers(field_keys *s, const stamma_allocator *allocator);
/* Codes the residual of a stream's next value. Call it before field_push. Writes `residual`, or reads a residual if
 * m->stream is read. Returns the residual, or FIELD_NO_VALUE if the data is corrupt. */
int64_t stamma_field_mix(field_mixer *m, const field_stream *x, int64_t residual);

/* ---- predicting and writing the numbers of fields (field_predict.c) ---- */

/* Numbers in the order of the column, which is the order of games. */
typedef struct field_numbers {
    const int64_t *values;
    const uint8_t *streams; /* of each number: index in field_keys */
    size_t count;
    const uint32_t *per_game; /* number of values in each game */
    size_t games;
} field_numbers;

/* Chooses the predictor and the coding of each stream. Appends these choices to `parameters`, and the residuals to the
 * streams' sinks. `mixes`: also tries the mixed coder. Errors: NO_MEMORY. */
stamma_error stamma_field_write_numbers(field_keys *s, field_numbers numbers, bool mixes, byte_packer *coder,
                                        const stamma_allocator *allocator, number_sink sinks[FIELD_KEYS_MAX],
                                        buffer *parameters);

/* ---- columns of texts (field_encode.c, field_decode.c) ---- */

/* The streams of a column: templates, template numbers, other texts, parameters. After these, for each key, its words
 * or its symbols and bits. */
typedef struct field_streams {
    buffer streams[FIELD_STREAMS_MAX];
    size_t stored[FIELD_STREAMS_MAX]; /* decoding: stored size in bytes */
    int efforts[FIELD_STREAMS_MAX];   /* encoding: the effort for packing */
    size_t count;
} field_streams;

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator);
void stamma_field_streams_release(field_streams *s);

typedef struct field_encoder field_encoder;

/* State for packing columns, reused from column to column. Initialize with zeros. */
typedef struct field_packer {
    byte_packer bytes;
    field_encoder *encoder; /* created on first use */
    bool mixes;             /* tries the mixed coder on numbers: at level 3 */
} field_packer;

void stamma_field_packer_release(field_packer *p);

/* Returns a new encoder, or NULL if memory is exhausted. */
field_encoder *stamma_field_encoder_new(const stamma_allocator *allocator);
void stamma_field_encoder_release(field_encoder *e);
/* Splits a column of texts, each followed by a zero byte, into streams. The encoder owns the streams until the next
 * call. *streams is NULL if no template is useful. `per_game`: number of texts of each of `games` games, whose sum is
 * the number of texts; NULL: each text is a separate game. Errors: NO_MEMORY. */
stamma_error stamma_fields_encode(field_encoder *e, bool mixes, byte_packer *coder, const buffer *column,
                                  const uint32_t *per_game, size_t games, field_streams **streams);
/* Counts a column's fields. `report` is called for each key in order, with the text before its fields, the number of
 * values, and the number of bytes, as stored and unpacked. Unpacked bytes are symbols and bits, or the texts of words.
 * Errors: CORRUPT, NO_MEMORY. */
typedef void field_census(void *context, stamma_text before, uint64_t values, uint64_t stored, uint64_t plain);
stamma_error stamma_fields_count(const field_streams *in, const stamma_allocator *allocator, field_census *report,
                                 void *context);
/* A column that is read text by text. Initialize with zeros. It may be opened again without being closed. */
typedef struct field_reader {
    const stamma_allocator *allocator;
    field_keys streams;
    buffer templates;
    buffer classes; /* number_classes of coded streams, one after another */
    field_template *used;
    size_t used_count;
    size_t used_capacity;
    cursor numbers, others;
    number_source sources[FIELD_KEYS_MAX]; /* for words, only the symbols */
} field_reader;

/* Starts at the first text. The streams must outlive the reader. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_field_reader_open(field_reader *r, const field_streams *in, const stamma_allocator *allocator);
/* Appends the next text, which belongs to game number `game`, and a zero byte. Returns false if the text is corrupt or
 * out->failed. */
bool stamma_field_reader_next(field_reader *r, uint32_t game, buffer *out);
/* Skips all `count` texts of a game without producing them (field_pass.c). Subtracts their minimum size from *left, the
 * number of bytes that the column may still have. Without this limit, values that need no bits could be skipped
 * endlessly. Returns false if the texts are corrupt or exceed *left. Invalid single values are not detected. */
bool stamma_field_reader_pass(field_reader *r, uint32_t game, size_t count, uint64_t *left);
/* Returns a stream's next value, or FIELD_NO_VALUE if it is corrupt. */
int64_t stamma_field_take_value(field_reader *r, size_t stream, uint32_t game);
/* Returns whether all streams are consumed (14.6). */
bool stamma_field_reader_is_done(field_reader *r);
void stamma_field_reader_close(field_reader *r);

/* ---- stored columns (field_column.c) ---- */

/* Appends a column to `body`. `words`: effort for packing texts that are not numbers. *pays is false if nothing was
 * appended, because the result would be longer than `plain` or no template is useful. The other arguments are the same
 * as for stamma_fields_encode. Errors: NO_MEMORY. */
stamma_error stamma_field_column_write(field_packer *p, const buffer *plain, const uint32_t *per_game, size_t games,
                                       int words, buffer *body, bool *pays);

typedef struct field_column {
    field_streams streams;
    field_reader reader;
    uint64_t left; /* rest of the plain size */
    bool passed;   /* texts were skipped, so `left` is only an upper bound */
} field_column;

/* Returns a new column, or NULL if memory is exhausted. */
field_column *stamma_field_column_new(const stamma_allocator *allocator);
void stamma_field_column_release(field_column *f, const stamma_allocator *allocator);
/* Starts to read a column. `f` may be in any state. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_open(byte_packer *coder, cursor stored, uint64_t plain_size,
                                      const stamma_allocator *allocator, field_column *f);
/* Appends the next text, which belongs to game number `game`, and a zero byte. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_take(field_column *f, uint32_t game, buffer *out);
/* Returns whether some keys are mixed. The position in a mixed column cannot be saved, and its texts cannot be skipped,
 * because this would need a copy of the model. */
bool stamma_field_column_is_mixed(const field_column *f);
/* Saves or restores the position in the column. */
void stamma_field_column_keep(field_column *f, kept_state *k);
/* Skips texts: see stamma_field_reader_pass. */
stamma_error stamma_field_column_pass(field_column *f, uint32_t game, size_t count);
bool stamma_field_column_is_done(field_column *f);
/* Replaces `plain` with all texts of a column, each a separate game: at most `limit` bytes. Errors: CORRUPT, NO_MEMORY.
 */
stamma_error stamma_field_column_read(byte_packer *coder, cursor stored, size_t limit, buffer *plain);
/* Counts a stored column's fields: see stamma_fields_count. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_count(byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const stamma_allocator *allocator, field_census *report, void *context);

#endif
