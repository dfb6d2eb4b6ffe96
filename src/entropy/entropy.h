/* SPDX-License-Identifier: MIT */
/* The entropy room: compression of bytes, coding of numbers as residuals of predictions, and the context coder for
 * symbols. It does not depend on chess. */
#ifndef STAMMA_ENTROPY_H
#define STAMMA_ENTROPY_H

#include "base/base.h"

#include <zstd.h>

/* ---- packed bytes (packed_bytes.c; clause 3.2 of the format) ---- */

/* Codecs for any bytes; archive.h has the others. */
enum { CODEC_STORED = 0, CODEC_PACKED = 1 };

/* zstd's contexts. Each is created at its first use. Initialize with zeros. */
typedef struct byte_packer {
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    bool partial; /* damaged bytes are unpacked as far as possible; missing bytes are not an error */
} byte_packer;

void stamma_byte_packer_release(byte_packer *c);

/* Compression effort: a level of zstd, or one of
 * - WORDS: text, which benefits most from more effort
 * - NUMBERS: numbers, few of which repeat
 * - BYTES: Huffman codes of single bytes, without matches
 * - NONE: stored (only packed_streams.c) */
enum {
    EFFORT_BYTES = -1,
    EFFORT_FAST = 1,
    EFFORT_MOVES = 3,
    EFFORT_REPEATS = 6,
    EFFORT_TEXT = 8,
    EFFORT_WORDS = 0,
    EFFORT_NUMBERS = -2,
    EFFORT_NONE = -3
};

/* Appends `plain`, packed with zstd or bzip2, or unchanged if packing does not make it shorter. *codec becomes the
 * codec used. Returns OK or NO_MEMORY. */
stamma_error stamma_bytes_pack(byte_packer *coder, int level, const buffer *plain, buffer *body, uint8_t *codec);
/* Replaces `plain` by the `size` bytes that `stored` unpacks to. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_bytes_unpack(byte_packer *coder, unsigned codec, const uint8_t *stored, size_t stored_size,
                                 size_t size, buffer *plain);

/* ---- several streams of bytes in one stream (packed_streams.c; clause 14.1) ---- */

/* Appends packed streams to `body`. `efforts`: the effort for each stream. Returns OK or NO_MEMORY. */
stamma_error stamma_streams_pack(byte_packer *coder, const buffer *streams, const int *efforts, size_t count,
                                 buffer *body);
/* Replaces the contents of the streams by the streams of `stored`. *count is the capacity of `streams` on entry, and
 * the number of streams on return. `room`: the maximum total size. `sizes`, which may be NULL, receives the packed size
 * of each stream. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_streams_unpack(byte_packer *coder, cursor stored, size_t room, buffer *streams, size_t *sizes,
                                   size_t *count);

/* ---- numbers as symbols and bits (residual.c; clause 14.7) ---- */

enum {
    NUMBER_SYMBOLS = 240, /* number of symbols */
    NUMBER_LITERAL = 239, /* for values of a user that are not numbers; no number has this symbol */
    RESIDUAL_DIRECT = 7,  /* symbols below 2^7 are the folded residual itself */
    REFERENCE_DIRECT = 5, /* symbols below 2^5 are the reference itself */
    NUMBER_SLOT_BITS = 11,
    NUMBER_SLOTS = 1 << NUMBER_SLOT_BITS, /* sum of the frequencies of a class */
    NUMBER_STATE = 1 << 16                /* lowest state of a coder; first when writing, last when reading */
};

