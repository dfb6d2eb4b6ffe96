/* Bytes of PGN files as text that a terminal or another program can take. */
#include "tool.h"

size_t tool_utf8_length(stamma_text text)
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
    /* The second byte's range excludes overlong forms, surrogates and what lies past U+10FFFF (RFC 3629). */
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F))
        return 0;
    if ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

bool tool_text_is_utf8(stamma_text text)
{
    while (text.size > 0) {
        size_t length = tool_utf8_length(text);
        if (length == 0)
            return false;
        text.data += length;
        text.size -= length;
    }
    return true;
}

size_t tool_text_print(FILE *out, stamma_text text)
{
    bool utf8 = tool_text_is_utf8(text);
    size_t characters = 0;
    for (size_t i = 0; i < text.size; characters++) {
        uint8_t byte = (uint8_t)text.data[i];
        size_t length = utf8 ? tool_utf8_length((stamma_text){text.data + i, text.size - i}) : 1;
        bool control = byte < 0x20 || byte == 0x7F || (byte >= 0x80 && byte < 0xA0 && !utf8) ||
                       (utf8 && byte == 0xC2 && (uint8_t)text.data[i + 1] < 0xA0);
        if (control)
            (void)putc('?', out);
        else if (byte < 0x80 || utf8)
            (void)fwrite(text.data + i, 1, length, out);
        else
            (void)fprintf(out, "%c%c", 0xC0 | byte >> 6, 0x80 | (byte & 0x3F));
        i += length;
    }
    return characters;
}

stamma_text tool_text_of(const char *string)
{
    return (stamma_text){string, strlen(string)};
}

stamma_text tool_text_unescape(stamma_text value)
{
    if (!value.data)
        return value;
    char *plain = malloc(value.size + 1);
    if (!plain) {
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        tool_temporary_remove();
        exit(TOOL_ERROR);
    }
    return (stamma_text){plain, stamma_pgn_unescape(value, plain)};
}
