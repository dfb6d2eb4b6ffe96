/* The range coder: its encoder. A carry runs back through the bytes that are written. */
#include "entropy/range_coder.h"

void stamma_range_encode_begin(range_encoder *e, buffer *out)
{
    *e = (range_encoder){out, out->size, 0, UINT32_MAX};
}

/* Adds one to the number that the string is. It is less than 1 and stays so, so some byte is no 255. */
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

/* The number with the fewest bytes from low to low + range, which is not reached; then without zeros at its end. */
void stamma_range_encode_end(range_encoder *e)
{
    unsigned kept = 0;
    for (; kept < 32; kept += 8) {
        uint32_t rest = UINT32_MAX >> kept;
        uint32_t up = (0 - e->low) & rest; /* to the next number without these bits */
        if (up < e->range) {
            add(e, up);
            break;
        }
    }
    for (; kept > 0; kept -= 8, e->low <<= 8)
        buffer_add_byte(e->out, (uint8_t)(e->low >> 24));
    while (!e->out->failed && e->out->size > e->start && e->out->data[e->out->size - 1] == 0)
        e->out->size--;
}

void stamma_range_decode_begin(range_decoder *d, const uint8_t *bytes, size_t size)
{
    *d = (range_decoder){bytes, bytes + size, 0, UINT32_MAX};
    for (unsigned n = 0; n < 4; n++)
        d->code = d->code << 8 | (d->at < d->end ? *d->at++ : 0);
}
