/* A column of texts that programs wrote, as templates and streams of fields, each predicted from what is known before
 * it.
 *
 * A field's stream is found by its key: the type, and the bytes of the template before the field back to a blank, comma
 * or bracket. So "tl=5" is one stream in whatever template it stands. Both sides keep the same history of each stream.
 */
#include "model/model.h"

enum {
    TEMPLATES_MAX = 4096, /* different templates that are counted */
    TEMPLATE_USES = 4,    /* a rarer template is no template */
    STREAMS_MAX = (FIELD_STREAMS_MAX - 4) / 2,
    KEY_MAX = 12,
    HASH_SIZE = 16384,
    SAMPLE = 4000, /* values that a stream's predictors are judged by */
    NEIGHBOURS = 8,
    CANDIDATES_MAX = 3 + 3 * NEIGHBOURS + NEIGHBOURS * (NEIGHBOURS - 1) / 2,
    ENTRIES_MAX = 1 << 22 /* fields in a column */
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

typedef struct stream {
    uint8_t key[KEY_MAX + 1];
    uint8_t key_size;
    bool word;
    uint8_t predictor;
    uint8_t other, another;
    uint32_t divisor;
    /* history */
    uint32_t game;   /* that the last value stood in, from 1 */
    uint32_t seen;   /* values in that game */
    int64_t back[2]; /* the last value and the one before; when a game begins, the first two of the game before */
    int64_t first[2];
    int64_t error; /* of PREDICT_SPENT, the last time */
} stream;

typedef struct streams {
    stream list[STREAMS_MAX];
    size_t count;
} streams;

/* ---- history and prediction ---- */

static void reset_history(streams *s)
{
    for (size_t i = 0; i < s->count; i++) {
        stream *x = &s->list[i];
        x->game = x->seen = 0;
        x->error = x->back[0] = x->back[1] = x->first[0] = x->first[1] = 0;
    }
}

static void enter_game(stream *x, uint32_t game)
{
    if (x->game == game)
        return;
    x->game = game;
    x->seen = 0;
    x->back[0] = x->first[1];
    x->back[1] = x->first[0];
}

static int64_t product(int64_t a, int64_t b)
{
    bool small = a >= 0 && b >= 0 && a < INT32_MAX && b < INT32_MAX;
    return small ? a * b / 1000 : 0;
}

static int64_t predict(const streams *s, const stream *x, unsigned predictor, unsigned other, unsigned another)
{
    switch (predictor) {
    case PREDICT_LAST: return x->back[0];
    case PREDICT_SECOND: return x->back[1];
    case PREDICT_SPENT: return x->back[1] - s->list[other].back[0];
    case PREDICT_SPENT_MORE: return x->back[1] - s->list[other].back[0] + x->error;
    case PREDICT_PRODUCT: return product(s->list[other].back[0], s->list[another].back[0]);
    case PREDICT_OTHER: return s->list[other].back[0];
    default: return 0;
    }
}

static void push(const streams *s, stream *x, int64_t value)
{
    bool spent = x->predictor == PREDICT_SPENT || x->predictor == PREDICT_SPENT_MORE;
    if (spent && x->seen >= 2)
        x->error = value - (x->back[1] - s->list[x->other].back[0]);
    if (x->seen < 2)
        x->first[x->seen] = value;
    x->seen++;
    x->back[1] = x->back[0];
    x->back[0] = value;
}

/* ---- templates and their streams ---- */

static bool ends_key(uint8_t byte)
{
    return byte == ' ' || byte == ',' || byte == '{' || byte == '[' || byte == '(' || byte == ';';
}

/* Types that differ in their sign alone share a stream. */
static uint8_t key_type(uint8_t type)
{
    return type >= FIELD_DECIMAL + 3 && type < FIELD_DECIMAL + 6 ? (uint8_t)(type - 3) : type;
}

/* The stream of the field whose mark is at `at` in a template; made where there is none yet. STREAMS_MAX: no room. */
static size_t find_stream(streams *s, const uint8_t *bytes, size_t at)
{
    uint8_t key[KEY_MAX + 1] = {key_type(bytes[at + 1])};
    size_t begin = at;
    while (begin > 0 && at - begin < KEY_MAX && !ends_key(bytes[begin - 1]) &&
           !(begin > 1 && bytes[begin - 2] == FIELD_MARK))
        begin--;
    size_t size = 1 + at - begin;
    memcpy(key + 1, bytes + begin, size - 1);
    size_t i = 0;
    while (i < s->count && (s->list[i].key_size != size || memcmp(s->list[i].key, key, size) != 0))
        i++;
    if (i < s->count || i == STREAMS_MAX)
        return i;
    stream *x = &s->list[s->count++];
    memset(x, 0, sizeof *x);
    memcpy(x->key, key, size);
    x->key_size = (uint8_t)size;
    x->word = key[0] == FIELD_WORD;
    x->divisor = 1;
    return i;
}

/* A template that is in use. */
typedef struct field_template {
    const uint8_t *bytes;
    size_t size;
    size_t field_count;
    uint8_t streams[FIELDS_MAX];
} field_template;

static bool is_field_type(uint8_t type)
{
    return (type >= FIELD_DECIMAL && type < FIELD_DECIMAL + 6) || (type != 0 && memchr("nptuw", type, 5));
}

static bool is_natural(char type)
{
    return type == FIELD_NUMBER || type == FIELD_PAIR || type == FIELD_TIME || type == FIELD_TIME_TWO;
}

/* Finds the streams of a template's fields. False where it is malformed or there are too many. */
static bool prepare_template(streams *s, field_template *t)
{
    t->field_count = 0;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK)
            continue;
        if (i + 1 == t->size || !is_field_type(t->bytes[i + 1]) || t->field_count == FIELDS_MAX)
            return false;
        size_t stream = find_stream(s, t->bytes, i);
        if (stream == STREAMS_MAX)
            return false;
        t->streams[t->field_count++] = (uint8_t)stream;
        i++;
    }
    return true;
}

