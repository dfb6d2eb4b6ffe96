/* SPDX-License-Identifier: MIT */
/* Cells of tables: CSV (RFC 4180), or separated by tabs. */
#include "games/game_views.h"

static void put_cell_byte(const tool_table *t, uint8_t byte, bool utf8)
{
    if (t->tabs && (byte == '\t' || byte == '\n' || byte == '\r')) {
        tool_put_char(' ');
    } else if (byte >= 0x80 && !utf8) {
        char character[TOOL_CHARACTER_SIZE];
        tool_put(character, tool_text_character((char)byte, character));
    } else {
        tool_put_char((char)byte);
    }
}

void tool_cell_begin(tool_table *t)
{
    if (t->cells++ > 0)
        tool_put_char(t->tabs ? '\t' : ',');
}

/* Returns whether a spreadsheet reads the text as a number: digits with a sign and a point. */
static bool is_number(stamma_text text)
{
    size_t digits = 0, points = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        digits += byte >= '0' && byte <= '9';
        points += byte == '.';
        if ((byte < '0' || byte > '9') && byte != '.' && (i > 0 || (byte != '-' && byte != '+')))
            return false;
    }
    return digits > 0 && points <= 1;
}

/* Returns whether a spreadsheet would evaluate the text (OWASP, CSV Injection). */
static bool is_formula(stamma_text text)
{
    return text.size > 1 && memchr("=+-@\t\r", text.data[0], 6) && !is_number(text);
}

void tool_cell_text(tool_table *t, stamma_text text)
{
    bool plain = true, quoted = false, guarded = !t->tabs && !t->raw && is_formula(text);
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        plain &= (uint8_t)byte < 0x80 && byte != '\t';
        quoted |= byte == ',' || byte == '"' || byte == '\n' || byte == '\r';
    }
    tool_cell_begin(t);
    if (plain && !quoted) {
        if (guarded)
            tool_put_char('\'');
        tool_put(text.data, text.size);
        return;
    }
    bool utf8 = tool_text_is_utf8(text);
    quoted = quoted && !t->tabs;
    if (quoted)
        tool_put_char('"');
    if (guarded)
        tool_put_char('\'');
    for (size_t i = 0; i < text.size; i++) {
        put_cell_byte(t, (uint8_t)text.data[i], utf8);
        if (quoted && text.data[i] == '"')
            tool_put_char('"');
    }
    if (quoted)
        tool_put_char('"');
}

void tool_cell_string(tool_table *t, const char *string)
{
    tool_cell_text(t, stamma_text_of(string));
}

void tool_cell_word(tool_table *t, stamma_text word)
{
    tool_cell_begin(t);
    tool_put(word.data, word.size);
}

void tool_cell_number(tool_table *t, uint64_t number)
{
    tool_cell_begin(t);
    tool_put_number(number);
}

void tool_cell_numbers(tool_table *t, const uint32_t *numbers, size_t count)
{
    tool_cell_begin(t);
    for (size_t i = 0; i < count; i++) {
        tool_put_string(i > 0 ? " " : "");
        tool_put_number(numbers[i]);
    }
}

void tool_row_end(tool_table *t)
{
    tool_put_string(t->tabs ? "\n" : "\r\n");
    tool_put_flush();
    t->cells = 0;
}

void tool_names_row(tool_table *t, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tool_cell_string(t, names[i]);
    tool_row_end(t);
}
