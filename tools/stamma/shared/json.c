/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) on standard output or on the output of tool_put_to. */
#include "shared/tool.h"

/* Whether a value precedes the next value at this level. */
static _Thread_local bool need_comma;

void tool_json_begin(void)
{
    need_comma = false;
}

static void put_unit(unsigned code_point)
{
    char text[8];
    tool_put(text, (size_t)snprintf(text, sizeof text, "\\u%04x", code_point));
}

static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/* Puts the rest of a text from the first byte that needs an escape or is not UTF-8. Text that is not UTF-8 is read as
 * Windows-1252. Characters that change the direction of text are escaped, because they could reorder what a terminal
 * displays. */
static void put_rest(stamma_text text)
{
    bool utf8 = tool_text_is_utf8(text);
    unsigned direction;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.data[i];
        size_t size = utf8 ? tool_text_direction((stamma_text){text.data + i, text.size - i}, &direction) : 0;
        if (size > 0) {
            put_unit(direction);
            i += size - 1;
        } else if (utf8 && byte == 0xC2 &&
                   (uint8_t)text.data[i + 1] < 0xA0) { /* U+0080 to U+009F: control characters */
            put_unit((uint8_t)text.data[++i]);
        } else if (is_plain(byte) || (byte >= 0x80 && utf8)) {
            tool_put_char((char)byte);
        } else if (byte == '"' || byte == '\\') {
            tool_put_char('\\');
            tool_put_char((char)byte);
        } else {
            put_unit(stamma_windows_1252_read(byte));
        }
    }
}

/* Puts the bytes between the quotes, most of which are ASCII. */
static void put_quoted(stamma_text text)
{
    size_t plain = 0;
    while (plain < text.size && is_plain((uint8_t)text.data[plain]))
        plain++;
    tool_put_char('"');
    tool_put(text.data, plain);
    if (plain < text.size)
        put_rest((stamma_text){text.data + plain, text.size - plain});
    tool_put_char('"');
}

static void put_named_key(stamma_text key)
{
    if (need_comma)
        tool_put_char(',');
    need_comma = true;
    if (!key.data)
        return;
    put_quoted(key);
    tool_put_char(':');
}

static void put_key(const char *key)
{
    put_named_key(key ? stamma_text_of(key) : (stamma_text){NULL, 0});
}

void tool_json_open(const char *key, char bracket)
{
    put_key(key);
    tool_put_char(bracket);
    need_comma = false;
}

void tool_json_close(char bracket)
{
    tool_put_char(bracket);
    need_comma = true;
}

void tool_json_end(void)
{
    tool_put_char('\n');
    tool_put_flush();
    need_comma = false;
}

void tool_json_text(const char *key, stamma_text text)
{
    put_key(key);
    put_quoted(text);
}

void tool_json_named_text(stamma_text key, stamma_text text)
{
    put_named_key(key);
    if (text.data)
        put_quoted(text);
    else
        tool_put("null", 4);
}

void tool_json_string(const char *key, const char *string)
{
    put_key(key);
    if (string)
        put_quoted(stamma_text_of(string));
    else
        tool_put("null", 4);
}

void tool_json_number(const char *key, uint64_t value)
{
    put_key(key);
    tool_put_number(value);
}

void tool_json_integer(const char *key, int64_t value)
{
    put_key(key);
    tool_put_integer(value);
}

void tool_json_word(const char *key, stamma_text word)
{
    put_key(key);
    tool_put_char('"');
    tool_put(word.data, word.size);
    tool_put_char('"');
}

void tool_json_real(const char *key, double value, int digits)
{
    put_key(key);
    char text[512]; /* a double has at most 309 digits before its point */
    tool_put(text, (size_t)snprintf(text, sizeof text, "%.*f", digits, value));
}

void tool_json_bool(const char *key, bool value)
{
    put_key(key);
    tool_put_string(value ? "true" : "false");
}

void tool_json_known(const char *key, uint64_t value)
{
    if (value > 0)
        tool_json_number(key, value);
    else
        tool_json_string(key, NULL);
}

void tool_json_value(const char *key, stamma_text value)
{
    const stamma_text plain = tool_text_unescape(value);
    tool_json_named_text(stamma_text_of(key), plain);
    free((char *)(uintptr_t)plain.data);
}

void tool_json_raw(const char *key, stamma_text json)
{
    put_key(key);
    tool_put(json.data, json.size);
}