/* ---- encoding ---- */

typedef struct counted {
    uint32_t offset; /* in encoder.templates */
    uint32_t size;
    uint32_t uses;
    uint32_t number; /* in the file, from 1; 0: not used */
} counted;

typedef struct entry {
    int64_t value;
    uint32_t game;
    uint32_t stream;
} entry;

typedef struct encoder {
    const stamma_allocator *allocator;
    buffer templates; /* bytes of all counted */
    counted counted[TEMPLATES_MAX];
    size_t counted_count;
    uint16_t hash[HASH_SIZE]; /* 1 + number in counted */
    buffer chosen;            /* uint16_t for each text: 1 + number in counted, or 0 */
    field_template used[TEMPLATES_MAX];
    size_t used_count;
    buffer entries;
    streams streams;
    bool plus_after[256];
    field_text parsed;
    number_sink sinks[STREAMS_MAX];
} encoder;

static uint32_t hash_of(const uint8_t *bytes, size_t size)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The number of the parsed text's template among those counted, or TEMPLATES_MAX. */
static size_t count_template(encoder *e)
{
    const field_text *t = &e->parsed;
    uint32_t slot = hash_of(t->bytes, t->size) % HASH_SIZE;
    for (; e->hash[slot] != 0; slot = (slot + 1) % HASH_SIZE) {
        size_t n = e->hash[slot] - 1u;
        if (e->counted[n].size == t->size && memcmp(e->templates.data + e->counted[n].offset, t->bytes, t->size) == 0)
            return n;
    }
    if (e->counted_count == TEMPLATES_MAX)
        return TEMPLATES_MAX;
    e->counted[e->counted_count] = (counted){(uint32_t)e->templates.size, (uint32_t)t->size, 0, 0};
    buffer_add(&e->templates, t->bytes, t->size);
    e->hash[slot] = (uint16_t)(++e->counted_count);
    return e->counted_count - 1;
}

static stamma_text next_text(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *zero = (const uint8_t *)memchr(*at, 0, (size_t)(end - *at));
    stamma_text text = {(const char *)*at, (size_t)(zero - *at)};
    *at = zero + 1;
    return text;
}

