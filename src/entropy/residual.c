/* SPDX-License-Identifier: MIT */
/* Converts numbers to symbols for an entropy coder and bits that are stored as they are (doc/format/block_columns.md,
 * clause 14.7); and the context coder (14.9, 14.12).
 *
 * A difference d is folded to u = 2d or -2d - 1. If u is below 128, it is its own symbol. Otherwise, with e = the
 * number of its bits (8..63), the symbol is 128 + 2 (e - 8) + the bit below the highest. The remaining e - 2 bits
 * are appended to the bit string. */
#include "entropy/entropy.h"

unsigned stamma_log2_256(uint32_t x)
{
    static const uint8_t part[128] = {
        /* 256 log2 (1 + i / 128) */
        0,   3,   6,   9,   11,  14,  17,  20,  22,  25,  28,  30,  33,  36,  38,  41,  44,  46,  49,  51,  54,  56,
        59,  61,  63,  66,  68,  71,  73,  75,  78,  80,  82,  85,  87,  89,  92,  94,  96,  98,  100, 103, 105, 107,
        109, 111, 113, 116, 118, 120, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 142, 144, 146, 148, 150, 152,
        154, 155, 157, 159, 161, 163, 165, 167, 169, 170, 172, 174, 176, 178, 179, 181, 183, 185, 186, 188, 190, 192,
        193, 195, 197, 198, 200, 202, 203, 205, 207, 208, 210, 212, 213, 215, 216, 218, 220, 221, 223, 224, 226, 228,
        229, 231, 232, 234, 235, 237, 238, 240, 241, 243, 244, 246, 247, 249, 250, 252, 253, 255,
    };
    unsigned top = bits_last(x);
    return 256 * top + part[((uint64_t)x << 7 >> top) - 128];
}

/* Stores a word, most significant byte first, as in bit strings. */
static void store_u64_big(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (56 - 8 * i));
}

/* Writes eight bytes. Their bits after the number are overwritten by the next call. A hot path. */
bool stamma_number_put_bits(number_sink *s, uint64_t u, unsigned bits)
{
    unsigned used = (unsigned)(s->bit_count & 7);
    uint64_t value = u & ((UINT64_C(1) << bits) - 1);
    if (!buffer_reserve(&s->bits, 9))
        return false;
    if (STAMMA_LIKELY(used + bits < 64)) {
        uint8_t *last = s->bits.data + (s->bit_count >> 3);
        value = value << (63 - used - bits) << 1;
        store_u64_big(last, used > 0 ? value | (uint64_t)*last << 56 : value);
        s->bit_count += bits;
    } else {
        bit_writer w = {s->bits.data, s->bits.capacity * 8, s->bit_count, false};
        stamma_bits_write(&w, value, bits);
        s->bit_count = w.size;
    }
    s->bits.size = (s->bit_count + 7) / 8;
    return true;
}

uint64_t stamma_number_with_bits(number_source *s, unsigned symbol, unsigned direct)
{
    unsigned above = symbol - (1u << direct), bits = direct - 1 + above / 2u;
    if (symbol >= NUMBER_SYMBOLS || bits > 61 || bits > s->bits.size - s->bits.at)
        return UINT64_MAX;
    return (uint64_t)(2u | (above & 1u)) << bits | stamma_bits_read(&s->bits, bits);
}

/* ---- symbols coded by class ---- */

/* Returns the number with two significant bits that is nearest to a count's share of 2 * NUMBER_SLOTS; at least 1. */
static uint32_t weight_of(uint32_t count, uint64_t total)
{
    uint64_t part = (count * (uint64_t)(2 * NUMBER_SLOTS) + total / 2) / total;
    if (part < 4)
        return part == 0 ? 1 : (uint32_t)part;
    unsigned shift = bits_last(part) - 1;
    uint64_t half = (UINT64_C(1) << shift >> 1) - 1;
    return (uint32_t)((part + half) >> shift << shift);
}

static size_t most_frequent(const number_frequencies *f)
{
    size_t most = 0;
    for (size_t i = 1; i < NUMBER_SYMBOLS; i++)
        if (f->of[i] > f->of[most])
            most = i;
    return most;
}

