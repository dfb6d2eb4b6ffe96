/* SPDX-License-Identifier: MIT */
/* Reads JSON (RFC 8259) as a tree of values, each of which stores its place in the text. */
#include <stdio.h>

#include "query/query.h"

static bool read_value(json_reader *r, uint32_t number);

/* ---- errors ---- */

static bool fault_at(json_reader *r, size_t offset, size_t size, const char *message)
{
    r->fault.offset = offset;
    r->fault.size = size;
    snprintf(r->fault.message, sizeof r->fault.message, "%s", message);
    return false;
}

/* Returns the next byte, or -1 at the end. */
static int peek(const json_reader *r)
{
    return r->at < r->json.size ? (unsigned char)r->json.data[r->at] : -1;
}

static bool fault_here(json_reader *r, const char *message)
{
    return fault_at(r, r->at, peek(r) >= 0, message);
}

/* ---- memory ---- */

static json_value *value_at(json_reader *r, uint32_t number)
{
    return (json_value *)(void *)r->values.data + number;
}

/* Adds a value and returns its number in *number. Returns false if memory is exhausted. */
static bool add_value(json_reader *r, uint32_t *number)
{
    static const json_value none;
    size_t count = r->values.size / sizeof none;
    if (count >= UINT32_MAX)
        r->values.failed = true;
    else
        buffer_add(&r->values, &none, sizeof none);
    *number = (uint32_t)count;
    return !r->values.failed;
}

/* ---- letters ---- */

static void skip_blanks(json_reader *r)
{
    for (int byte = peek(r); byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; byte = peek(r))
        r->at++;
}

static bool take(json_reader *r, char letter)
{
    bool found = peek(r) == letter;
    r->at += found;
    return found;
}

/* Reads four hexadecimal digits at `at`. Returns -1 if they are not there. */
static long hexadecimal(stamma_text json, size_t at)
{
    long value = 0;
    if (json.size - at < 4)
        return -1;
    for (size_t i = at; i < at + 4; i++) {
        char c = json.data[i];
        if (c >= '0' && c <= '9')
            value = value * 16 + c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            value = value * 16 + (c | 0x20) - 'a' + 10;
        else
            return -1;
    }
    return value;
}

static size_t write_utf8(unsigned long code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 63));
        out[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* Decodes a \u escape whose digits begin at `at`, and a second escape if both are a surrogate pair. An unpaired
 * surrogate becomes U+FFFD. Returns the number of bytes read; 0: invalid. */
static size_t decode_unicode(stamma_text json, size_t at, char out[4], size_t *length)
{
    long code = hexadecimal(json, at), low = -1;
    if (code < 0)
        return 0;
    if (code >= 0xD800 && code < 0xDC00 && json.size - at >= 10 && json.data[at + 4] == '\\' &&
        json.data[at + 5] == 'u')
        low = hexadecimal(json, at + 6);
    if (low >= 0xDC00 && low < 0xE000) {
        *length = write_utf8((unsigned long)(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), out);
        return 10;
    }
    *length = write_utf8(code >= 0xD800 && code < 0xE000 ? 0xFFFD : (unsigned long)code, out);
    return 4;
}

/* Decodes one letter of a text at `at`. Returns its number of bytes in the JSON text, or 0 if its escape is invalid. */
static size_t decode_letter(stamma_text json, size_t at, char out[4], size_t *length)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    *length = 1;
    out[0] = json.data[at];
    if (out[0] != '\\')
        return 1;
    char escape = at + 1 < json.size ? json.data[at + 1] : '\0';
    if (escape == 'u') {
        size_t taken = decode_unicode(json, at + 2, out, length);
        return taken ? taken + 2 : 0;
    }
    const char *found = escape ? strchr(escapes, escape) : NULL;
    if (!found)
        return 0;
    out[0] = meanings[found - escapes];
    return 2;
}

size_t stamma_json_place(const json_reader *reader, const json_value *value, size_t at)
{
    size_t place = value->offset + (value->kind == JSON_TEXT), length = 0;
    char letter[4];
    if (value->kind != JSON_TEXT)
        return place + at;
    for (size_t decoded = 0; decoded < at; decoded += length)
        place += decode_letter(reader->json, place, letter, &length);
    return place;
}

/* Reads a text between quotes. The next byte is the opening quote. */
static bool read_text(json_reader *r, size_t *text, size_t *size)
{
    size_t begin = r->at++;
    *text = r->texts.size;
    while (peek(r) >= 0 && peek(r) != '"') {
        char letter[4];
        size_t length, taken;
        if (peek(r) < ' ')
            return fault_here(r, "a text contains a line end or another control character");
        taken = decode_letter(r->json, r->at, letter, &length);
        if (taken == 0)
            return fault_at(r, r->at, r->json.size - r->at < 2 ? 1 : 2, "there is no such escape in JSON");
        buffer_add(&r->texts, letter, length);
        r->at += taken;
    }
    *size = r->texts.size - *text;
    return take(r, '"') || fault_at(r, begin, r->json.size - begin, "this text has no closing quote");
}

/* ---- values ---- */

static size_t skip_digits(json_reader *r)
{
    size_t begin = r->at;
    while (text_is_digit(peek(r)))
        r->at++;
    return r->at - begin;
}

