/* SPDX-License-Identifier: MIT */
/* Spells moves and numbers in a style (clause 6.5). */
#include "record/record.h"

static size_t spell_castling(char *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (out[i] == 'O')
            out[i] = '0';
    return size;
}

static size_t drop_equals(char *out, size_t size)
{
    char *equals = (char *)memchr(out, '=', size);
    if (!equals)
        return size;
    memmove(equals, equals + 1, size - (size_t)(equals - out) - 1);
    return size - 1;
}

static size_t spell_mark(unsigned spelling, char *out, size_t size)
{
    if (out[size - 1] == '+')
        return spelling & SPELL_NO_CHECK ? size - 1 : size;
    if (out[size - 1] != '#' || !(spelling & (SPELL_NO_MATE | SPELL_MATE_PLUS | SPELL_MATE_PLUS_PLUS)))
        return size;
    if (spelling & SPELL_NO_MATE)
        return size - 1;
    out[size - 1] = '+';
    if (spelling & SPELL_MATE_PLUS_PLUS)
        out[size++] = '+';
    return size;
}

size_t stamma_spell_specially(stamma_move move, unsigned san_facts, unsigned spelling, char *out)
{
    if (spelling & SPELL_RANK_WITH_FILE && san_facts & SAN_FACT_RANK)
        san_facts |= SAN_FACT_FILE;
    size_t size = spell_mark(spelling, out, stamma_san_spell(move, san_facts, out));
    if (spelling & SPELL_CASTLE_ZERO)
        size = spell_castling(out, size);
    return spelling & SPELL_NO_EQUALS ? drop_equals(out, size) : size;
}

size_t stamma_spell_number(unsigned number, char *out)
{
    return (size_t)(digits_write(number, 1, out) - out);
}
