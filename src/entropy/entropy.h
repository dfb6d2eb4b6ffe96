/* The entropy room: bytes made smaller, numbers less their predictions, and the context coder that writes symbols.
 * Nothing of chess is known here. */
#ifndef STAMMA_ENTROPY_H
#define STAMMA_ENTROPY_H

#include "base/base.h"

#include <zstd.h>

/* ---- packed bytes (packed_bytes.c; clause 3.2 of the format) ---- */

/* Codecs that any bytes can have; archive.h has the others. */
enum { CODEC_STORED = 0, CODEC_PACKED = 1 };

/* zstd's contexts, each made when it is first needed. Zero it to begin. */
typedef struct byte_packer {
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
} byte_packer;

void stamma_byte_packer_release(byte_packer *c);

/* How hard to try: a level of zstd; or WORDS, which are long and repay the most; or NUMBERS, of which few repeat; or
 * BYTES, each by itself: Huffman codes alone. */
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

/* Appends `plain` as zstd or bzip2 packs it, or as it is where that is no longer; *codec says which. NO_MEMORY. */
stamma_error stamma_bytes_pack(byte_packer *coder, int level, const buffer *plain, buffer *body, uint8_t *codec);
/* Replaces `plain` by what `stored` unpacks to, `size` bytes. CORRUPT, NO_MEMORY. */
stamma_error stamma_bytes_unpack(byte_packer *coder, unsigned codec, const uint8_t *stored, size_t stored_size,
                                 size_t size, buffer *plain);

/* ---- several streams of bytes as one (packed_streams.c; clause 10.1) ---- */

/* Appends streams, packed, to `body`; `efforts`: for each how hard to try. NO_MEMORY. */
stamma_error stamma_streams_pack(byte_packer *coder, const buffer *streams, const int *efforts, size_t count,
                                 buffer *body);
/* Replaces what the streams hold by what `stored` does: *count of them, which are `most` before, and hold at most
 * `room` bytes together. `sizes`, which may be NULL: the bytes that each took. CORRUPT, NO_MEMORY. */
stamma_error stamma_streams_unpack(byte_packer *coder, cursor stored, size_t room, buffer *streams, size_t *sizes,
                                   size_t *count);

/* ---- numbers as symbols and bits (residual.c; clause 10.7) ---- */

