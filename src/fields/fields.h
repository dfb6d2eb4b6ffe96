/* The fields room: columns of texts that programs wrote, as templates and typed fields, each number less what predicts
 * it (doc/format.md, clause 10). */
#ifndef STAMMA_FIELDS_H
#define STAMMA_FIELDS_H

#include "base/tables.h"
#include "entropy/entropy.h"
#include "entropy/mixed_coder.h"

/* ---- texts as templates and fields (field_template.c) ---- */

enum { FIELD_MARK = 1, FIELDS_MAX = 32, FIELD_TEMPLATE_MAX = 250 };

/* Types of fields; their bytes stand in templates behind FIELD_MARK. */
enum {
    FIELD_NUMBER = 'n',   /* natural, at most 15 digits */
    FIELD_PAIR = 'p',     /* two digits, 00 to 99 */
    FIELD_TIME = 't',     /* h:mm:ss, and a tenth that is not 0; the value in tenths of a second */
    FIELD_TIME_TWO = 'u', /* hh:mm:ss, likewise */
    FIELD_WORD = 'w',     /* what stands behind `=` up to the next comma or the end; the only type without a number */
    FIELD_DECIMAL =
        'A' /* A, B, C: one, two, three decimals; D, E, F: with a plus sign above 0; in the last place's units */
};

typedef struct field_text {
    uint8_t bytes[FIELD_TEMPLATE_MAX];
    size_t size;
    size_t field_count;
    int64_t values[FIELDS_MAX];
    stamma_text texts[FIELDS_MAX]; /* as written */
} field_text;

/* Behind which bytes (0: none) numbers above 0 carry a plus sign, as a column's texts show. */
void stamma_field_find_signs(const uint8_t *data, size_t size, bool plus_after[256]);
/* Parses a text. False where it has more than a template holds. */
bool stamma_field_parse(stamma_text text, const bool plus_after[256], field_text *t);
/* Parses a text whose template is guessed: gives its values and texts, but not the template. False where the guess is
 * wrong. The template must be one that a text was parsed to. */
bool stamma_field_match(stamma_text text, stamma_text template, const bool plus_after[256], field_text *t);
/* A template whose only field is a time, with at most eight bytes before it and seven behind, as most comments have it.
 * Bytes of texts stand in numbers, the first lowest. */
typedef struct field_clock {
    uint64_t before, before_mask;
    uint64_t behind, behind_mask;     /* with the zero byte behind the text */
    uint8_t before_size, behind_size; /* behind_size 0: it is none */
} field_clock;

/* Finds whether a template is one. */
void stamma_field_clock_find(stamma_text template, field_clock *c);
/* Parses the text at `at`, a zero byte behind it, of at least `left` bytes in sight, as stamma_field_match does: its
 * size with that byte. 0 where that is not known so quickly. */
size_t stamma_field_clock_match(const field_clock *c, const uint8_t *at, size_t left, int64_t *value);
/* Writes a field that is no word; at most 32 bytes. Most are times of up to ten hours. */
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

/* ---- what both sides of a column know of its fields (field_history.c) ----
 *
 * A field's stream is found by its key: the type, and the bytes of the template before the field back to a blank, comma
 * or bracket. So "tl=5" is one stream in whatever template it stands. Both sides keep the same history of each stream.
 */

enum {
    FIELD_STREAMS_MAX = 512,
    FIELD_TEMPLATES_MAX = 4096, /* different templates in a column */
    FIELD_KEYS_MAX = (FIELD_STREAMS_MAX - 4) / 2,
    FIELD_KEY_MAX = 12
};

/* How a stream's symbols are stored. The numbers are in the file. */
enum { SYMBOLS_BYTES = 0, SYMBOLS_CODED = 1, SYMBOLS_MIXED = 2 };

#define FIELD_NO_VALUE INT64_MIN /* in place of one that is corrupt */

/* How a stream's next value is predicted. The numbers are in the file. */
enum {
    PREDICT_ZERO = 0,
    PREDICT_LAST = 1,    /* the value before */
    PREDICT_SECOND = 2,  /* the value two before: the same player's */
    PREDICT_SPENT = 3,   /* two before, less the last value of stream `other` */
    PREDICT_PRODUCT = 4, /* the last values of `other` and `another`, multiplied, / 1000 */
    PREDICT_OTHER = 5,   /* the last value of `other` */
    PREDICTORS
};

/* What a residual's size may depend on, each in CONTEXT_LEVELS levels. The numbers are in the file. */
enum {
    CONTEXT_POSITION = 0, /* values in this game */
    CONTEXT_LAST = 1,     /* bits of the residual before in this game */
    CONTEXT_SECOND = 2,   /* bits of the one before that: the same player's */
    CONTEXT_FIRST = 3,    /* bits of the game's first value: the time control */
    CONTEXT_OTHER = 4     /* bits of the last value of `other` */
};

