/* A range coder (Martin 1979; carries as in Subbotin's): symbols of any probabilities, one after another, in a string
 * of bytes whose length is known to whoever reads it. Probabilities are frequencies that sum to a power of two: a
 * symbol is where its frequency begins among those of all symbols in a fixed order, and how large it is. The range is
 * kept from 2^24 to 2^32; rounding costs less than a thousandth of a bit a symbol. */
#ifndef STAMMA_RANGE_CODER_H
#define STAMMA_RANGE_CODER_H

#include "base/base.h"

enum { RANGE_BITS_MAX = 16, RANGE_LEAST = 1 << 24 };

/* Writes to the end of `out`; out->failed where there is no memory. */
typedef struct range_encoder {
    buffer *out;
    size_t start; /* of the string in out->data */
    uint32_t low, range;
} range_encoder;

void stamma_range_encode_begin(range_encoder *e, buffer *out);
/* A symbol of frequency `size` >= 1 behind frequencies of `start` in sum, out of 2^bits, bits <= RANGE_BITS_MAX. */
void stamma_range_encode(range_encoder *e, uint32_t start, uint32_t size, unsigned bits);
/* Ends the string: as few bytes as tell all symbols where zeros are read behind its end, and none of them a zero at its
 * end. */
void stamma_range_encode_end(range_encoder *e);
/* Ends the string with as few bits as tell all symbols whatever is read behind them; gives how many it has in all. What
 * the last byte has too many is 0. */
size_t stamma_range_encode_end_bits(range_encoder *e);

typedef struct range_decoder {
    const uint8_t *begin, *at, *end;
    uint32_t code;   /* the string's number, less the encoder's low */
    uint32_t window; /* the last four bytes that were read */
    uint32_t range;
} range_decoder;

/* Any bytes decode to some symbols; behind the end zeros are read. */
void stamma_range_decode_begin(range_decoder *d, const uint8_t *bytes, size_t size);

/* Which of 2^bits the next symbol is of: below 2^bits. */
STAMMA_INLINE uint32_t range_decode_target(const range_decoder *d, unsigned bits)
{
    uint32_t target = d->code / (d->range >> bits), last = (UINT32_C(1) << bits) - 1;
    return target < last ? target : last;
}
/* Passes over the symbol that the target is of. */
STAMMA_INLINE void range_decode_pass(range_decoder *d, uint32_t start, uint32_t size, unsigned bits)
{
    uint32_t unit = d->range >> bits;
    d->code -= start * unit;
    d->range = start + size == UINT32_C(1) << bits ? d->range - start * unit : size * unit;
    while (d->range < RANGE_LEAST) {
        uint32_t byte = d->at < d->end ? *d->at++ : 0;
        d->range <<= 8;
        d->code = d->code << 8 | byte;
        d->window = d->window << 8 | byte;
    }
}
/* Behind the last symbol: whether an encoder of the symbols that were passed writes these bytes, and no others. */
bool stamma_range_decode_is_exact(const range_decoder *d);
/* The same for a string that ends with bits: how many it has. False: no encoder writes it, or the bytes ended too soon:
 * four more than the string has must be there. */
bool stamma_range_decode_end_bits(const range_decoder *d, size_t *bits);

#endif
