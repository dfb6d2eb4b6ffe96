/* SPDX-License-Identifier: MIT */
/* Compares names of players and events, and finds contradictions between similar names. */
#include "duplicates/duplicates.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the next run of bytes of a kind, and moves *at after it; empty: there is none. */
static stamma_text next_run(stamma_text text, size_t *at, bool (*is)(char c))
{
    while (*at < text.size && !is(text.data[*at]))
        (*at)++;
    const size_t first = *at;
    while (*at < text.size && is(text.data[*at]))
        (*at)++;
    return *at == first ? (stamma_text){NULL, 0} : (stamma_text){text.data + first, *at - first};
}

static stamma_text next_word(stamma_text text, size_t *at)
{
    return next_run(text, at, fold_is_word_byte);
}

/* ---- players ---- */

/* Returns whether two names have different numbers, which distinguish players with the same name. */
static bool have_other_digits(stamma_text a, stamma_text b)
{
    stamma_text x, y;
    size_t i = 0, k = 0;
    do {
        x = next_run(a, &i, is_digit);
        y = next_run(b, &k, is_digit);
        if (!text_equal(x, y))
            return true;
    } while (x.size > 0);
    return false;
}

/* Returns whether a word is another with the ending of a woman's name: Ivanov and Ivanova, Daniel and Daniela. */
static bool is_feminine_form(stamma_text word, stamma_text other)
{
    enum { STEM_MIN = 4 };
    return other.size >= STEM_MIN && word.size == other.size + 1 && word.data[other.size] == 'a' &&
           memcmp(word.data, other.data, other.size) == 0 && !strchr("aeiouy", other.data[other.size - 1]);
}

static bool have_other_ending(stamma_text a, stamma_text b)
{
    for (size_t i = 0;;) {
        const stamma_text x = next_word(a, &i);
        if (x.size == 0)
            return false;
        for (size_t k = 0;;) {
            const stamma_text y = next_word(b, &k);
            if (y.size == 0)
                break;
            if (is_feminine_form(x, y) || is_feminine_form(y, x))
                return true;
        }
    }
}

static unsigned compare_forms(stamma_duplicates *d, stamma_text a, stamma_text b)
{
    buffer *one = &d->work.plain, *other = &d->work.folded;
    one->size = other->size = 0;
    stamma_name_normalize(a, one);
    stamma_name_normalize(b, other);
    const name_form x = stamma_name_form((stamma_text){(const char *)one->data, one->size});
    const name_form y = stamma_name_form((stamma_text){(const char *)other->data, other->size});
    return one->failed || other->failed || x.count == 0 || y.count == 0 ? NAME_OTHER : stamma_forms_compare(&x, &y);
}

static name_relation compare_names(stamma_duplicates *d, stamma_text a, stamma_text b)
{
    const name_relation relation = stamma_names_compare(a, b);
    if (relation == NAME_EQUAL || relation == NAME_UNKNOWN)
        return relation;
    if (have_other_digits(a, b) || have_other_ending(a, b))
        return relation == NAME_DIFFERENT ? NAME_DIFFERENT : NAME_SURNAME;
    if (relation == NAME_COMPATIBLE)
        return NAME_COMPATIBLE;
    /* Transliterations have other letters. */
    return compare_forms(d, a, b) & NAME_OTHER ? relation : NAME_COMPATIBLE;
}

name_relation stamma_players_compare(stamma_duplicates *d, const game_facts *a, const game_facts *b, bool exchanged)
{
    name_relation worst = NAME_EQUAL, best = NAME_DIFFERENT;
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        const unsigned other = exchanged ? 1 - color : color;
        name_relation relation = NAME_EQUAL;
        if (a->names[color] != b->names[other] || a->names[color] == 0)
            relation = compare_names(d, fact_text(d, a->names[color]), fact_text(d, b->names[other]));
        if (relation > NAME_COMPATIBLE && a->ids[color] != 0 && a->ids[color] == b->ids[other])
            relation = NAME_COMPATIBLE;
        worst = relation > worst ? relation : worst;
        best = relation < best ? relation : best;
    }
    return best == NAME_SURNAME ? NAME_DIFFERENT : worst;
}

/* ---- events ---- */

/* Words of different sections of an event: two words of a row, in different columns, contradict each other. */
enum { SECTION_ROWS = 4, SECTION_WORDS = 4 };
static const char *const sections[SECTION_ROWS][SECTION_WORDS] = {
    {"early", "late", "", ""}, {"rapid", "blitz", "bullet", ""}, {"men", "women", "", ""}, {"boys", "girls", "", ""}};

/* Returns a bit for each word of the table that an event has. */
static unsigned section_words(stamma_text event)
{
    unsigned found = 0;
    for (size_t at = 0;;) {
        const stamma_text word = next_word(event, &at);
        if (word.size == 0)
            return found;
        for (unsigned n = 0; n < SECTION_ROWS * SECTION_WORDS; n++)
            found |= (unsigned)text_equal(word, stamma_text_of(sections[n / SECTION_WORDS][n % SECTION_WORDS])) << n;
    }
}

bool stamma_events_contradict(stamma_text a, stamma_text b)
{
    const unsigned x = section_words(a), y = section_words(b), row = (1u << SECTION_WORDS) - 1;
    for (unsigned n = 0; n < SECTION_ROWS; n++) {
        const unsigned one = x >> n * SECTION_WORDS & row, other = y >> n * SECTION_WORDS & row;
        if (one != 0 && other != 0 && (one & other) == 0)
            return true;
    }
    return false;
}
