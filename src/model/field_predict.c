/* How the numbers in a column's fields are foretold, and the differences written (doc/format.md, clauses 10.5 to 10.8).
 */
#include "model/model.h"

enum {
    SAMPLE = 4000, /* values that a stream's predictors are judged by */
    NEIGHBOURS = 8,
    CANDIDATES_MAX = 3 + 3 * NEIGHBOURS + NEIGHBOURS * (NEIGHBOURS - 1) / 2
};

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

static void find_divisors(field_keys *s, field_numbers numbers)
{
    uint64_t divisors[FIELD_KEYS_MAX] = {0};
    for (size_t i = 0; i < numbers.count; i++) {
        uint64_t *d = &divisors[numbers.list[i].stream];
        int64_t v = numbers.list[i].value;
        if (*d != 1)
            *d = common_divisor(v < 0 ? (uint64_t)0 - (uint64_t)v : (uint64_t)v, *d);
    }
    for (size_t n = 0; n < s->count; n++)
        s->list[n].divisor = divisors[n] == 0 ? 1 : (uint32_t)divisors[n];
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

static bool choose_predictors(field_keys *s, field_numbers numbers, const stamma_allocator *allocator)
{
    candidates *all = (candidates *)memory_allocate(allocator, size_multiply(s->count, sizeof *all));
    if (!all)
        return false;
    for (size_t n = 0; n < s->count; n++)
        list_candidates(s, n, &all[n]);
    stamma_field_reset(s);
    for (size_t i = 0; i < numbers.count; i++) {
        field_stream *x = &s->list[numbers.list[i].stream];
        field_enter_game(x, numbers.list[i].game);
        if (all[numbers.list[i].stream].judged < SAMPLE)
            judge(s, x, &all[numbers.list[i].stream], numbers.list[i].value);
        field_push(s, x, numbers.list[i].value);
    }
    for (size_t n = 0; n < s->count; n++)
        if (!s->list[n].word)
            take_best(&s->list[n], &all[n]);
    memory_release(allocator, all);
    return true;
}

static bool write_numbers(field_keys *s, field_numbers numbers, number_sink sinks[FIELD_KEYS_MAX])
{
    bool fine = true;
    stamma_field_reset(s);
    for (size_t i = 0; i < numbers.count && fine; i++) {
        field_stream *x = &s->list[numbers.list[i].stream];
        field_enter_game(x, numbers.list[i].game);
        int64_t d = numbers.list[i].value - field_predict(s, x, x->predictor, x->other, x->another);
        fine = stamma_number_put(&sinks[numbers.list[i].stream], d / (int64_t)x->divisor);
        field_push(s, x, numbers.list[i].value);
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

bool stamma_field_write_numbers(field_keys *s, field_numbers numbers, const stamma_allocator *allocator,
                                number_sink sinks[FIELD_KEYS_MAX], buffer *parameters)
{
    find_divisors(s, numbers);
    if (!choose_predictors(s, numbers, allocator))
        return false;
    write_parameters(s, parameters);
    return write_numbers(s, numbers, sinks);
}
