/* SPDX-License-Identifier: MIT */
/* Predicts the numbers in a column's fields, and writes the residuals (clauses 14.5 to 14.8, 14.13). */
#include "fields/fields.h"

enum {
    SAMPLE = 4000, /* maximum number of values for judging a stream's predictors */
    NEIGHBOURS = 8,
    CODED_LEAST = 8000,    /* minimum number of symbols for coding by classes or mixing */
    MIXED_GAIN = 32,       /* minimum gain of mixing, which is slow: 1/32 of the size */
    PACKED_SAMPLE = 16384, /* number of symbols in a sample for estimating their size as bytes */
    CANDIDATES_MAX = 3 + 2 * NEIGHBOURS + NEIGHBOURS * (NEIGHBOURS - 1) / 2
};

/* Returns the cost of the residuals in 1/256 of a bit: the entropy of the symbols, plus the bits. */
static uint64_t cost_of(const uint32_t histogram[256], uint64_t bits)
{
    uint32_t total = 0;
    uint64_t cost = bits * 256;
    for (unsigned i = 0; i < 256; i++)
        total += histogram[i];
    for (unsigned i = 0; i < 256; i++)
        if (histogram[i] > 0)
            cost += histogram[i] * (uint64_t)(stamma_log2_256(total) - stamma_log2_256(histogram[i]));
    return cost;
}

/* ---- divisors ---- */

/* A divisor for divisions without remainder, which are done by multiplication (T. Granlund, P. Montgomery: Division by
 * Invariant Integers using Multiplication, section 9). */
typedef struct exact_divisor {
    uint32_t divisor;
    unsigned shift;   /* number of factors 2 */
    uint64_t inverse; /* inverse of the odd part, modulo 2^64 */
    uint64_t most;    /* largest quotient of a multiple of the odd part */
} exact_divisor;

/* Computes the inverse by Newton's method. Each step doubles the number of correct bits, initially three. */
static exact_divisor exact_divisor_of(uint32_t divisor)
{
    exact_divisor e = {.divisor = divisor, .shift = bits_first(divisor)};
    uint64_t odd = divisor >> e.shift;
    e.inverse = odd;
    for (unsigned bits = 3; bits < 64; bits *= 2)
        e.inverse *= 2 - odd * e.inverse;
    e.most = UINT64_MAX / odd;
    return e;
}

STAMMA_INLINE uint64_t magnitude_of(int64_t value)
{
    return value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
}

STAMMA_INLINE bool is_multiple(const exact_divisor *e, int64_t value)
{
    uint64_t x = magnitude_of(value);
    return (x >> e->shift) << e->shift == x && (x >> e->shift) * e->inverse <= e->most;
}

STAMMA_INLINE int64_t divide_exactly(const exact_divisor *e, int64_t value)
{
    int64_t quotient = (int64_t)((magnitude_of(value) >> e->shift) * e->inverse);
    return value < 0 ? -quotient : quotient;
}

static uint32_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a == 0 || a > 1000000 ? 1 : (uint32_t)a;
}

/* Finds the common divisor of each stream's numbers, and counts these numbers. */
static void find_divisors(field_keys *s, field_numbers numbers, size_t counts[FIELD_KEYS_MAX])
{
    exact_divisor divisors[FIELD_KEYS_MAX];
    memset(divisors, 0, s->count * sizeof *divisors);
    for (size_t i = 0; i < numbers.count; i++) {
        exact_divisor *e = &divisors[numbers.streams[i]];
        counts[numbers.streams[i]]++;
        if (STAMMA_UNLIKELY(e->divisor == 0 || !is_multiple(e, numbers.values[i])))
            *e = exact_divisor_of(common_divisor(magnitude_of(numbers.values[i]), e->divisor));
    }
    for (size_t n = 0; n < s->count; n++)
        s->list[n].divisor = divisors[n].divisor == 0 ? 1 : divisors[n].divisor;
}

/* ---- choosing predictors: all candidates of all streams are judged in a single pass ---- */

/* One way to predict a stream, and statistics of the resulting residuals. */
typedef struct candidate {
    uint8_t predictor, other, another;
    uint64_t bits;
    uint32_t histogram[256];
} candidate;

typedef struct candidates {
    candidate list[CANDIDATES_MAX];
    size_t count;
    size_t left; /* number of values still to judge */
} candidates;

static void add_candidate(candidates *c, unsigned predictor, size_t other, size_t another)
{
    candidate *x = &c->list[c->count++];
    memset(x, 0, sizeof *x);
    x->predictor = (uint8_t)predictor;
    x->other = (uint8_t)other;
    x->another = (uint8_t)another;
}