typedef struct number_sink {
    buffer symbols;
    buffer bits;
    size_t bit_count;
    bool coded; /* symbols are not bytes, but will be coded by class */
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
/* Returns the symbol of a number and the number of bits that follow the symbol. Numbers below 2^direct are their own
 * symbols. */
STAMMA_INLINE unsigned number_symbol(uint64_t u, unsigned direct, unsigned *bits)
{
    *bits = 0;
    if (STAMMA_LIKELY(u >> direct == 0))
        return (unsigned)u;
    unsigned last = bits_last(u);
    *bits = last - 1;
    return (1u << direct) + 2 * (last - direct) + (unsigned)(u >> (last - 1) & 1);
}
/* Returns log2 x in units of 1/256. x must not be 0. */
unsigned stamma_log2_256(uint32_t x);
/* Appends the bits that follow a number's symbol. Returns false if memory is exhausted. */
bool stamma_number_put_bits(number_sink *s, uint64_t u, unsigned bits);
/* Returns the number of a symbol and its bits. Returns UINT64_MAX past the end, or for symbols that no number has. */
uint64_t stamma_number_with_bits(number_source *s, unsigned symbol, unsigned direct);
/* Most numbers have only a symbol. */
STAMMA_INLINE uint64_t number_value(number_source *s, unsigned symbol, unsigned direct)
{
    return STAMMA_LIKELY(symbol >> direct == 0) ? symbol : stamma_number_with_bits(s, symbol, direct);
}
/* Returns the next folded residual if symbols are bytes; UINT64_MAX past the end, or if it is invalid. */
STAMMA_INLINE uint64_t number_take(number_source *s)
{
    return STAMMA_LIKELY(s->symbols.at != s->symbols.end) ? number_value(s, *s->symbols.at++, RESIDUAL_DIRECT)
                                                          : UINT64_MAX;
}

/* ---- the context coder (residual.c; clauses 14.9 to 14.12) ---- */

/* The frequency of each symbol of a class; 0 for symbols that do not occur. The sum is NUMBER_SLOTS. */
typedef struct number_frequencies {
    uint16_t of[NUMBER_SYMBOLS];
    uint16_t before[NUMBER_SYMBOLS]; /* sum for all lower symbols */
} number_frequencies;

/* A symbol to code. */
typedef struct classed_symbol {
    uint8_t symbol;
    uint8_t table; /* index of its frequencies */
} classed_symbol;

/* Scales counts of symbols, at least one of which is not 0, to frequencies. They have about two significant bits, to
 * be short when written. */
void stamma_number_scale(const uint32_t counts[NUMBER_SYMBOLS], number_frequencies *f);
void stamma_number_write_frequencies(const number_frequencies *f, buffer *out);
/* Reads the frequencies of a class. Returns false if the data is corrupt. */
bool stamma_number_read_frequencies(cursor *in, number_frequencies *f);
/* Appends symbols, coded with the range variant of asymmetric numeral systems (J. Duda, arXiv:1311.2540; clause 14.9).
 * Each symbol is coded with the frequencies of its class. Returns false if memory is exhausted. */
bool stamma_number_code(const classed_symbol *list, size_t count, const number_frequencies *classes, buffer *out);
/* A decoding table of a class. It has only one byte for each slot, to keep the tables of many classes in the
 * processor's cache. */
typedef struct number_slots {
    uint8_t symbol[NUMBER_SLOTS];
    number_frequencies frequencies;
} number_slots;

void stamma_number_fill_slots(const number_frequencies *f, number_slots *slots);
/* Begins to read coded symbols. Returns false if the data is too short or invalid. */
bool stamma_number_begin(number_source *s);
/* If a state is below the minimum, fills it from the next two bytes, which must exist. There is no branch, because
 * the condition cannot be predicted. */
STAMMA_INLINE uint32_t number_fill(uint32_t state, const uint8_t **words)
{
    uint32_t low = (uint32_t)0 - (state < NUMBER_STATE), filled = state << 16 | load_u16(*words);
    *words += low & 2;
    return (filled & low) | (state & ~low);
}
/* Returns the next symbol. Sets *fine to false past the end. */
STAMMA_INLINE unsigned number_decode(number_source *s, const number_slots *slots, bool *fine)
{
    unsigned slot = s->state % NUMBER_SLOTS, symbol = slots->symbol[slot];
    const number_frequencies *f = &slots->frequencies;
    uint32_t state = f->of[symbol] * (s->state >> NUMBER_SLOT_BITS) + slot - f->before[symbol];
    if (STAMMA_LIKELY(cursor_left(&s->symbols) >= 2)) {
        s->state = number_fill(state, &s->symbols.at);
    } else {
        *fine = state >= NUMBER_STATE;
        s->state = *fine ? state : s->state;
    }
    return symbol;
}

/* Returns whether the input is exhausted, except for zero bits in the last byte, and the coder is in its final
 * state. */
bool stamma_number_is_done(number_source *s);

/* ---- contexts of a symbol (context_classes.c, context_tree.c; clauses 14.10, 14.11) ---- */

enum {
    CONTEXT_KINDS = 7, /* maximum for a user; fields and tags define theirs */
    CONTEXT_LEVELS = 16,
    CONTEXTS_USED = 3,
    CONTEXT_CELLS = CONTEXT_LEVELS * CONTEXT_LEVELS * CONTEXT_LEVELS
};

STAMMA_INLINE uint8_t context_cut(unsigned level)
{
    return (uint8_t)(level < CONTEXT_LEVELS - 1 ? level : CONTEXT_LEVELS - 1);
}

/* Returns the number of bits of x, which must be below 2^63. */
STAMMA_INLINE unsigned context_bits(uint64_t x)
{
    return bits_last(2 * x + 1);
}

STAMMA_INLINE uint8_t context_value(int64_t value)
{
    return context_cut(context_bits(value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value));
}

enum { CLASSES_MAX = 32, COLUMN_CLASSES_MAX = 512 };

typedef struct class_map {
    uint8_t contexts[CONTEXTS_USED];
    uint8_t of[CONTEXT_CELLS]; /* class of each cell, which is a level of each context */
    uint32_t count;
} class_map;

/* The classes of a stream, for decoding. */
typedef struct number_classes {
    class_map map;
    number_slots slots[]; /* map.count tables */
} number_classes;

/* Return the cell of three levels, and of the levels of three contexts. */
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

/* Reads contexts, numbers less than `kinds`, and the tree (clause 14.11). Returns false if they are corrupt. */
bool stamma_classes_read_tree(cursor *in, unsigned kinds, class_map *c);
/* Appends the classes of a stream, a number_classes, to `classes`. *left: the number of further classes allowed.
 * Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_classes_read(cursor *in, unsigned kinds, unsigned *left, buffer *classes);

/* A symbol and the levels of its contexts. */
typedef struct context_symbol {
    uint8_t levels[CONTEXT_KINDS];
    uint8_t symbol;
} context_symbol;

/* Chooses classes for the symbols of a stream. Appends contexts, tree and frequencies to `parameters`, and the coded
 * symbols to `out`. `sample`: number of symbols to base the choice on, at most 32,768. *classes: on entry the maximum,
 * at least 1; on return the number of classes. Returns false if memory is exhausted. */
bool stamma_classes_write(const context_symbol *list, size_t count, size_t sample, unsigned *classes,
                          const stamma_allocator *allocator, buffer *parameters, buffer *out);

/* ---- strings of bits in pairs (pair_writer.c, pair_reader.c; clause 16.3) ---- */

/* Stores self-delimiting strings of bits. Two strings share an area: the first is read from the area's start, the
 * second backwards from its end. Both can therefore be found although only the size of the area is stored. This size is
 * coded as the difference from an expected size, which is computed from the strings' weights. A weight is an estimate
 * of a string's length. */
enum { PAIR_UNIT = 4 /* bits in a unit of size */, PAIR_STREAMS = 4, PAIR_CLASSES_MAX = 8, PAIR_SLACK = 8 };
/* Parameters, symbols, bits, areas. */
enum { PAIR_PARAMETERS, PAIR_SYMBOLS, PAIR_BITS, PAIR_AREAS };

/* Initialize with stamma_pair_writer_init. */
typedef struct pair_writer {
    buffer areas;
    size_t bits;  /* number of bits in `areas` */
    buffer sizes; /* pair_size */
    buffer first; /* a string that waits for the second of its pair */
    size_t first_bits;
    uint32_t first_weight;
    bool waiting;
} pair_writer;

void stamma_pair_writer_init(pair_writer *w, const stamma_allocator *allocator);
void stamma_pair_writer_clear(pair_writer *w);
void stamma_pair_writer_release(pair_writer *w);
/* Adds a string of `bits` bits. */
void stamma_pair_writer_add(pair_writer *w, const uint8_t *string, size_t bits, uint32_t weight);
/* Ends the last pair and appends parameters, symbols and bits to these streams. The areas are in w->areas. Returns
 * OK or NO_MEMORY. */
stamma_error stamma_pair_writer_end(pair_writer *w, buffer *parameters, buffer *symbols, buffer *bits);

/* Initialize with stamma_pair_reader_init. */
typedef struct pair_reader {
    const uint8_t *areas; /* owned by the caller */
    buffer ends;          /* uint64_t: the end of each pair's area, in units */
    size_t strings;
    buffer string;    /* the string requested last, and PAIR_SLACK zero bytes */
    size_t last;      /* the first string of a pair whose size is known; SIZE_MAX: none */
    size_t last_bits; /* its size in bits */
} pair_reader;

void stamma_pair_reader_init(pair_reader *r, const stamma_allocator *allocator);
void stamma_pair_reader_release(pair_reader *r);
/* Begins to read `strings` strings with these weights. The PAIR_STREAMS streams must stay valid. `parameters` is read
 * from its current position to its end. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_pair_reader_open(pair_reader *r, const uint32_t *weights, size_t strings, cursor parameters,
                                     const buffer *streams);
/* Returns string n and the bits after it, or NULL if memory is exhausted. *size: the number of bytes, including
 * PAIR_SLACK zero bytes. */
const uint8_t *stamma_pair_reader_string(pair_reader *r, size_t n, size_t *size);
/* Reports that string n, which was requested last, has `bits` bits. Returns false if no writer produces this pair. */
bool stamma_pair_reader_end(pair_reader *r, size_t n, size_t bits);

#endif
