/* SPDX-License-Identifier: MIT */
/* Latin letters for Cyrillic and Greek letters, and keys of names: texts that are equal for usual spellings of a name.
 */
#include "query/query.h"

/* English transliterations of the folded Cyrillic letters from U+0430 to U+045F. */
static const char *const cyrillic[] = {"a",  "b",    "v", "g", "d", "e",  "zh", "z",  "i", "i",  "k",  "l",
                                       "m",  "n",    "o", "p", "r", "s",  "t",  "u",  "f", "kh", "ts", "ch",
                                       "sh", "shch", "",  "y", "",  "e",  "yu", "ya", "e", "e",  "dj", "g",
                                       "e",  "dz",   "i", "i", "j", "lj", "nj", "c",  "k", "i",  "u",  "dzh"};
enum { CYRILLIC_FIRST = 0x430, CYRILLIC_LAST = 0x45F };
/* Transliterations of the folded Greek letters from U+03B1 to U+03C9. */
static const char *const greek[] = {"a", "v", "g", "d", "e", "z", "i", "th", "i", "k",  "l",  "m", "n",
                                    "x", "o", "p", "r", "s", "s", "t", "y",  "f", "ch", "ps", "o"};
enum { GREEK_FIRST = 0x3B1, GREEK_LAST = 0x3C9, GREEK_O = 0x3BF, GREEK_Y = 0x3C5 };

/* Returns the code of a letter of two bytes; 0: another letter. */
static uint32_t letter_at(stamma_text text, size_t at)
{
    const uint8_t *bytes = (const uint8_t *)text.data + at;
    const bool two = at + 1 < text.size && (bytes[0] & 0xE0) == 0xC0 && (bytes[1] & 0xC0) == 0x80;
    return two ? (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu) : 0;
}

/* Returns the Latin letters for a folded letter, or NULL. `before`: the letter before it. */
static const char *latin_of(uint32_t letter, uint32_t before)
{
    if (letter >= CYRILLIC_FIRST && letter <= CYRILLIC_LAST)
        return cyrillic[letter - CYRILLIC_FIRST];
    if (letter < GREEK_FIRST || letter > GREEK_LAST)
        return NULL;
    return letter == GREEK_Y && before == GREEK_O ? "u" : greek[letter - GREEK_FIRST];
}

const char *stamma_latin_letters(stamma_text folded, size_t at)
{
    return latin_of(letter_at(folded, at), at >= 2 ? letter_at(folded, at - 2) : 0);
}

/* ---- keys ---- */

enum { KEY_SIZE = NAME_KEY_SIZE };

/* The key of a name. Letters after the maximum are omitted. */
typedef struct name_key {
    char text[KEY_SIZE];
    size_t size;
} name_key;

static bool is_letter(stamma_text text, size_t at)
{
    return at < text.size && text.data[at] >= 'a' && text.data[at] <= 'z';
}

static bool is_vowel(char c)
{
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'q';
}

/* Returns whether the letter is an `e` that is only written because the letter before it has two dots, as in "Huebner".
 * It is not after two vowels ("Bauer"), and not before an `l` at the end of a word ("Michael"). */
static bool is_umlaut(stamma_text text, size_t at)
{
    if (at == 0 || text.data[at] != 'e' || !memchr("aou", text.data[at - 1], 3) || !is_letter(text, at + 1))
        return false;
    return (at < 2 || !is_vowel(text.data[at - 2])) && (text.data[at + 1] != 'l' || is_letter(text, at + 2));
}

/* Writes a folded text with Latin letters. Returns its size. */
static size_t write_latin(stamma_text folded, char latin[KEY_SIZE])
{
    size_t size = 0;
    for (size_t at = 0; at < folded.size;) {
        const char *letters = stamma_latin_letters(folded, at);
        const size_t added = letters ? strlen(letters) : 1;
        if (added > KEY_SIZE - size)
            break;
        memcpy(latin + size, letters ? letters : folded.data + at, added);
        size += added;
        at += letters ? 2 : 1;
    }
    return size;
}

/* Makes the key of a folded name, or of a folded pattern. */
static void make_key(stamma_text folded, name_key *key)
{
    char latin[KEY_SIZE];
    const size_t size = write_latin(folded, latin);
    key->size = 0;
    for (size_t at = 0; at < size; at++)
        if (!is_umlaut((stamma_text){latin, size}, at))
            key->text[key->size++] = latin[at];
}

