/* SPDX-License-Identifier: MIT */
/* Unsigned LEB128 numbers. Only the shortest form is written and accepted. */
#include "base/base.h"

void stamma_buffer_add_varint(buffer *b, uint64_t value)
{
    if (!buffer_reserve(b, 10))
        return;
    for (; value > 127; value >>= 7)
        b->data[b->size++] = (uint8_t)(value | 128);
    b->data[b->size++] = (uint8_t)value;
}

uint64_t stamma_cursor_varint(cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = cursor_byte(c);
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            bool padded = byte == 0 && shift > 0;
            bool overflows = shift == 63 && byte > 1;
            c->failed |= padded || overflows;
            return c->failed ? 0 : value;
        }
    }
    c->failed = true;
    return 0;
}