enum {
    NUMBER_SYMBOLS = 240, /* that there are */
    NUMBER_LITERAL = 239, /* where a user has values that are no numbers: no encoder makes it of a number */
    RESIDUAL_DIRECT = 7,  /* symbols below 2^7 are a residual itself, folded */
    REFERENCE_DIRECT = 5, /* symbols below 2^5 are a reference itself */
    NUMBER_SLOT_BITS = 11,
    NUMBER_SLOTS = 1 << NUMBER_SLOT_BITS, /* what the frequencies of a class sum to */
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
/* The symbol of a number, where those below 2^direct are their own, and how many bits follow it. */
STAMMA_INLINE unsigned number_symbol(uint64_t u, unsigned direct, unsigned *bits)
{
    *bits = 0;
    if (STAMMA_LIKELY(u >> direct == 0))
        return (unsigned)u;
    unsigned last = bits_last(u);
    *bits = last - 1;
    return (1u << direct) + 2 * (last - direct) + (unsigned)(u >> (last - 1) & 1);
}
/* log2 x in parts of 1/256; x must not be 0. */
unsigned stamma_log2_256(uint32_t x);
/* Adds the bits that follow a number's symbol. False when there is no memory. */
bool stamma_number_put_bits(number_sink *s, uint64_t u, unsigned bits);
/* What a symbol and its bits stand for; UINT64_MAX past the end, or for a symbol that no encoder makes. */
uint64_t stamma_number_with_bits(number_source *s, unsigned symbol, unsigned direct);
/* Most numbers are a symbol alone. */
STAMMA_INLINE uint64_t number_value(number_source *s, unsigned symbol, unsigned direct)
{
    return STAMMA_LIKELY(symbol >> direct == 0) ? symbol : stamma_number_with_bits(s, symbol, direct);
}
/* The next residual, folded, where symbols are bytes; UINT64_MAX as above. */
STAMMA_INLINE uint64_t number_take(number_source *s)
{
    return STAMMA_LIKELY(s->symbols.at != s->symbols.end) ? number_value(s, *s->symbols.at++, RESIDUAL_DIRECT)
                                                          : UINT64_MAX;
}

/* ---- the context coder (residual.c; clauses 10.9 to 10.12) ---- */

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

/* The frequencies of symbols that came so often, some of them: of two significant bits about, since they are written.
 */
void stamma_number_scale(const uint32_t counts[NUMBER_SYMBOLS], number_frequencies *f);
void stamma_number_write_frequencies(const number_frequencies *f, buffer *out);
/* False: corrupt. */
bool stamma_number_read_frequencies(cursor *in, number_frequencies *f);
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
/* Fills a state up from two bytes that are there, where it is below the least. Whether it is cannot be foreseen, so
 * that there is no jump. */
STAMMA_INLINE uint32_t number_fill(uint32_t state, const uint8_t **words)
{
    uint32_t low = (uint32_t)0 - (state < NUMBER_STATE), filled = state << 16 | load_u16(*words);
    *words += low & 2;
    return (filled & low) | (state & ~low);
}
/* The next symbol. Past the end *fine becomes false. */
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

/* Whether all is used up, but for zero bits in a last byte, and a state is the last. */
bool stamma_number_is_done(number_source *s);

/* ---- contexts of a symbol (context_classes.c, context_tree.c; clauses 10.10, 10.11) ---- */

enum {
    CONTEXT_KINDS = 7, /* that a user may have; fields and tags say what theirs are */
    CONTEXT_LEVELS = 16,
    CONTEXTS_USED = 3,
    CONTEXT_CELLS = CONTEXT_LEVELS * CONTEXT_LEVELS * CONTEXT_LEVELS
};

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

enum { CLASSES_MAX = 32, COLUMN_CLASSES_MAX = 512 };

typedef struct class_map {
    uint8_t contexts[CONTEXTS_USED];
    uint8_t of[CONTEXT_CELLS]; /* the class of each cell: a level of each context */
    uint32_t count;
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
/* Adds a stream's classes, a number_classes, to `classes`; *left: how many there may be yet. CORRUPT, NO_MEMORY. */
stamma_error stamma_classes_read(cursor *in, unsigned *left, buffer *classes);

/* A symbol with the levels of its contexts. */
typedef struct context_symbol {
    uint8_t levels[CONTEXT_KINDS];
    uint8_t symbol;
} context_symbol;

/* Chooses classes for a stream's symbols: adds contexts, tree and frequencies to `parameters` and the symbols to `out`.
 * `sample`: of so many symbols, of more than 32,768 never. *classes: how many there may be, one at least, then are.
 * False: no memory. */
bool stamma_classes_write(const context_symbol *list, size_t count, size_t sample, unsigned *classes,
                          const stamma_allocator *allocator, buffer *parameters, buffer *out);

/* ---- strings of bits in pairs (pair_writer.c, pair_reader.c; clause 15.3) ---- */

/* Strings that tell their end by themselves: of two that share an area one is read from its begin on, and the other
 * from its end backwards, so that each is found by itself though only the size of both is written. That is coded, less
 * what their weights, which say how long they are likely to be, let expect. */
enum { PAIR_UNIT = 4 /* bits that sizes are counted in */, PAIR_STREAMS = 4, PAIR_CLASSES_MAX = 8, PAIR_SLACK = 8 };
/* Parameters, symbols, bits, areas. */
enum { PAIR_PARAMETERS, PAIR_SYMBOLS, PAIR_BITS, PAIR_AREAS };

/* Zero it and set the buffers' allocators. */
typedef struct pair_writer {
    buffer areas;
    size_t bits;  /* of them */
    buffer sizes; /* pair_size */
    buffer first; /* the string that waits for another */
    size_t first_bits;
    uint32_t first_weight;
    bool waiting;
} pair_writer;

void stamma_pair_writer_init(pair_writer *w, const stamma_allocator *allocator);
void stamma_pair_writer_clear(pair_writer *w);
void stamma_pair_writer_release(pair_writer *w);
/* Adds a string of `bits` bits. */
void stamma_pair_writer_add(pair_writer *w, const uint8_t *string, size_t bits, uint32_t weight);
/* Ends the last pair and adds parameters, symbols and bits to these streams; the areas stand in w->areas. NO_MEMORY. */
stamma_error stamma_pair_writer_end(pair_writer *w, buffer *parameters, buffer *symbols, buffer *bits);

/* Zero it and set the buffers' allocators. */
typedef struct pair_reader {
    const uint8_t *areas; /* the caller's */
    buffer ends;          /* uint64_t: in units, where each pair's area ends */
    size_t strings;
    buffer string;    /* the one that was asked for last, and PAIR_SLACK zero bytes */
    size_t last;      /* of a pair the first, whose end was told: it has ... */
    size_t last_bits; /* ... so many bits. SIZE_MAX: none */
} pair_reader;

void stamma_pair_reader_init(pair_reader *r, const stamma_allocator *allocator);
void stamma_pair_reader_release(pair_reader *r);
/* Begins to read `strings` strings of these weights; `streams` must stay, `parameters` may have something before.
 * CORRUPT, NO_MEMORY. */
stamma_error stamma_pair_reader_open(pair_reader *r, const uint32_t *weights, size_t strings, cursor parameters,
                                     const buffer streams[PAIR_STREAMS]);
/* String n and what follows it, or NULL: no memory. *size: of all that is there, PAIR_SLACK zero bytes included. */
const uint8_t *stamma_pair_reader_string(pair_reader *r, size_t n, size_t *size);
/* Says that string n, the last one asked for, has so many bits; false where no writer makes such a pair. */
bool stamma_pair_reader_end(pair_reader *r, size_t n, size_t bits);

#endif
