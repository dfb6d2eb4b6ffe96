/* SPDX-License-Identifier: MIT */
/* Folding of texts for comparisons that ignore case and accents. Latin, Greek and Cyrillic letters are folded; other
 * letters stay unchanged. */
#include "query/query.h"

/* The letters U+00C0 to U+024F without case and accents, two bytes each. A blank: the letter stays unchanged. */
static const char latin[] =
    /* 00C0 */ "a a a a a a aec e e e e i i i i "
               /* 00D0 */ "d n o o o o o   o u u u u y thss"
               /* 00E0 */ "a a a a a a aec e e e e i i i i "
               /* 00F0 */ "d n o o o o o   o u u u u y thy "
               /* 0100 */ "a a a a a a c c c c c c c c d d "
               /* 0110 */ "d d e e e e e e e e e e g g g g "
               /* 0120 */ "g g g g h h h h i i i i i i i i "
               /* 0130 */ "i i ijijj j k k k l l l l l l l "
               /* 0140 */ "l l l n n n n n n n n n o o o o "
               /* 0150 */ "o o oeoer r r r r r s s s s s s "
               /* 0160 */ "s s t t t t t t u u u u u u u u "
               /* 0170 */ "u u u u w w y y y z z z z z z s "
               /* 0180 */ "b b b b       c c d d d d       "
               /* 0190 */ "  f f g       i k k l     n n   "
               /* 01A0 */ "o o     p p           t t t t u "
               /* 01B0 */ "u   v y y z z                   "
               /* 01C0 */ "        dzdzdzljljljnjnjnja a i "
               /* 01D0 */ "i o o u u u u u u u u u u   a a "
               /* 01E0 */ "a a aeaeg g g g k k o o o o     "
               /* 01F0 */ "j dzdzdzg g     n n a a aeaeo o "
               /* 0200 */ "a a a a e e e e i i i i o o o o "
               /* 0210 */ "r r r r u u u u s s t t     h h "
               /* 0220 */ "n d     z z a a e e o o o o o o "
               /* 0230 */ "o o y y l n t j     a c c l t s "
               /* 0240 */ "z     b u   e e j j     r r y y ";

/* The letters U+1E00 to U+1EFF, which include Vietnamese letters, in the same way; one byte each. */
static const char latin_additional[] =
    /* 1E00 */ "aabbbbbbccddddddddddeeeeeeeeeeff"
               /* 1E20 */ "gghhhhhhhhhhiiiikkkkkkllllllllmm"
               /* 1E40 */ "mmmmnnnnnnnnoooooooopppprrrrrrrr"
               /* 1E60 */ "ssssssssssttttttttuuuuuuuuuuvvvv"
               /* 1E80 */ "wwwwwwwwwwxxxxyyzzzzzzhtwyasss  "
               /* 1EA0 */ "aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
               /* 1EC0 */ "eeeeeeeeiiiioooooooooooooooooooo"
               /* 1EE0 */ "oooouuuuuuuuuuuuuuyyyyyyyy      ";

enum {
    CAPITAL_SCHWA = 0x18F, /* Azerbaijani */
    SMALL_SCHWA = 0x259,
    CAPITAL_SHARP_S = 0x1E9E
};

/* Reads the letter at *at and moves *at past it. Returns the byte itself if it is not valid UTF-8, and sets *byte. */
static uint32_t next_letter(stamma_text text, size_t *at, bool *byte)
{
    const unsigned char *bytes = (const unsigned char *)text.data + *at;
    size_t left = text.size - *at;
    unsigned first = bytes[0], more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    uint32_t letter = first & (0x3Fu >> more);
    ++*at;
    *byte = true;
    if (first < 0xC2 || first > 0xF4 || left <= more)
        return first;
    for (unsigned i = 1; i <= more; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return first;
        letter = letter << 6 | (bytes[i] & 0x3F);
    }
    if (letter < least[more] || letter > 0x10FFFF || (letter >= 0xD800 && letter < 0xE000))
        return first;
    *at += more;
    *byte = false;
    return letter;
}

