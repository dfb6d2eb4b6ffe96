/* SPDX-License-Identifier: MIT */
/* Reads strings of bits in pairs that share an area (doc/format/block_columns.md, clause 16.3). The input is not
 * trusted. */
#include "entropy/pair_sizes.h"

void stamma_pair_reader_init(pair_reader *r, const stamma_allocator *allocator)
{
    *r = (pair_reader){.ends.allocator = allocator, .string.allocator = allocator, .last = SIZE_MAX};
}

void stamma_pair_reader_release(pair_reader *r)
{
    stamma_buffer_release(&r->ends);
    stamma_buffer_release(&r->string);
}

/* ---- sizes ---- */

/* Returns the next folded residual. */
static uint64_t take_residual(number_source *s, const pair_levels *levels, bool *fine)
{
    if (!s->classes)
        return number_take(s);
    unsigned cell = context_cell(levels->of, s->classes->map.contexts);
    return number_value(s, number_decode(s, &s->classes->slots[s->classes->map.of[cell]], fine), RESIDUAL_DIRECT);
}

/* Reads the end of each area. `most`: the number of available units. Returns false if the data is corrupt. */
static bool read_sizes(pair_reader *r, const uint32_t *weights, uint64_t scale, uint64_t most, number_source *s)
{
    uint64_t *ends = (uint64_t *)(void *)r->ends.data, end = 0;
    pair_levels levels = {{0}};
    bool fine = !s->classes || stamma_number_begin(s);
    for (size_t n = 0; n < r->strings && fine; n += 2) {
        uint32_t weight = weights[n] + (n + 1 < r->strings ? weights[n + 1] : 0);
        pair_levels_weigh(&levels, weight);
        uint64_t folded = take_residual(s, &levels, &fine);
        if (!fine || folded > INT32_MAX)
            return false;
        int64_t units = pair_expected(weight, scale) + number_unfold(folded);
        if (units < 0 || (uint64_t)units > most - end)
            return false;
        ends[n / 2] = end += (uint64_t)units;
        pair_levels_note(&levels, folded);
    }
    return fine && stamma_number_is_done(s) && most - end < 8 / PAIR_UNIT;
}

/* Returns whether the unused bits of the last byte are 0. */
static bool is_tail_zero(const pair_reader *r, const buffer *areas)
{
    const uint64_t *ends = (const uint64_t *)(const void *)r->ends.data;
    uint64_t bits = r->strings == 0 ? 0 : ends[(r->strings - 1) / 2] * PAIR_UNIT;
    return bits % 8 == 0 || (areas->data[areas->size - 1] & (0xFFu >> bits % 8)) == 0;
}

stamma_error stamma_pair_reader_open(pair_reader *r, const uint32_t *weights, size_t strings, cursor parameters,
                                     const buffer *streams)
{
    buffer classes = {.allocator = r->ends.allocator};
    const buffer *bits = &streams[PAIR_BITS], *areas = &streams[PAIR_AREAS];
    unsigned left = PAIR_CLASSES_MAX;
    r->strings = strings;
    r->last = SIZE_MAX;
    r->areas = areas->data;
    r->ends.size = 0;
    uint64_t scale = stamma_cursor_varint(&parameters);
    uint8_t coded = cursor_byte(&parameters);
    stamma_error error = parameters.failed || scale > PAIR_SCALE_MAX || coded > 1 ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
    if (error == STAMMA_OK && !buffer_reserve(&r->ends, size_multiply(strings / 2 + 1, sizeof(uint64_t))))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && coded)
        error = stamma_classes_read(&parameters, PAIR_CONTEXTS, &left, &classes);
    if (error == STAMMA_OK && cursor_left(&parameters) > 0)
        error = STAMMA_ERROR_CORRUPT;
    number_source source = {.symbols = buffer_cursor(&streams[PAIR_SYMBOLS]),
                            .bits = {bits->data, bits->size * 8, 0, false},
                            .classes = coded ? (const number_classes *)(const void *)classes.data : NULL};
    if (error == STAMMA_OK &&
        (!read_sizes(r, weights, scale, areas->size * (uint64_t)(8 / PAIR_UNIT), &source) || !is_tail_zero(r, areas)))
        error = STAMMA_ERROR_CORRUPT;
    stamma_buffer_release(&classes);
    return error;
}

/* ---- strings ---- */

/* Finds the start and the end of an area, in bits. */
static void find_area(const pair_reader *r, size_t pair, size_t *begin, size_t *end)
{
    const uint64_t *ends = (const uint64_t *)(const void *)r->ends.data;
    *begin = pair == 0 ? 0 : (size_t)ends[pair - 1] * PAIR_UNIT;
    *end = (size_t)ends[pair] * PAIR_UNIT;
}

static uint8_t reversed(uint64_t byte)
{
    byte = (byte & 0x55) << 1 | (byte >> 1 & 0x55);
    byte = (byte & 0x33) << 2 | (byte >> 2 & 0x33);
    return (uint8_t)(byte << 4 | byte >> 4);
}

const uint8_t *stamma_pair_reader_string(pair_reader *r, size_t n, size_t *size)
{
    size_t begin, end;
    find_area(r, n / 2, &begin, &end);
    size_t bytes = (end - begin + 7) / 8;
    r->string.size = 0;
    if (!buffer_reserve(&r->string, bytes + PAIR_SLACK))
        return NULL;
    uint8_t *out = r->string.data;
    bit_reader bits = {r->areas, end, begin, false};
    for (size_t k = 0; k < bytes; k++) {
        size_t left = end - begin - 8 * k;
        unsigned taken = left < 8 ? (unsigned)left : 8;
        bits.at = n % 2 ? begin + left - taken : begin + 8 * k;
        uint64_t value = stamma_bits_read(&bits, taken);
        out[k] = n % 2 ? reversed(value) : (uint8_t)(value << (8 - taken));
    }
    memset(out + bytes, 0, PAIR_SLACK);
    *size = bytes + PAIR_SLACK;
    return out;
}

/* Returns whether the bits between the two strings of a pair are zeros, and no more than necessary. */
static bool is_filled(const pair_reader *r, size_t pair, size_t first_bits, size_t second_bits)
{
    size_t begin, end;
    find_area(r, pair, &begin, &end);
    size_t all = end - begin, used = first_bits + second_bits;
    if (used > all || all - used >= PAIR_UNIT)
        return false;
    bit_reader bits = {r->areas, end, begin + first_bits, false};
    return stamma_bits_read(&bits, (unsigned)(all - used)) == 0;
}

bool stamma_pair_reader_end(pair_reader *r, size_t n, size_t bits)
{
    size_t begin, end;
    find_area(r, n / 2, &begin, &end);
    if (n % 2 == 0 && n + 1 == r->strings)
        return is_filled(r, n / 2, bits, 0);
    if (n % 2 == 1 && r->last + 1 == n)
        return is_filled(r, n / 2, r->last_bits, bits);
    if (n % 2 == 0) {
        r->last = n;
        r->last_bits = bits;
    }
    return bits <= end - begin;
}
