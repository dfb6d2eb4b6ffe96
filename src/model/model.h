/* The model room: what is known of games beyond the rules. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "base/tables.h"
#include "codec/codec.h"

#include <zstd.h>

/* ---- packed bytes (packed_bytes.c; clause 3.2 of the format) ---- */

/* Codecs of columns that any bytes can have; archive.h has the others. */
enum { CODEC_STORED = 0, CODEC_PACKED = 1 };

/* What is kept from column to column, made when it is first needed: zstd's contexts, and what makes fields of texts.
 * Zero it to begin. */
typedef struct byte_packer {
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    struct field_encoder *fields;
} byte_packer;

void stamma_byte_packer_release(byte_packer *c);

/* How hard to try: a level of zstd; or WORDS, which are long and repay the most; or NUMBERS, of which few repeat. */
enum { EFFORT_HASTE = 1, EFFORT_MOVES = 3, EFFORT_REPEATS = 6, EFFORT_TEXT = 8, EFFORT_WORDS = 0, EFFORT_NUMBERS = -2 };

/* Appends `plain` as zstd or bzip2 packs it, or as it is where that is no longer; *codec says which. NO_MEMORY. */
stamma_error stamma_bytes_pack(byte_packer *coder, int level, const buffer *plain, buffer *body, uint8_t *codec);
/* Replaces `plain` by what `stored` unpacks to, `size` bytes. CORRUPT, NO_MEMORY. */
stamma_error stamma_bytes_unpack(byte_packer *coder, unsigned codec, const uint8_t *stored, size_t stored_size,
                                 size_t size, buffer *plain);

/* ---- openings (openings.c, openings_table.c) ---- */

enum {
    OPENINGS = 3607,
    OPENING_PLIES = 28, /* a position behind more is that of no opening */
    OPENING_BUCKETS = 4096,
    OPENING_SEEN_BITS = 15,
    OPENING_NAMES_CHUNK = 4064 /* bytes */
};

typedef struct opening {
    uint32_t name; /* where it stands in the names */
    uint8_t name_size;
    char eco[3];
} opening;

extern const opening stamma_openings[OPENINGS]; /* by number, less 1 */
/* Keys of their positions, of the men and the side to move alone; the number that belongs to each; and where the keys
 * with each of the first 12 bits begin. */
extern const uint64_t stamma_opening_keys[OPENINGS];
extern const uint16_t stamma_opening_numbers[OPENINGS];
extern const uint16_t stamma_opening_buckets[OPENING_BUCKETS + 1];
/* A bit for each beginning of OPENING_SEEN_BITS bits that a key may have: whether one has it. */
extern const uint64_t stamma_opening_seen[1 << OPENING_SEEN_BITS >> 6];
extern const char stamma_opening_names[][OPENING_NAMES_CHUNK];

/* The number of the opening of a game of legal moves from the initial position, from 1: that of the last position which
 * has one; 0 where none has. */
unsigned stamma_opening_find(const stamma_move *moves, size_t count);
/* By number. */
stamma_text stamma_opening_code(unsigned number);
stamma_text stamma_opening_name(unsigned number);

/* ---- numbers as symbols and bits (number_stream.c) ---- */

enum {
    NUMBER_DIRECT = 128,  /* symbols below are the number itself, folded */
    NUMBER_SYMBOLS = 240, /* that there are */
    NUMBER_WEIGHTS = 24,  /* codes of weights: the largest weight is 2^12 */
    NUMBER_SLOT_BITS = 11,
    NUMBER_SLOTS = 1 << NUMBER_SLOT_BITS, /* how often all symbols of a class come together, scaled */
    NUMBER_STATE = 1 << 16                /* a coder's least state, and where it begins to write and ends to read */
};

typedef struct number_sink {
    buffer symbols;
    buffer bits;
    size_t bit_count;
    bool coded; /* symbols are not bytes, but coded by class */
} number_sink;

typedef struct number_source {
    cursor symbols;
    bit_reader bits;
    const struct number_classes *classes; /* NULL: symbols are bytes */
    uint32_t state;
} number_source;