static bool count_templates(encoder *e, const buffer *column)
{
    const uint8_t *end = column->data + column->size;
    for (const uint8_t *at = column->data; at < end;) {
        stamma_text text = next_text(&at, end);
        size_t n = stamma_field_parse(text, e->plus_after, &e->parsed) ? count_template(e) : TEMPLATES_MAX;
        uint8_t number[2];
        store_u16(number, (uint16_t)(n == TEMPLATES_MAX ? 0 : n + 1));
        buffer_add(&e->chosen, number, 2);
        if (n < TEMPLATES_MAX)
            e->counted[n].uses++;
    }
    return !e->chosen.failed && !e->templates.failed;
}

/* Takes the templates that are used often enough, and writes them down. */
static void choose_templates(encoder *e, buffer *out)
{
    for (size_t n = 0; n < e->counted_count; n++) {
        counted *c = &e->counted[n];
        field_template *t = &e->used[e->used_count];
        t->bytes = e->templates.data + c->offset;
        t->size = c->size;
        size_t streams = e->streams.count;
        if (c->uses < TEMPLATE_USES || !prepare_template(&e->streams, t)) {
            e->streams.count = streams;
            continue;
        }
        c->number = (uint32_t)++e->used_count;
        buffer_add(out, t->bytes, t->size);
        buffer_add_byte(out, 0);
    }
}

