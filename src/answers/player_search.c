/* SPDX-License-Identifier: MIT */
/* Finds players by words of their names in any order. */
#include "answers/player_list.h"
#include "names/names.h"

enum { WORDS = 8 };

typedef struct word_list {
    stamma_text word[WORDS];
    size_t count;
} word_list;

/* How a wanted word matches a word of a name, in the order in which matches are searched for. */
typedef enum word_fit { IS_WORD, BEGINS_WORD, HAS_INITIAL, WORD_FITS } word_fit;

/* How well a name matches, from worst to best. A wanted word that is only the beginning of a word is not complete. */
enum { FITS_NOT, FITS_BEGINNINGS, FITS_COMPLETE };

/* ---- words ---- */

/* Appends words of a folded text, each followed by a blank. */
static void add_folded_words(const buffer *folded, buffer *words, size_t begin)
{
    for (size_t n = 0; n < folded->size; n++) {
        const uint8_t c = folded->data[n];
        if (fold_is_word_byte((char)c))
            buffer_add_byte(words, c);
        else if (c != '\'' && words->size > begin && words->data[words->size - 1] != ' ')
            buffer_add_byte(words, ' ');
    }
    if (words->size > begin && words->data[words->size - 1] != ' ')
        buffer_add_byte(words, ' ');
}

/* Appends the words of a name, in Latin letters, and a zero byte. If the name has a key that differs, appends the words
 * of the key: to the same list, or if `apart`, as another list. */
static void add_words(stamma_text text, bool apart, buffer *folded, buffer *words)
{
    const size_t begin = words->size;
    folded->size = 0;
    stamma_fold(text, folded);
    stamma_name_latin_fold(folded);
    const size_t size = folded->size;
    add_folded_words(folded, words, begin);
    if (apart)
        buffer_add_byte(words, 0);
    stamma_name_key_fold(folded);
    if (folded->size < size)
        add_folded_words(folded, words, apart ? words->size : begin);
    buffer_add_byte(words, 0);
}

bool stamma_players_fold(stamma_players *p)
{
    player_row *rows = (player_row *)(void *)p->rows.data;
    for (; p->folded < p->rows.size / sizeof *rows; p->folded++) {
        rows[p->folded].words = p->words.size;
        add_words(player_name(p, p->folded), false, &p->work, &p->words);
        if (p->words.failed || p->work.failed)
            return false;
    }
    return true;
}

/* Splits words, each followed by a blank. Words after the maximum are omitted. */
static word_list split(const char *text)
{
    word_list list = {.count = 0};
    for (size_t size; *text && list.count < WORDS; text += size + 1) {
        size = strcspn(text, " ");
        list.word[list.count++] = (stamma_text){text, size};
    }
    return list;
}

/* Sorts words by length, longest first, because fewer names match a long word. */
static void sort_words(word_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        const stamma_text word = list->word[i];
        size_t at = i;
        for (; at > 0 && list->word[at - 1].size < word.size; at--)
            list->word[at] = list->word[at - 1];
        list->word[at] = word;
    }
}

/* ---- comparison ---- */

static bool begins_with(stamma_text word, stamma_text beginning)
{
    return word.size >= beginning.size && memcmp(word.data, beginning.data, beginning.size) == 0;
}

/* Returns whether a word is one letter. */
static bool is_initial(stamma_text word)
{
    const uint8_t first = (uint8_t)word.data[0];
    return word.size == (first < 0x80 ? 1u : first < 0xE0 ? 2u : first < 0xF0 ? 3u : 4u);
}

static bool fits(stamma_text wanted, stamma_text word, word_fit how)
{
    return how == IS_WORD       ? text_equal(wanted, word)
           : how == BEGINS_WORD ? begins_with(word, wanted)
                                : is_initial(word) && begins_with(wanted, word);
}

static size_t longest_word(const word_list *list)
{
    size_t size = 0;
    for (size_t n = 0; n < list->count; n++)
        size = list->word[n].size > size ? list->word[n].size : size;
    return size;
}

/* Compares wanted words with different words of a name. Initials only count if the longest word of the name, usually
 * the surname, is wanted, too. */
static unsigned compare(const word_list *wanted, word_list *name)
{
    bool done[WORDS] = {false};
    unsigned fit = FITS_COMPLETE;
    size_t left = wanted->count, longest = longest_word(name);
    bool surname = false;
    for (word_fit how = IS_WORD; how < WORD_FITS && left > 0; how++) {
        if (how == HAS_INITIAL && !surname)
            return FITS_NOT;
        for (size_t i = 0; i < wanted->count; i++)
            for (size_t n = 0; n < name->count && !done[i]; n++)
                if (fits(wanted->word[i], name->word[n], how)) {
                    done[i] = true;
                    left--;
                    surname |= name->word[n].size == longest;
                    fit = how == BEGINS_WORD ? FITS_BEGINNINGS : fit;
                    name->word[n] = name->word[--name->count];
                }
    }
    return left == 0 ? fit : FITS_NOT;
}

/* ---- the best names ---- */

typedef struct candidate {
    size_t number; /* of the row, from 0 */
    uint64_t games;
    unsigned fit;
} candidate;

static bool is_better(const stamma_players *p, const candidate *a, const candidate *b)
{
    if (a->fit != b->fit)
        return a->fit > b->fit;
    if (a->games != b->games)
        return a->games > b->games;
    const stamma_text x = player_name(p, a->number), y = player_name(p, b->number);
    const int order = memcmp(x.data, y.data, x.size < y.size ? x.size : y.size);
    return order != 0 ? order < 0 : x.size < y.size;
}

