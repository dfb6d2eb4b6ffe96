/* SPDX-License-Identifier: MIT */
/* Bit strings, most significant bit first. */
#include "base/base.h"

void stamma_bits_write(bit_writer *w, uint64_t value, unsigned count)
{
    if (w->failed || count > w->capacity - w->size) {
        w->failed = true;
        return;
    }
    while (count > 0) {
        unsigned free_bits = 8 - (unsigned)(w->size & 7);
        unsigned taken = count < free_bits ? count : free_bits;
        uint8_t *byte = w->data + (w->size >> 3);
        if (free_bits == 8)
            *byte = 0;
        uint64_t chunk = value >> (count - taken) & ((1u << taken) - 1);
        *byte = (uint8_t)(*byte | chunk << (free_bits - taken));
        w->size += taken;
        count -= taken;
    }
}

/* Reads up to 57 bits, starting at any bit of a byte, with one load of eight bytes. */
static uint64_t read_few(bit_reader *r, unsigned count)
{
    uint64_t bytes = load_u64_high_first(r->data + (r->at >> 3)) << (r->at & 7);
    r->at += count;
    return count == 0 ? 0 : bytes >> (64 - count);
}

uint64_t stamma_bits_read(bit_reader *r, unsigned count)
{
    if (STAMMA_LIKELY(count <= 57 && r->size - r->at >= 64 + 7))
        return read_few(r, count);
    if (count > r->size - r->at) {
        r->failed = true;
        r->at = r->size;
        return 0;
    }
    uint64_t value = 0;
    while (count > 0) {
        unsigned left = 8 - (unsigned)(r->at & 7);
        unsigned taken = count < left ? count : left;
        unsigned byte = r->data[r->at >> 3];
        value = value << taken | (byte >> (left - taken) & ((1u << taken) - 1));
        r->at += taken;
        count -= taken;
    }
    return value;
}
