/* SPDX-License-Identifier: MIT */
/* The mixed coder (clause 21). Quotients of negative numbers are rounded towards 0, as in C. */
#include "entropy/mixed_coder.h"

enum {
    STRETCH_MAX = 2047,   /* limit of logits, in 1/256 */
    WEIGHT_START = 10000, /* 0.15 in 1/2^16 */
    WEIGHT_MAX = 1 << 20, /* 16 in 1/2^16: a sum of inputs times weights has 38 bits */
    COUNT_MAX = 15
};

/* 65536 / (1 + exp(-x / 2)) for x from -16 to 16. */
static const uint16_t squash_points[33] = {22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
                                           4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
                                           62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};

/* Returns the probability of 1, in 1/2^16, of a logit in 1/256. */
static uint32_t squash(int32_t logit)
{
    uint32_t at = (uint32_t)(logit + 2048), point = at / 128, rest = at % 128;
    return (squash_points[point] * (128 - rest) + squash_points[point + 1] * rest) / 128;
}

static void fill_tables(mixed_model *m)
{
    int32_t logit = -STRETCH_MAX;
    for (uint32_t p = 0; p < 4096; p++) {
        while (logit < STRETCH_MAX && squash(logit) / 16 < p)
            logit++;
        m->stretched[p] = (int16_t)logit;
    }
    for (uint32_t n = 0; n <= MIXED_COUNT_MAX; n++)
        m->reciprocals[n] = 131072 / (2 * n + 3);
    for (uint32_t state = 0; state < 256; state++) {
        uint32_t zeros = state / 16, ones = state % 16, p = ((2 * ones + 1) << 22) / (2 * (zeros + ones) + 2);
        for (unsigned i = 0; i < MIXED_KINDS * MIXED_CONTEXTS; i++)
            m->maps[i / MIXED_CONTEXTS][i % MIXED_CONTEXTS][state] = p << 10;
    }
    for (size_t set = 0; set < m->sets; set++)
        for (unsigned i = 0; i < MIXED_INPUTS; i++)
            m->weights[set][i] = i < MIXED_CONTEXTS ? WEIGHT_START : 0;
}

/* Allocates a model with slots, or with direct entries if `direct`. */
static mixed_model *make(const stamma_allocator *allocator, unsigned bits, bool direct, size_t sets)
{
    mixed_model *m = (mixed_model *)memory_allocate(allocator, sizeof *m);
    if (!m)
        return NULL;
    *m = (mixed_model){.allocator = allocator, .slot_bits = bits, .sets = sets};
    if (direct)
        m->direct = (uint32_t *)memory_allocate(allocator, sizeof *m->direct << bits);
    else
        m->slots = (uint16_t *)memory_allocate(allocator, sizeof *m->slots << bits);
    m->weights = (int32_t(*)[MIXED_INPUTS])memory_allocate(allocator, size_multiply(sets, sizeof *m->weights));
    if ((!m->direct && !m->slots) || !m->weights) {
        stamma_mixed_delete(m);
        return NULL;
    }
    fill_tables(m);
    return m;
}

mixed_model *stamma_mixed_new(const stamma_allocator *allocator, unsigned slot_bits, size_t sets)
{
    mixed_model *m = make(allocator, slot_bits, false, sets);
    if (m)
        memset(m->slots, 0, sizeof *m->slots << slot_bits);
    return m;
}

mixed_model *stamma_mixed_new_direct(const stamma_allocator *allocator, unsigned map_bits, size_t sets)
{
    mixed_model *m = make(allocator, map_bits, true, sets);
    for (size_t n = 0; m && n < (size_t)1 << map_bits; n++)
        m->direct[n] = UINT32_C(1) << 31;
    return m;
}

void stamma_mixed_delete(mixed_model *m)
{
    if (!m)
        return;
    memory_release(m->allocator, m->slots);
    memory_release(m->allocator, m->direct);
    memory_release(m->allocator, m->weights);
    memory_release(m->allocator, m);
}

/* ---- a decision ---- */

typedef struct found {
    uint16_t *slots[MIXED_CONTEXTS];
    uint32_t *maps[MIXED_CONTEXTS];
    int32_t inputs[MIXED_INPUTS];
} found;