/* Lists predictions of a stream from itself, and from the NEIGHBOURS streams before it: at most CANDIDATES_MAX. */
static void list_candidates(const field_keys *s, size_t n, candidates *c)
{
    c->count = 0;
    for (unsigned p = PREDICT_ZERO; p <= PREDICT_SECOND; p++)
        add_candidate(c, p, 0, 0);
    for (size_t i = n < NEIGHBOURS ? 0 : n - NEIGHBOURS; i < n; i++) {
        if (s->list[i].word)
            continue;
        add_candidate(c, PREDICT_SPENT, i, 0);
        add_candidate(c, PREDICT_OTHER, i, 0);
        for (size_t j = n < NEIGHBOURS ? 0 : n - NEIGHBOURS; j < i; j++)
            if (!s->list[j].word)
                add_candidate(c, PREDICT_PRODUCT, i, j);
    }
}

static void judge(const field_keys *s, const field_stream *x, candidates *c, int64_t value)
{
    for (size_t i = 0; i < c->count; i++) {
        candidate *k = &c->list[i];
        unsigned more;
        int64_t d = value - field_predict(s, x, k->predictor, k->other, k->another);
        int64_t divisor = k->predictor <= PREDICT_SECOND ? (int64_t)x->divisor : 1;
        k->histogram[number_symbol(number_fold(d / divisor), RESIDUAL_DIRECT, &more)]++;
        k->bits += more;
    }
}

static void take_best(field_stream *x, const candidates *c)
{
    const candidate *best = &c->list[0];
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < c->count; i++) {
        uint64_t cost = cost_of(c->list[i].histogram, c->list[i].bits);
        if (cost < least) {
            least = cost;
            best = &c->list[i];
        }
    }
    x->predictor = best->predictor;
    x->other = best->other;
    x->another = best->another;
    if (x->predictor > PREDICT_SECOND)
        x->divisor = 1;
}

/* Judges the values of a game whose streams still need them. */
static void judge_game(field_keys *s, field_numbers numbers, size_t begin, size_t end, uint32_t game, candidates *all)
{
    for (size_t i = begin; i < end; i++) {
        candidates *c = &all[numbers.streams[i]];
        field_stream *x = &s->list[numbers.streams[i]];
        field_enter_game(x, game);
        if (c->left > 0) {
            judge(s, x, c, numbers.values[i]);
            c->left--;
        }
        field_push(x, numbers.values[i]);
    }
}

/* Judges half of each stream's values, at most SAMPLE. Games without a needed value are skipped. */
static void judge_all(field_keys *s, field_numbers numbers, candidates *all)
{
    bool wanted[FIELD_KEYS_MAX];
    for (size_t n = 0; n < s->count; n++)
        wanted[n] = all[n].left > 0;
    for (size_t game = 0, begin = 0; game < numbers.games; begin += numbers.per_game[game++]) {
        size_t i = begin, end = begin + numbers.per_game[game];
        while (i < end && !wanted[numbers.streams[i]])
            i++;
        if (i == end)
            continue;
        judge_game(s, numbers, begin, end, (uint32_t)game + 1, all);
        for (; i < end; i++)
            wanted[numbers.streams[i]] = all[numbers.streams[i]].left > 0;
    }
}

static bool choose_predictors(field_keys *s, field_numbers numbers, const size_t counts[FIELD_KEYS_MAX],
                              const stamma_allocator *allocator)
{
    candidates *all = (candidates *)memory_allocate(allocator, size_multiply(s->count, sizeof *all));
    if (!all)
        return false;
    for (size_t n = 0; n < s->count; n++) {
        list_candidates(s, n, &all[n]);
        all[n].left = counts[n] < 2 * SAMPLE ? (counts[n] + 1) / 2 : SAMPLE;
    }
    stamma_field_reset(s);
    judge_all(s, numbers, all);
    for (size_t n = 0; n < s->count; n++)
        if (!s->list[n].word)
            take_best(&s->list[n], &all[n]);
    memory_release(allocator, all);
    return true;
}

/* ---- writing: symbols are kept with their contexts, by stream, and coded at the end ---- */

/* A stream's symbols. */
typedef struct kept {
    context_symbol *list;
    size_t count;
} kept;

