/* SPDX-License-Identifier: MIT */
/* EPD: the four fields of a position, then operations (PGN standard 16.2). */
#include "notation/notation.h"

bool stamma_epd_next(stamma_text *operations, stamma_text *opcode, stamma_text *operands)
{
    text_cursor c = text_cursor_make(*operations);
    while (text_is_blank(text_peek(&c)) || text_peek(&c) == ';')
        c.at++;
    opcode->data = c.at;
    while (c.at < c.end && !text_is_blank(*c.at) && *c.at != ';')
        c.at++;
    opcode->size = (size_t)(c.at - opcode->data);
    text_skip_blanks(&c);
    operands->data = c.at;
    for (bool quoted = false; c.at < c.end && (quoted || *c.at != ';'); c.at++)
        quoted ^= *c.at == '"';
    const char *last = c.at;
    while (last > operands->data && text_is_blank(last[-1]))
        last--;
    operands->size = (size_t)(last - operands->data);
    text_take(&c, ';');
    operations->data = c.at;
    operations->size = (size_t)(c.end - c.at);
    return opcode->size != 0;
}

static bool is_opcode(stamma_text opcode, const char *name)
{
    return opcode.size == strlen(name) && memcmp(opcode.data, name, opcode.size) == 0;
}

/* Reads the clocks from the operations `hmvc` and `fmvn` (PGN standard 16.2.5) if these are numbers. */
static void read_clocks(stamma_text operations, stamma_setup *setup)
{
    stamma_text opcode, operands;
    while (stamma_epd_next(&operations, &opcode, &operands)) {
        text_cursor c = text_cursor_make(operands);
        if (is_opcode(opcode, "hmvc"))
            stamma_fen_read_clock(&c, &setup->halfmove_clock);
        else if (is_opcode(opcode, "fmvn"))
            stamma_fen_read_clock(&c, &setup->fullmove_number);
    }
}

stamma_error stamma_epd_read(stamma_text epd, stamma_position *position, stamma_text *operations, unsigned *problems,
                             size_t *offset)
{
    if (!text_is_given(epd) || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    text_cursor c = text_cursor_make(epd);
    stamma_setup setup;
    if (!stamma_fen_read_fields(&c, &setup)) {
        if (offset)
            *offset = (size_t)(c.at - c.start);
        return STAMMA_ERROR_SYNTAX;
    }
    if (stamma_fen_read_clock(&c, &setup.halfmove_clock)) {
        text_skip_blanks(&c);
        stamma_fen_read_clock(&c, &setup.fullmove_number);
        text_skip_blanks(&c);
    }
    while (c.end > c.at && text_is_blank(c.end[-1]))
        c.end--;
    stamma_text rest = {c.at, (size_t)(c.end - c.at)};
    read_clocks(rest, &setup);
    stamma_error error = stamma_fen_set_up(&setup, position, problems);
    if (error == STAMMA_OK && operations)
        *operations = rest;
    return error;
}

size_t stamma_epd_write(const stamma_position *position, stamma_text operations, char *out, size_t size)
{
    char fields[STAMMA_FEN_SIZE];
    size_t length = stamma_fen_write_fields(position, STAMMA_FEN_STANDARD, fields);
    if (operations.size == 0)
        return text_give(fields, length, out, size);
    size_t whole = size_add(length + 1, operations.size);
    if (whole >= size)
        return text_give(fields, whole, out, size);
    memcpy(out, fields, length);
    out[length] = ' ';
    memcpy(out + length + 1, operations.data, operations.size);
    out[whole] = '\0';
    return whole;
}
