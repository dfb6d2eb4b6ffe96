/* SPDX-License-Identifier: MIT */
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

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Returns whether two texts of the same size differ at most in case. */
static bool is_same(const char *a, const char *b, size_t size)
{
    size_t same = 0;
    while (same < size && lower(a[same]) == lower(b[same]))
        same++;
    return same == size;
}

stamma_text stamma_pgn_tag_name(stamma_text name)
{
#define NAME(text) {text, sizeof text - 1}
    static const stamma_text known[] = {
        NAME("FEN"),         NAME("ECO"),     NAME("Date"),        NAME("Site"),        NAME("Event"),
        NAME("Round"),       NAME("White"),   NAME("Black"),       NAME("SetUp"),       NAME("Result"),
        NAME("UTCDate"),     NAME("Variant"), NAME("Opening"),     NAME("WhiteElo"),    NAME("BlackElo"),
        NAME("TimeControl"), NAME("Termination"),
    };
#undef NAME
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (name.size == known[n].size && is_same(name.data, known[n].data, name.size))
            return memcmp(name.data, known[n].data, name.size) == 0 ? name : known[n];
    return name;
}

unsigned stamma_pgn_variant(stamma_text value)
{
    enum { CHESS = PGN_VARIANT_CHESS | PGN_VARIANT_TYPED, CHESS_960 = CHESS | PGN_VARIANT_960 };
    static const struct {
        const char *name;
        unsigned properties;
    } known[] = {
        {"", CHESS},
        {"standard", CHESS},
        {"chess", CHESS},
        {"normal", CHESS},
        {"regular", CHESS},
        {"classical", CHESS},
        {"fromposition", CHESS},
        {"chess960", CHESS_960},
        {"960", CHESS_960},
        {"fischerandom", CHESS_960},
        {"fischerrandom", CHESS_960},
        {"fischerrandomchess", CHESS_960},
        {"frc", CHESS_960},
        {"dfrc", CHESS_960},
        {"freestyle", CHESS_960},
        {"freestylechess", CHESS_960},
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

bool stamma_chess960_read(stamma_text variant)
{
    return stamma_pgn_variant(variant) & PGN_VARIANT_960;
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