STAMMA_INLINE uint64_t number_fold(int64_t d)
{
    return d < 0 ? ((uint64_t)0 - (uint64_t)d) * 2 - 1 : (uint64_t)d * 2;
}
STAMMA_INLINE int64_t number_unfold(uint64_t u)
{
    return u & 1 ? -(int64_t)(u >> 1) - 1 : (int64_t)(u >> 1);
}
/* The symbol of a difference, and how many bits follow it. */
STAMMA_INLINE unsigned number_symbol(int64_t d, unsigned *bits)
{
    uint64_t u = number_fold(d);
    *bits = 0;
    if (STAMMA_LIKELY(u < NUMBER_DIRECT))
        return (unsigned)u;
    unsigned e = bits_last(u) + 1;
    *bits = e - 2;
    return NUMBER_DIRECT + 2 * (e - 8) + (unsigned)(u >> (e - 2) & 1);
}
/* log2 x in parts of 1/256; x must not be 0. */
unsigned stamma_log2_256(uint32_t x);
/* Adds the bits that follow a difference's symbol. False when there is no memory. */
bool stamma_number_put_bits(number_sink *s, int64_t d, unsigned bits);
/* Adds a difference, its symbol as a byte. False when there is no memory. */
STAMMA_INLINE bool number_put(number_sink *s, int64_t d)
{
    unsigned bits, symbol = number_symbol(d, &bits);
    buffer_add_byte(&s->symbols, (uint8_t)symbol);
    return !s->symbols.failed && (bits == 0 || stamma_number_put_bits(s, d, bits));
}
/* What a symbol and its bits stand for, folded; UINT64_MAX past the end, or for a symbol that no encoder makes. */
uint64_t stamma_number_with_bits(number_source *s, unsigned symbol);
/* Most numbers are a symbol alone. */
STAMMA_INLINE uint64_t number_folded(number_source *s, unsigned symbol)
{
    return STAMMA_LIKELY(symbol < NUMBER_DIRECT) ? symbol : stamma_number_with_bits(s, symbol);
}
/* The next number, folded, where symbols are bytes; UINT64_MAX as above. */
STAMMA_INLINE uint64_t number_take(number_source *s)
{
    return STAMMA_LIKELY(s->symbols.at != s->symbols.end) ? number_folded(s, *s->symbols.at++) : UINT64_MAX;
}

/* How often each symbol of a class comes, of NUMBER_SLOTS times: 0 where it never does. */
typedef struct number_frequencies {
    uint16_t of[NUMBER_SYMBOLS];
    uint16_t before[NUMBER_SYMBOLS]; /* of all lower symbols together */
} number_frequencies;

/* A symbol that is to be coded. */
typedef struct classed_symbol {
    uint8_t symbol;
    uint8_t table; /* of frequencies */
} classed_symbol;

/* The codes of weights that stand for counts (clause 10.11), up to the last that is not 0; how many. */
size_t stamma_number_weigh(const uint32_t counts[NUMBER_SYMBOLS], uint8_t codes[NUMBER_SYMBOLS]);
/* The frequencies that at most NUMBER_SYMBOLS weights stand for; false where none does or a code is unknown. */
bool stamma_number_scale(const uint8_t *codes, size_t count, number_frequencies *f);
/* Writes symbols by the range variant of asymmetric numeral systems (J. Duda, arXiv:1311.2540; clause 10.9), each with
 * the frequencies of its class, as bytes. False: no memory. */
bool stamma_number_code(const classed_symbol *list, size_t count, const number_frequencies *classes, buffer *out);
/* What decodes a class. A byte a slot: the tables of many classes are to stay near the processor together. */
typedef struct number_slots {
    uint8_t symbol[NUMBER_SLOTS];
    number_frequencies frequencies;
} number_slots;

void stamma_number_fill_slots(const number_frequencies *f, number_slots *slots);
/* Begins to read what was coded; false where it is too short or wrong. */
bool stamma_number_begin(number_source *s);
/* The next symbol. Past the end *fine becomes false. */
STAMMA_INLINE unsigned number_decode(number_source *s, const number_slots *slots, bool *fine)
{
    unsigned slot = s->state % NUMBER_SLOTS, symbol = slots->symbol[slot];
    const number_frequencies *f = &slots->frequencies;
    uint32_t state = f->of[symbol] * (s->state >> NUMBER_SLOT_BITS) + slot - f->before[symbol];
    if (STAMMA_UNLIKELY(state < NUMBER_STATE)) {
        if (STAMMA_UNLIKELY(cursor_left(&s->symbols) < 2)) {
            *fine = false;
            return 0;
        }
        state = state << 16 | load_u16(s->symbols.at);
        s->symbols.at += 2;
    }
    s->state = state;
    return symbol;
}

