/* SPDX-License-Identifier: MIT */
/* Codes and their parts as text, for `stamma encode`. */
#include "encodings/encode.h"

bool encode_is_group(stamma_text name, bool *moves, bool *positions)
{
    *moves = tool_text_is(name, "moves") || tool_text_is(name, "all");
    *positions = tool_text_is(name, "positions") || tool_text_is(name, "all");
    return *moves || *positions;
}

bool encode_wants(const encode_form *form, const char *name)
{
    for (const char *at = form->names; at && *at; at += strcspn(at, ","), at += *at == ',') {
        const stamma_text wanted = {at, strcspn(at, ",")};
        bool moves, positions;
        if (tool_text_is(wanted, name))
            return true;
        (void)encode_is_group(wanted, &moves, &positions);
        if ((moves && stamma_codec_find(stamma_text_of(name))) ||
            (positions && stamma_position_codec_find(stamma_text_of(name))))
            return true;
    }
    return !form->names;
}

const char *encode_binary(uint64_t value, unsigned bits, char out[ENCODE_BINARY_SIZE])
{
    char *at = out;
    for (unsigned bit = bits; bit-- > 0;) {
        *at++ = value >> bit & 1 ? '1' : '0';
        if (bit > 0 && bit % 4 == 0)
            *at++ = ' ';
    }
    *at = 0;
    return out;
}

const char *encode_characters(uint64_t value, unsigned bits, char out[9])
{
    unsigned length = bits < 64 ? bits / 8 : 8;
    for (unsigned n = 0; n < length; n++)
        out[n] = (char)(value >> 8 * (length - 1 - n) & 255);
    out[length] = 0;
    return out;
}

void encode_hex(const uint8_t *bytes, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t n = 0; n < size; n++) {
        *out++ = digits[bytes[n] >> 4];
        *out++ = digits[bytes[n] & 15];
    }
    *out = 0;
}

static int hex_digit(char digit)
{
    const char *found = digit ? strchr("0123456789abcdef", digit | 0x20) : NULL;
    return found ? (int)(found - "0123456789abcdef") : -1;
}

bool encode_read_hex(const char *digits, uint8_t *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        int high = hex_digit(digits[2 * n]), low = high < 0 ? -1 : hex_digit(digits[2 * n + 1]);
        if (low < 0)
            return false;
        bytes[n] = (uint8_t)(16 * high + low);
    }
    return true;
}

static const char *binary_digits(uint64_t value, unsigned bits, char out[ENCODE_BINARY_SIZE])
{
    for (unsigned n = 0; n < bits; n++)
        out[n] = value >> (bits - 1 - n) & 1 ? '1' : '0';
    out[bits] = 0;
    return out;
}

static void print_line(const encode_parts *p, const stamma_code_part *part)
{
    char digits[ENCODE_BINARY_SIZE];
    printf("      ");
    if (p->text && part->first + part->bits <= p->text_bits)
        printf("%-8.*s", (int)(part->bits / 8), p->text + part->first / 8);
    else if (part->bits == 0)
        printf("+ %-6" PRIu64, part->value);
    else if (part->bits <= 64)
        printf("%-8s", binary_digits(part->value, part->bits, digits));
    else
        printf("%u bits", part->bits);
    printf("  %s\n", part->text);
}

void encode_print_part(void *context, const stamma_code_part *part)
{
    const encode_parts *p = context;
    if (!p->json) {
        print_line(p, part);
        return;
    }
    tool_json_open(NULL, '{');
    tool_json_number("first", part->first);
    tool_json_number("bits", part->bits);
    if (part->bits <= 64)
        tool_json_number("value", part->value);
    else
        tool_json_string("value", NULL);
    tool_json_string("text", part->text);
    tool_json_close('}');
}

const char *encode_fen(const stamma_position *position, char out[STAMMA_FEN_SIZE])
{
    (void)stamma_fen_write(position, STAMMA_FEN_STANDARD, out, STAMMA_FEN_SIZE);
    return out;
}
