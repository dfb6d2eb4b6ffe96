/* SPDX-License-Identifier: MIT */
/* Decides about spellings of events, sites and rounds. */
#include "names/names.h"

#include <stdlib.h>

/* A value of a field. */
typedef struct value_count {
    stamma_text key; /* its words */
    uint32_t text;
    uint32_t games;
    uint32_t correct; /* text number of the correct value in a list; 0: not in a list */
} value_count;

static void add_choice(stamma_names *n, unsigned field, uint32_t from, uint32_t to, uint32_t games, unsigned why,
                       unsigned doubt)
{
    const name_choice choice = {
        .from = from, .to = to, .games = games, .field = (uint8_t)field, .why = (uint8_t)why, .doubt = (uint8_t)doubt};
    if (games > 0 && from != to)
        buffer_add(&n->choices, &choice, sizeof choice);
}

/* ---- the values of a field ---- */

static uint32_t value_of(const game_place *place, unsigned field)
{
    return field == STAMMA_NAME_EVENT ? place->event : field == STAMMA_NAME_SITE ? place->site : place->round;
}

/* Returns whether case and punctuation of a text are significant, as in an address. */
static bool is_address(stamma_text text)
{
    for (size_t n = 0; n + 2 < text.size; n++)
        if (memcmp(text.data + n, "://", 3) == 0)
            return true;
    return text.size == 0;
}

static bool is_letter(uint8_t c)
{
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '?';
}

/* Returns the words of a value, without case, accents and punctuation. */
static stamma_text words_of(stamma_names *n, stamma_text text)
{
    n->folded.size = 0;
    stamma_fold(text, &n->folded);
    size_t size = 0;
    for (size_t i = 0; i < n->folded.size; i++) {
        uint8_t c = n->folded.data[i];
        if (is_letter(c))
            n->folded.data[size++] = c;
        else if (c != '\'' && size > 0 && n->folded.data[size - 1] != ' ')
            n->folded.data[size++] = ' ';
    }
    size -= size > 0 && n->folded.data[size - 1] == ' ';
    uint32_t number = stamma_text_table_add(&n->normals, (stamma_text){(const char *)n->folded.data, size});
    return number == 0 ? (stamma_text){"", 0} : text_table_at(&n->normals, number);
}

static int compare_values(const void *a, const void *b)
{
    const value_count *x = (const value_count *)a, *y = (const value_count *)b;
    size_t size = x->key.size < y->key.size ? x->key.size : y->key.size;
    int order = size == 0 ? 0 : memcmp(x->key.data, y->key.data, size);
    if (order == 0)
        order = (x->key.size > y->key.size) - (x->key.size < y->key.size);
    return order != 0 ? order : (x->text > y->text) - (x->text < y->text);
}

/* Counts the games of each value in the marks of the texts. */
static void count_games(stamma_names *n, unsigned field)
{
    const game_place *places = (const game_place *)(const void *)n->places.data;
    for (size_t i = 1; i <= n->texts.count; i++)
        n->texts.texts[i].mark = 0;
    for (size_t i = 0; i < n->places.size / sizeof *places; i++) {
        uint32_t value = value_of(&places[i], field);
        if (value != 0)
            n->texts.texts[value].mark++;
    }
}

static void add_value(stamma_names *n, uint32_t text, uint32_t games, uint32_t correct)
{
    if (!is_address(name_text(n, text))) {
        const value_count value = {words_of(n, name_text(n, text)), text, games, correct};
        buffer_add(&n->work, &value, sizeof value);
    }
}

/* Lists the values of a field in n->work, in the order of their words, with the correct values of lists. */
static void list_values(stamma_names *n, unsigned field)
{
    const known_value *known = (const known_value *)(const void *)n->known.data;
    size_t texts = n->texts.count;
    n->work.size = 0;
    count_games(n, field);
    for (size_t i = 1; i <= texts; i++)
        if (n->texts.texts[i].mark > 0)
            add_value(n, (uint32_t)i, n->texts.texts[i].mark, 0);
    for (size_t i = 0; i < n->known.size / sizeof *known; i++)
        if (known[i].field == field)
            add_value(n, known[i].spelling ? known[i].spelling : known[i].correct, 0, known[i].correct);
    if (!n->work.failed && n->work.size > sizeof(value_count))
        qsort(n->work.data, n->work.size / sizeof(value_count), sizeof(value_count), compare_values);
}

/* ---- values with the same words ---- */

static bool is_capitals(stamma_text text)
{
    bool lower = false;
    for (size_t n = 0; n < text.size; n++)
        lower |= text.data[n] >= 'a' && text.data[n] <= 'z';
    return !lower && text.size > 3;
}

/* Returns whether `a` is preferred to `b`. */
static bool is_better(const stamma_names *n, const value_count *a, const value_count *b)
{
    bool x = is_capitals(name_text(n, a->text)), y = is_capitals(name_text(n, b->text));
    if ((a->correct != 0) != (b->correct != 0))
        return a->correct != 0;
    return x != y ? y : a->games > b->games;
}

/* Decides about values with the same words. Returns the value that is used. */
static const value_count *decide_same_words(stamma_names *n, unsigned field, const value_count *run, size_t count)
{
    const value_count *best = run;
    for (size_t i = 1; i < count; i++)
        best = is_better(n, &run[i], best) ? &run[i] : best;
    uint32_t to = best->correct != 0 ? best->correct : best->text;
    for (size_t i = 0; i < count; i++)
        add_choice(n, field, run[i].text, to, run[i].games, best->correct != 0 ? WHY_LIST : WHY_FORMAT, DOUBT_NONE);
    return best;
}

