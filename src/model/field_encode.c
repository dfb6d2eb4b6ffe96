/* A column of texts that programs wrote becomes templates and streams of fields, each predicted from what is known
 * before it (doc/format.md, clause 10). */
#include "model/model.h"

enum {
    TEMPLATE_USES = 4, /* a rarer template is no template */
    HASH_SIZE = 16384,
    SAMPLE = 4000, /* values that a stream's predictors are judged by */
    NEIGHBOURS = 8,
    CANDIDATES_MAX = 3 + 3 * NEIGHBOURS + NEIGHBOURS * (NEIGHBOURS - 1) / 2,
    ENTRIES_MAX = 1 << 21 /* fields in a column: 16 bytes of memory each */
};

typedef struct counted {
    uint32_t offset; /* in encoder.templates */
    uint32_t size;
    uint32_t fields;
    uint32_t uses;
    uint32_t number; /* in the file, from 1; 0: not used */
} counted;

/* A field as the first pass finds it, and as the second keeps it in the same place where it is a number. There are to
 * be no more than ENTRIES_MAX. */
typedef struct entry {
    int64_t value;
    union {
        struct {
            uint32_t offset; /* in the column, as written */
            uint32_t size;
        };
        struct {
            uint32_t game;
            uint32_t stream;
        };
    };
} entry;

typedef struct encoder {
    const stamma_allocator *allocator;
    bool whole;               /* texts are templates as they are */
    buffer templates;         /* bytes of all counted */
    buffer counted;           /* counted, at most FIELD_TEMPLATES_MAX */
    size_t last;              /* of counted: that of the last text */
    uint16_t hash[HASH_SIZE]; /* 1 + number in counted */
    buffer chosen;            /* uint16_t for each text: 1 + number in counted, or 0 */
    field_template *used;
    size_t used_count;
    buffer entries; /* entry: first of all texts that have a counted template, then numbers of those that are used */
    field_keys streams;
    bool plus_after[256];
    field_text parsed;
    number_sink sinks[FIELD_KEYS_MAX];
} encoder;

static uint32_t hash_of(const uint8_t *bytes, size_t size)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * 16777619u;
    return h ^ h >> 15;
}

static counted *counted_at(const encoder *e, size_t n)
{
    return (counted *)(void *)e->counted.data + n;
}

static size_t counted_count(const encoder *e)
{
    return e->counted.size / sizeof(counted);
}

static bool is_template(const encoder *e, size_t n, const field_text *t)
{
    const counted *c = counted_at(e, n);
    return c->size == t->size && memcmp(e->templates.data + c->offset, t->bytes, t->size) == 0;
}

/* The number of the parsed text's template among those counted, or FIELD_TEMPLATES_MAX. */
static size_t count_template(encoder *e)
{
    const field_text *t = &e->parsed;
    size_t count = counted_count(e);
    if (count > 0 && is_template(e, e->last, t))
        return e->last;
    uint32_t slot = hash_of(t->bytes, t->size) % HASH_SIZE;
    for (; e->hash[slot] != 0; slot = (slot + 1) % HASH_SIZE)
        if (is_template(e, e->hash[slot] - 1u, t))
            return e->last = e->hash[slot] - 1u;
    if (count == FIELD_TEMPLATES_MAX || !buffer_reserve(&e->templates, t->size))
        return FIELD_TEMPLATES_MAX;
    counted c = {(uint32_t)e->templates.size, (uint32_t)t->size, (uint32_t)t->field_count, 0, 0};
    buffer_add(&e->counted, &c, sizeof c);
    buffer_add(&e->templates, t->bytes, t->size);
    if (e->counted.failed)
        return FIELD_TEMPLATES_MAX;
    e->hash[slot] = (uint16_t)(count + 1);
    return e->last = count;
}

static stamma_text next_text(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *zero = (const uint8_t *)memchr(*at, 0, (size_t)(end - *at));
    stamma_text text = {(const char *)*at, (size_t)(zero - *at)};
    *at = zero + 1;
    return text;
}

static bool too_many(const encoder *e)
{
    return e->entries.size > ENTRIES_MAX * sizeof(entry);
}

