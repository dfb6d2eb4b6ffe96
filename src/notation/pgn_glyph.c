/* Marks that annotators write instead of Numeric Annotation Glyphs. */
#include "notation/notation.h"

typedef struct glyph {
    char text[7]; /* NUL-terminated UTF-8 */
    int16_t nag;
} glyph;

/* PGN standard 8.2.3.8 and 10; other marks as in ChessBase and Scid. */
static const glyph glyphs[] = {
    {"=", 10},
    {"+=", 14},
    {"+/=", 14},
    {"=+", 15},
    {"=/+", 15},
    {"+/-", 16},
    {"-/+", 17},
    {"+-", 18},
    {"+--", 20},
    {"-+", 19},
    {"--+", 21},
    {"N", 146},
    {"D", 220},
    {"+", PGN_GLYPH_MARK},
    {"++", PGN_GLYPH_MARK},
    {"#", PGN_GLYPH_MARK},
    {"e.p.", PGN_GLYPH_MARK},
    {"e.p", PGN_GLYPH_MARK},
    {"ep", PGN_GLYPH_MARK},
    {"\xE2\x96\xA1", 7},  /* U+25A1 white square */
    {"\xE2\x88\x9E", 13}, /* U+221E infinity */
    {"\xE2\xA9\xB2", 14}, /* U+2A72 plus above equals */
    {"\xE2\xA9\xB1", 15}, /* U+2A71 equals above plus */
    {"\xC2\xB1", 16},     /* U+00B1 plus-minus */
    {"\xE2\x88\x93", 17}, /* U+2213 minus-or-plus */
};

/* Reads a run of ! and ?. Only the first two matter; the rest is emphasis. */
static int exclamation(stamma_text text)
{
    bool question = text.data[0] == '?';
    if (text.size == 1)
        return question ? 2 : 1;
    bool same = text.data[1] == text.data[0];
    return question ? (same ? 4 : 6) : (same ? 3 : 5);
}

int stamma_pgn_glyph(stamma_text text)
{
    if (text.size == 0)
        return PGN_GLYPH_NONE;
    if (text.data[0] == '!' || text.data[0] == '?')
        return exclamation(text);
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (strlen(glyphs[i].text) == text.size && memcmp(glyphs[i].text, text.data, text.size) == 0)
            return glyphs[i].nag;
    return PGN_GLYPH_NONE;
}