/* Whether all is used up, but for zero bits in a last byte, and a state is the last. */
bool stamma_number_is_done(number_source *s);

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

enum { FIELD_STREAMS_MAX = 512 };

/* ---- what both sides of a column know of its fields (field_history.c) ----
 *
 * A field's stream is found by its key: the type, and the bytes of the template before the field back to a blank, comma
 * or bracket. So "tl=5" is one stream in whatever template it stands. Both sides keep the same history of each stream.
 */

enum {
    FIELD_TEMPLATES_MAX = 4096, /* different templates in a column */
    FIELD_KEYS_MAX = (FIELD_STREAMS_MAX - 4) / 2,
    FIELD_KEY_MAX = 12
};

/* How a stream's next value is foretold. The numbers are in the file. */
enum {
    PREDICT_ZERO = 0,
    PREDICT_LAST = 1,       /* the value before */
    PREDICT_SECOND = 2,     /* the value two before: the same player's */
    PREDICT_SPENT = 3,      /* two before, less the last value of stream `other` */
    PREDICT_SPENT_MORE = 4, /* the same, and what was wrong the last time: an increment */
    PREDICT_PRODUCT = 5,    /* the last values of `other` and `another`, multiplied, / 1000 */
    PREDICT_OTHER = 6,      /* the last value of `other` */
    PREDICTORS
};

/* What a difference's size may hang on, each in CONTEXT_LEVELS levels. The numbers are in the file. */
enum {
    CONTEXT_PREDICTED = 0, /* bits of the predicted value */
    CONTEXT_PHASE = 1,     /* values in this game */
    CONTEXT_LAST = 2,      /* bits of the difference before in this game */
    CONTEXT_SECOND = 3,    /* bits of the one before that: the same player's */
    CONTEXT_PACE = 4,      /* bits of the differences before, on average */
    CONTEXT_START = 5,     /* bits of the game's first value: the time control */
    CONTEXT_OTHER = 6,     /* bits of the last value of `other` */
    CONTEXT_KINDS
};

enum { CONTEXT_LEVELS = 16, CONTEXTS_USED = 3, CONTEXT_CELLS = CONTEXT_LEVELS * CONTEXT_LEVELS * CONTEXT_LEVELS };

typedef struct field_stream {
    uint8_t key[FIELD_KEY_MAX + 1];
    uint8_t key_size;
    bool word;
    bool coded; /* its symbols */
    uint8_t predictor;
    uint8_t other, another;
    uint32_t divisor;
    /* decoding */
    uint64_t most;             /* the largest difference, in divisors, folded */
    int64_t least;             /* a value may be */
    bool alone;                /* the next value hangs on this stream's history alone */
    int64_t predicted;         /* the next value */
    const number_slots *slots; /* of coded streams: of the next symbol's class */
    /* history */
    uint32_t game;   /* that the last value stood in, from 1 */
    uint32_t seen;   /* values in that game */
    int64_t back[2]; /* the last value and the one before; when a game begins, the first two of the game before */
    int64_t first[2];
    int64_t error;      /* of PREDICT_SPENT, the last time */
    uint32_t phase_end; /* of coded streams: values, with one more, at which the next phase begins */
    uint32_t pace;      /* of coded streams: 16 times the bits of a difference, on average */
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
} field_template;

STAMMA_INLINE void field_enter_game(field_stream *x, uint32_t game)
{
    if (x->game == game)
        return;
    x->game = game;
    x->seen = 0;
    x->back[0] = x->first[1];
    x->back[1] = x->first[0];
    x->pace = 0;
    x->phase_end = 2;
    x->levels[CONTEXT_PHASE] = x->levels[CONTEXT_LAST] = x->levels[CONTEXT_SECOND] = x->levels[CONTEXT_PACE] = 0;
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
    case PREDICT_SPENT_MORE: return x->back[1] - s->list[other].back[0] + x->error;
    case PREDICT_PRODUCT: return field_product(s->list[other].back[0], s->list[another].back[0]);
    case PREDICT_OTHER: return s->list[other].back[0];
    default: return 0;
    }
}