/* Makes a template without fields of a text: false where it cannot be one. */
static bool take_whole(stamma_text text, field_text *t)
{
    t->size = t->field_count = 0;
    if (text.size > FIELD_TEMPLATE_MAX || memchr(text.data, FIELD_MARK, text.size))
        return false;
    memcpy(t->bytes, text.data, text.size);
    t->size = text.size;
    return true;
}

static bool count_templates(encoder *e, const buffer *column)
{
    const uint8_t *end = column->data + column->size;
    if (!buffer_reserve(&e->templates, 1) || !buffer_reserve(&e->entries, 1)) /* a place even where there is no byte */
        return false;
    for (const uint8_t *at = column->data; at < end && !too_many(e);) {
        stamma_text text = next_text(&at, end);
        bool parsed = e->whole ? take_whole(text, &e->parsed) : stamma_field_parse(text, e->plus_after, &e->parsed);
        size_t n = parsed ? count_template(e) : FIELD_TEMPLATES_MAX;
        uint8_t number[2];
        store_u16(number, (uint16_t)(n == FIELD_TEMPLATES_MAX ? 0 : n + 1));
        buffer_add(&e->chosen, number, 2);
        if (n == FIELD_TEMPLATES_MAX)
            continue;
        counted_at(e, n)->uses++;
        for (size_t f = 0; f < e->parsed.field_count; f++) {
            entry x = {.value = e->parsed.values[f],
                       .offset = (uint32_t)((const uint8_t *)e->parsed.texts[f].data - column->data),
                       .size = (uint32_t)e->parsed.texts[f].size};
            buffer_add(&e->entries, &x, sizeof x);
        }
    }
    return !e->chosen.failed && !e->templates.failed && !e->counted.failed && !e->entries.failed;
}

/* Takes the templates that are used often enough, and writes them down. */
static bool choose_templates(encoder *e, buffer *out)
{
    e->used = (field_template *)memory_allocate(e->allocator, (counted_count(e) + 1) * sizeof *e->used);
    if (!e->used)
        return false;
    for (size_t n = 0; n < counted_count(e); n++) {
        counted *c = counted_at(e, n);
        field_template *t = &e->used[e->used_count];
        t->bytes = e->templates.data + c->offset;
        t->size = c->size;
        size_t streams = e->streams.count;
        if (c->uses < TEMPLATE_USES || !stamma_field_prepare(&e->streams, t)) {
            e->streams.count = streams;
            continue;
        }
        c->number = (uint32_t)++e->used_count;
        buffer_add(out, t->bytes, t->size);
        buffer_add_byte(out, 0);
    }
    return true;
}

/* Second pass: template numbers, words and other texts go to their streams, numbers to the entries. */
static bool collect(encoder *e, const buffer *column, const uint32_t *per_game, size_t games, field_streams *out)
{
    const uint8_t *at = column->data, *end = column->data + column->size, *chosen = e->chosen.data;
    const entry *found = (const entry *)(const void *)e->entries.data;
    entry *kept = (entry *)(void *)e->entries.data;
    for (size_t game = 0; game < games; game++)
        for (uint32_t i = 0; i < per_game[game]; i++, chosen += 2) {
            stamma_text text = next_text(&at, end);
            unsigned n = load_u16(chosen);
            uint32_t number = n == 0 ? 0 : counted_at(e, n - 1u)->number;
            stamma_buffer_add_varint(&out->streams[1], number);
            if (number == 0) {
                buffer_add(&out->streams[2], text.data, text.size + 1);
                found += n == 0 ? 0 : counted_at(e, n - 1u)->fields;
                continue;
            }
            const field_template *t = &e->used[number - 1];
            for (size_t f = 0; f < t->field_count; f++, found++) {
                if (e->streams.list[t->streams[f]].word) {
                    buffer *words = &e->sinks[t->streams[f]].symbols;
                    buffer_add(words, column->data + found->offset, found->size);
                    buffer_add_byte(words, 0);
                } else {
                    *kept++ = (entry){.value = found->value, .game = (uint32_t)game + 1, .stream = t->streams[f]};
                }
            }
        }
    e->entries.size = (size_t)((uint8_t *)kept - e->entries.data);
    return at == end;
}

/* 16 log2 x, in whole numbers: linear between the powers of two. */
static uint32_t log2_16(uint32_t x)
{
    unsigned top = bits_last(x);
    return 16 * top + (uint32_t)(((uint64_t)x << 4 >> top) - 16);
}

