/* SPDX-License-Identifier: MIT */
/* The range coder. When encoding, carries propagate back through the bytes already written. */
#include "entropy/range_coder.h"

void stamma_range_encode_begin(range_encoder *e, buffer *out)
{
    *e = (range_encoder){out, out->size, 0, UINT32_MAX};
}

/* Adds one to the number that the string represents. The number is and remains less than 1. At least one byte is
 * therefore not 255, and the loop ends. */
static void carry(range_encoder *e)
{
    size_t at = e->out->size;
    while (at > e->start && ++e->out->data[--at] == 0)
        ;
}

static void add(range_encoder *e, uint32_t amount)
{
    e->low += amount;
    if (e->low < amount && !e->out->failed)
        carry(e);
}

void stamma_range_encode(range_encoder *e, uint32_t start, uint32_t size, unsigned bits)
{
    uint32_t unit = e->range >> bits;
    add(e, start * unit);
    e->range = start + size == UINT32_C(1) << bits ? e->range - start * unit : size * unit;
    while (e->range < RANGE_LEAST) {
        buffer_add_byte(e->out, (uint8_t)(e->low >> 24));
        e->low <<= 8;
        e->range <<= 8;
    }
}

/* Returns the difference between `low` and the number with the fewest bytes below low + range. *kept becomes the
 * number of its bits that are not omitted: at most one byte, because the range is at least RANGE_LEAST. */
static uint32_t step_to_end(uint32_t low, uint32_t range, unsigned *kept)
{
    uint32_t step = 0 - low;
    *kept = step < range ? 0 : 8;
    return step & UINT32_MAX >> *kept;
}

void stamma_range_encode_end(range_encoder *e)
{
    unsigned kept;
    add(e, step_to_end(e->low, e->range, &kept));
    if (kept > 0)
        buffer_add_byte(e->out, (uint8_t)(e->low >> 24));
    while (!e->out->failed && e->out->size > e->start && e->out->data[e->out->size - 1] == 0)
        e->out->size--;
}

/* The same for the number with the fewest bits that stays below low + range whatever bits follow. *kept becomes the
 * number of its bits, at most 9. */
static uint32_t step_to_bits(uint32_t low, uint32_t range, unsigned *kept)
{
    uint32_t step;
    *kept = 0;
    do
        step = (0 - low) & UINT32_MAX >> ++*kept;
    while (step + (UINT64_C(1) << (32 - *kept)) > range);
    return step;
}

size_t stamma_range_encode_end_bits(range_encoder *e)
{
    unsigned kept;
    add(e, step_to_bits(e->low, e->range, &kept));
    size_t bits = 8 * (e->out->size - e->start) + kept;
    for (unsigned left = (kept + 7) / 8; left > 0; left--, e->low <<= 8)
        buffer_add_byte(e->out, (uint8_t)(e->low >> 24));
    return bits;
}

void stamma_range_decode_begin(range_decoder *d, const uint8_t *bytes, size_t size)
{
    *d = (range_decoder){bytes, bytes, bytes + size, 0, 0, UINT32_MAX, false};
    for (unsigned n = 0; n < 4; n++)
        d->code = d->code << 8 | (d->at < d->end ? *d->at++ : 0);
    d->window = d->code;
    d->outside = d->code >= d->range;
}

bool stamma_range_decode_is_exact(const range_decoder *d)
{
    unsigned kept;
    bool ends = d->at == d->end && (d->end == d->begin || d->end[-1] != 0);
    return ends && !d->outside && d->code == step_to_end(d->window - d->code, d->range, &kept);
}

bool stamma_range_decode_end_bits(const range_decoder *d, size_t *bits)
{
    unsigned kept;
    uint32_t low = d->window - d->code, step = step_to_bits(low, d->range, &kept);
    *bits = 8 * ((size_t)(d->at - d->begin) - 4) + kept;
    return d->at < d->end && !d->outside && (low + step) >> (32 - kept) == d->window >> (32 - kept);
}
