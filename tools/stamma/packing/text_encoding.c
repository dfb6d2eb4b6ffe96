/* SPDX-License-Identifier: MIT */
/* Recognises the encoding of a PGN file while it is packed. */
#include "packing/packing.h"

/* ---- UTF-16 and UTF-32 ---- */

/* Encodings with units of several bytes, by the first bytes of a file: a byte order mark, or two ASCII characters. 1
 * stands for a byte of ASCII other than NUL. UTF-32 is before UTF-16, because its mark begins with the mark of UTF-16.
 * */
static const struct wide {
    const char *name, *of_iconv;
    uint8_t size, bytes[4];
} wides[] = {
    {"UTF-32, little-endian", "UTF-32", 4, {0xFF, 0xFE, 0, 0}}, {"UTF-32, big-endian", "UTF-32", 4, {0, 0, 0xFE, 0xFF}},
    {"UTF-16, little-endian", "UTF-16", 2, {0xFF, 0xFE}},       {"UTF-16, big-endian", "UTF-16", 2, {0xFE, 0xFF}},
    {"UTF-16, little-endian", "UTF-16LE", 4, {1, 0, 1, 0}},     {"UTF-16, big-endian", "UTF-16BE", 4, {0, 1, 0, 1}},
};

static bool begins_so(const tool_encoding *e, const struct wide *wide)
{
    size_t same = 0;
    while (same < wide->size && same < e->head_size &&
           (wide->bytes[same] == 1 ? e->head[same] > 0 && e->head[same] < 0x80 : e->head[same] == wide->bytes[same]))
        same++;
    return same == wide->size;
}

static const struct wide *wide_of(const tool_encoding *e)
{
    for (size_t n = 0; n < sizeof wides / sizeof *wides; n++)
        if (begins_so(e, &wides[n]))
            return &wides[n];
    return NULL;
}

/* ---- UTF-8 and Windows-1252 ---- */

/* Begins a sequence of UTF-8 with its first byte, from 0x80 on (RFC 3629). */
static void begin_sequence(tool_encoding *e, uint8_t byte)
{
    e->missing = byte < 0xC2 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : byte < 0xF5 ? 3 : 0;
    e->low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    e->high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    e->not_utf8 |= e->missing == 0;
}

static void take_byte(tool_encoding *e, uint8_t byte)
{
    e->binary |= byte == 0;
    e->not_windows |= byte >= 0x80 && byte < 0xA0 && stamma_windows_1252_read(byte) == byte;
    if (e->missing > 0 && byte >= e->low && byte <= e->high) {
        e->low = 0x80;
        e->high = 0xBF;
        e->missing--;
        return;
    }
    e->not_utf8 |= e->missing > 0;
    e->missing = 0;
    if (byte >= 0x80)
        begin_sequence(e, byte);
}

/* Returns the number of bytes at `at` in a row that are ASCII other than NUL, a multiple of 8. */
static size_t plain_size(const uint8_t *at, size_t size)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t plain = 0;
    for (uint64_t eight; size - plain >= sizeof eight; plain += sizeof eight) {
        memcpy(&eight, at + plain, sizeof eight);
        if (((eight | (eight - ones)) & ones << 7) != 0)
            break;
    }
    return plain;
}

void tool_encoding_take(tool_encoding *e, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size && e->head_size < sizeof e->head; at++)
        e->head[e->head_size++] = bytes[at];
    for (size_t at = 0; at < size; at++) {
        if (e->missing == 0)
            at += plain_size(bytes + at, size - at);
        if (at < size)
            take_byte(e, bytes[at]);
    }
}

void tool_encoding_say(const tool_encoding *e, const char *name)
{
    const struct wide *wide = wide_of(e);
    if (wide)
        tool_say(name,
                 "the text is in %s, which is not PGN: all bytes are kept, but no game can be read. "
                 "Convert it first: iconv -f %s -t UTF-8",
                 wide->name, wide->of_iconv);
    else if ((e->not_utf8 || e->missing > 0) && !e->binary)
        tool_say(name, e->not_windows
                           ? "some text is neither in UTF-8 nor in Windows-1252: all bytes are kept, and this "
                             "text is shown as if it were in Windows-1252"
                           : "some text is in Windows-1252, not in UTF-8: all bytes are kept, and the text is "
                             "shown in UTF-8");
}
