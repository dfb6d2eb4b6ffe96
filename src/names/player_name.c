/* SPDX-License-Identifier: MIT */
/* Compares names of players: order of words, initials, missing words, misspelled words and transliterations. */
#include "names/names.h"

#include <stdlib.h>

enum { WORDS = 8 };

typedef struct name_words {
    stamma_text word[WORDS];
    size_t count;
} name_words;

static bool is_letter(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

/* Memory for a name in Latin letters. */
typedef struct latin_name {
    char text[NAME_SIZE_MAX];
} latin_name;

/* Writes Latin letters for the Cyrillic and Greek letters of a folded name. Returns the name itself if it has none. */
static stamma_text to_latin(stamma_text name, latin_name *latin)
{
    size_t size = 0;
    bool other = false;
    for (size_t at = 0; at < name.size;) {
        const char *letters = stamma_latin_letters(name, at);
        const size_t added = letters ? strlen(letters) : 1;
        if (added > sizeof latin->text - size)
            return name;
        memcpy(latin->text + size, letters ? letters : name.data + at, added);
        size += added;
        at += letters ? 2 : 1;
        other |= letters != NULL;
    }
    return other ? (stamma_text){latin->text, size} : name;
}

/* Splits a name. Words after the maximum are omitted. */
static name_words split(stamma_text name)
{
    name_words words = {.count = 0};
    for (size_t at = 0; at < name.size && words.count < WORDS;) {
        size_t first = at;
        while (at < name.size && is_letter(name.data[at]))
            at++;
        stamma_text word = {name.data + first, at - first};
        if (word.size > 0 && !stamma_word_is_title(word))
            words.word[words.count++] = word;
        at += at == first || at < name.size;
    }
    return words;
}

/* Writes a long word in a form that is the same for different transliterations; a short or very long word unchanged. */
static stamma_text simplified(stamma_text word, latin_name *room)
{
    enum { LONG_WORD = 5 };
    size_t size = 0;
    if (word.size < LONG_WORD || word.size > sizeof room->text)
        return word;
    stamma_word_simplify(word, room->text, &size);
    return (stamma_text){room->text, size};
}

/* Returns whether two words differ in one letter, or are transliterations of one word. */
static bool is_near(stamma_text a, stamma_text b)
{
    latin_name x, y;
    return stamma_words_near(a, b) || text_equal(simplified(a, &x), simplified(b, &y));
}

static bool begins_with(stamma_text word, stamma_text beginning)
{
    return word.size >= beginning.size && memcmp(word.data, beginning.data, beginning.size) == 0;
}

static bool is_equal(stamma_text a, stamma_text b)
{
    return text_equal(a, b);
}

static bool is_shortened(stamma_text a, stamma_text b)
{
    return begins_with(a, b) || begins_with(b, a);
}

/* Removes words that match from both names. Returns the length of the longest word removed. */
static size_t remove_matches(name_words *a, name_words *b, bool (*matches)(stamma_text, stamma_text))
{
    size_t longest = 0;
    for (size_t i = 0; i < a->count;) {
        size_t n = 0;
        while (n < b->count && !matches(a->word[i], b->word[n]))
            n++;
        if (n == b->count) {
            i++;
            continue;
        }
        longest = a->word[i].size > longest ? a->word[i].size : longest;
        memmove(&a->word[i], &a->word[i + 1], (a->count - i - 1) * sizeof *a->word);
        memmove(&b->word[n], &b->word[n + 1], (b->count - n - 1) * sizeof *b->word);
        a->count--;
        b->count--;
    }
    return longest;
}

enum { JOINED = 64 };

/* Joins the words of a name. Returns an empty text if they are too long. */
static stamma_text join(const name_words *name, char out[JOINED])
{
    size_t size = 0;
    for (size_t n = 0; n < name->count; n++) {
        if (name->word[n].size > JOINED - size)
            return (stamma_text){NULL, 0};
        memcpy(out + size, name->word[n].data, name->word[n].size);
        size += name->word[n].size;
    }
    return (stamma_text){out, size};
}

/* Returns whether two names differ by at most a space, or by one letter that is missing or exchanged with the next
 * letter. A replaced letter is not accepted, because it may be another initial. */
static bool are_joined_near(const name_words *a, const name_words *b)
{
    char x[JOINED], y[JOINED];
    const stamma_text one = join(a, x), other = join(b, y);
    size_t replaced = 0;
    if (one.size == other.size)
        for (size_t n = 0; n < one.size; n++)
            replaced += one.data[n] != other.data[n];
    return stamma_words_near(one, other) && replaced != 1;
}

name_relation stamma_names_compare(stamma_text a, stamma_text b)
{
    enum { SURNAME_MIN = 2, LONG_WORD = 4 };
    latin_name one, other;
    name_words x = split(to_latin(a, &one)), y = split(to_latin(b, &other));
    if (x.count == 0 || y.count == 0)
        return NAME_UNKNOWN;
    const bool near_joined = are_joined_near(&x, &y);
    size_t equal = remove_matches(&x, &y, is_equal);
    if (x.count == 0 && y.count == 0)
        return NAME_EQUAL;
    if (near_joined)
        return NAME_COMPATIBLE;
    size_t near = remove_matches(&x, &y, is_near);
    if (equal < SURNAME_MIN && near < SURNAME_MIN)
        return NAME_DIFFERENT;
    (void)remove_matches(&x, &y, is_shortened);
    if (x.count == 0 || y.count == 0)
        return NAME_COMPATIBLE;
    return equal >= LONG_WORD || near >= LONG_WORD ? NAME_SURNAME : NAME_DIFFERENT;
}

/* The surname is the first word before a comma, otherwise the last word of at least three letters. */
static stamma_text surname(stamma_text name)
{
    name_words words = split(name);
    if (words.count == 0)
        return (stamma_text){NULL, 0};
    if (memchr(name.data, ',', name.size))
        return words.word[0];
    for (size_t n = words.count; n-- > 0;)
        if (words.word[n].size > 2)
            return words.word[n];
    return words.word[0];
}

uint64_t stamma_surname_hash(stamma_text name)
{
    latin_name latin, simple;
    const stamma_text word = simplified(surname(to_latin(name, &latin)), &simple);
    uint64_t hash = word.size == 0 ? 0 : UINT64_C(0xCBF29CE484222325);
    for (size_t n = 0; n < word.size; n++)
        hash = (hash ^ (uint8_t)word.data[n]) * UINT64_C(0x100000001B3);
    return hash;
}

static int compare_words(const void *a, const void *b)
{
    const stamma_text *x = (const stamma_text *)a, *y = (const stamma_text *)b;
    size_t size = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->data, y->data, size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

void stamma_name_words(stamma_text name, buffer *sorted)
{
    name_words words = split(name);
    if (words.count > 1)
        qsort(words.word, words.count, sizeof *words.word, compare_words);
    for (size_t n = 0; n < words.count; n++) {
        buffer_add(sorted, words.word[n].data, words.word[n].size);
        buffer_add_byte(sorted, ' ');
    }
}
