/* SPDX-License-Identifier: MIT */
/* stamma encode without a move: prints a position in every encoding. A code is printed as its number of bits, a colon
 * and its bytes in hexadecimal digits, "176:01eef3..."; a text is printed unchanged. */
#include "encodings/encode.h"

/* Size of any printed code. */
enum { VALUE_SIZE = 2 * STAMMA_POSITION_CODE_SIZE + 8 };

static const char *code_value(const stamma_position_codec *codec, const stamma_position_code *code, bool with_bits,
                              char out[VALUE_SIZE])
{
    unsigned bytes = (code->bits + 7) / 8;
    if (stamma_position_codec_describe(codec).is_text) {
        (void)snprintf(out, VALUE_SIZE, "%.*s", (int)bytes, (const char *)code->bytes);
        return out;
    }
    int at = with_bits ? snprintf(out, VALUE_SIZE, "%u:", code->bits) : 0;
    encode_hex(code->bytes, bytes, out + at);
    return out;
}

static void print_parts(const encode_form *form, const stamma_position_codec *codec, const stamma_position *position,
                        const stamma_position_code *code)
{
    bool text = stamma_position_codec_describe(codec).is_text;
    encode_parts parts = {form->json, text ? (const char *)code->bytes : NULL, text ? code->bits : 0};
    (void)stamma_position_explain(codec, position, encode_print_part, &parts);
}

static void print_row(const encode_form *form, const stamma_position_codec *codec, const stamma_position *position)
{
    char value[VALUE_SIZE], fen[STAMMA_FEN_SIZE];
    const char *name = stamma_position_codec_describe(codec).name;
    stamma_position_code code = {0, {0}};
    stamma_error error = stamma_position_encode(codec, position, &code);
    if (form->tsv && error)
        printf("%s\t-\t%s\t-\t-\n", encode_fen(position, fen), name);
    else if (form->tsv)
        printf("%s\t-\t%s\t%u\t%s\n", encode_fen(position, fen), name, code.bits,
               code_value(codec, &code, false, value));
    else if (error)
        printf("  %-24s    -  %s\n", name, stamma_error_text(error));
    else
        printf("  %-24s %4u  %s\n", name, code.bits, code_value(codec, &code, true, value));
    if (!error && form->explain && !form->tsv)
        print_parts(form, codec, position, &code);
}

/* The contents of an object for every encoding: its value, its number of bits, or its parts. */
enum member { VALUES, BITS, PARTS };

static void print_member(const encode_form *form, enum member member, const stamma_position_codec *codec,
                         const stamma_position *position)
{
    char value[VALUE_SIZE];
    const char *name = stamma_position_codec_describe(codec).name;
    stamma_position_code code;
    if (stamma_position_encode(codec, position, &code)) {
        tool_json_string(name, NULL);
    } else if (member == VALUES) {
        tool_json_string(name, code_value(codec, &code, true, value));
    } else if (member == BITS) {
        tool_json_number(name, code.bits);
    } else {
        tool_json_open(name, '[');
        print_parts(form, codec, position, &code);
        tool_json_close(']');
    }
}

static void print_members(const encode_form *form, enum member member, const stamma_position *position)
{
    const stamma_position_codec *codec;
    for (size_t n = 0; (codec = stamma_position_codec_at(n)) != NULL; n++)
        if (encode_wants(form, stamma_position_codec_describe(codec).name))
            print_member(form, member, codec, position);
}

void encode_put_position(const char *key, const encode_form *form, const stamma_position *position)
{
    tool_json_open(key, '{');
    print_members(form, VALUES, position);
    tool_json_open("bits", '{');
    print_members(form, BITS, position);
    tool_json_close('}');
    if (form->explain) {
        tool_json_open("parts", '{');
        print_members(form, PARTS, position);
        tool_json_close('}');
    }
    tool_json_close('}');
}

int encode_position(const encode_form *form, const stamma_position *position)
{
    const stamma_position_codec *codec;
    if (form->json) {
        encode_put_position(NULL, form, position);
        tool_json_end();
        return TOOL_DONE;
    }
    for (size_t n = 0; (codec = stamma_position_codec_at(n)) != NULL; n++)
        if (encode_wants(form, stamma_position_codec_describe(codec).name))
            print_row(form, codec, position);
    return TOOL_DONE;
}
