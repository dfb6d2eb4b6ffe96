/* SPDX-License-Identifier: MIT */
/* The table of the marks that annotators write instead of Numeric Annotation Glyphs. */
#include "notation/notation.h"

typedef struct glyph {
    char text[8]; /* NUL-terminated UTF-8 */
    int16_t nag;
} glyph;

/* PGN standard 8.2.3.8 and 10; the symbols of Chess Informant with the numbers of ChessBase; the marks that Lichess,
 * Scid and ChessX write. Marks for both sides have the number for White. A hyphen stands for all its forms in UTF-8. */
static const glyph glyphs[] = {
    {"=", 10},
    {"+=", 14},
    {"+/=", 14},
    {"=+", 15},
    {"=/+", 15},
    {"+/-", 16},
    {"-/+", 17},
    {"+-", 18},
    {"-+", 19},
    {"+--", 20},
    {"--+", 21},
    {"~", 13},
    {"~=", 44},
    {"=~", 44},
    {"N", 146},
    {"TN", 146},
    {"RR", 145},
    {"D", 220},
    {"+", PGN_GLYPH_MARK},
    {"++", PGN_GLYPH_MARK},
    {"#", PGN_GLYPH_MARK},
    {"e.p.", PGN_GLYPH_MARK},
    {"e.p", PGN_GLYPH_MARK},
    {"ep", PGN_GLYPH_MARK},
    {"\xE2\x80\xBC", 3},              /* U+203C double exclamation mark */
    {"\xE2\x81\x87", 4},              /* U+2047 double question mark */
    {"\xE2\x81\x89", 5},              /* U+2049 exclamation question mark */
    {"\xE2\x81\x88", 6},              /* U+2048 question exclamation mark */
    {"\xE2\x96\xA1", 7},              /* U+25A1 white square: the only move */
    {"\xE2\x88\x9E", 13},             /* U+221E infinity: unclear */
    {"\xE2\xA9\xB2", 14},             /* U+2A72 plus above equals */
    {"\xE2\xA9\xB1", 15},             /* U+2A71 equals above plus */
    {"\xC2\xB1", 16},                 /* U+00B1 plus-minus */
    {"\xB1", 16},                     /* the same in ISO 8859-1 and Windows-1252 */
    {"\xE2\x88\x93", 17},             /* U+2213 minus-or-plus */
    {"\xE2\xA8\x80", 22},             /* U+2A00 circled dot: zugzwang */
    {"\xE2\x8A\x99", 22},             /* U+2299 */
    {"\xE2\x97\x8B", 26},             /* U+25CB white circle: space */
    {"\xE2\x9F\xB3", 32},             /* U+27F3 circle arrow: development */
    {"\xE2\x86\xBB", 32},             /* U+21BB */
    {"\xE2\x86\x91\xE2\x86\x91", 32}, /* two upwards arrows */
    {"\xE2\x86\x91", 36},             /* U+2191 upwards arrow: initiative */
    {"\xE2\x86\x92", 40},             /* U+2192 rightwards arrow: attack */
    {"=\xE2\x88\x9E", 44},            /* equals, infinity: compensation */
    {"=/\xE2\x88\x9E", 44},
    {"\xE2\x88\x9E=", 44},
    {"\xE2\x88\x9E/=", 44},
    {"\xE2\xAF\xB9", 44},  /* U+2BF9 equals above infinity */
    {"\xE2\x87\x86", 132}, /* U+21C6 two arrows: counterplay */
    {"\xE2\x87\x84", 132}, /* U+21C4 */
    {"\xE2\x8A\x95", 138}, /* U+2295 circled plus: time trouble */
    {"\xE2\xA8\x81", 138}, /* U+2A01 */
    {"\xE2\x88\x86", 140}, /* U+2206 increment: with the idea */
    {"\xCE\x94", 140},     /* U+0394 capital delta */
    {"\xE2\x96\xB3", 140}, /* U+25B3 white triangle */
    {"\xE2\x88\x87", 141}, /* U+2207 nabla: aimed against */
    {"\xE2\x96\xBD", 141}, /* U+25BD white triangle pointing down */
    {"\xE2\x8C\x93", 142}, /* U+2313 segment: better is */
    {"\xE2\x89\xA4", 143}, /* U+2264 less or equal: worse is */
    {"\xE2\x87\x94", 239}, /* U+21D4 double arrow: file */
    {"\xE2\x86\x94", 239}, /* U+2194 */
    {"\xE2\x87\x97", 240}, /* U+21D7 double arrow: diagonal */
    {"\xE2\x86\x97", 240}, /* U+2197 */
    {"\xE2\x8A\x9E", 241}, /* U+229E squared plus: centre */
    {"\xE2\x9F\xAB", 242}, /* U+27EB double angle: king's side */
    {"\xE2\x89\xAB", 242}, /* U+226B */
    {"\xE2\x9F\xAA", 243}, /* U+27EA double angle: queen's side */
    {"\xE2\x89\xAA", 243}, /* U+226A */
    {"\xE2\x9C\x95", 244}, /* U+2715 cross: weak point */
    {"\xC3\x97", 244},     /* U+00D7 multiplication sign */
    {"\xE2\x8A\xA5", 245}, /* U+22A5 up tack: ending */
    {"\xE2\x9F\x82", 245}, /* U+27C2 */
    {"\xE2\xAF\xBA", 249}, /* U+2BFA united pawns */
    {"\xE2\xAF\xBB", 250}, /* U+2BFB separated pawns */
    {"\xE2\xAF\xBC", 251}, /* U+2BFC doubled pawns */
    {"\xE2\xAF\xBD", 252}, /* U+2BFD passed pawn */
    {"\xE2\x88\x9F", 254}, /* U+221F right angle: with */
    {"\xE2\xAF\xBE", 255}, /* U+2BFE reversed right angle: without */
};

