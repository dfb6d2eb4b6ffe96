/* Numbers as bytes that an entropy coder can make short: a symbol for the size, and the bits that are left as they are.
 *
 * A difference d is folded to u = 2d or -2d - 1. Below 128, u is its own symbol. Above, with e = the number of its bits
 * (8..63), the symbol is 128 + 2 (e - 8) + the bit below the highest, and the e - 2 bits below follow in the bit
 * string. */
#include "model/model.h"

unsigned stamma_number_symbol(int64_t d, unsigned *bits)
{
    uint64_t u = number_fold(d);
    *bits = 0;
    if (STAMMA_LIKELY(u < NUMBER_DIRECT))
        return (unsigned)u;
    unsigned e = bits_last(u) + 1;
    *bits = e - 2;
    return NUMBER_DIRECT + 2 * (e - 8) + (unsigned)(u >> (e - 2) & 1);
}

bool stamma_number_put(number_sink *s, int64_t d)
{
    unsigned bits, symbol = stamma_number_symbol(d, &bits);
    buffer_add_byte(&s->symbols, (uint8_t)symbol);
    if (bits > 0) {
        if (!buffer_reserve(&s->bits, 9))
            return false;
        bit_writer w = {s->bits.data, s->bits.capacity * 8, s->bit_count, false};
        stamma_bits_write(&w, number_fold(d) & ((UINT64_C(1) << bits) - 1), bits);
        s->bit_count = w.size;
        s->bits.size = (w.size + 7) / 8;
    }
    return !s->symbols.failed;
}

bool stamma_number_take_any(number_source *s, int64_t *d)
{
    uint8_t symbol = cursor_byte(&s->symbols);
    if (STAMMA_LIKELY(symbol < NUMBER_DIRECT)) {
        *d = number_unfold(symbol);
        return !s->symbols.failed;
    }
    unsigned bits = 6 + (symbol - NUMBER_DIRECT) / 2u;
    if (bits > 61)
        return false;
    uint64_t top = 2u | ((symbol - NUMBER_DIRECT) & 1u);
    *d = number_unfold(top << bits | stamma_bits_read(&s->bits, bits));
    return !s->symbols.failed && !s->bits.failed;
}

bool stamma_number_is_done(number_source *s)
{
    size_t bits = s->bits.size - s->bits.at;
    return cursor_left(&s->symbols) == 0 && bits <= 7 && stamma_bits_read(&s->bits, (unsigned)bits) == 0;
}