static bool read_number(json_reader *r, json_value *value)
{
    size_t begin = r->at;
    take(r, '-');
    bool padded = peek(r) == '0';
    size_t digits = skip_digits(r);
    bool sound = digits == 1 || (digits > 1 && !padded);
    if (sound && take(r, '.'))
        sound = skip_digits(r) > 0;
    if (sound && (take(r, 'e') || take(r, 'E'))) {
        if (!take(r, '-'))
            take(r, '+');
        sound = skip_digits(r) > 0;
    }
    if (!sound)
        return fault_at(r, begin, r->at - begin, "this is no number as JSON writes them");
    value->kind = JSON_NUMBER;
    value->text = r->texts.size;
    value->text_size = r->at - begin;
    buffer_add(&r->texts, r->json.data + begin, r->at - begin);
    return true;
}

static bool read_word(json_reader *r, json_value *value)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
    size_t begin = r->at;
    while ((peek(r) >= 'a' && peek(r) <= 'z') || (peek(r) >= 'A' && peek(r) <= 'Z') || text_is_digit(peek(r)))
        r->at++;
    stamma_text word = {r->json.data + begin, r->at - begin};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (text_equal(word, (stamma_text){words[i].word, strlen(words[i].word)})) {
            value->kind = words[i].kind;
            return true;
        }
    }
    if (word.size == 0)
        return fault_here(r, r->at < r->json.size ? "expected a value" : "the text ends where a value is expected");
    return fault_at(r, begin, word.size, "expected a value; texts are written between double quotes");
}

/* Reads the name of a member and the colon after it. An earlier member with the same name is an error. */
static bool read_name(json_reader *r, uint32_t number, uint32_t first)
{
    json_value name = {0};
    name.name_offset = r->at;
    if (peek(r) != '"')
        return fault_here(r, "expected the name of a rule between double quotes");
    if (!read_text(r, &name.name, &name.name_size))
        return false;
    name.name_end = r->at;
    *value_at(r, number) = name;
    for (uint32_t n = first; n != JSON_NONE && n != number && !r->texts.failed; n = value_at(r, n)->next)
        if (text_equal(json_name(r, value_at(r, n)), json_name(r, &name)))
            return fault_at(r, name.name_offset, name.name_end - name.name_offset,
                            "this name appears for the second time; use \"all\" if both should hold");
    skip_blanks(r);
    return take(r, ':') || fault_here(r, "expected a colon after the name");
}

/* Reads one element or member and links it after `last` (JSON_NONE: as the first). */
static bool read_element(json_reader *r, uint32_t parent, uint32_t *last, bool named)
{
    uint32_t number;
    if (!add_value(r, &number))
        return false;
    if (named && !read_name(r, number, value_at(r, parent)->first))
        return false;
    if (*last == JSON_NONE)
        value_at(r, parent)->first = number;
    else
        value_at(r, *last)->next = number;
    *last = number;
    return read_value(r, number);
}

/* Reads a list or an object. The next byte is the opening bracket. */
static bool read_elements(json_reader *r, uint32_t parent, char close)
{
    uint32_t last = JSON_NONE;
    size_t begin = r->at++, count = 0;
    bool named = close == '}';
    value_at(r, parent)->kind = named ? JSON_OBJECT : JSON_LIST;
    skip_blanks(r);
    if (take(r, close))
        return true;
    do {
        skip_blanks(r);
        if (named && ++count > JSON_MEMBERS_MAX)
            return fault_here(r, "too many members");
        if (peek(r) == close)
            return fault_here(r, "nothing follows this comma");
        if (!read_element(r, parent, &last, named))
            return false;
        skip_blanks(r);
    } while (take(r, ','));
    if (take(r, close))
        return true;
    if (peek(r) < 0)
        return fault_at(r, begin, 1, named ? "this brace is never closed" : "this bracket is never closed");
    return fault_here(r, named ? "expected a comma or a closing brace" : "expected a comma or a closing bracket");
}

static bool read_nested(json_reader *r, uint32_t number, char close)
{
    if (r->depth == JSON_DEPTH_MAX)
        return fault_here(r, "nested too deep");
    r->depth++;
    bool sound = read_elements(r, number, close);
    r->depth--;
    return sound;
}

/* Reads a value. Calls itself through lists and objects, at most JSON_DEPTH_MAX deep. */
static bool read_value(json_reader *r, uint32_t number)
{
    skip_blanks(r);
    size_t begin = r->at;
    json_value read = *value_at(r, number);
    bool sound, nested = peek(r) == '{' || peek(r) == '[';
    if (nested) {
        sound = read_nested(r, number, peek(r) == '{' ? '}' : ']');
        read = *value_at(r, number);
    } else if (peek(r) == '"') {
        read.kind = JSON_TEXT;
        sound = read_text(r, &read.text, &read.text_size);
    } else {
        sound = peek(r) == '-' || text_is_digit(peek(r)) ? read_number(r, &read) : read_word(r, &read);
    }
    read.offset = begin;
    read.size = r->at - begin;
    *value_at(r, number) = read;
    return sound;
}

stamma_error stamma_json_read(json_reader *reader)
{
    uint32_t root;
    bool sound = add_value(reader, &root) && read_value(reader, root);
    if (sound) {
        skip_blanks(reader);
        sound = reader->at == reader->json.size ||
                fault_at(reader, reader->at, reader->json.size - reader->at, "something follows the query");
    }
    if (reader->values.failed || reader->texts.failed)
        return STAMMA_ERROR_NO_MEMORY;
    return sound ? STAMMA_OK : STAMMA_ERROR_SYNTAX;
}

void stamma_json_release(json_reader *reader)
{
    stamma_buffer_release(&reader->values);
    stamma_buffer_release(&reader->texts);
}
