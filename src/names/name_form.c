/* SPDX-License-Identifier: MIT */
/* Splits names of players into words, and compares them. */
#include "names/names.h"

#include <stdlib.h>

/* ---- normalization ---- */

/* Returns the size of a country code in parentheses at the beginning of `text`: "(eng)". */
static size_t country_size(const char *text, size_t size)
{
    bool country = size >= 5 && text[0] == '(' && text[4] == ')';
    for (size_t n = 1; n < 4 && country; n++)
        country = text[n] >= 'a' && text[n] <= 'z';
    return country ? 5 : 0;
}

/* Ends a word with a blank or a comma. A comma replaces a blank. */
static void end_word(buffer *normal, size_t begin, char end, bool *comma)
{
    if (normal->size == begin)
        return;
    char *last = (char *)&normal->data[normal->size - 1];
    bool first = end == ',' && !*comma;
    if (*last == ' ' && first)
        *last = ',';
    else if (*last != ' ' && *last != ',')
        buffer_add_byte(normal, (uint8_t)(first ? ',' : ' '));
    *comma |= first;
}

/* Removes the title before or after the name. */
static void remove_titles(buffer *normal, size_t begin)
{
    char *text = (char *)normal->data + begin;
    size_t size = normal->size - begin, first = 0, last;
    while (text[size - 1] == ' ' || text[size - 1] == ',') /* the name begins with another byte */
        size--;
    while (first < size && text[first] != ' ' && text[first] != ',')
        first++;
    if (first < size && text[first] == ' ' && stamma_word_is_title((stamma_text){text, first})) {
        size -= first + 1;
        memmove(text, text + first + 1, size);
    }
    for (last = size; last > 0 && text[last - 1] != ' ' && text[last - 1] != ',';)
        last--;
    if (last > 1 && text[last - 1] == ' ' && stamma_word_is_title((stamma_text){text + last, size - last}))
        size = last - 1;
    normal->size = begin + size;
}

void stamma_name_normalize(stamma_text folded, buffer *normal)
{
    size_t begin = normal->size, skipped;
    bool comma = false;
    for (size_t at = 0; at < folded.size && !normal->failed;) {
        char c = folded.data[at];
        const char *latin = stamma_latin_letters(folded, at);
        if (latin) {
            buffer_add(normal, latin, strlen(latin));
            at += 2;
            continue;
        }
        skipped = country_size(folded.data + at, folded.size - at);
        at += skipped > 0 ? skipped : 1;
        if (fold_is_word_byte(c))
            buffer_add_byte(normal, (uint8_t)c);
        else if (c != '\'' && c != '`')
            end_word(normal, begin, c == ',' ? ',' : ' ', &comma);
    }
    if (!normal->failed && normal->size > begin)
        remove_titles(normal, begin);
}

name_form stamma_name_form(stamma_text normal)
{
    name_form form = {.count = 0};
    if (normal.size > NAME_SIZE_MAX)
        return form;
    for (size_t at = 0; at < normal.size && form.count < NAME_WORDS;) {
        size_t first = at;
        while (at < normal.size && normal.data[at] != ' ' && normal.data[at] != ',')
            at++;
        form.word[form.count++] = (stamma_text){normal.data + first, at - first};
        if (at < normal.size && normal.data[at] == ',')
            form.surname = form.count;
        at++;
    }
    return form;
}

name_form stamma_form_without_digits(const name_form *form)
{
    name_form plain = {.surname = form->surname};
    for (size_t n = 0; n < form->count; n++) {
        stamma_text word = form->word[n];
        while (word.size > 0 && word.data[word.size - 1] >= '0' && word.data[word.size - 1] <= '9')
            word.size--;
        if (word.size > 0)
            plain.word[plain.count++] = word;
        else if (n < form->surname)
            plain.surname--;
    }
    return plain;
}

/* ---- words ---- */

enum { SHORT_WORD = 3 }; /* number of letters from which a word is more than an initial */

/* Words without the blanks between them. */
typedef struct joined {
    char text[NAME_SIZE_MAX];
    size_t size;
} joined;

/* The words of a name by their meaning. */
typedef struct name_parts {
    const stamma_text *surname, *given;
    size_t surname_count, given_count;
    bool given_first;
} name_parts;

static void join(const stamma_text *words, size_t count, joined *j)
{
    j->size = 0;
    for (size_t n = 0; n < count; n++) {
        memcpy(j->text + j->size, words[n].data, words[n].size);
        j->size += words[n].size;
    }
}

static void simplify(const stamma_text *words, size_t count, joined *j)
{
    j->size = 0;
    for (size_t n = 0; n < count; n++)
        stamma_word_simplify(words[n], j->text, &j->size);
}

static stamma_text text_of(const joined *j)
{
    return (stamma_text){j->text, j->size};
}

static bool begins(stamma_text word, stamma_text beginning)
{
    return word.size >= beginning.size && memcmp(word.data, beginning.data, beginning.size) == 0;
}