typedef struct field_stream {
    uint8_t key[FIELD_KEY_MAX + 1];
    uint8_t key_size;
    bool word;
    bool coded; /* its symbols */
    uint8_t predictor;
    uint8_t other, another;
    uint32_t divisor;
    /* decoding */
    uint64_t most;             /* the largest residual, in divisors, folded */
    int64_t least;             /* a value may be */
    bool alone;                /* the next value depends on this stream's history alone */
    bool looks;                /* one of its values or contexts comes from another stream */
    bool looked_at;            /* another stream's come from this one */
    int64_t predicted;         /* the next value */
    const number_slots *slots; /* of coded streams: of the next symbol's class */
    uint8_t map_bits;          /* of mixed streams; 0: it is none */
    /* both ways */
    struct field_mixer *mixer; /* of mixed streams; NULL: it is none */
    /* history */
    uint32_t game;   /* that the last value stood in, from 1 */
    uint32_t seen;   /* values in that game */
    int64_t back[2]; /* the last value and the one before; when a game begins, the first two of the game before */
    int64_t first[2];
    uint32_t bucket_end; /* of coded streams: values, with one more, at which the next position bucket begins */
    uint8_t levels[CONTEXT_KINDS + 1];
} field_stream;

typedef struct field_keys {
    field_stream list[FIELD_KEYS_MAX];
    size_t count;
} field_keys;

/* A template that is in use. */
typedef struct field_template {
    const uint8_t *bytes;
    size_t size;
    size_t field_count;
    uint8_t streams[FIELDS_MAX];
    uint8_t types[FIELDS_MAX];
    uint8_t literals[FIELDS_MAX + 1]; /* how many bytes stand before each field, and behind the last */
    bool in_any_order;                /* its fields may be passed stream by stream */
    uint32_t least;                   /* bytes that a text of it has, at least, and its zero byte; for reading */
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

/* Takes note of a residual, folded, before field_push. A position bucket is a number of values, with one more, to
 * its two highest bits. */
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

/* Forgets all history. */
void stamma_field_reset(field_keys *s);
/* Finds the streams of a template's fields, and makes those that there are not yet. False where the template is
 * malformed or there are too many. */
bool stamma_field_prepare(field_keys *s, field_template *t);

/* ---- residuals by the mixed coder (field_mixer.c; clause 10.13) ---- */

enum {
    FIELD_MIXERS_MAX = 8,    /* of a column */
    FIELD_MIXED = 512,       /* values for each byte stored, at most, */
    FIELD_MIXED_MORE = 4096  /* and these in addition */
};

/* How many values a mixed string of `stored` bytes may have (10.13). */
STAMMA_INLINE uint64_t field_mixed_max(size_t stored)
{
    return (uint64_t)stored * FIELD_MIXED + FIELD_MIXED_MORE;
}

/* What is known of a mixed stream beside its history. */
typedef struct field_mixer {
    mixed_model *model;
    mixed_stream stream;
    int64_t residuals[6]; /* of this game, the last one first; 0 where there was none */
    int64_t means[2];     /* of one player's residuals, by how many values came before, even or odd */
    buffer string;        /* that is written */
    uint64_t left;        /* reading: how many more values there may be */
} field_mixer;

/* NULL: no memory. */
field_mixer *stamma_field_mixer_new(const stamma_allocator *allocator, unsigned map_bits);
/* NULL is fine. */
void stamma_field_mixer_delete(field_mixer *m, const stamma_allocator *allocator);
/* Deletes those of all streams. */
void stamma_field_delete_mixers(field_keys *s, const stamma_allocator *allocator);
/* Codes the residual of a stream's next value, before field_push: writes it, or where m->stream is read gives it.
 * FIELD_NO_VALUE: it is corrupt. */
int64_t stamma_field_mix(field_mixer *m, const field_stream *x, int64_t residual);

/* ---- numbers of fields, predicted and written (field_predict.c) ---- */

/* Numbers in the column's order, which is that of the games. */
typedef struct field_numbers {
    const int64_t *values;
    const uint8_t *streams; /* of each, in field_keys */
    size_t count;
    const uint32_t *per_game; /* how many of them each game has */
    size_t games;
} field_numbers;

/* Chooses how each of the streams is predicted and coded, adds that to `parameters` and the residuals to the streams'
 * sinks; `mixes`: the mixed coder is tried, too. NO_MEMORY. */
stamma_error stamma_field_write_numbers(field_keys *s, field_numbers numbers, bool mixes, byte_packer *coder,
                                        const stamma_allocator *allocator, number_sink sinks[FIELD_KEYS_MAX],
                                        buffer *parameters);

/* ---- columns of such texts (field_encode.c, field_decode.c) ---- */

/* The streams of a column: templates, template numbers, other texts, parameters, then for each key its words, or its
 * symbols and bits. */
typedef struct field_streams {
    buffer streams[FIELD_STREAMS_MAX];
    size_t stored[FIELD_STREAMS_MAX]; /* decoding: the bytes that they took */
    int efforts[FIELD_STREAMS_MAX];   /* encoding: how hard to try */
    size_t count;
} field_streams;

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator);
void stamma_field_streams_release(field_streams *s);