/* Second pass: template numbers, words and other texts go to their streams, numbers to the entries. */
static bool collect(encoder *e, const buffer *column, const uint32_t *per_game, size_t games, field_streams *out)
{
    const uint8_t *at = column->data, *end = column->data + column->size, *chosen = e->chosen.data;
    for (size_t game = 0; game < games; game++)
        for (uint32_t i = 0; i < per_game[game]; i++, chosen += 2) {
            stamma_text text = next_text(&at, end);
            unsigned n = load_u16(chosen);
            uint32_t number = n == 0 ? 0 : e->counted[n - 1].number;
            stamma_buffer_add_varint(&out->streams[1], number);
            if (number == 0) {
                buffer_add(&out->streams[2], text.data, text.size + 1);
                continue;
            }
            const field_template *t = &e->used[number - 1];
            stamma_field_parse(text, e->plus_after, &e->parsed);
            for (size_t f = 0; f < t->field_count; f++) {
                entry x = {e->parsed.values[f], (uint32_t)game + 1, t->streams[f]};
                if (e->streams.list[x.stream].word) {
                    buffer *words = &e->sinks[x.stream].symbols;
                    buffer_add(words, e->parsed.texts[f].data, e->parsed.texts[f].size);
                    buffer_add_byte(words, 0);
                } else {
                    buffer_add(&e->entries, &x, sizeof x);
                }
            }
        }
    return at == end && !e->entries.failed;
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
    uint64_t divisors[STREAMS_MAX] = {0};
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
static void list_candidates(const streams *s, size_t n, candidates *c)
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

static void judge(const streams *s, stream *x, candidates *c, int64_t value)
{
    for (size_t i = 0; i < c->count; i++) {
        candidate *k = &c->list[i];
        unsigned more;
        x->error = k->error;
        int64_t d = value - predict(s, x, k->predictor, k->other, k->another);
        int64_t divisor = k->predictor <= PREDICT_SECOND ? (int64_t)x->divisor : 1;
        k->histogram[stamma_number_symbol(d / divisor, &more)]++;
        k->bits += more;
        if (k->predictor == PREDICT_SPENT_MORE && x->seen >= 2)
            k->error = value - (x->back[1] - s->list[k->other].back[0]);
    }
    c->judged++;
}

static void take_best(stream *x, const candidates *c)
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
    reset_history(&e->streams);
    for (size_t i = 0; i < count; i++) {
        stream *x = &e->streams.list[entries[i].stream];
        enter_game(x, entries[i].game);
        if (all[entries[i].stream].judged < SAMPLE)
            judge(&e->streams, x, &all[entries[i].stream], entries[i].value);
        push(&e->streams, x, entries[i].value);
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
    reset_history(&e->streams);
    for (size_t i = 0; i < count && fine; i++) {
        stream *x = &e->streams.list[entries[i].stream];
        enter_game(x, entries[i].game);
        int64_t d = entries[i].value - predict(&e->streams, x, x->predictor, x->other, x->another);
        fine = stamma_number_put(&e->sinks[entries[i].stream], d / (int64_t)x->divisor);
        push(&e->streams, x, entries[i].value);
    }
    return fine;
}

static void write_parameters(const streams *s, buffer *out)
{
    for (size_t n = 0; n < s->count; n++) {
        const stream *x = &s->list[n];
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
    choose_templates(e, &out->streams[0]);
    if (e->used_count == 0)
        return STAMMA_ERROR_UNSUPPORTED;
    if (!collect(e, column, per_game, games, out))
        return STAMMA_ERROR_NO_MEMORY;
    if (e->entries.size > ENTRIES_MAX * sizeof(entry))
        return STAMMA_ERROR_UNSUPPORTED;
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

stamma_error stamma_fields_encode(const buffer *column, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, field_streams *out)
{
    encoder *e = (encoder *)memory_allocate(allocator, sizeof *e);
    if (!e)
        return STAMMA_ERROR_NO_MEMORY;
    memset(e, 0, sizeof *e);
    e->allocator = e->templates.allocator = e->chosen.allocator = e->entries.allocator = allocator;
    for (size_t n = 0; n < STREAMS_MAX; n++)
        e->sinks[n].symbols.allocator = e->sinks[n].bits.allocator = allocator;
    stamma_error error = encode(e, column, per_game, games, out);
    for (size_t n = 0; n < STREAMS_MAX; n++) {
        stamma_buffer_release(&e->sinks[n].symbols);
        stamma_buffer_release(&e->sinks[n].bits);
    }
    stamma_buffer_release(&e->templates);
    stamma_buffer_release(&e->chosen);
    stamma_buffer_release(&e->entries);
    memory_release(allocator, e);
    return error;
}

/* ---- decoding ---- */

typedef struct decoder {
    streams streams;
    field_template used[TEMPLATES_MAX];
    size_t used_count;
    cursor numbers, others;
    number_source sources[STREAMS_MAX]; /* of words: symbols alone */
    buffer *out;
    size_t limit;
} decoder;

static cursor cursor_of(const buffer *b)
{
    static const uint8_t nothing = 0;
    const uint8_t *data = b->data ? b->data : &nothing;
    return (cursor){data, data + b->size, false};
}

static bool read_templates(decoder *d, const buffer *templates)
{
    cursor c = cursor_of(templates);
    while (cursor_left(&c) > 0) {
        const uint8_t *zero = (const uint8_t *)memchr(c.at, 0, cursor_left(&c));
        if (!zero || d->used_count == TEMPLATES_MAX)
            return false;
        field_template *t = &d->used[d->used_count++];
        t->bytes = c.at;
        t->size = (size_t)(zero - c.at);
        if (t->size > FIELD_TEMPLATE_MAX || !prepare_template(&d->streams, t))
            return false;
        c.at = zero + 1;
    }
    return true;
}

static bool read_parameters(decoder *d, const buffer *parameters)
{
    cursor c = cursor_of(parameters);
    for (size_t n = 0; n < d->streams.count; n++) {
        stream *x = &d->streams.list[n];
        if (x->word)
            continue;
        x->predictor = cursor_byte(&c);
        x->other = cursor_byte(&c);
        x->another = cursor_byte(&c);
        uint64_t divisor = stamma_cursor_varint(&c);
        if (c.failed || x->predictor >= PREDICTORS || x->other >= d->streams.count || x->another >= d->streams.count ||
            divisor == 0 || divisor > 1000000)
            return false;
        x->divisor = (uint32_t)divisor;
    }
    return cursor_left(&c) == 0;
}

static bool take_streams(decoder *d, const field_streams *in)
{
    size_t at = 4;
    for (size_t n = 0; n < d->streams.count; n++) {
        if (at + !d->streams.list[n].word >= in->count)
            return false;
        d->sources[n].symbols = cursor_of(&in->streams[at++]);
        if (!d->streams.list[n].word) {
            const buffer *bits = &in->streams[at++];
            d->sources[n].bits = (bit_reader){bits->data, bits->size * 8, 0, false};
        }
    }
    return at == in->count;
}

/* Copies a text with its zero byte, or without it. */
static bool copy_text(decoder *d, cursor *from, bool with_zero)
{
    const uint8_t *zero = cursor_left(from) == 0 ? NULL : (const uint8_t *)memchr(from->at, 0, cursor_left(from));
    if (!zero)
        return false;
    buffer_add(d->out, from->at, (size_t)(zero - from->at) + with_zero);
    from->at = zero + 1;
    return true;
}

static bool decode_field(decoder *d, unsigned n, char type, uint32_t game)
{
    stream *x = &d->streams.list[n];
    int64_t difference;
    if (x->word)
        return copy_text(d, &d->sources[n].symbols, false);
    if (!stamma_number_take(&d->sources[n], &difference))
        return false;
    enter_game(x, game);
    int64_t limit = (int64_t)1 << 53, divisor = x->divisor;
    if (difference > limit / divisor || difference < -limit / divisor)
        return false;
    int64_t value = predict(&d->streams, x, x->predictor, x->other, x->another) + difference * divisor;
    if (value > limit || value < -limit || (value < 0 && is_natural(type)))
        return false;
    push(&d->streams, x, value);
    char *out = (char *)d->out->data + d->out->size;
    d->out->size += stamma_field_write(type, value, out);
    return true;
}

/* Room for a whole template's bytes and numbers is made at once. */
static bool decode_text(decoder *d, const field_template *t, uint32_t game)
{
    size_t field = 0;
    if (!buffer_reserve(d->out, t->size + 32 * t->field_count + 1))
        return false;
    for (size_t i = 0; i < t->size; i++) {
        if (t->bytes[i] != FIELD_MARK) {
            d->out->data[d->out->size++] = t->bytes[i];
            continue;
        }
        char type = (char)t->bytes[++i];
        if (!decode_field(d, t->streams[field++], type, game) ||
            !buffer_reserve(d->out, t->size - i + 32 * (t->field_count - field) + 1))
            return false;
    }
    d->out->data[d->out->size++] = 0;
    return true;
}

/* Whether all streams are used up, but for zero bits in a last byte (10.6). */
static bool sources_are_done(decoder *d)
{
    for (size_t n = 0; n < d->streams.count; n++) {
        number_source *s = &d->sources[n];
        size_t bits = s->bits.size - s->bits.at;
        if (cursor_left(&s->symbols) != 0 || bits > 7 || stamma_bits_read(&s->bits, (unsigned)bits) != 0)
            return false;
    }
    return true;
}

static bool decode(decoder *d, const field_streams *in, const uint32_t *per_game, size_t games)
{
    if (in->count < 4 || !read_templates(d, &in->streams[0]) || !read_parameters(d, &in->streams[3]) ||
        !take_streams(d, in))
        return false;
    d->numbers = cursor_of(&in->streams[1]);
    d->others = cursor_of(&in->streams[2]);
    for (size_t game = 0; game < games; game++)
        for (uint32_t i = 0; i < per_game[game]; i++) {
            uint64_t number = stamma_cursor_varint(&d->numbers);
            if (d->numbers.failed || number > d->used_count || d->out->size > d->limit)
                return false;
            if (number == 0 ? !copy_text(d, &d->others, true)
                            : !decode_text(d, &d->used[number - 1], (uint32_t)game + 1))
                return false;
        }
    return cursor_left(&d->numbers) == 0 && cursor_left(&d->others) == 0 && sources_are_done(d);
}

stamma_error stamma_fields_decode(const field_streams *in, const uint32_t *per_game, size_t games,
                                  const stamma_allocator *allocator, size_t limit, buffer *column)
{
    decoder *d = (decoder *)memory_allocate(allocator, sizeof *d);
    if (!d)
        return STAMMA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof *d);
    d->out = column;
    d->limit = limit;
    bool fine = decode(d, in, per_game, games);
    memory_release(allocator, d);
    return column->failed ? STAMMA_ERROR_NO_MEMORY : fine ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}

/* ---- streams ---- */

void stamma_field_streams_init(field_streams *s, const stamma_allocator *allocator)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < FIELD_STREAMS_MAX; i++)
        s->streams[i].allocator = allocator;
}

void stamma_field_streams_release(field_streams *s)
{
    for (size_t i = 0; i < FIELD_STREAMS_MAX; i++)
        stamma_buffer_release(&s->streams[i]);
    s->count = 0;
}
