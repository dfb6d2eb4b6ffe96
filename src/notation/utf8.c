/* SPDX-License-Identifier: MIT */
/* Converts texts of PGN to UTF-8. Texts that are not UTF-8 are read as Windows-1252, which contains all printable
 * characters of Latin-1 (PGN standard 4.1). */
#include "notation/notation.h"

/* Returns the length of the UTF-8 sequence at the start (RFC 3629: no overlong forms, no surrogates); 0: invalid. */
static size_t sequence_length(const uint8_t *bytes, size_t size)
{
    unsigned first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0u) != 0x80)
            return 0;
    bool bad = length > 2 && ((first == 0xE0 && bytes[1] < 0xA0) || (first == 0xED && bytes[1] > 0x9F) ||
                              (first == 0xF0 && bytes[1] < 0x90) || (first == 0xF4 && bytes[1] > 0x8F));
    return bad ? 0 : length;
}

/* Returns the number of ASCII characters at the start. */
static size_t ascii_length(stamma_text text)
{
    size_t at = 0;
    while (text.size - at >= 8 && !(load_u64(text.data + at) & EACH_BYTE(0x80)))
        at += 8;
    while (at < text.size && (uint8_t)text.data[at] < 0x80)
        at++;
    return at;
}

bool stamma_text_is_utf8(stamma_text text)
{
    for (size_t at = ascii_length(text), length; at < text.size; at += length) {
        length = sequence_length((const uint8_t *)text.data + at, text.size - at);
        if (length == 0)
            return false;
    }
    return true;
}

unsigned stamma_windows_1252_read(unsigned byte)
{
    static const uint16_t characters[0xA0 - 0x80] = {
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
        0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x009D, 0x017E, 0x0178};
    byte &= 0xFF;
    return byte >= 0x80 && byte < 0xA0 ? characters[byte - 0x80] : byte;
}

/* Adds a character from U+0080 to U+FFFF. */
static void add_character(buffer *utf8, unsigned character)
{
    if (character < 0x800) {
        buffer_add_byte(utf8, (uint8_t)(0xC0u | character >> 6));
    } else {
        buffer_add_byte(utf8, (uint8_t)(0xE0u | character >> 12));
        buffer_add_byte(utf8, (uint8_t)(0x80u | (character >> 6 & 0x3Fu)));
    }
    buffer_add_byte(utf8, (uint8_t)(0x80u | (character & 0x3Fu)));
}

void stamma_utf8_add(stamma_text text, bool escaped, buffer *utf8)
{
    bool whole = stamma_text_is_utf8(text);
    if (whole && (!escaped || text.size == 0 || !memchr(text.data, '\\', text.size))) {
        buffer_add(utf8, text.data, text.size);
        return;
    }
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = (uint8_t)text.data[i];
        if (escaped && byte == '\\' && i + 1 < text.size && (text.data[i + 1] == '"' || text.data[i + 1] == '\\'))
            byte = (uint8_t)text.data[++i];
        if (byte >= 0x80 && !whole)
            add_character(utf8, stamma_windows_1252_read(byte));
        else
            buffer_add_byte(utf8, byte);
    }
}