/* Inserts a candidate into the list of the best candidates, if the list is not full or the candidate is better than the
 * last. */
static void keep(const stamma_players *p, candidate *best, size_t room, size_t *count, const candidate *c)
{
    size_t at = *count < room ? (*count)++ : room;
    if (at == room && (room == 0 || !is_better(p, c, &best[--at])))
        return;
    for (; at > 0 && is_better(p, c, &best[at - 1]); at--)
        best[at] = best[at - 1];
    best[at] = *c;
}

/* Compares the name at an offset with wanted words, and with the words of their key if there are any. */
static unsigned compare_name(const stamma_players *p, uint64_t words, const word_list wanted[2])
{
    word_list name = split((const char *)p->words.data + words);
    const unsigned fit = compare(&wanted[0], &name);
    if (fit == FITS_COMPLETE || wanted[1].count == 0)
        return fit;
    name = split((const char *)p->words.data + words);
    const unsigned other = compare(&wanted[1], &name);
    return fit > other ? fit : other;
}

static void find(const stamma_players *p, const word_list wanted[2], candidate *best, size_t room, size_t *count)
{
    const player_row *rows = (const player_row *)(const void *)p->rows.data;
    for (size_t n = 0; n < p->folded; n++) {
        const uint64_t games = (uint64_t)rows[n].games[0] + rows[n].games[1];
        const candidate c = {n, games, compare_name(p, rows[n].words, wanted)};
        if (c.fit != FITS_NOT)
            keep(p, best, room, count, &c);
    }
}

static stamma_player player_of(const stamma_players *p, size_t n)
{
    const player_row *row = (const player_row *)(const void *)p->rows.data + n;
    return (stamma_player){.name = player_name(p, n),
                           .games = {row->games[0], row->games[1]},
                           .rating_min = row->rating_min,
                           .rating_max = row->rating_max};
}

stamma_error stamma_players_find(const stamma_players *p, stamma_text text, stamma_player *found, size_t room,
                                 size_t *count)
{
    if (!p || !text_is_given(text) || (!found && room > 0) || !count)
        return STAMMA_ERROR_BAD_ARGUMENT;
    buffer folded = {.allocator = &p->allocator}, words = folded, list = folded;
    add_words(text, true, &folded, &words);
    candidate *best = (candidate *)buffer_array(&list, room < p->folded ? room : p->folded, sizeof *best);
    const bool right = best && !folded.failed && !words.failed;
    if (right) {
        const char *text_words = (const char *)words.data;
        word_list wanted[2] = {split(text_words), split(text_words + strlen(text_words) + 1)};
        size_t number = 0;
        sort_words(&wanted[0]);
        sort_words(&wanted[1]);
        find(p, wanted, best, list.size / sizeof *best, &number);
        for (size_t n = 0; n < number; n++)
            found[n] = player_of(p, best[n].number);
        *count = number;
    }
    stamma_buffer_release(&folded);
    stamma_buffer_release(&words);
    stamma_buffer_release(&list);
    return right ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* ---- similar names ---- */

/* Returns how well two names fit, or FITS_NOT: better without typing errors, and best with the same words. */
static unsigned compare_forms(const name_form *a, const name_form *b)
{
    const unsigned flags = stamma_forms_compare(a, b);
    return flags >= NAME_OTHER ? FITS_NOT : flags & NAME_TYPO ? 1 : flags & NAME_SPELLING ? 2 : 3;
}

/* Appends the words of a name, and returns them. */
static name_form form_of(stamma_text name, buffer *folded, buffer *normal)
{
    folded->size = normal->size = 0;
    stamma_fold(name, folded);
    stamma_name_normalize((stamma_text){folded->size ? (const char *)folded->data : "", folded->size}, normal);
    return stamma_name_form((stamma_text){normal->size ? (const char *)normal->data : "", normal->size});
}

stamma_error stamma_players_similar(const stamma_players *p, stamma_text text, stamma_player *found, size_t room,
                                    size_t *count)
{
    if (!p || !text_is_given(text) || (!found && room > 0) || !count)
        return STAMMA_ERROR_BAD_ARGUMENT;
    buffer folded = {.allocator = &p->allocator}, wanted = folded, normal = folded, list = folded;
    const name_form form = form_of(text, &folded, &wanted);
    candidate *best = (candidate *)buffer_array(&list, room < p->folded ? room : p->folded, sizeof *best);
    const player_row *rows = (const player_row *)(const void *)p->rows.data;
    size_t number = 0;
    for (size_t n = 0; n < p->folded && best && form.count > 0; n++) {
        const name_form other = form_of(player_name(p, n), &folded, &normal);
        const candidate c = {n, (uint64_t)rows[n].games[0] + rows[n].games[1], compare_forms(&form, &other)};
        if (other.count > 0 && c.fit != FITS_NOT)
            keep(p, best, list.size / sizeof *best, &number, &c);
    }
    const bool right = best && !folded.failed && !wanted.failed && !normal.failed;
    for (size_t n = 0; n < number && right; n++)
        found[n] = player_of(p, best[n].number);
    *count = right ? number : *count;
    stamma_buffer_release(&folded);
    stamma_buffer_release(&wanted);
    stamma_buffer_release(&normal);
    stamma_buffer_release(&list);
    return right ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