/* Returns whether two lists have the same number of words, and different words are nearly equal. */
static bool are_near(const stamma_text *a, size_t a_count, const stamma_text *b, size_t b_count)
{
    bool near = a_count == b_count;
    for (size_t n = 0; n < a_count && near; n++)
        near = text_equal(a[n], b[n]) || stamma_words_near(a[n], b[n]);
    return near;
}

/* Compares two lists of words, each joined to one word. Returns NAME_OTHER if they are neither equal nor nearly
 * equal. */
static unsigned compare_joined(const stamma_text *a, size_t a_count, const stamma_text *b, size_t b_count)
{
    joined x, y;
    join(a, a_count, &x);
    join(b, b_count, &y);
    if (text_equal(text_of(&x), text_of(&y)))
        return 0;
    simplify(a, a_count, &x);
    simplify(b, b_count, &y);
    if (text_equal(text_of(&x), text_of(&y)))
        return NAME_SPELLING;
    return are_near(a, a_count, b, b_count) ? NAME_TYPO : NAME_OTHER;
}

static unsigned compare_surnames(const name_parts *a, const name_parts *b)
{
    unsigned flags = compare_joined(a->surname, a->surname_count, b->surname, b->surname_count);
    size_t common = a->surname_count < b->surname_count ? a->surname_count : b->surname_count;
    if (flags != NAME_OTHER)
        return flags;
    /* If both have the same number of words, at least one word differs. */
    for (size_t n = 0; n < common; n++)
        if (!text_equal(a->surname[n], b->surname[n]) || a->surname[n].size < 3)
            return NAME_OTHER;
    return NAME_MISSING;
}

static stamma_text without_digits(stamma_text word)
{
    while (word.size > 1 && word.data[word.size - 1] >= '0' && word.data[word.size - 1] <= '9')
        word.size--;
    return word;
}

/* Compares two words of given names. Digits after a name distinguish players with the same name. */
static unsigned compare_given_words(stamma_text a, stamma_text b)
{
    if (text_equal(a, b))
        return 0;
    const stamma_text x = without_digits(a), y = without_digits(b);
    const stamma_text one = {x.data + x.size, a.size - x.size}, other = {y.data + y.size, b.size - y.size};
    if (one.size > 0 && other.size > 0 && !text_equal(one, other))
        return NAME_OTHER;
    if (begins(x, y) || begins(y, x))
        return NAME_INITIALS;
    if (one.size > 0 || other.size > 0 || a.size < SHORT_WORD || b.size < SHORT_WORD)
        return NAME_OTHER;
    return compare_joined(&a, 1, &b, 1);
}

/* Returns whether one of the given names is only initials. */
static bool is_short(const name_parts *p)
{
    size_t longest = 0;
    for (size_t n = 0; n < p->given_count; n++)
        longest = p->given[n].size > longest ? p->given[n].size : longest;
    return longest < SHORT_WORD;
}

static unsigned compare_given(const name_parts *a, const name_parts *b)
{
    if (a->given_count == 0 || b->given_count == 0)
        return a->given_count == b->given_count ? 0 : NAME_MISSING;
    unsigned flags = compare_joined(a->given, a->given_count, b->given, b->given_count);
    if (flags == 0 && a->given_count != b->given_count && (is_short(a) || is_short(b)))
        return NAME_INITIALS; /* "Ki" may be the beginning of a name, and "K I" two initials */
    size_t common = a->given_count < b->given_count ? a->given_count : b->given_count;
    if (flags == 0 || (flags == NAME_SPELLING && a->given_count != b->given_count))
        return flags;
    flags = a->given_count != b->given_count ? NAME_INITIALS : 0;
    for (size_t n = 0; n < common; n++)
        flags |= compare_given_words(a->given[n], b->given[n]);
    return flags;
}

/* ---- names ---- */

enum { PARTS_MAX = 2 * NAME_WORDS };

/* Stores the possible meanings of the words of a name. Returns their number. */
static size_t parts_of(const name_form *f, name_parts parts[PARTS_MAX])
{
    size_t count = 0, n = f->count;
    if (f->surname > 0 || n <= 1) {
        size_t surname = f->surname > 0 ? f->surname : n;
        parts[0] = (name_parts){f->word, f->word + surname, surname, n - surname, false};
        return n > 0;
    }
    for (size_t k = 1; k < n; k++) {
        parts[count++] = (name_parts){f->word, f->word + k, k, n - k, false};
        parts[count++] = (name_parts){f->word + n - k, f->word, k, n - k, true};
    }
    return count;
}

/* Returns whether the first words of the surnames are nearly equal, and the given names have the same first letter. */
static bool parts_alike(const name_parts *a, const name_parts *b)
{
    enum { SURNAME = 3 };
    const stamma_text x = a->surname[0], y = b->surname[0];
    if (x.size < SURNAME || compare_joined(&x, 1, &y, 1) == NAME_OTHER)
        return false;
    return a->given_count == 0 || b->given_count == 0 || a->given[0].data[0] == b->given[0].data[0];
}

