/* SPDX-License-Identifier: MIT */
/* Words of names: titles, misspelled words, and transliterations. */
#include "names/names.h"

bool stamma_word_is_title(stamma_text word)
{
    static const char *const titles[] = {"gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm", "nm", "dr"};
    for (size_t n = 0; n < sizeof titles / sizeof *titles; n++)
        if (text_equal(word, stamma_text_of(titles[n])))
            return true;
    return false;
}

bool stamma_words_near(stamma_text a, stamma_text b)
{
    if (a.size < b.size)
        return stamma_words_near(b, a);
    if (a.size - b.size > 1 || b.size < 5)
        return false;
    size_t first = 0, last = 0;
    while (first < b.size && a.data[first] == b.data[first])
        first++;
    while (last < b.size - first && a.data[a.size - 1 - last] == b.data[b.size - 1 - last])
        last++;
    size_t left = a.size - first - last;
    bool exchanged =
        a.size == b.size && left == 2 && a.data[first] == b.data[first + 1] && a.data[first + 1] == b.data[first];
    return left <= 1 || exchanged;
}

typedef struct replacement {
    const char *from, *to;
} replacement;

/* Replacements of texts. A text precedes the texts that are its beginning. */
static const replacement replacements[] = {
    {"tsch", "c"}, {"shch", "c"}, {"dsch", "z"}, {"tch", "c"}, {"sch", "s"}, {"tsh", "c"}, {"dzh", "z"}, {"ch", "c"},
    {"cz", "c"},   {"cs", "c"},   {"sh", "s"},   {"sz", "s"},  {"zh", "z"},  {"kh", "h"},  {"ts", "c"},  {"tz", "c"},
    {"ck", "k"},   {"x", "ks"},   {"w", "v"},    {"ph", "f"},  {"th", "t"},  {"ae", "a"},  {"oe", "o"},  {"ue", "u"},
    {"ie", "e"},   {"ye", "e"},   {"je", "e"},   {"y", "i"},   {"j", "i"},   {"q", "k"}};

static void add_letter(char c, char *out, size_t *size)
{
    if (*size < NAME_SIZE_MAX && (*size == 0 || out[*size - 1] != c))
        out[(*size)++] = c;
}

/* Returns the replacement for the beginning of a text, or NULL. */
static const replacement *find_replacement(stamma_text text)
{
    /* Most words are compared many times, so letters that do not begin a replacement are skipped immediately. */
    if (text.data[0] < 'a' || text.data[0] > 'z' || strchr("befghlmnrv", text.data[0]))
        return NULL;
    for (size_t n = 0; n < sizeof replacements / sizeof *replacements; n++) {
        const char *from = replacements[n].from;
        size_t i = 0;
        if (from[0] != text.data[0])
            continue;
        while (from[i] && i < text.size && from[i] == text.data[i])
            i++;
        if (!from[i])
            return &replacements[n];
    }
    return NULL;
}

void stamma_word_simplify(stamma_text word, char *out, size_t *size)
{
    for (size_t at = 0; at < word.size;) {
        const replacement *found = find_replacement((stamma_text){word.data + at, word.size - at});
        for (const char *c = found ? found->to : ""; *c; c++)
            add_letter(*c, out, size);
        if (!found)
            add_letter(word.data[at], out, size);
        at += found ? strlen(found->from) : 1;
    }
}
