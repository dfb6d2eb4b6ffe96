/* SPDX-License-Identifier: MIT */
/* Bytes of PGN files as text that is safe for terminals and other programs. */
#include "shared/tool.h"

static bool is_white(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

tool_text_end tool_text_ends(stamma_text text, tool_text_end before)
{
    unsigned feeds = 0, returns = 0;
    size_t size = text.size;
    if (size == 0)
        return before;
    if (text.data[size - 1] != '\n' && text.data[size - 1] != '\r')
        return TOOL_LINE_OPEN;
    for (; size > 0 && is_white(text.data[size - 1]); size--) {
        feeds += text.data[size - 1] == '\n';
        returns += text.data[size - 1] == '\r';
    }
    const bool after_line = size == 0 && before != TOOL_LINE_OPEN;
    return feeds > 1 || returns > 1 || after_line ? TOOL_EMPTY_LINE : TOOL_LINE_END;
}

/* If no empty line follows the result of a game, comments, NAGs and variations still belong to this game
 * (doc/format/games.md). A tag, a move number or a move begins the next game. */
bool tool_text_needs_gap(stamma_text game, tool_text_end before)
{
    size_t n = 0;
    while (n < game.size && is_white(game.data[n]))
        n++;
    const char first = n < game.size ? game.data[n] : '[';
    const bool begins =
        first == '[' || (first >= '0' && first <= '9') || ((first | 0x20) >= 'a' && (first | 0x20) <= 'z');
    return before == TOOL_LINE_OPEN || (before == TOOL_LINE_END && !begins);
}

/* Returns the length of the valid UTF-8 sequence at the beginning of `text`, or 0. Overlong forms and surrogates are
 * invalid. */
static size_t utf8_length(stamma_text text)
{
    const uint8_t *at = (const uint8_t *)text.data;
    if (text.size == 0)
        return 0;
    if (at[0] < 0x80)
        return 1;
    size_t length = at[0] >= 0xC2 && at[0] < 0xE0   ? 2
                    : at[0] >= 0xE0 && at[0] < 0xF0 ? 3
                    : at[0] >= 0xF0 && at[0] < 0xF5 ? 4
                                                    : 0;
    if (length == 0 || text.size < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (at[i] >> 6 != 2)
            return 0;
    /* the range of the second byte excludes overlong forms, surrogates and values above U+10FFFF (RFC 3629) */
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F))
        return 0;
    if ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

bool tool_text_is(stamma_text text, const char *word)
{
    return strlen(word) == text.size && memcmp(word, text.data, text.size) == 0;
}

bool tool_text_equal(stamma_text a, stamma_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

int tool_text_compare(const void *a, const void *b)
{
    const stamma_text *x = a, *y = b;
    int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

bool tool_text_is_utf8(stamma_text text)
{
    while (text.size > 0) {
        size_t length = utf8_length(text);
        if (length == 0)
            return false;
        text.data += length;
        text.size -= length;
    }
    return true;
}

/* Returns the code point of a UTF-8 sequence of `length` bytes. */
static unsigned code_point(const char *bytes, size_t length)
{
    unsigned point = (uint8_t)bytes[0] & (length == 1 ? 0x7Fu : 0x3Fu >> (length - 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | ((uint8_t)bytes[i] & 0x3Fu);
    return point;
}

/* Returns the number of terminal columns of a character: 0 for combining characters, 2 for East Asian scripts and
 * emoji (Unicode Standard Annex 11, W and F, by blocks). */
static size_t columns_of(unsigned point)
{
    static const unsigned wide[][2] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},  {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
                                       {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    if (point >= 0x300 && point <= 0x36F)
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (point >= wide[i][0] && point <= wide[i][1])
            return 2;
    return 1;
}

/* Returns whether a character changes the direction of text (Unicode Standard Annex 9, 2). */
static bool is_direction(unsigned point)
{
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0x200E ||
           point == 0x200F || point == 0x061C;
}

size_t tool_text_direction(stamma_text text, unsigned *point)
{
    if (text.size < 2 || (uint8_t)text.data[0] < 0xC0)
        return 0;
    size_t size = utf8_length(text);
    *point = size > 1 ? code_point(text.data, size) : 0;
    return is_direction(*point) ? size : 0;
}

size_t tool_text_character(char byte, char out[TOOL_CHARACTER_SIZE])
{
    const unsigned point = stamma_windows_1252_read((uint8_t)byte);
    size_t size = 0;
    if (point >= 0x800)
        out[size++] = (char)(0xE0 | point >> 12);
    if (point >= 0x80) {
        out[size] = (char)(point < 0x800 ? 0xC0 | point >> 6 : 0x80 | (point >> 6 & 0x3F));
        size++;
    }
    out[size++] = (char)(point < 0x80 ? point : 0x80 | (point & 0x3F));
    return size;
}

/* Prints the character at *at and advances *at. Returns its columns. Prints nothing if `out` is NULL. */
static size_t take_character(FILE *out, stamma_text text, bool utf8, size_t *at)
{
    const char *bytes = text.data + *at;
    size_t length = utf8 ? utf8_length((stamma_text){bytes, text.size - *at}) : 1;
    unsigned point = utf8 ? code_point(bytes, length) : stamma_windows_1252_read((uint8_t)bytes[0]);
    char converted[TOOL_CHARACTER_SIZE];
    bool control = point < 0x20 || (point >= 0x7F && point < 0xA0) || is_direction(point);
    *at += length;
    if (out && control)
        (void)putc('?', out);
    else if (out && utf8)
        (void)fwrite(bytes, 1, length, out);
    else if (out)
        (void)fwrite(converted, 1, tool_text_character(bytes[0], converted), out);
    return control ? 1 : columns_of(point);
}

/* The state is the number of missing bytes of a UTF-8 character, plus 4 after the first byte of U+0080 to U+009F. */
void tool_text_mask(const char *bytes, size_t size, char *out, unsigned *state)
{
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)bytes[i];
        const bool continues = *state > 0 && (byte & 0xC0) == 0x80;
        bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || (byte >= 0x80 && byte < 0xA0);
        if (continues) {
            control = (*state & 4) && byte < 0xA0;
            *state = (*state & 3) - 1;
        } else {
            *state = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte == 0xC2 ? 5 : byte > 0xC2 ? 1 : 0;
        }
        out[i] = byte == '\r' ? ' ' : control ? '?' : bytes[i];
    }
}

size_t tool_text_print(FILE *out, stamma_text text)
{
    bool utf8 = tool_text_is_utf8(text);
    size_t characters = 0;
    for (size_t at = 0; at < text.size; characters++)
        (void)take_character(out, text, utf8, &at);
    return characters;
}

size_t tool_text_print_cut(FILE *out, stamma_text text, size_t columns)
{
    bool utf8 = tool_text_is_utf8(text);
    size_t fit = 0, used = 0, width = 0; /* bytes that leave space for the ellipsis, and their columns */
    for (size_t at = 0; at < text.size && width <= columns;) {
        width += take_character(NULL, text, utf8, &at);
        if (width < columns) {
            fit = at;
            used = width;
        }
    }
    bool whole = width <= columns;
    for (size_t at = 0; at < (whole ? text.size : fit);)
        (void)take_character(out, text, utf8, &at);
    if (!whole && columns > 0)
        (void)fputs("\342\200\246", out);
    return whole ? width : columns > 0 ? used + 1 : 0;
}

size_t tool_terminal_columns(void)
{
    if (!system_is_terminal(SYSTEM_OUTPUT))
        return 0;
    const size_t known = system_terminal_columns();
    if (known > 0)
        return known;
    const char *columns = getenv("COLUMNS");
    unsigned long number = columns ? strtoul(columns, NULL, 10) : 0;
    return number > 0 && number < 10000 ? number : 80;
}

stamma_text tool_text_unescape(stamma_text value)
{
    if (!value.data)
        return value;
    char *plain = malloc(value.size + 1);
    if (!plain) {
        (void)tool_fail_memory(NULL);
        tool_pending_undo_all();
        exit(TOOL_ERROR);
    }
    return (stamma_text){plain, stamma_pgn_unescape(value, plain)};
}

const char *tool_skip_move_number(const char *word)
{
    const char *at = word;
    while (*at >= '0' && *at <= '9')
        at++;
    if (at == word || *at != '.')
        return word;
    while (*at == '.')
        at++;
    return at;
}
