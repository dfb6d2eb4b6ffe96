/* Tag pairs: escapes (PGN standard 7), allowed contents, and the Variant tag. */
#include "notation/notation.h"

size_t stamma_pgn_unescape(stamma_text value, char *out)
{
    size_t size = 0;
    for (size_t at = 0; at < value.size; at++, size++) {
        char byte = value.data[at];
        if (byte == '\\' && at + 1 < value.size && (value.data[at + 1] == '"' || value.data[at + 1] == '\\'))
            byte = value.data[++at];
        if (out)
            out[size] = byte;
    }
    return size;
}

/* Copies the letters, in lower case, and digits of `text`, and adds a NUL. Characters that do not fit are dropped. */
static void simplify(stamma_text text, char *out, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < text.size && length + 1 < size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte >= 'A' && byte <= 'Z')
            byte = (unsigned char)(byte | 0x20);
        if ((byte >= 'a' && byte <= 'z') || text_is_digit(byte))
            out[length++] = (char)byte;
    }
    out[length] = '\0';
}

bool stamma_pgn_variant_is_chess(stamma_text value)
{
    static const char *const names[] = {"",
                                        "standard",
                                        "chess",
                                        "normal",
                                        "regular",
                                        "fromposition",
                                        "chess960",
                                        "960",
                                        "fischerandom",
                                        "fischerrandom",
                                        "fischerrandomchess",
                                        "frc",
                                        "dfrc",
                                        "freestyle"};
    char name[32];
    simplify(value, name, sizeof name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool stamma_pgn_tag_is_sound(stamma_text name, stamma_text value)
{
    if (!text_is_given(name) || !text_is_given(value))
        return false;
    for (size_t i = 0; i < value.size; i++)
        if (value.data[i] == '\n' || value.data[i] == '\r')
            return false;
    return stamma_pgn_is_word(name);
}