STAMMA_INLINE uint8_t context_cut(unsigned level)
{
    return (uint8_t)(level < CONTEXT_LEVELS - 1 ? level : CONTEXT_LEVELS - 1);
}

/* The number of bits of x, which is below 2^63. */
STAMMA_INLINE unsigned context_bits(uint64_t x)
{
    return bits_last(2 * x + 1);
}

STAMMA_INLINE uint8_t context_value(int64_t value)
{
    return context_cut(context_bits(value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value));
}

/* Makes levels ready for a value that is predicted; those of history are. */
STAMMA_INLINE void context_foresee(const field_keys *s, const field_stream *x, int64_t predicted,
                                   uint8_t levels[CONTEXT_KINDS])
{
    levels[CONTEXT_PREDICTED] = context_value(predicted);
    levels[CONTEXT_OTHER] = context_value(s->list[x->other].back[0]);
}

STAMMA_INLINE void field_push(const field_keys *s, field_stream *x, int64_t value)
{
    bool spent = (unsigned)x->predictor - PREDICT_SPENT <= PREDICT_SPENT_MORE - PREDICT_SPENT;
    if (STAMMA_UNLIKELY(spent) && x->seen >= 2)
        x->error = value - (x->back[1] - s->list[x->other].back[0]);
    if (STAMMA_UNLIKELY(x->seen < 2)) {
        if (x->seen == 0)
            x->levels[CONTEXT_START] = context_value(value);
        x->first[x->seen] = value;
    }
    x->seen++;
    x->back[1] = x->back[0];
    x->back[0] = value;
}

/* Takes note of a difference, folded, before field_push. A phase is a number of values, with one more, to
 * its two highest bits. */
STAMMA_INLINE void context_note(field_stream *x, uint64_t folded)
{
    unsigned size = context_bits(folded);
    if (STAMMA_UNLIKELY(x->seen + 2 == x->phase_end) && x->levels[CONTEXT_PHASE] < CONTEXT_LEVELS - 1) {
        unsigned next = x->levels[CONTEXT_PHASE] == 0 ? 2 : x->levels[CONTEXT_PHASE] + 1u;
        x->levels[CONTEXT_PHASE] = (uint8_t)next;
        x->phase_end = (2 + (next + 1) % 2) << ((next + 1) / 2 - 1);
    }
    x->pace += 4 * size - x->pace / 4;
    x->levels[CONTEXT_SECOND] = x->levels[CONTEXT_LAST];
    x->levels[CONTEXT_LAST] = context_cut(size);
    x->levels[CONTEXT_PACE] = context_cut(x->pace / 8);
}

/* ---- classes of differences, by context (field_classes.c, class_tree.c) ---- */

enum { CLASSES_MAX = 32, COLUMN_CLASSES_MAX = 512 };

typedef struct class_map {
    uint8_t contexts[CONTEXTS_USED];
    uint8_t of[CONTEXT_CELLS]; /* the class of each cell: a level of each context */
    uint32_t count;
    bool foresees; /* a context is of the prediction */
} class_map;

/* A stream's classes as a decoder has them. */
typedef struct number_classes {
    class_map map;
    number_slots slots[]; /* map.count tables */
} number_classes;

/* The cell of three levels, and of those of three contexts. */
STAMMA_INLINE unsigned levels_cell(uint8_t first, uint8_t second, uint8_t third)
{
    return first + second * (unsigned)CONTEXT_LEVELS + third * (unsigned)(CONTEXT_LEVELS * CONTEXT_LEVELS);
}
STAMMA_INLINE unsigned context_cell(const uint8_t levels[CONTEXT_KINDS], const uint8_t contexts[CONTEXTS_USED])
{
    return levels_cell(levels[contexts[0]], levels[contexts[1]], levels[contexts[2]]);
}

STAMMA_INLINE size_t number_classes_size(size_t count)
{
    return sizeof(number_classes) + count * sizeof(number_slots);
}