/* What the differences would cost, in sixteenths of a bit: the entropy of the symbols, and the bits. */
static uint64_t cost_of(const uint32_t histogram[256], uint64_t bits)
{
    uint32_t total = 0;
    uint64_t cost = bits * 16;
    for (unsigned i = 0; i < 256; i++)
        total += histogram[i];
    for (unsigned i = 0; i < 256; i++)
        if (histogram[i] > 0)
            cost += histogram[i] * (uint64_t)(log2_16(total) - log2_16(histogram[i]));
    return cost;
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

static void find_divisors(encoder *e)
{
    const entry *entries = (const entry *)(const void *)e->entries.data;
    size_t count = e->entries.size / sizeof *entries;
    uint64_t divisors[FIELD_KEYS_MAX] = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t *d = &divisors[entries[i].stream];
        int64_t v = entries[i].value;
        if (*d != 1)
            *d = common_divisor(v < 0 ? (uint64_t)0 - (uint64_t)v : (uint64_t)v, *d);
    }
    for (size_t n = 0; n < e->streams.count; n++)
        e->streams.list[n].divisor = divisors[n] == 0 ? 1 : (uint32_t)divisors[n];
}

/* ---- choosing predictors: all candidates of all streams are judged in one pass ---- */

/* One way to foretell a stream, and what its differences would be like. */
typedef struct candidate {
    uint8_t predictor, other, another;
    int64_t error; /* of PREDICT_SPENT with that stream, the last time */
    uint64_t bits;
    uint32_t histogram[256];
} candidate;

typedef struct candidates {
    candidate list[CANDIDATES_MAX];
    size_t count;
    uint32_t judged;
} candidates;

static void add_candidate(candidates *c, unsigned predictor, size_t other, size_t another)
{
    if (c->count == CANDIDATES_MAX)
        return;
    candidate *x = &c->list[c->count++];
    memset(x, 0, sizeof *x);
    x->predictor = (uint8_t)predictor;
    x->other = (uint8_t)other;
    x->another = (uint8_t)another;
}

/* A stream may be foretold from itself, and from the NEIGHBOURS streams before it. */
static void list_candidates(const field_keys *s, size_t n, candidates *c)
{
    c->count = c->judged = 0;
    for (unsigned p = PREDICT_ZERO; p <= PREDICT_SECOND; p++)
        add_candidate(c, p, 0, 0);
    for (size_t i = n < NEIGHBOURS ? 0 : n - NEIGHBOURS; i < n; i++) {
        if (s->list[i].word)
            continue;
        add_candidate(c, PREDICT_SPENT, i, 0);
        add_candidate(c, PREDICT_SPENT_MORE, i, 0);
        add_candidate(c, PREDICT_OTHER, i, 0);
        for (size_t j = n < NEIGHBOURS ? 0 : n - NEIGHBOURS; j < i; j++)
            if (!s->list[j].word)
                add_candidate(c, PREDICT_PRODUCT, i, j);
    }
}