typedef struct field_encoder field_encoder;

/* What packs columns, kept from one to the next. Zero it to begin. */
typedef struct field_packer {
    byte_packer bytes;
    field_encoder *encoder; /* made when it is first needed */
    bool mixes;             /* the mixed coder is tried on numbers: at level 3 */
} field_packer;

void stamma_field_packer_release(field_packer *p);

/* NULL: no memory. */
field_encoder *stamma_field_encoder_new(const stamma_allocator *allocator);
void stamma_field_encoder_release(field_encoder *e);
/* Splits a column of texts, each with a zero byte behind it, into streams, which are the encoder's until the next call;
 * NULL where no template is worth it. `per_game`: how many texts each of `games` games has; their sum is the number of
 * texts. NULL: each text is a game of its own. NO_MEMORY. */
stamma_error stamma_fields_encode(field_encoder *e, bool mixes, byte_packer *coder, const buffer *column,
                                  const uint32_t *per_game, size_t games, field_streams **streams);
/* Tells of each key in turn what is written before its fields, how many values there are, and the bytes as stored and
 * as symbols and bits; a word has its texts. CORRUPT, NO_MEMORY. */
typedef void field_census(void *context, stamma_text before, uint64_t values, uint64_t stored, uint64_t plain);
stamma_error stamma_fields_count(const field_streams *in, const stamma_allocator *allocator, field_census *tell,
                                 void *context);
/* A column that is read text by text. Zero it to begin; it may be opened again without being closed. */
typedef struct field_reader {
    const stamma_allocator *allocator;
    field_keys streams;
    buffer templates;
    buffer classes; /* number_classes of coded streams, one behind the other */
    field_template *used;
    size_t used_count;
    size_t used_capacity;
    cursor numbers, others;
    number_source sources[FIELD_KEYS_MAX]; /* of words: symbols alone */
} field_reader;

/* Begins with the first text; the streams must stay. CORRUPT, NO_MEMORY. */
stamma_error stamma_field_reader_open(field_reader *r, const field_streams *in, const stamma_allocator *allocator);
/* Appends the next text, which stands in that game, and a zero byte. False where it is corrupt, or out->failed. */
bool stamma_field_reader_next(field_reader *r, uint32_t game, buffer *out);
/* Passes a game's texts, all `count` of them, without making them (field_pass.c). What they have at least is taken from
 * *left, the bytes that there may be: without that, values that take no bits would be passed without end. False where
 * they are corrupt, or have more; what is wrong with a value alone is not seen. */
bool stamma_field_reader_pass(field_reader *r, uint32_t game, size_t count, uint64_t *left);
/* Takes a stream's next value; FIELD_NO_VALUE where it is corrupt. */
int64_t stamma_field_take_value(field_reader *r, size_t stream, uint32_t game);
/* Whether all streams are used up (10.6). */
bool stamma_field_reader_is_done(field_reader *r);
void stamma_field_reader_close(field_reader *r);

/* ---- columns as they are stored (field_column.c) ---- */

/* Appends a column to `body`; `words`: how hard to try with what is no number. False in *pays where nothing is
 * appended, since it would not be shorter. Other arguments as for stamma_fields_encode. NO_MEMORY. */
stamma_error stamma_field_column_write(field_packer *p, const buffer *plain, const uint32_t *per_game, size_t games,
                                       int words, buffer *body, bool *pays);

typedef struct field_column {
    field_streams streams;
    field_reader reader;
    uint64_t left; /* of the plain size */
    bool passed;   /* texts were, so that this is not known */
} field_column;

/* NULL: no memory. */
field_column *stamma_field_column_new(const stamma_allocator *allocator);
void stamma_field_column_release(field_column *f, const stamma_allocator *allocator);
/* Begins to read a column, whatever was read before. CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_open(byte_packer *coder, cursor stored, uint64_t plain_size,
                                      const stamma_allocator *allocator, field_column *f);
/* Appends the next text, which stands in that game, and a zero byte. CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_take(field_column *f, uint32_t game, buffer *out);
/* Whether some of its keys are mixed: then it can neither be kept nor passed, since a model would have to be. */
bool stamma_field_column_is_mixed(const field_column *f);
/* Keeps where it is in the column, or goes back to it. */
void stamma_field_column_keep(field_column *f, kept_state *k);
/* As stamma_field_reader_pass. */
stamma_error stamma_field_column_pass(field_column *f, uint32_t game, size_t count);
bool stamma_field_column_is_done(field_column *f);
/* Replaces `plain` by all texts of a column, each a game of its own: at most `limit` bytes. CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_read(byte_packer *coder, cursor stored, size_t limit, buffer *plain);
/* Counts a column's fields, as stamma_fields_count. CORRUPT, NO_MEMORY. */
stamma_error stamma_field_column_count(byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const stamma_allocator *allocator, field_census *tell, void *context);

#endif
