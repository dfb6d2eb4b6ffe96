/* SPDX-License-Identifier: MIT */
/* Writes strings of bits in pairs that share an area (doc/format/block_columns.md, clause 16.3). */
#include "entropy/pair_sizes.h"

typedef struct pair_size {
    uint32_t units;
    uint32_t weight;
} pair_size;

void stamma_pair_writer_init(pair_writer *w, const stamma_allocator *allocator)
{
    *w = (pair_writer){.areas.allocator = allocator, .sizes.allocator = allocator, .first.allocator = allocator};
}

void stamma_pair_writer_clear(pair_writer *w)
{
    stamma_buffer_empty(&w->areas);
    stamma_buffer_empty(&w->sizes);
    w->first.size = w->bits = 0;
    w->waiting = false;
}

void stamma_pair_writer_release(pair_writer *w)
{
    stamma_buffer_release(&w->areas);
    stamma_buffer_release(&w->sizes);
    stamma_buffer_release(&w->first);
}

static unsigned bit_of(const uint8_t *string, size_t n)
{
    return string[n / 8] >> (7 - n % 8) & 1u;
}

/* Appends an area: the first string, then zeros, then the bits of the second string in reverse order up to the
 * area's end. */
static void add_area(pair_writer *w, const uint8_t *second, size_t second_bits, uint32_t weight)
{
    size_t units = (w->first_bits + second_bits + PAIR_UNIT - 1) / PAIR_UNIT, end = w->bits + units * PAIR_UNIT;
    size_t size = (end + 7) / 8;
    const pair_size added = {(uint32_t)units, weight};
    buffer_add(&w->sizes, &added, sizeof added);
    if (!buffer_reserve(&w->areas, size - w->areas.size))
        return;
    memset(w->areas.data + w->areas.size, 0, size - w->areas.size);
    w->areas.size = size;
    for (size_t n = 0; n < w->first_bits; n++)
        w->areas.data[(w->bits + n) / 8] |= (uint8_t)(bit_of(w->first.data, n) << (7 - (w->bits + n) % 8));
    for (size_t n = 0, at = end; n < second_bits; n++) {
        at--;
        w->areas.data[at / 8] |= (uint8_t)(bit_of(second, n) << (7 - at % 8));
    }
    w->bits = end;
}

void stamma_pair_writer_add(pair_writer *w, const uint8_t *string, size_t bits, uint32_t weight)
{
    if (w->waiting) {
        if (!w->first.failed)
            add_area(w, string, bits, w->first_weight + weight);
        w->first.size = 0;
    } else {
        buffer_add(&w->first, string, (bits + 7) / 8);
        w->first_bits = bits;
        w->first_weight = weight;
    }
    w->waiting = !w->waiting;
}

/* ---- sizes ---- */

static bool list_symbols(const pair_writer *w, uint64_t scale, context_symbol *list, number_sink *sink)
{
    const pair_size *sizes = (const pair_size *)(const void *)w->sizes.data;
    pair_levels levels = {{0}};
    for (size_t n = 0; n < w->sizes.size / sizeof *sizes; n++) {
        int64_t expected = pair_expected(sizes[n].weight, scale);
        uint64_t folded = number_fold((int64_t)sizes[n].units - expected);
        unsigned bits, symbol = number_symbol(folded, RESIDUAL_DIRECT, &bits);
        pair_levels_weigh(&levels, sizes[n].weight);
        memcpy(list[n].levels, levels.of, sizeof levels.of);
        list[n].symbol = (uint8_t)symbol;
        buffer_add_byte(&sink->symbols, (uint8_t)symbol);
        if (bits > 0 && !stamma_number_put_bits(sink, folded, bits))
            return false;
        pair_levels_note(&levels, folded);
    }
    return !sink->symbols.failed;
}

/* Writes the symbols, coded by class if that is shorter. */
static bool write_symbols(const context_symbol *list, size_t count, const buffer *plain, buffer *parameters,
                          buffer *symbols)
{
    buffer classes = {.allocator = plain->allocator}, coded = classes;
    unsigned class_count = PAIR_CLASSES_MAX;
    bool fine =
        count == 0 || stamma_classes_write(list, count, count, &class_count, plain->allocator, &classes, &coded);
    bool pays = fine && count > 0 && classes.size + coded.size < plain->size;
    buffer_add_byte(parameters, pays);
    if (pays)
        buffer_add(parameters, classes.data, classes.size);
    buffer_add(symbols, pays ? coded.data : plain->data, pays ? coded.size : plain->size);
    stamma_buffer_release(&classes);
    stamma_buffer_release(&coded);
    return fine && !parameters->failed && !symbols->failed;
}

static uint64_t find_scale(const pair_writer *w)
{
    const pair_size *sizes = (const pair_size *)(const void *)w->sizes.data;
    uint64_t weight = 0;
    for (size_t n = 0; n < w->sizes.size / sizeof *sizes; n++)
        weight += sizes[n].weight;
    uint64_t scale = weight == 0 ? 0 : ((uint64_t)(w->bits / PAIR_UNIT) << PAIR_SCALE_BITS) / weight;
    return scale < PAIR_SCALE_MAX ? scale : PAIR_SCALE_MAX;
}

stamma_error stamma_pair_writer_end(pair_writer *w, buffer *parameters, buffer *symbols, buffer *bits)
{
    const stamma_allocator *allocator = w->areas.allocator;
    if (w->waiting && !w->first.failed)
        add_area(w, NULL, 0, w->first_weight);
    if (w->first.failed || w->sizes.failed || w->areas.failed)
        return STAMMA_ERROR_NO_MEMORY;
    size_t count = w->sizes.size / sizeof(pair_size);
    number_sink sink = {.symbols.allocator = allocator, .bits.allocator = allocator};
    context_symbol *list = (context_symbol *)memory_allocate(allocator, size_multiply(count + 1, sizeof *list));
    uint64_t scale = find_scale(w);
    stamma_buffer_add_varint(parameters, scale);
    bool fine =
        list && list_symbols(w, scale, list, &sink) && write_symbols(list, count, &sink.symbols, parameters, symbols);
    buffer_add(bits, sink.bits.data, sink.bits.size);
    fine &= !bits->failed;
    memory_release(allocator, list);
    stamma_buffer_release(&sink.symbols);
    stamma_buffer_release(&sink.bits);
    return fine ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