/* Reads contexts and tree (clause 10.10). False: corrupt. */
bool stamma_classes_read_tree(cursor *in, class_map *c);
/* Reads a class's frequencies. */
bool stamma_classes_read_frequencies(cursor *in, number_frequencies *f);

/* Adds a stream's classes, a number_classes, to `classes`; *left: how many there may be yet. CORRUPT, NO_MEMORY. */
stamma_error stamma_classes_read(cursor *in, unsigned *left, buffer *classes);

/* A difference with what its size may hang on. */
typedef struct context_symbol {
    uint8_t levels[CONTEXT_KINDS];
    uint8_t symbol;
} context_symbol;

/* Chooses classes for a stream's symbols: adds contexts, tree and frequencies to `parameters` and the symbols to `out`.
 * `sample`: of so many symbols, of more than 32,768 never. *classes: how many there may be, one at least, then are.
 * False: no memory. */
bool stamma_classes_write(const context_symbol *list, size_t count, size_t sample, unsigned *classes,
                          const stamma_allocator *allocator, buffer *parameters, buffer *out);

/* Forgets all history. */
void stamma_field_reset(field_keys *s);
/* Finds the streams of a template's fields, and makes those that there are not yet. False where the template is
 * malformed or there are too many. */
bool stamma_field_prepare(field_keys *s, field_template *t);

/* ---- numbers of fields, foretold and written (field_predict.c) ---- */

/* Numbers in the column's order, which is that of the games. */
typedef struct field_numbers {
    const int64_t *values;
    const uint8_t *streams; /* of each, in field_keys */
    size_t count;
    const uint32_t *per_game; /* how many of them each game has */
    size_t games;
} field_numbers;

/* Chooses how each of the streams is foretold and coded, adds that to `parameters` and the differences to the streams'
 * sinks. NO_MEMORY. */
stamma_error stamma_field_write_numbers(field_keys *s, field_numbers numbers, byte_packer *coder,
                                        const stamma_allocator *allocator, number_sink sinks[FIELD_KEYS_MAX],
                                        buffer *parameters);

/* ---- columns of such texts (field_encode.c, field_decode.c) ---- */

/* The byte streams that a column becomes: templates, template numbers, other texts, parameters, then for each field's
 * stream its words, or its symbols and bits. */
typedef struct field_streams {
    buffer streams[FIELD_STREAMS_MAX];
    size_t stored[FIELD_STREAMS_MAX]; /* decoding: the bytes that they took */
    bool words[FIELD_STREAMS_MAX];    /* encoding: words, which repay more work than numbers */
    bool coded[FIELD_STREAMS_MAX];    /* encoding: not to be made smaller */
    size_t count;
} field_streams;

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator);
void stamma_field_streams_release(field_streams *s);

typedef struct field_encoder field_encoder;

/* NULL: no memory. */
field_encoder *stamma_field_encoder_new(const stamma_allocator *allocator);
void stamma_field_encoder_release(field_encoder *e);
/* Splits a column of texts, each with a zero byte behind it, into streams, which are the encoder's until the next call.
 * `per_game`: how many texts each of `games` games has; their sum is the number of texts. `whole`: texts that come
 * often are templates without fields. NO_MEMORY; UNSUPPORTED where it would not pay. */
stamma_error stamma_fields_encode(field_encoder *e, byte_packer *coder, const buffer *column, const uint32_t *per_game,
                                  size_t games, bool whole, field_streams **streams);
/* Tells of each key in turn what is written before its fields, how many values there are, and the bytes as stored and
 * as symbols and bits; a word has its texts. CORRUPT, NO_MEMORY. */
typedef void field_census(void *context, stamma_text before, uint64_t values, uint64_t stored, uint64_t plain);
stamma_error stamma_fields_count(const field_streams *in, const stamma_allocator *allocator, field_census *tell,
                                 void *context);
/* Puts the column together again: appends its texts to `column`, at most `limit` bytes. CORRUPT, NO_MEMORY. */
stamma_error stamma_fields_decode(const field_streams *in, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, size_t limit, buffer *column);

/* The same text by text. Zero it to begin; it may be opened again without being closed. */
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
/* Whether all streams are used up (10.6). */
bool stamma_field_reader_is_done(field_reader *r);
void stamma_field_reader_close(field_reader *r);

#endif
