/* SPDX-License-Identifier: MIT */
/* Describes parts of a code: groups of bits, and the squares, pieces and indices that several codes share. */
#include "encodings/encodings.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_SIZE = 160 };

static void give(explanation *e, unsigned bits, uint64_t value, const char *format, va_list arguments)
{
    char text[TEXT_SIZE];
    (void)vsnprintf(text, sizeof text, format, arguments);
    stamma_code_part part = {e->first, bits, value, text};
    e->take(e->context, &part);
    e->first += bits;
}

void stamma_explain_written(explanation *e, const char *format, ...)
{
    if (e->out.size == 0)
        return;
    bit_reader in = {e->bytes, e->out.size, 0, false};
    uint64_t value = e->out.size <= 64 ? stamma_bits_read(&in, (unsigned)e->out.size) : 0;
    va_list arguments;
    va_start(arguments, format);
    give(e, (unsigned)e->out.size, value, format, arguments);
    va_end(arguments);
    e->out.size = 0;
}

void stamma_explain_term(explanation *e, uint64_t value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    give(e, 0, value, format, arguments);
    va_end(arguments);
}

void stamma_explain_bits(explanation *e, uint64_t value, unsigned bits, const char *format, ...)
{
    va_list arguments;
    if (bits == 0)
        return;
    va_start(arguments, format);
    give(e, bits, value, format, arguments);
    va_end(arguments);
}

/* ---- names ---- */

const char *stamma_type_name(unsigned type)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    return type < STAMMA_PIECE_TYPE_NONE ? names[type] : "nothing";
}

const char *stamma_color_name(unsigned color)
{
    return color == STAMMA_WHITE ? "white" : "black";
}

square_name stamma_square_name(unsigned square)
{
    square_name name = {{(char)('a' + (square & 7)), (char)('1' + (square >> 3 & 7)), 0}};
    return name;
}

/* ---- parts that several codes share ---- */

void stamma_explain_square(explanation *e, unsigned square, const char *what)
{
    stamma_explain_bits(e, square, 6, "%s %s", what, stamma_square_name(square).text);
}

void stamma_explain_index(explanation *e, size_t index, size_t count, unsigned bits, const char *what)
{
    if (bits == 0 && e->first == 0) /* otherwise a part was named before */
        stamma_explain_term(e, 0, "no bits: the only one of the %s", what);
    stamma_explain_bits(e, index, bits, "number %zu of %zu %s, from 0", index, count, what);
}

void stamma_explain_piece(explanation *e, const stamma_position *p, unsigned square)
{
    EXPLAIN(e, "%s %s %s", stamma_color_name(p->by_color[STAMMA_BLACK] >> square & 1),
            stamma_type_name(position_type_at(p, square)), stamma_square_name(square).text);
}
