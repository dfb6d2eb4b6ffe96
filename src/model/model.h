/* The model room: what is known of games beyond the rules. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "codec/codec.h"

extern const stamma_codec stamma_codec_uci, stamma_codec_san, stamma_codec_lan; /* text_codecs.c */

/* ---- numbers as bytes (number_stream.c) ---- */

typedef struct number_sink {
    buffer symbols;
    buffer bits;
    size_t bit_count;
} number_sink;

typedef struct number_source {
    cursor symbols;
    bit_reader bits;
} number_source;

/* The symbol of a difference, and how many bits follow it. */
unsigned stamma_number_symbol(int64_t d, unsigned *bits);
/* False when there is no memory. */
bool stamma_number_put(number_sink *s, int64_t d);
/* False past the end, or for a symbol that no encoder makes. */
bool stamma_number_take(number_source *s, int64_t *d);

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
/* Writes a field that is no word; at most 32 bytes. */
size_t stamma_field_write(char type, int64_t value, char *out);

/* ---- columns of such texts (field_column.c) ---- */

enum { FIELD_STREAMS_MAX = 512 };

/* The byte streams that a column becomes: templates, template numbers, other texts, parameters, then for each field's
 * stream its words, or its symbols and bits. */
typedef struct field_streams {
    buffer streams[FIELD_STREAMS_MAX];
    bool words[FIELD_STREAMS_MAX]; /* encoding: words, which repay more work than numbers */
    size_t count;
} field_streams;

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator);
void stamma_field_streams_release(field_streams *s);

/* Splits a column of texts, each with a zero byte behind it, into streams. `per_game`: how many texts each of `games`
 * games has; their sum is the number of texts. NO_MEMORY; UNSUPPORTED where it would not pay. */
stamma_error stamma_fields_encode(const buffer *column, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, field_streams *out);
/* Puts the column together again: appends its texts to `column`, at most `limit` bytes. CORRUPT, NO_MEMORY. */
stamma_error stamma_fields_decode(const field_streams *in, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, size_t limit, buffer *column);

#endif