static void sum_frequencies(number_frequencies *f)
{
    for (size_t i = 0, before = 0; i < NUMBER_SYMBOLS; before += f->of[i++])
        f->before[i] = (uint16_t)before;
}

void stamma_number_scale(const uint32_t counts[NUMBER_SYMBOLS], number_frequencies *f)
{
    uint32_t weights[NUMBER_SYMBOLS] = {0}, weight = 0, sum = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < NUMBER_SYMBOLS; i++)
        total += counts[i];
    for (size_t i = 0; i < NUMBER_SYMBOLS; i++)
        weight += weights[i] = counts[i] > 0 ? weight_of(counts[i], total) : 0;
    for (size_t i = 0; i < NUMBER_SYMBOLS; i++) {
        uint32_t scaled = (weights[i] * NUMBER_SLOTS + weight / 2) / weight;
        f->of[i] = (uint16_t)(weights[i] > 0 && scaled == 0 ? 1 : scaled);
        sum += f->of[i];
    }
    for (; sum < NUMBER_SLOTS; sum++)
        f->of[most_frequent(f)]++;
    for (; sum > NUMBER_SLOTS; sum--)
        f->of[most_frequent(f)]--;
    sum_frequencies(f);
}

void stamma_number_write_frequencies(const number_frequencies *f, buffer *out)
{
    size_t count = NUMBER_SYMBOLS;
    while (f->of[count - 1] == 0)
        count--;
    buffer_add_byte(out, (uint8_t)count);
    for (size_t i = 0; i < count; i++)
        stamma_buffer_add_varint(out, f->of[i]);
}

bool stamma_number_read_frequencies(cursor *in, number_frequencies *f)
{
    size_t count = cursor_byte(in);
    uint64_t sum = 0;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < count && i < NUMBER_SYMBOLS && sum <= NUMBER_SLOTS; i++) {
        uint64_t frequency = stamma_cursor_varint(in);
        sum = frequency > NUMBER_SLOTS ? frequency : sum + frequency;
        f->of[i] = (uint16_t)frequency;
    }
    sum_frequencies(f);
    return !in->failed && count <= NUMBER_SYMBOLS && sum == NUMBER_SLOTS;
}

/* The coder produces words in the reverse of the reading order. They are therefore written from the end of the
 * reserved memory. */
bool stamma_number_code(const classed_symbol *list, size_t count, const number_frequencies *classes, buffer *out)
{
    size_t room = size_add(4, size_multiply(count, 2));
    if (!buffer_reserve(out, room))
        return false;
    uint8_t *end = out->data + out->size + room, *at = end;
    uint32_t state = NUMBER_STATE;
    for (size_t i = count; i-- > 0;) {
        const number_frequencies *f = &classes[list[i].table];
        uint32_t of = f->of[list[i].symbol];
        if (state >> (32 - NUMBER_SLOT_BITS) >= of) {
            store_u16(at -= 2, (uint16_t)state);
            state >>= 16;
        }
        state = (state / of << NUMBER_SLOT_BITS) + state % of + f->before[list[i].symbol];
    }
    store_u32(at -= 4, state);
    memmove(out->data + out->size, at, (size_t)(end - at));
    out->size += (size_t)(end - at);
    return true;
}

void stamma_number_fill_slots(const number_frequencies *f, number_slots *slots)
{
    slots->frequencies = *f;
    for (unsigned symbol = 0; symbol < NUMBER_SYMBOLS; symbol++)
        memset(slots->symbol + f->before[symbol], (int)symbol, f->of[symbol]);
}

bool stamma_number_begin(number_source *s)
{
    const uint8_t *state = cursor_take(&s->symbols, 4);
    s->state = state ? load_u32(state) : 0;
    return s->state >= NUMBER_STATE;
}

bool stamma_number_is_done(number_source *s)
{
    size_t bits = s->bits.size - s->bits.at;
    return cursor_left(&s->symbols) == 0 && (!s->classes || s->state == NUMBER_STATE) && bits <= 7 &&
           stamma_bits_read(&s->bits, (unsigned)bits) == 0;
}
