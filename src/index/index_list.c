/* SPDX-License-Identifier: MIT */
/* Lists of ascending numbers: Rice codes of differences (R. F. Rice, "Some Practical Universal Noiseless Coding
 * Techniques", 1979). The length of the list and the size of the universe determine the parameter. */
#include "index/index.h"

/* ---- writing ---- */

typedef struct bit_sink {
    buffer *out;
    uint64_t word;
    unsigned bits;
} bit_sink;

static void put(bit_sink *w, uint64_t value, unsigned bits)
{
    w->word |= value << w->bits;
    w->bits += bits;
    for (; w->bits >= 8; w->bits -= 8, w->word >>= 8)
        buffer_add_byte(w->out, (uint8_t)w->word);
}

void stamma_index_list_write(buffer *out, const uint32_t *numbers, size_t count, uint32_t universe)
{
    bit_sink w = {.out = out};
    unsigned shift = index_rice_shift(count, universe);
    uint32_t next = 0;
    stamma_buffer_add_varint(out, count);
    for (size_t n = 0; n < count; n++) {
        uint32_t step = numbers[n] - next;
        for (uint32_t high = step >> shift; high > 0; high--)
            put(&w, 1, 1);
        put(&w, 0, 1);
        put(&w, step & ((UINT32_C(1) << shift) - 1), shift);
        next = numbers[n] + 1;
    }
    if (w.bits > 0)
        buffer_add_byte(out, (uint8_t)w.word);
}

/* ---- reading ---- */

void stamma_index_list_begin(index_list *list, const uint8_t *bytes, size_t size, uint32_t universe)
{
    cursor in = {bytes, bytes + size, false};
    uint64_t count = size > 0 ? stamma_cursor_varint(&in) : 0;
    *list = (index_list){.at = in.at, .end = in.end, .left = (uint32_t)count};
    list->failed = in.failed || count > universe;
    list->shift = list->failed ? 0 : index_rice_shift(count, universe);
}

/* Returns at least 56 bits from the current place; bits after the end are zeros. */
static uint64_t window(const index_list *list)
{
    uint64_t word = 0;
    size_t left = (size_t)(list->end - list->at);
    if (STAMMA_LIKELY(left >= 8))
        return load_u64(list->at) >> list->bit;
    for (size_t n = 0; n < left; n++)
        word |= (uint64_t)list->at[n] << 8 * n;
    return word >> list->bit;
}

/* Returns false if fewer bits are left. */
static bool skip(index_list *list, unsigned bits)
{
    unsigned bit = list->bit + bits;
    if ((size_t)(list->end - list->at) * 8 < bit)
        return false;
    list->at += bit >> 3;
    list->bit = bit & 7;
    return true;
}

/* Reads a number in unary: ones, then a zero. */
static bool read_unary(index_list *list, uint32_t universe, uint32_t *number)
{
    enum { AT_ONCE = 48 };
    *number = 0;
    for (;;) {
        uint64_t zeros = ~window(list) & ((UINT64_C(1) << AT_ONCE) - 1);
        unsigned ones = zeros ? bits_first(zeros) : AT_ONCE;
        *number += ones;
        if (*number > universe || !skip(list, zeros ? ones + 1 : ones))
            return false;
        if (zeros)
            return true;
    }
}

bool stamma_index_list_next(index_list *list, uint32_t universe, uint32_t *number)
{
    uint32_t high;
    if (list->left == 0 || list->failed)
        return false;
    list->failed = true;
    if (!read_unary(list, universe, &high))
        return false;
    uint64_t low = window(list) & ((UINT64_C(1) << list->shift) - 1);
    uint64_t next = list->last + ((uint64_t)high << list->shift) + low;
    if (next >= universe || !skip(list, list->shift))
        return false;
    *number = (uint32_t)next;
    list->last = *number + 1;
    list->left--;
    list->failed = false;
    return true;
}
