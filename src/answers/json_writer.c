/* SPDX-License-Identifier: MIT */
/* Writes JSON to a buffer of the caller. */
#include "answers/answers.h"

static void put(json_writer *w, const char *bytes, size_t size)
{
    if (w->length < w->size && size < w->size - w->length) {
        memcpy(w->out + w->length, bytes, size);
    } else if (w->size > 0) { /* the text does not fit: only its length is computed */
        w->out[0] = '\0';
        w->size = 0;
    }
    w->length += size;
}

static void put_char(json_writer *w, char c)
{
    put(w, &c, 1);
}

static void put_unit(json_writer *w, unsigned point)
{
    static const char digits[] = "0123456789abcdef";
    const char unit[6] = {
        '\\', 'u', digits[point >> 12 & 15], digits[point >> 8 & 15], digits[point >> 4 & 15], digits[point & 15]};
    put(w, unit, sizeof unit);
}

/* Returns the code point of a UTF-8 character of three bytes that changes the direction of text, such as U+202E; or 0
 * (Unicode Standard Annex 9, 2). */
static unsigned direction_at(const uint8_t *at, size_t size)
{
    if (size < 3 || at[0] != 0xE2 || (at[1] != 0x80 && at[1] != 0x81))
        return 0;
    const unsigned point = 0x2000u | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    return point == 0x200E || point == 0x200F || (point >= 0x202A && point <= 0x202E) ||
                   (point >= 0x2066 && point <= 0x2069)
               ? point
               : 0;
}

/* Characters that change the direction of text are escaped, because they could reorder what a terminal displays. */
void stamma_json_add_text(json_writer *w, stamma_text text)
{
    for (size_t i = 0; i < text.size; i++) {
        const uint8_t byte = (uint8_t)text.data[i];
        const unsigned direction = direction_at((const uint8_t *)text.data + i, text.size - i);
        if (byte == 0xC2 && i + 1 < text.size && (uint8_t)text.data[i + 1] < 0xA0) { /* U+0080 to U+009F */
            put_unit(w, (uint8_t)text.data[++i]);
            continue;
        }
        if (direction > 0 || byte < 0x20 || byte == 0x7F) {
            put_unit(w, direction > 0 ? direction : byte);
            i += direction > 0 ? 2 : 0;
            continue;
        }
        if (byte == '"' || byte == '\\')
            put_char(w, '\\');
        put_char(w, (char)byte);
    }
}

static void put_quoted(json_writer *w, stamma_text text)
{
    put_char(w, '"');
    stamma_json_add_text(w, text);
    put_char(w, '"');
}

static void put_key(json_writer *w, const char *key)
{
    if (w->comma)
        put_char(w, ',');
    w->comma = true;
    if (!key)
        return;
    put_quoted(w, (stamma_text){key, strlen(key)});
    put_char(w, ':');
}

static void put_digits(json_writer *w, uint64_t number, unsigned least)
{
    char digits[NUMBER_DIGITS];
    put(w, digits, (size_t)(digits_write(number, least, digits) - digits));
}

void stamma_json_open(json_writer *w, const char *key, char bracket)
{
    put_key(w, key);
    put_char(w, bracket);
    w->comma = false;
}

void stamma_json_close(json_writer *w, char bracket)
{
    put_char(w, bracket);
    w->comma = true;
}

void stamma_json_text(json_writer *w, const char *key, stamma_text text)
{
    put_key(w, key);
    if (text.data)
        put_quoted(w, text);
    else
        put(w, "null", 4);
}

void stamma_json_begin_text(json_writer *w, const char *key)
{
    put_key(w, key);
    put_char(w, '"');
}

void stamma_json_end_text(json_writer *w)
{
    put_char(w, '"');
}

void stamma_json_string(json_writer *w, const char *key, const char *string)
{
    stamma_json_text(w, key, (stamma_text){string, string ? strlen(string) : 0});
}

void stamma_json_number(json_writer *w, const char *key, uint64_t number)
{
    put_key(w, key);
    put_digits(w, number, 1);
}

void stamma_json_integer(json_writer *w, const char *key, int64_t number)
{
    put_key(w, key);
    if (number < 0)
        put_char(w, '-');
    put_digits(w, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 1);
}

void stamma_json_digits(json_writer *w, const char *key, stamma_text digits)
{
    put_key(w, key);
    put(w, digits.data, digits.size);
}

void stamma_json_hundredths(json_writer *w, const char *key, uint64_t hundredths)
{
    stamma_json_number(w, key, hundredths / 100);
    put_char(w, '.');
    put_digits(w, hundredths % 100, 2);
}

size_t stamma_json_end(json_writer *w)
{
    if (w->length < w->size)
        w->out[w->length] = '\0';
    return w->length;
}