static uint32_t fold_greek(uint32_t letter)
{
    switch (letter) {
    case 0x386:
    case 0x3AC: return 0x3B1;
    case 0x388:
    case 0x3AD: return 0x3B5;
    case 0x389:
    case 0x3AE: return 0x3B7;
    case 0x38A:
    case 0x390:
    case 0x3AA:
    case 0x3AF:
    case 0x3CA: return 0x3B9;
    case 0x38C:
    case 0x3CC: return 0x3BF;
    case 0x38E:
    case 0x3AB:
    case 0x3B0:
    case 0x3CB:
    case 0x3CD: return 0x3C5;
    case 0x38F:
    case 0x3CE: return 0x3C9;
    case 0x3C2: return 0x3C3; /* sigma at the end of a word */
    default: return letter >= 0x391 && letter <= 0x3A9 ? letter + 0x20 : letter;
    }
}

/* Removes the accent of a Cyrillic letter: й becomes и, ё becomes е. */
static uint32_t without_accent(uint32_t letter)
{
    switch (letter) {
    case 0x439:
    case 0x45D: return 0x438;
    case 0x450:
    case 0x451: return 0x435;
    case 0x453: return 0x433;
    case 0x457: return 0x456;
    case 0x45C: return 0x43A;
    case 0x45E: return 0x443;
    default: return letter;
    }
}

static uint32_t fold_cyrillic(uint32_t letter)
{
    if (letter < 0x410)
        letter += 0x50;
    else if (letter < 0x430)
        letter += 0x20;
    else if (letter >= 0x460 && (letter <= 0x481 || letter >= 0x48A) && (letter < 0x4C0 || letter > 0x4CF))
        letter |= 1; /* a capital letter has an even code, and the small letter has the next code */
    return without_accent(letter);
}

static void add_letter(buffer *folded, uint32_t letter)
{
    if (letter < 0x80) {
        buffer_add_byte(folded, (uint8_t)letter);
        return;
    }
    unsigned more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
    static const unsigned first[4] = {0, 0xC0, 0xE0, 0xF0};
    buffer_add_byte(folded, (uint8_t)(first[more] | letter >> 6 * more));
    while (more-- > 0)
        buffer_add_byte(folded, (uint8_t)(0x80 | (letter >> 6 * more & 0x3F)));
}

/* Finds a Latin letter without case and accents. Returns its number of bytes; 0: the letter stays unchanged. */
static size_t fold_latin(uint32_t letter, const char **letters)
{
    if (letter == CAPITAL_SHARP_S) {
        *letters = "ss";
        return 2;
    }
    if (letter >= 0x1E00 && letter < 0x1F00) {
        *letters = latin_additional + (letter - 0x1E00);
        return **letters != ' ';
    }
    if (letter < 0xC0 || letter >= 0x250)
        return 0;
    *letters = latin + (letter - 0xC0) * 2;
    return **letters == ' ' ? 0 : (*letters)[1] == ' ' ? 1 : 2;
}

