/* SPDX-License-Identifier: MIT */
/* A range coder (Martin 1979; carries as in Subbotin's): codes a sequence of symbols with any probabilities as a string
 * of bytes. The reader must know the length of the string. Probabilities are frequencies that sum to a power of two. A
 * symbol is described by its frequency and by the sum of the frequencies of all preceding symbols in a fixed order. The
 * range is kept between 2^24 and 2^32; rounding costs less than a thousandth of a bit per symbol. */
#ifndef STAMMA_RANGE_CODER_H
#define STAMMA_RANGE_CODER_H

#include "base/base.h"

enum { RANGE_BITS_MAX = 16, RANGE_LEAST = 1 << 24 };

/* Writes to the end of `out`. Sets out->failed if memory is exhausted. */
typedef struct range_encoder {
    buffer *out;
    size_t start; /* offset of the string in out->data */
    uint32_t low, range;
} range_encoder;

void stamma_range_encode_begin(range_encoder *e, buffer *out);
/* Writes a symbol with frequency `size`, at least 1. `start`: the sum of the frequencies of preceding symbols.
 * Frequencies are out of 2^bits; bits <= RANGE_BITS_MAX. */
void stamma_range_encode(range_encoder *e, uint32_t start, uint32_t size, unsigned bits);
/* Ends the string. The string becomes the shortest that decodes to all symbols if it is followed by zeros. It does
 * not end with a zero byte. */
void stamma_range_encode_end(range_encoder *e);
/* Ends the string with the fewest bits that decode to all symbols, whatever follows. Returns the total number of
 * bits. Unused bits of the last byte are 0. */
size_t stamma_range_encode_end_bits(range_encoder *e);

typedef struct range_decoder {
    const uint8_t *begin, *at, *end;
    uint32_t code;   /* the string's number minus the encoder's low */
    uint32_t window; /* the last four bytes read */
    uint32_t range;
    /* the string is a number that no encoder reaches: its code is not below the initial range. Otherwise it is always
     * below the range */
    bool outside;
} range_decoder;

/* Begins decoding. Any bytes decode to some symbols. Past the end zeros are read. */
void stamma_range_decode_begin(range_decoder *d, const uint8_t *bytes, size_t size);

/* Returns the target of the next symbol, below 2^bits: the symbol whose frequency range contains the target is next. */
STAMMA_INLINE uint32_t range_decode_target(const range_decoder *d, unsigned bits)
{
    uint32_t target = d->code / (d->range >> bits), last = (UINT32_C(1) << bits) - 1;
    return target < last ? target : last;
}
/* Skips the symbol that the target belongs to. */
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
/* After the last symbol: returns whether an encoder of the decoded symbols writes exactly these bytes. */
bool stamma_range_decode_is_exact(const range_decoder *d);
/* The same for a string that ends with bits. *bits becomes the number of its bits. Returns false if no encoder
 * writes the string, or if the bytes ended too soon: there must be four more bytes than the string has. */
bool stamma_range_decode_end_bits(const range_decoder *d, size_t *bits);

#endif