static void judge(const field_keys *s, field_stream *x, candidates *c, int64_t value)
{
    for (size_t i = 0; i < c->count; i++) {
        candidate *k = &c->list[i];
        unsigned more;
        x->error = k->error;
        int64_t d = value - field_predict(s, x, k->predictor, k->other, k->another);
        int64_t divisor = k->predictor <= PREDICT_SECOND ? (int64_t)x->divisor : 1;
        k->histogram[stamma_number_symbol(d / divisor, &more)]++;
        k->bits += more;
        if (k->predictor == PREDICT_SPENT_MORE && x->seen >= 2)
            k->error = value - (x->back[1] - s->list[k->other].back[0]);
    }
    c->judged++;
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

static bool choose_predictors(encoder *e)
{
    const entry *entries = (const entry *)(const void *)e->entries.data;
    size_t count = e->entries.size / sizeof *entries;
    candidates *all = (candidates *)memory_allocate(e->allocator, size_multiply(e->streams.count, sizeof *all));
    if (!all)
        return false;
    for (size_t n = 0; n < e->streams.count; n++)
        list_candidates(&e->streams, n, &all[n]);
    stamma_field_reset(&e->streams);
    for (size_t i = 0; i < count; i++) {
        field_stream *x = &e->streams.list[entries[i].stream];
        field_enter_game(x, entries[i].game);
        if (all[entries[i].stream].judged < SAMPLE)
            judge(&e->streams, x, &all[entries[i].stream], entries[i].value);
        field_push(&e->streams, x, entries[i].value);
    }
    for (size_t n = 0; n < e->streams.count; n++)
        if (!e->streams.list[n].word)
            take_best(&e->streams.list[n], &all[n]);
    memory_release(e->allocator, all);
    return true;
}

static bool write_numbers(encoder *e)
{
    const entry *entries = (const entry *)(const void *)e->entries.data;
    size_t count = e->entries.size / sizeof *entries;
    bool fine = true;
    stamma_field_reset(&e->streams);
    for (size_t i = 0; i < count && fine; i++) {
        field_stream *x = &e->streams.list[entries[i].stream];
        field_enter_game(x, entries[i].game);
        int64_t d = entries[i].value - field_predict(&e->streams, x, x->predictor, x->other, x->another);
        fine = stamma_number_put(&e->sinks[entries[i].stream], d / (int64_t)x->divisor);
        field_push(&e->streams, x, entries[i].value);
    }
    return fine;
}

static void write_parameters(const field_keys *s, buffer *out)
{
    for (size_t n = 0; n < s->count; n++) {
        const field_stream *x = &s->list[n];
        uint8_t bytes[3] = {x->predictor, x->other, x->another};
        if (x->word)
            continue;
        buffer_add(out, bytes, sizeof bytes);
        stamma_buffer_add_varint(out, x->divisor);
    }
}

/* Hands the sinks' buffers over. */
static void give_streams(encoder *e, field_streams *out)
{
    out->count = 4;
    out->words[2] = true;
    for (size_t n = 0; n < e->streams.count; n++) {
        out->words[out->count] = e->streams.list[n].word;
        out->streams[out->count++] = e->sinks[n].symbols;
        if (!e->streams.list[n].word)
            out->streams[out->count++] = e->sinks[n].bits;
        e->sinks[n].symbols.data = e->sinks[n].bits.data = NULL;
    }
}

static stamma_error encode(encoder *e, const buffer *column, const uint32_t *per_game, size_t games, field_streams *out)
{
    stamma_field_find_signs(column->data, column->size, e->plus_after);
    if (!count_templates(e, column))
        return STAMMA_ERROR_NO_MEMORY;
    if (!choose_templates(e, &out->streams[0]))
        return STAMMA_ERROR_NO_MEMORY;
    if (e->used_count == 0 || too_many(e))
        return STAMMA_ERROR_UNSUPPORTED;
    if (!collect(e, column, per_game, games, out))
        return STAMMA_ERROR_NO_MEMORY;
    find_divisors(e);
    if (!choose_predictors(e))
        return STAMMA_ERROR_NO_MEMORY;
    write_parameters(&e->streams, &out->streams[3]);
    if (!write_numbers(e))
        return STAMMA_ERROR_NO_MEMORY;
    give_streams(e, out);
    for (size_t i = 0; i < out->count; i++)
        if (out->streams[i].failed)
            return STAMMA_ERROR_NO_MEMORY;
    return STAMMA_OK;
}

stamma_error stamma_fields_encode(const buffer *column, const uint32_t *per_game, size_t games, bool whole,
                                  const stamma_allocator *allocator, field_streams *out)
{
    encoder *e = (encoder *)memory_allocate(allocator, sizeof *e);
    if (!e)
        return STAMMA_ERROR_NO_MEMORY;
    memset(e, 0, sizeof *e);
    e->whole = whole;
    e->allocator = e->templates.allocator = e->chosen.allocator = e->counted.allocator = e->entries.allocator =
        allocator;
    for (size_t n = 0; n < FIELD_KEYS_MAX; n++)
        e->sinks[n].symbols.allocator = e->sinks[n].bits.allocator = allocator;
    stamma_error error = encode(e, column, per_game, games, out);
    for (size_t n = 0; n < FIELD_KEYS_MAX; n++) {
        stamma_buffer_release(&e->sinks[n].symbols);
        stamma_buffer_release(&e->sinks[n].bits);
    }
    stamma_buffer_release(&e->templates);
    stamma_buffer_release(&e->chosen);
    stamma_buffer_release(&e->counted);
    memory_release(allocator, e->used);
    stamma_buffer_release(&e->entries);
    memory_release(allocator, e);
    return error;
}
