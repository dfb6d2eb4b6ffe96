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

unsigned stamma_pgn_variant(stamma_text value)
{
    enum { ALL = PGN_VARIANT_CHESS | PGN_VARIANT_TYPED };
    static const struct {
        const char *name;
        unsigned properties;
    } known[] = {
        {"", ALL},
        {"standard", ALL},
        {"chess", ALL},
        {"normal", ALL},
        {"regular", PGN_VARIANT_CHESS},
        {"fromposition", ALL},
        {"chess960", ALL | PGN_VARIANT_960},
        {"960", PGN_VARIANT_CHESS | PGN_VARIANT_960},
        {"fischerandom", ALL | PGN_VARIANT_960},
        {"fischerrandom", ALL | PGN_VARIANT_960},
        {"fischerrandomchess", PGN_VARIANT_CHESS | PGN_VARIANT_960},
        {"frc", ALL | PGN_VARIANT_960},
        {"dfrc", PGN_VARIANT_CHESS | PGN_VARIANT_960},
        {"freestyle", PGN_VARIANT_CHESS | PGN_VARIANT_960},
        {"kingofthehill", PGN_VARIANT_TYPED},
        {"threecheck", PGN_VARIANT_TYPED},
        {"3check", PGN_VARIANT_TYPED},
    };
    char name[32];
    simplify(value, name, sizeof name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].properties;
    return 0;
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