/* Reads a run of ! and ?. Only the first two characters are used; the rest is emphasis. */
static int exclamation(stamma_text text)
{
    bool question = text.data[0] == '?';
    if (text.size == 1)
        return question ? 2 : 1;
    bool same = text.data[1] == text.data[0];
    return question ? (same ? 4 : 6) : (same ? 3 : 5);
}

static size_t literal_size(stamma_text text, size_t at, const char *literal)
{
    size_t size = strlen(literal);
    return text.size - at >= size && memcmp(text.data + at, literal, size) == 0 ? size : 0;
}

/* Returns the size of the hyphen at `at`: U+002D, U+2010, U+2011, U+2013 or U+2212; 0 if there is none. */
static size_t hyphen_size(stamma_text text, size_t at)
{
    static const char *const hyphens[] = {"-", "\xE2\x80\x90", "\xE2\x80\x91", "\xE2\x80\x93", "\xE2\x88\x92"};
    size_t size = 0;
    for (size_t i = 0; i < sizeof hyphens / sizeof *hyphens && size == 0; i++)
        size = literal_size(text, at, hyphens[i]);
    return size;
}

/* Returns the size of a glyph at the start of a text, including a variation selector after it; 0 if the text does not
 * start with the glyph. */
static size_t match(const char *glyph, stamma_text text)
{
    size_t at = 0;
    for (; *glyph; glyph++) {
        size_t size = *glyph == '-' ? hyphen_size(text, at) : at < text.size && text.data[at] == *glyph;
        if (size == 0)
            return 0;
        at += size;
    }
    size_t selector = literal_size(text, at, "\xEF\xB8\x8E");
    return at + (selector != 0 ? selector : literal_size(text, at, "\xEF\xB8\x8F"));
}

/* Returns the size of the longest glyph at the start of a text, and its number in *nag; 0 if there is none. */
static size_t glyph_size(stamma_text text, int *nag)
{
    size_t longest = 0;
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        size_t size = match(glyphs[i].text, text);
        if (size > longest) {
            longest = size;
            *nag = glyphs[i].nag;
        }
    }
    return longest;
}

int stamma_pgn_glyph(stamma_text text)
{
    int nag;
    if (text.size == 0)
        return PGN_GLYPH_NONE;
    if (text.data[0] == '!' || text.data[0] == '?')
        return exclamation(text);
    return glyph_size(text, &nag) == text.size ? nag : PGN_GLYPH_NONE;
}

/* ---- words ---- */

/* Returns whether a text has the form of a move. A promotion must be on the last rank: the N of Nd5N and e4N is a
 * glyph, and so is the second N of e8=NN. */
static bool is_move(stamma_text text)
{
    san_pattern p = {0};
    bool bishop = text.size != 0 && text.data[0] == 'b';
    if (!stamma_san_parse(text, false, &p) && !(bishop && stamma_san_parse(text, true, &p)))
        return false;
    bool promotes = p.promotion != STAMMA_PIECE_TYPE_NONE, last = p.to_rank == 0 || p.to_rank == 7;
    if (p.kind != SAN_MOVE || p.to_rank > 7)
        return true;
    if (p.piece == STAMMA_PIECE_TYPE_NONE) /* as in e7e8: any piece */
        return last || !promotes;
    return p.piece == STAMMA_PAWN ? promotes == last : !promotes;
}

/* Returns whether a text consists of glyphs. A move number may follow a glyph that is not ASCII. */
static bool are_glyphs(stamma_text text)
{
    bool number = false;
    while (text.size > 0) {
        int nag = PGN_GLYPH_MARK;
        size_t size = glyph_size(text, &nag);
        if (nag == PGN_GLYPH_MARK)
            break;
        number = (uint8_t)text.data[size - 1] >= 0x80;
        text = (stamma_text){text.data + size, text.size - size};
    }
    while (number && text.size > 0 && text_is_digit(text.data[0]))
        text = (stamma_text){text.data + 1, text.size - 1};
    return text.size == 0;
}

size_t stamma_pgn_word_split(stamma_text word, int *nag)
{
    *nag = stamma_pgn_glyph(word);
    if (word.size > PGN_ANNOTATED_MAX || *nag != PGN_GLYPH_NONE || is_move(word))
        return word.size;
    if (are_glyphs(word))
        return glyph_size(word, nag);
    for (size_t size = 1; size < word.size; size++) {
        const stamma_text first = {word.data, size}, rest = {word.data + size, word.size - size};
        bool mark = stamma_pgn_glyph(first) == PGN_GLYPH_MARK;
        if (are_glyphs(rest) && (mark || is_move(first))) {
            *nag = mark ? PGN_GLYPH_MARK : PGN_GLYPH_NONE;
            return size;
        }
    }
    return word.size;
}