/* Hot path. `ends`: the place for each stream's next symbol. */
static bool write_bits(field_keys *s, field_numbers numbers, number_sink sinks[FIELD_KEYS_MAX],
                       context_symbol *ends[FIELD_KEYS_MAX])
{
    exact_divisor divisors[FIELD_KEYS_MAX];
    for (size_t n = 0; n < s->count; n++)
        divisors[n] = exact_divisor_of(s->list[n].divisor);
    stamma_field_reset(s);
    for (size_t game = 0, i = 0, end = 0; game < numbers.games; game++) {
        end += numbers.per_game[game];
        for (; i < end; i++) {
            size_t n = numbers.streams[i];
            field_stream *x = &s->list[n];
            unsigned more;
            field_enter_game(x, (uint32_t)game + 1);
            int64_t predicted = field_predict(s, x, x->predictor, x->other, x->another);
            int64_t d = divide_exactly(&divisors[n], numbers.values[i] - predicted);
            context_symbol *c = ends[n]++;
            memcpy(c, x->levels, sizeof *c);
            c->levels[CONTEXT_OTHER] = context_value(s->list[x->other].back[0]);
            if (x->mixer)
                (void)stamma_field_mix(x->mixer, x, d);
            uint64_t folded = number_fold(d);
            c->symbol = (uint8_t)number_symbol(folded, RESIDUAL_DIRECT, &more);
            if (STAMMA_UNLIKELY(more > 0) && !stamma_number_put_bits(&sinks[n], folded, more))
                return false;
            context_note(x, folded);
            field_push(x, numbers.values[i]);
        }
    }
    return true;
}

static bool add_symbols(const context_symbol *list, size_t count, buffer *out)
{
    if (!buffer_reserve(out, count))
        return false;
    uint8_t *at = out->data + out->size;
    for (size_t i = 0; i < count; i++)
        at[i] = list[i].symbol;
    out->size += count;
    return true;
}

/* Returns the packed size of symbols as bytes in *size. */
static stamma_error packed_size(byte_packer *coder, int effort, const context_symbol *list, size_t count,
                                const stamma_allocator *allocator, uint64_t *size)
{
    buffer symbols = {.allocator = allocator}, packed = symbols;
    uint8_t codec;
    stamma_error error = add_symbols(list, count, &symbols)
                             ? stamma_bytes_pack(coder, effort, &symbols, &packed, &codec)
                             : STAMMA_ERROR_NO_MEMORY;
    *size = packed.size;
    stamma_buffer_release(&symbols);
    stamma_buffer_release(&packed);
    return error;
}

/* Sets *better to whether `size` bytes by classes are fewer than packed symbols. If the difference is large, a sample
 * of the symbols is enough. */
static stamma_error is_better(byte_packer *coder, uint64_t size, const kept *k, const stamma_allocator *allocator,
                              bool *better)
{
    uint64_t bytes = 0;
    stamma_error error = STAMMA_OK;
    if (k->count > PACKED_SAMPLE) {
        const context_symbol *sample = k->list + (k->count - PACKED_SAMPLE) / 2;
        error = packed_size(coder, EFFORT_FAST, sample, PACKED_SAMPLE, allocator, &bytes);
        bytes = bytes * k->count / PACKED_SAMPLE;
    }
    if (error == STAMMA_OK && size > bytes - bytes / 8)
        error = packed_size(coder, EFFORT_REPEATS, k->list, k->count, allocator, &bytes);
    *better = size < bytes;
    return error;
}

/* Creates mixers for streams with enough values, and starts to write with them. */
static bool make_mixers(field_keys *s, const size_t counts[FIELD_KEYS_MAX], const stamma_allocator *allocator)
{
    for (size_t n = 0, made = 0; n < s->count && made < FIELD_MIXERS_MAX; n++) {
        field_stream *x = &s->list[n];
        unsigned bits = context_bits(counts[n]) + 3;
        if (x->word || counts[n] < CODED_LEAST)
            continue;
        x->map_bits = (uint8_t)(bits < MIXED_MAP_BITS_MAX ? bits : MIXED_MAP_BITS_MAX);
        x->mixer = stamma_field_mixer_new(allocator, x->map_bits);
        if (!x->mixer)
            return false;
        stamma_range_encode_begin(&x->mixer->stream.out, &x->mixer->string);
        made++;
    }
    return true;
}