/* Returns the slot of a context. A slot with another check is emptied. */
STAMMA_INLINE uint16_t *find_slot(mixed_model *m, uint32_t h)
{
    uint16_t *slot = &m->slots[h >> (32 - m->slot_bits)], check = (uint16_t)((h & 255) << 8);
    if ((*slot & 0xFF00) != check)
        *slot = check;
    return slot;
}

/* Finds the map entry of a context. Returns whether the context has occurred before. */
STAMMA_INLINE bool find_map(mixed_model *m, const mixed_decision *d, unsigned i, found *f)
{
    uint32_t h = mixed_hash(d->contexts[i], d->node * UINT32_C(0x9E3779B1));
    if (m->direct) {
        f->maps[i] = &m->direct[h >> (32 - m->slot_bits)];
        return (*f->maps[i] & 1023) != 0;
    }
    f->slots[i] = find_slot(m, h);
    unsigned state = *f->slots[i] & 255u;
    f->maps[i] = &m->maps[d->kind][i][state];
    return state != 0;
}

static void look(mixed_model *m, const mixed_decision *d, found *f)
{
    memset(f->inputs, 0, sizeof f->inputs);
    for (unsigned i = 0; i < d->count; i++) {
        if (!find_map(m, d, i, f))
            continue;
        int32_t p = (int32_t)(*f->maps[i] >> 20);
        f->inputs[i] = m->stretched[p];
        f->inputs[MIXED_CONTEXTS + i] = (p - 2048) / 4;
    }
    f->inputs[2 * MIXED_CONTEXTS] = 256;
}

static int32_t mix(const int32_t *weights, const int32_t *inputs)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < MIXED_INPUTS; i++)
        sum += (int64_t)weights[i] * inputs[i];
    sum /= 65536;
    return (int32_t)(sum > STRETCH_MAX ? STRETCH_MAX : sum < -STRETCH_MAX ? -STRETCH_MAX : sum);
}

/* Increments the count of a bit and reduces the count of the other bit. */
STAMMA_INLINE uint16_t counted(uint16_t slot, unsigned bit)
{
    unsigned shift = bit ? 0 : 4, same = slot >> shift & 15u, other = slot >> (4 - shift) & 15u;
    same += same < COUNT_MAX;
    other = other > 2 ? (other + 1) / 2 : other;
    return (uint16_t)((slot & 0xFF00u) | same << shift | other << (4 - shift));
}

static void learn(mixed_model *m, found *f, unsigned count, int32_t *weights, int32_t error, unsigned bit)
{
    for (unsigned i = 0; i < MIXED_INPUTS; i++) {
        int32_t w = weights[i] + f->inputs[i] * error / 65536;
        weights[i] = w > WEIGHT_MAX ? WEIGHT_MAX : w < -WEIGHT_MAX ? -WEIGHT_MAX : w;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t n = *f->maps[i] & 1023;
        int64_t p = *f->maps[i] >> 10, target = bit ? (1 << 22) - 1 : 0;
        p += (target - p) * (int64_t)m->reciprocals[n] / 65536;
        *f->maps[i] = (uint32_t)p << 10 | (n + (n < MIXED_COUNT_MAX));
        if (!m->direct)
            *f->slots[i] = counted(*f->slots[i], bit);
    }
}

static unsigned code(mixed_stream *s, uint32_t ones, unsigned bit)
{
    if (s->out.out) {
        stamma_range_encode(&s->out, bit ? 0 : ones, bit ? ones : 65536 - ones, 16);
        return bit;
    }
    bit = range_decode_target(&s->in, 16) < ones;
    range_decode_pass(&s->in, bit ? 0 : ones, bit ? ones : 65536 - ones, 16);
    return bit;
}

unsigned stamma_mixed_bit(mixed_model *m, mixed_stream *s, const mixed_decision *d, unsigned bit)
{
    found f;
    look(m, d, &f);
    int32_t *weights = m->weights[d->set];
    uint32_t ones = squash(mix(weights, f.inputs));
    bit = code(s, ones, bit);
    learn(m, &f, d->count, weights, (int32_t)(bit << 16) - (int32_t)ones, bit);
    return bit;
}