void stamma_name_latin_fold(buffer *folded)
{
    name_key latin;
    latin.size = write_latin((stamma_text){(const char *)folded->data, folded->size}, latin.text);
    folded->size = 0;
    buffer_add(folded, latin.text, latin.size);
}

void stamma_name_key_fold(buffer *folded)
{
    name_key key;
    make_key((stamma_text){(const char *)folded->data, folded->size}, &key);
    folded->size = 0;
    buffer_add(folded, key.text, key.size);
}

size_t stamma_name_key(stamma_text folded, char text[NAME_KEY_SIZE])
{
    name_key key;
    make_key(folded, &key);
    memcpy(text, key.text, key.size);
    return key.size;
}

/* ---- patterns ---- */

static const char mark[] = {'*', NAME_KEY_MARK};

/* A list of patterns that is made. */
typedef struct pattern_list {
    name_pattern_add *add;
    void *context;
    const name_key *key;
    bool right;
} pattern_list;

/* Adds the pattern of names that begin with a text, and have the key. */
static void add_beginning(pattern_list *list, const char *beginning, size_t size)
{
    char pattern[2 * KEY_SIZE];
    memcpy(pattern, beginning, size);
    memcpy(pattern + size, mark, sizeof mark);
    memcpy(pattern + size + sizeof mark, list->key->text, list->key->size);
    list->right = list->right && list->add(list->context, (stamma_text){pattern, size + sizeof mark + list->key->size});
}

/* Adds patterns for the Latin beginnings of names with the key: each `a`, `o` and `u` with and without an `e`. */
static void add_latin(pattern_list *list, size_t literal)
{
    enum { LETTERS = 3 };
    const size_t letters = literal < LETTERS ? literal : LETTERS;
    for (unsigned with = 0; with < 1u << letters; with++) {
        char beginning[2 * LETTERS];
        size_t size = 0;
        bool needed = true;
        for (size_t n = 0; n < letters; n++) {
            const bool e = with >> n & 1;
            beginning[size++] = list->key->text[n];
            needed &= !e || (n + 1 < letters && memchr("aou", list->key->text[n], 3));
            if (e)
                beginning[size++] = 'e';
        }
        if (needed)
            add_beginning(list, beginning, size);
    }
}

/* Adds patterns for Cyrillic and Greek letters whose first Latin letter is that of the key. */
static void add_letters(pattern_list *list, uint32_t first, uint32_t last)
{
    for (uint32_t letter = first; letter <= last; letter++) {
        const char *letters = latin_of(letter, 0);
        const char bytes[2] = {(char)(0xC0 | letter >> 6), (char)(0x80 | (letter & 0x3F))};
        if (letters[0] && letters[0] == list->key->text[0])
            add_beginning(list, bytes, sizeof bytes);
    }
}

bool stamma_name_patterns(stamma_text folded, name_pattern_add *add, void *context)
{
    name_key key;
    size_t literal = 0;
    if (!add(context, folded))
        return false;
    make_key(folded, &key);
    pattern_list list = {add, context, &key, true};
    while (literal < key.size && key.text[literal] != '*' && key.text[literal] != '?')
        literal++;
    if (folded.size >= KEY_SIZE)
        return true;
    if (literal == 0) {
        add_beginning(&list, "", 0);
        return list.right;
    }
    add_latin(&list, literal);
    add_letters(&list, CYRILLIC_FIRST, CYRILLIC_LAST);
    add_letters(&list, GREEK_FIRST, GREEK_LAST);
    return list.right;
}

void stamma_name_exact_pattern(stamma_text folded, buffer *pattern)
{
    size_t literal = 0; /* the beginning, by which sorted names are found */
    while (literal < folded.size && !memchr("*?\x1F", folded.data[literal], 3))
        literal++;
    buffer_add(pattern, folded.data, literal);
    buffer_add(pattern, mark, sizeof mark);
    buffer_add_byte(pattern, NAME_EXACT_MARK);
    buffer_add(pattern, folded.data, folded.size);
}

stamma_text stamma_name_pattern(stamma_text folded, buffer *pattern)
{
    name_key key;
    make_key(folded, &key);
    pattern->size = 0;
    if (folded.size < KEY_SIZE) {
        buffer_add(pattern, mark, sizeof mark);
        buffer_add(pattern, key.text, key.size);
        buffer_add_byte(pattern, NAME_KEY_MARK);
    }
    buffer_add(pattern, folded.data, folded.size);
    return (stamma_text){(const char *)pattern->data, pattern->size};
}
