/* SPDX-License-Identifier: MIT */
/* Codes the residuals of one key as decisions of the mixed coder (clause 14.13): whether the residual is
 * 0, whether it is below 0, the number of bits of its magnitude, and these bits. */
#include "fields/fields.h"

enum {
    KINDS = 4,           /* number of contexts */
    MAGNITUDE_BITS = 54, /* larger magnitudes are corrupt */
    SET_SIZES = 2,       /* first set of weights for the number of bits, by bits so far */
    /* first set of weights for the bits, by number of bits and place of the bit; later places share a set */
    SET_BITS = 64,
    PLACES = 16,
    SETS = SET_BITS + MAGNITUDE_BITS * PLACES,
    NODE_SIZES = 2, /* first node for the number of bits; NODE_BITS: factor for the known bits */
    NODE_BITS = 128,
    MEAN_UNIT = 16,
    MEAN_OF = 5 /* approximate number of residuals in the mean */
};

field_mixer *stamma_field_mixer_new(const stamma_allocator *allocator, unsigned map_bits)
{
    field_mixer *m = (field_mixer *)memory_allocate(allocator, sizeof *m);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->string.allocator = allocator;
    m->model = stamma_mixed_new_direct(allocator, map_bits, SETS);
    if (m->model)
        return m;
    memory_release(allocator, m);
    return NULL;
}

void stamma_field_mixer_delete(field_mixer *m, const stamma_allocator *allocator)
{
    if (!m)
        return;
    stamma_mixed_delete(m->model);
    stamma_buffer_release(&m->string);
    memory_release(allocator, m);
}

void stamma_field_delete_mixers(field_keys *s, const stamma_allocator *allocator)
{
    for (size_t n = 0; n < s->count; n++) {
        stamma_field_mixer_delete(s->list[n].mixer, allocator);
        s->list[n].mixer = NULL;
    }
}

/* ---- contexts ---- */

STAMMA_INLINE uint64_t magnitude(int64_t x)
{
    return x < 0 ? (uint64_t)0 - (uint64_t)x : (uint64_t)x;
}

/* Returns the logarithm of the magnitude in quarters of an octave, and the sign. */
static uint32_t level_of(int64_t x)
{
    uint64_t m = magnitude(x);
    uint32_t bits = context_bits(m), level = m < 4 ? (uint32_t)m : 4 * bits - 8 + (uint32_t)(m >> (bits - 3) & 3);
    return 2 * level + (x >= 0);
}

/* Returns the five highest bits of the magnitude plus 2, and its number of bits. */
static uint32_t first_of(int64_t x)
{
    uint64_t m = magnitude(x) + 2;
    uint32_t bits = context_bits(m);
    return bits <= 5 ? (uint32_t)m : (uint32_t)(m >> (bits - 5)) + 32 * bits;
}

static uint32_t octave_of(int64_t x)
{
    return 2 * context_bits(magnitude(x)) + (x > 0);
}

static void find_contexts(const field_mixer *m, const field_stream *x, mixed_decision *d)
{
    const int64_t *r = m->residuals;
    uint32_t first = first_of(x->first[0]), second = level_of(x->back[1]), position = x->seen < 255 ? x->seen : 255;
    uint32_t octaves = (octave_of(r[1]) * 64 + octave_of(r[3])) * 64 + octave_of(r[5]);
    uint32_t mean = level_of(m->means[x->seen & 1] / MEAN_UNIT);
    const uint32_t contexts[KINDS] = {second << 16 | first, position << 16 | first, mean << 16 | second,
                                      octaves * 64 + octave_of(r[0])};
    *d = (mixed_decision){.count = KINDS};
    for (uint32_t n = 0; n < KINDS; n++)
        d->contexts[n] = mixed_hash(contexts[n], n + 1);
}

/* ---- decisions ---- */

static unsigned decide(field_mixer *m, mixed_decision *d, size_t node, size_t set, unsigned bit)
{
    d->node = (uint32_t)node;
    d->set = set;
    return stamma_mixed_bit(m->model, &m->stream, d, bit);
}

/* Codes the number of bits after the highest bit. Returns MAGNITUDE_BITS if there are too many. */
static unsigned code_size(field_mixer *m, mixed_decision *d, unsigned below, unsigned size)
{
    unsigned n = 0;
    while (n < MAGNITUDE_BITS && !decide(m, d, NODE_SIZES + 2 * n + below, SET_SIZES + n, n == size))
        n++;
    return n;
}

static uint64_t code_bits(field_mixer *m, mixed_decision *d, unsigned below, unsigned size, uint64_t value)
{
    uint64_t known = 1;
    for (unsigned n = 0; n < size; n++) {
        size_t set = SET_BITS + PLACES * (size_t)size + (n < PLACES ? n : PLACES - 1);
        uint32_t node = (uint32_t)(NODE_BITS * known) + 2 * size + below;
        known = 2 * known + decide(m, d, node, set, (unsigned)(value >> (size - 1 - n) & 1));
    }
    return known;
}

static void note(field_mixer *m, const field_stream *x, int64_t residual)
{
    int64_t *mean = &m->means[x->seen & 1], count = x->seen / 2 + 1;
    memmove(m->residuals + 1, m->residuals, sizeof m->residuals - sizeof *m->residuals);
    m->residuals[0] = residual;
    *mean += (MEAN_UNIT * residual - *mean) / (count < MEAN_OF ? count : MEAN_OF);
}

int64_t stamma_field_mix(field_mixer *m, const field_stream *x, int64_t residual)
{
    mixed_decision d;
    uint64_t value = magnitude(residual);
    if (!m->stream.out.out && m->left-- == 0)
        return FIELD_NO_VALUE;
    if (x->seen == 0) {
        memset(m->residuals, 0, sizeof m->residuals);
        memset(m->means, 0, sizeof m->means);
    }
    find_contexts(m, x, &d);
    if (decide(m, &d, 0, 0, residual == 0)) {
        note(m, x, 0);
        return 0;
    }
    unsigned below = decide(m, &d, 1, 1, residual < 0);
    unsigned size = code_size(m, &d, below, value ? context_bits(value) - 1 : 0);
    if (size == MAGNITUDE_BITS)
        return FIELD_NO_VALUE;
    value = code_bits(m, &d, below, size, value);
    residual = below ? -(int64_t)value : (int64_t)value;
    note(m, x, residual);
    return residual;
}
