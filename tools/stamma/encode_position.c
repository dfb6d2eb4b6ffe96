/* stamma encode without a move: a position in every encoding, and back. A code is written as its number of bits, a
 * colon and its bytes in hexadecimal digits, "176:01eef3..."; a text as it is. */
#include "tool.h"

/* Room for any code so written. */
enum { VALUE_SIZE = 2 * STAMMA_POSITION_CODE_SIZE + 8 };

static const char *code_value(const stamma_position_codec *codec, const stamma_position_code *code,
                              char out[VALUE_SIZE])
{
    unsigned bytes = (code->bits + 7) / 8;
    if (stamma_position_codec_describe(codec).is_text) {
        (void)snprintf(out, VALUE_SIZE, "%.*s", (int)bytes, (const char *)code->bytes);
        return out;
    }
    int at = snprintf(out, VALUE_SIZE, "%u:", code->bits);
    for (unsigned n = 0; n < bytes; n++)
        at += snprintf(out + at, VALUE_SIZE - (size_t)at, "%02x", code->bytes[n]);
    return out;
}

int tool_encode_position(const stamma_position *position, bool json)
{
    const stamma_position_codec *codec;
    char value[VALUE_SIZE], fen[STAMMA_FEN_SIZE];
    (void)stamma_fen_write(position, STAMMA_FEN_SHREDDER, fen, sizeof fen);
    if (json)
        tool_json_open(NULL, '{');
    for (size_t n = 0; (codec = stamma_position_codec_at(n)) != NULL; n++) {
        const char *name = stamma_position_codec_describe(codec).name;
        stamma_position_code code = {0, {0}};
        stamma_error error = stamma_position_encode(codec, position, &code);
        if (json)
            tool_json_string(name, error ? NULL : code_value(codec, &code, value));
        else
            printf("  %-24s %4u  %s\n", name, code.bits,
                   error ? stamma_error_text(error) : code_value(codec, &code, value));
    }
    if (json) {
        tool_json_string("shredder-fen", fen);
        tool_json_close('}');
        tool_json_end();
    } else {
        printf("  %-24s %4zu  %s\n", "shredder-fen", 8 * strlen(fen), fen);
    }
    return TOOL_DONE;
}

static int hex_digit(char digit)
{
    const char *found = digit ? strchr("0123456789abcdef", digit | 0x20) : NULL;
    return found ? (int)(found - "0123456789abcdef") : -1;
}

/* Reads "BITS:HEX". */
static bool read_code(const char *text, stamma_position_code *code)
{
    char *digits;
    unsigned long bits = *text >= '0' && *text <= '9' ? strtoul(text, &digits, 10) : 0;
    size_t bytes = (bits + 7) / 8;
    if (bits == 0 || bits > 8 * sizeof code->bytes || *digits++ != ':' || strlen(digits) != 2 * bytes)
        return false;
    code->bits = (unsigned)bits;
    for (size_t n = 0; n < bytes; n++, digits += 2) {
        int high = hex_digit(digits[0]), low = hex_digit(digits[1]);
        if (high < 0 || low < 0)
            return false;
        code->bytes[n] = (uint8_t)(16 * high + low);
    }
    return true;
}

static bool read_text(const char *text, stamma_position_code *code)
{
    size_t length = strlen(text);
    if (length > sizeof code->bytes)
        return false;
    memcpy(code->bytes, text, length);
    code->bits = 8 * (unsigned)length;
    return true;
}

int tool_decode_position(const stamma_position_codec *codec, const char *value, bool json)
{
    stamma_position_codec_info info = stamma_position_codec_describe(codec);
    stamma_position_code code = {0, {0}};
    stamma_position position;
    char fen[STAMMA_FEN_SIZE];
    if (!(info.is_text ? read_text : read_code)(value, &code)) {
        tool_say(value, "is no code: the number of bits, a colon and hexadecimal digits");
        return TOOL_ERROR;
    }
    stamma_error error = stamma_position_decode(codec, &code, &position);
    if (error) {
        tool_say(info.name, "%s: %s", value, stamma_error_text(error));
        return TOOL_ERROR;
    }
    (void)stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    if (json) {
        tool_json_open(NULL, '{');
        tool_json_string("fen", fen);
        tool_json_close('}');
        tool_json_end();
    } else {
        printf("%s\n", fen);
    }
    return TOOL_DONE;
}