static void fold_letter(buffer *folded, uint32_t letter)
{
    const char *letters;
    size_t size = fold_latin(letter, &letters);
    if (size > 0) {
        buffer_add(folded, letters, size);
    } else if (letter == CAPITAL_SCHWA) {
        add_letter(folded, SMALL_SCHWA);
    } else if (letter >= 0x370 && letter < 0x400) {
        add_letter(folded, fold_greek(letter));
    } else if (letter >= 0x400 && letter < 0x530) {
        add_letter(folded, fold_cyrillic(letter));
    } else if (letter < 0x300 || letter >= 0x370) { /* 0x300 to 0x36F are combining accents */
        add_letter(folded, letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    }
}

static void fold(stamma_text text, bool latin1, buffer *folded)
{
    for (size_t at = 0; at < text.size && !folded->failed;) {
        bool byte;
        const uint32_t letter = next_letter(text, &at, &byte);
        fold_letter(folded, byte && !latin1 ? stamma_windows_1252_read(letter) : letter);
    }
}

void stamma_fold(stamma_text text, buffer *folded)
{
    fold(text, false, folded);
}

void stamma_fold_blanks(buffer *folded)
{
    size_t size = 0;
    for (size_t i = 0; i < folded->size; i++) {
        bool blank = text_is_blank(folded->data[i]);
        if (!blank || size == 0 || folded->data[size - 1] != ' ')
            folded->data[size++] = blank ? ' ' : folded->data[i];
    }
    folded->size = size;
}

/* Returns the number of bytes of the letter at `at`. */
static size_t letter_size(stamma_text text, size_t at)
{
    size_t size = 1;
    while (at + size < text.size && ((unsigned char)text.data[at + size] & 0xC0) == 0x80)
        size++;
    return size;
}

static void fold_value(stamma_text value, bool latin1, buffer *plain, buffer *folded)
{
    if (value.size > 0 && memchr(value.data, '\\', value.size)) {
        plain->size = 0;
        if (!buffer_reserve(plain, value.size))
            return;
        value.size = stamma_pgn_unescape(value, (char *)plain->data);
        value.data = (const char *)plain->data;
    }
    fold(value, latin1, folded);
}

void stamma_fold_value(stamma_text value, buffer *plain, buffer *folded)
{
    fold_value(value, false, plain, folded);
}

void stamma_fold_latin1(stamma_text value, buffer *plain, buffer *folded)
{
    fold_value(value, true, plain, folded);
}

/* Returns whether a name matches a pattern with the mark at `mark`: exactly, or the pattern of the text and that of the
 * key. */
static bool name_matches(stamma_text pattern, const char *mark, stamma_text folded)
{
    const size_t beginning = (size_t)(mark - pattern.data) - 1; /* a star is before the mark */
    const stamma_text rest = {mark + 1, pattern.size - beginning - 2};
    if (rest.size > 0 && rest.data[0] == NAME_EXACT_MARK)
        return text_equal(folded, (stamma_text){rest.data + 1, rest.size - 1});
    const char *other = rest.size > 0 ? (const char *)memchr(rest.data, NAME_KEY_MARK, rest.size) : NULL;
    const size_t size = other ? (size_t)(other - rest.data) : rest.size;
    if (folded.size < beginning || memcmp(folded.data, pattern.data, beginning) != 0)
        return false;
    char key[NAME_KEY_SIZE];
    const stamma_text text = {key, stamma_name_key(folded, key)};
    return stamma_pattern_matches((stamma_text){rest.data, size}, text) ||
           (other && stamma_pattern_matches((stamma_text){other + 1, rest.size - size - 1}, folded));
}

/* The last `*` first matches as little as possible, then one more letter each time that the rest does not match.
 * Earlier stars need not be tried again. */
bool stamma_pattern_matches(stamma_text pattern, stamma_text folded)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;
    const char *mark = pattern.size > 0 ? (const char *)memchr(pattern.data, NAME_KEY_MARK, pattern.size) : NULL;
    if (mark && mark > pattern.data && mark[-1] == '*')
        return name_matches(pattern, mark, folded);
    while (t < folded.size) {
        char c = p < pattern.size ? pattern.data[p] : '\0';
        if (p < pattern.size && c == '*') {
            star = ++p;
            from = t;
        } else if (p < pattern.size && c == '?') {
            t += letter_size(folded, t);
            p++;
        } else if (p < pattern.size && c == folded.data[t]) {
            t++;
            p++;
        } else if (star != SIZE_MAX) {
            from += letter_size(folded, from);
            t = from;
            p = star;
        } else {
            return false;
        }
    }
    while (p < pattern.size && pattern.data[p] == '*')
        p++;
    return p == pattern.size;
}

bool stamma_text_contains(stamma_text folded, stamma_text part)
{
    const char *at = folded.data;
    size_t left = folded.size;
    if (part.size == 0)
        return true;
    while (left >= part.size) {
        const char *found = memchr(at, part.data[0], left - part.size + 1);
        if (!found)
            return false;
        if (memcmp(found, part.data, part.size) == 0)
            return true;
        left -= (size_t)(found - at) + 1;
        at = found + 1;
    }
    return false;
}