/* Codes symbols by classes if this is shorter than bytes. `left`: number of classes that may still be used. */
static stamma_error write_symbols(const kept *k, byte_packer *coder, const stamma_allocator *allocator, unsigned *left,
                                  number_sink *sink, buffer *parameters)
{
    stamma_error error = STAMMA_OK;
    size_t begin = parameters->size;
    unsigned classes = *left < CLASSES_MAX ? *left : CLASSES_MAX;
    if (k->count >= CODED_LEAST && classes > 0) {
        buffer_add_byte(parameters, SYMBOLS_CODED);
        if (!stamma_classes_write(k->list, k->count, SIZE_MAX, &classes, allocator, parameters, &sink->symbols))
            return STAMMA_ERROR_NO_MEMORY;
        /* Parameters will be packed, to about 5 bits per byte. */
        error = is_better(coder, sink->symbols.size + (parameters->size - begin) * 5 / 8, k, allocator, &sink->coded);
    }
    if (sink->coded) {
        *left -= classes;
    } else {
        sink->symbols.size = 0;
        parameters->size = begin;
        buffer_add_byte(parameters, SYMBOLS_BYTES);
        if (!add_symbols(k->list, k->count, &sink->symbols))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return parameters->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Replaces the symbols and bits of a stream, whose parameters begin at `begin`, with a mixed string if this is shorter.
 */
static stamma_error write_mixed(const field_stream *x, const kept *k, byte_packer *coder,
                                const stamma_allocator *allocator, size_t begin, number_sink *sink, buffer *parameters,
                                bool *shorter)
{
    const buffer *mixed = &x->mixer->string;
    const uint8_t coded[2] = {SYMBOLS_MIXED, x->map_bits};
    uint64_t size = sink->symbols.size + (parameters->size - begin) * 5 / 8;
    stamma_error error = STAMMA_OK;
    stamma_range_encode_end(&x->mixer->stream.out);
    if (!sink->coded)
        error = packed_size(coder, EFFORT_REPEATS, k->list, k->count, allocator, &size);
    size += sink->bits.size;
    *shorter = error == STAMMA_OK && mixed->size < size - size / MIXED_GAIN && k->count <= field_mixed_max(mixed->size);
    if (*shorter) {
        sink->symbols.size = sink->bits.size = sink->bit_count = 0;
        sink->coded = true;
        buffer_add(&sink->symbols, mixed->data, mixed->size);
        parameters->size = begin;
        buffer_add(parameters, coded, sizeof coded);
    }
    return mixed->failed || sink->symbols.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Writes a stream in the shortest form. */
static stamma_error write_stream(const field_stream *x, const kept *k, byte_packer *coder,
                                 const stamma_allocator *allocator, unsigned *left, number_sink *sink,
                                 buffer *parameters)
{
    size_t begin = parameters->size;
    unsigned classes = *left;
    bool mixed = false;
    stamma_error error = write_symbols(k, coder, allocator, &classes, sink, parameters);
    if (error == STAMMA_OK && x->mixer)
        error = write_mixed(x, k, coder, allocator, begin, sink, parameters, &mixed);
    *left = mixed ? *left : classes;
    return error;
}

static stamma_error write_streams(const field_keys *s, const kept streams[FIELD_KEYS_MAX], byte_packer *coder,
                                  const stamma_allocator *allocator, number_sink sinks[FIELD_KEYS_MAX],
                                  buffer *parameters)
{
    unsigned left = COLUMN_CLASSES_MAX;
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < s->count && error == STAMMA_OK; n++) {
        const field_stream *x = &s->list[n];
        uint8_t bytes[3] = {x->predictor, x->other, x->another};
        if (x->word)
            continue;
        buffer_add(parameters, bytes, sizeof bytes);
        stamma_buffer_add_varint(parameters, x->divisor);
        error = write_stream(x, &streams[n], coder, allocator, &left, &sinks[n], parameters);
    }
    return error;
}

/* Allocates the symbols of all streams, one stream after another, with room for each value. */
static context_symbol *make_room(const field_keys *s, size_t values, const size_t counts[FIELD_KEYS_MAX],
                                 const stamma_allocator *allocator, kept streams[FIELD_KEYS_MAX])
{
    context_symbol *symbols = (context_symbol *)memory_allocate(allocator, size_multiply(values + 1, sizeof *symbols));
    for (size_t n = 0, before = 0; n < s->count && symbols; before += counts[n++])
        streams[n] = (kept){symbols + before, counts[n]};
    return symbols;
}

stamma_error stamma_field_write_numbers(field_keys *s, field_numbers numbers, bool mixes, byte_packer *coder,
                                        const stamma_allocator *allocator, number_sink sinks[FIELD_KEYS_MAX],
                                        buffer *parameters)
{
    size_t counts[FIELD_KEYS_MAX] = {0};
    kept streams[FIELD_KEYS_MAX];
    context_symbol *ends[FIELD_KEYS_MAX];
    find_divisors(s, numbers, counts);
    if (!choose_predictors(s, numbers, counts, allocator))
        return STAMMA_ERROR_NO_MEMORY;
    context_symbol *symbols = make_room(s, numbers.count, counts, allocator, streams);
    stamma_error error = STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < s->count && symbols; n++)
        ends[n] = streams[n].list;
    if (symbols && (!mixes || make_mixers(s, counts, allocator)) && write_bits(s, numbers, sinks, ends))
        error = write_streams(s, streams, coder, allocator, sinks, parameters);
    stamma_field_delete_mixers(s, allocator);
    memory_release(allocator, symbols);
    return error;
}