bool stamma_forms_alike(const name_form *a, const name_form *b)
{
    name_parts x[PARTS_MAX], y[PARTS_MAX];
    const size_t a_count = parts_of(a, x), b_count = parts_of(b, y);
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++)
            if (parts_alike(&x[i], &y[k]))
                return true;
    return false;
}

static int compare_words(const void *a, const void *b)
{
    const stamma_text *x = (const stamma_text *)a, *y = (const stamma_text *)b;
    size_t size = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->data, y->data, size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Returns whether two names have the same words in any order. */
static bool same_words(const name_form *a, const name_form *b)
{
    name_form x = *a, y = *b;
    if (a->count != b->count)
        return false;
    qsort(x.word, x.count, sizeof *x.word, compare_words);
    qsort(y.word, y.count, sizeof *y.word, compare_words);
    for (size_t n = 0; n < x.count; n++)
        if (!text_equal(x.word[n], y.word[n]))
            return false;
    return true;
}

unsigned stamma_forms_compare(const name_form *a, const name_form *b)
{
    name_parts x[PARTS_MAX], y[PARTS_MAX];
    unsigned best = NAME_OTHER;
    size_t a_count = parts_of(a, x), b_count = parts_of(b, y);
    bool comma = a->surname > 0 || b->surname > 0;
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count; k++) {
            /* Without a comma, the order of both names is assumed to be the same. */
            if (!comma && x[i].given_first != y[k].given_first)
                continue;
            unsigned flags = compare_surnames(&x[i], &y[k]);
            if (flags < NAME_OTHER && flags != 0 && (is_short(&x[i]) || is_short(&y[k])))
                flags |= NAME_INITIALS; /* an initial is no evidence for another spelling of the surname */
            if (flags < NAME_OTHER)
                flags |= compare_given(&x[i], &y[k]);
            if (comma && x[i].given_first != y[k].given_first)
                flags |= NAME_ORDER;
            best = flags < best ? flags : best;
        }
    return best >= NAME_INITIALS && a->count > 1 && same_words(a, b) ? NAME_REVERSED
           : best < NAME_OTHER                                       ? best
                                                                     : NAME_OTHER;
}

/* ---- keys ---- */

static uint64_t hash_text(uint64_t hash, stamma_text text)
{
    for (size_t n = 0; n < text.size; n++)
        hash = (hash ^ (uint8_t)text.data[n]) * UINT64_C(0x100000001B3);
    return (hash ^ hash >> 29) * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t first_bytes(stamma_text text)
{
    uint64_t bytes = 0;
    for (size_t n = 0; n < 8; n++)
        bytes = bytes << 8 | (n < text.size ? (uint8_t)text.data[n] : 0);
    return bytes;
}

static size_t add_key(form_key *keys, size_t count, uint64_t kind, stamma_text text, uint64_t initial, uint64_t order)
{
    uint64_t key = hash_text(UINT64_C(0xCBF29CE484222325) + kind * 256 + initial, text);
    for (size_t n = 0; n < count; n++)
        if (keys[n].key == key)
            return count;
    keys[count] = (form_key){key, order};
    return count + 1;
}

/* Adds keys: the complete surname; and, each with the initial, the surname, its first word, and its first and last
 * letters. */
static size_t add_part_keys(form_key *keys, size_t count, const name_parts *parts)
{
    enum { PIECE = 3 };
    joined surname, first, given;
    simplify(parts->surname, parts->surname_count, &surname);
    simplify(parts->surname, 1, &first);
    simplify(parts->given, parts->given_count, &given);
    uint64_t initial = given.size > 0 ? (uint8_t)given.text[0] : 0, order = first_bytes(text_of(&given));
    count = add_key(keys, count, 0, text_of(&surname), initial, order);
    count = add_key(keys, count, 3, text_of(&surname), 0, order); /* for names without a given name */
    if (first.size > 2)
        count = add_key(keys, count, 0, text_of(&first), initial, order);
    if (surname.size >= 2 * PIECE - 1 && initial != 0) {
        count = add_key(keys, count, 1, (stamma_text){surname.text, PIECE}, initial, order);
        count = add_key(keys, count, 2, (stamma_text){surname.text + surname.size - PIECE, PIECE}, initial, order);
    }
    return count;
}

size_t stamma_form_keys(const name_form *form, form_key keys[FORM_KEYS])
{
    name_parts parts[PARTS_MAX];
    size_t part_count = parts_of(form, parts), count = 0;
    uint64_t sum = 0;
    for (size_t n = 0; n < form->count; n++)
        sum += hash_text(1, form->word[n]);
    if (form->count > 1)
        keys[count++] = (form_key){sum, 0};
    for (size_t n = 0; n < part_count && n < 4; n++)
        count = add_part_keys(keys, count, &parts[n]);
    return count;
}