/* Returns whether `value`, whose words begin with the words of `place`, only adds the code of a country, such as
 * "linares esp". */
static bool has_country(const stamma_names *n, const value_count *value, const value_count *place)
{
    stamma_text text = name_text(n, value->text);
    bool code = value->key.size == place->key.size + 4 && value->key.data[place->key.size] == ' ';
    for (size_t i = 1; i <= 3 && code; i++)
        code = text.data[text.size - i] >= 'A' && text.data[text.size - i] <= 'Z';
    return code;
}

/* Suggests the site with the code of a country, if there is only one. The values from `all` follow `place` in the order
 * of words. */
static void decide_country(stamma_names *n, const value_count *place, const value_count *all, size_t count)
{
    const value_count *found = NULL;
    bool several = false;
    for (size_t i = 0; i < count && all[i].key.size >= place->key.size; i++) {
        if (memcmp(all[i].key.data, place->key.data, place->key.size) != 0)
            break;
        if (!has_country(n, &all[i], place))
            continue;
        several |= found && compare_values(&(value_count){.key = found->key}, &(value_count){.key = all[i].key}) != 0;
        if (!found || is_better(n, &all[i], found))
            found = &all[i];
    }
    if (found)
        add_choice(n, STAMMA_NAME_SITE, place->text, found->text, place->games, WHY_MISSING,
                   several ? DOUBT_SEVERAL : DOUBT_EVIDENCE);
}

static void decide_values(stamma_names *n, unsigned field)
{
    list_values(n, field);
    const value_count *all = (const value_count *)(const void *)n->work.data;
    size_t count = n->work.size / sizeof *all;
    for (size_t i = 0, first = 0; i < count; i++) {
        bool end = i + 1 == count || all[i].key.size != all[i + 1].key.size ||
                   memcmp(all[i].key.data, all[i + 1].key.data, all[i].key.size) != 0;
        if (!end)
            continue;
        if (all[i].key.size > 0 && all[i].key.data[0] != '?') {
            const value_count *best = decide_same_words(n, field, &all[first], i + 1 - first);
            if (field == STAMMA_NAME_SITE && best->key.size > 2)
                decide_country(n, best, &all[i + 1], count - i - 1);
        }
        first = i + 1;
    }
}

/* ---- rounds ---- */

/* Skips "Round", "Rd", "R" and dots before a number. Returns the number of bytes. */
static size_t round_word(stamma_text text)
{
    static const char *const words[] = {"round", "rnd", "rd", "r"};
    size_t at = 0;
    for (size_t n = 0; n < sizeof words / sizeof *words && at == 0; n++) {
        size_t size = strlen(words[n]), i = 0;
        while (i < size && i < text.size && ((uint8_t)text.data[i] | 0x20) == (uint8_t)words[n][i])
            i++;
        at = i == size ? size : 0;
    }
    while (at < text.size && (text.data[at] == ' ' || (at > 0 && text.data[at] == '.')))
        at++;
    return at;
}

/* Writes a round as numbers without leading zeros, "4.4". Returns false if it is another text. If the buffer failed,
 * its contents must not be used. */
static bool write_round(stamma_text text, buffer *out)
{
    size_t at = round_word(text);
    out->size = 0;
    while (text.size > at && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '.'))
        text.size--;
    while (at < text.size) {
        size_t first = at;
        while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9')
            at++;
        if (at == first || at - first > 6)
            return false;
        while (first + 1 < at && text.data[first] == '0')
            first++;
        buffer_add(out, text.data + first, at - first);
        if (at < text.size && text.data[at] != '.')
            return false;
        if (at < text.size)
            buffer_add_byte(out, (uint8_t)text.data[at++]);
    }
    return out->size > 0;
}

static void decide_rounds(stamma_names *n)
{
    const known_value *known = (const known_value *)(const void *)n->known.data;
    size_t texts = n->texts.count;
    count_games(n, STAMMA_NAME_ROUND);
    for (size_t i = 0; i < n->known.size / sizeof *known; i++)
        if (known[i].field == STAMMA_NAME_ROUND && known[i].spelling != 0) {
            uint32_t *games = &n->texts.texts[known[i].spelling].mark;
            add_choice(n, STAMMA_NAME_ROUND, known[i].spelling, known[i].correct, *games, WHY_LIST, DOUBT_NONE);
            *games = 0;
        }
    for (size_t i = 1; i <= texts; i++) {
        uint32_t games = n->texts.texts[i].mark;
        if (games == 0 || !write_round(name_text(n, (uint32_t)i), &n->normal))
            continue;
        uint32_t to = stamma_text_table_add(&n->texts, (stamma_text){(const char *)n->normal.data, n->normal.size});
        add_choice(n, STAMMA_NAME_ROUND, (uint32_t)i, to, games, WHY_FORMAT, DOUBT_NONE);
    }
}

stamma_error stamma_values_decide(stamma_names *n)
{
    for (unsigned field = STAMMA_NAME_EVENT; field <= STAMMA_NAME_SITE; field++)
        if (n->fields & 1u << field)
            decide_values(n, field);
    if (n->fields & 1u << STAMMA_NAME_ROUND)
        decide_rounds(n);
    if (n->fields & 1u << STAMMA_NAME_DATE)
        stamma_dates_decide(n);
    bool failed = n->work.failed || n->folded.failed || n->normal.failed || n->normals.failed || n->texts.failed ||
                  n->choices.failed;
    return failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
