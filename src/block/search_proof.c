/* SPDX-License-Identifier: MIT */
/* Compares the search columns with decoded records. The right entries are computed from clauses 20.2 and 20.4 without
 * the code that writes the columns (search_columns.c). */
#include <limits.h>

#include "block/block.h"

/* The facts that the items of a record contain. */
typedef struct testimony {
    stamma_text result, date, utc_date, rating[2]; /* of the first tags with these names */
    const item *last_result;                       /* outside variations; NULL: none */
    unsigned promoted[2][STAMMA_PIECE_TYPE_NONE];  /* in the main line */
    bool promotes[2];
} testimony;

/* ---- items ---- */

/* Returns the place for the value of a tag; NULL: the tag is not used. */
static stamma_text *place_of(testimony *t, stamma_text name)
{
    switch (name.size) {
    case 4: return memcmp(name.data, "Date", 4) == 0 ? &t->date : NULL;
    case 6: return memcmp(name.data, "Result", 6) == 0 ? &t->result : NULL;
    case 7: return memcmp(name.data, "UTCDate", 7) == 0 ? &t->utc_date : NULL;
    case 8:
        return memcmp(name.data, "WhiteElo", 8) == 0   ? &t->rating[STAMMA_WHITE]
               : memcmp(name.data, "BlackElo", 8) == 0 ? &t->rating[STAMMA_BLACK]
                                                       : NULL;
    default: return NULL;
    }
}

static void hear_tag(testimony *t, const item *it)
{
    stamma_text *place = place_of(t, it->name);
    if (place && !place->data)
        *place = it->text;
}

static void hear_move(testimony *t, const item *it)
{
    if (it->depth > 0 || !stamma_move_is_promotion(it->move))
        return;
    t->promotes[it->side] = true;
    t->promoted[it->side][stamma_move_promotion(it->move)]++;
}

static testimony hear(const record *r)
{
    testimony t = {.last_result = NULL};
    bool moves = false;
    for (const item *it = r->items, *end = it + r->item_count; it < end; it++) {
        if (it->kind == ITEM_MOVE) {
            moves = true;
            hear_move(&t, it);
        } else if (it->kind == ITEM_TAG && !moves) {
            hear_tag(&t, it);
        } else if (it->kind == ITEM_RESULT && it->depth == 0) {
            t.last_result = it;
        }
    }
    return t;
}

/* ---- facts (20.4) ---- */

static bool says_nothing(stamma_text value)
{
    return value.size == 0 || (value.size == 1 && memchr("?-", value.data[0], 2));
}

/* Returns whether only the tag has a result, a draw in other words. */
static bool is_other_draw(const testimony *t)
{
    static const char *const draws[] = {"0.5-0.5", "1/2", "\xBD", "\xC2\xBD", "\xBD-\xBD", "\xC2\xBD-\xC2\xBD"};
    bool is_draw = false;
    for (size_t n = 0; n < sizeof draws / sizeof *draws; n++)
        is_draw |= text_equal(t->result, stamma_text_of(draws[n]));
    return is_draw && (!t->last_result || t->last_result->number == STAMMA_RESULT_UNKNOWN);
}

static uint8_t result_of(const testimony *t)
{
    static const char *const words[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (uint8_t n = 0; n < 4; n++)
        if (text_equal(t->result, stamma_text_of(words[n])))
            return n;
    if (!t->last_result || t->last_result->number == STAMMA_RESULT_UNKNOWN)
        return is_other_draw(t) ? 2 : SEARCH_OTHER_RESULT;
    return (uint8_t)(t->last_result->number - STAMMA_RESULT_WHITE);
}

/* Returns the number that a text of digits represents; UINT_MAX for other text. */
static unsigned number_of(const char *text, size_t size)
{
    unsigned number = 0;
    while (size > 0 && (unsigned char)(*text - '0') <= 9) {
        number = 10 * number + (unsigned)(*text++ - '0');
        size--;
    }
    return size == 0 ? number : UINT_MAX;
}

static uint16_t rating_of(stamma_text value)
{
    if (says_nothing(value))
        return 0;
    const unsigned rating = value.size <= 4 ? number_of(value.data, value.size) : UINT_MAX;
    return rating < SEARCH_ODD_RATING ? (uint16_t)rating : SEARCH_ODD_RATING;
}

/* Returns a part of a date, 0 for question marks; UINT_MAX if it is not a number from 1 to `most`. */
static unsigned date_part(const char *text, size_t size, unsigned most)
{
    size_t marks = 0;
    while (marks < size && text[marks] == '?')
        marks++;
    if (marks == size)
        return 0;
    const unsigned number = number_of(text, size);
    return number >= 1 && number <= most ? number : UINT_MAX;
}

static uint16_t month_of(stamma_text date)
{
    if (says_nothing(date))
        return 0;
    if (date.size != 10 || date.data[4] != '.' || date.data[7] != '.')
        return SEARCH_ODD_MONTH;
    const unsigned year = date_part(date.data, 4, 5000), month = date_part(date.data + 5, 2, 12);
    const unsigned day = date_part(date.data + 8, 2, 31);
    const bool odd = year == UINT_MAX || month == UINT_MAX || day == UINT_MAX;
    if (odd || (year == 0 && (month != 0 || day != 0)))
        return SEARCH_ODD_MONTH;
    return (uint16_t)(year == 0 ? 0 : 13 * year + month);
}

/* ---- signatures (20.2) ---- */

/* Returns the number of pieces on squares of a mask. */
static unsigned count_on(const stamma_position *p, unsigned color, unsigned type, uint64_t squares)
{
    unsigned count = 0;
    for (squares &= p->by_color[color] & p->by_type[type]; squares != 0; squares &= squares - 1)
        count++;
    return count;
}

static uint16_t home_pawns_of(const stamma_position *end)
{
    unsigned pawns = 0;
    for (unsigned file = 0; file < 8; file++) {
        pawns |= count_on(end, STAMMA_WHITE, STAMMA_PAWN, UINT64_C(1) << (8 + file)) << file;
        pawns |= count_on(end, STAMMA_BLACK, STAMMA_PAWN, UINT64_C(1) << (48 + file)) << (8 + file);
    }
    return (uint16_t)pawns;
}

static unsigned pawns_of(const testimony *t, const stamma_position *end, unsigned color)
{
    const unsigned pawns = count_on(end, color, STAMMA_PAWN, UINT64_MAX);
    return !t->promotes[color] ? pawns : 9 + (pawns > 6 ? 6 : pawns);
}

static uint8_t pieces_of(const testimony *t, const stamma_position *end, unsigned color)
{
    unsigned pieces = 0;
    for (unsigned type = STAMMA_QUEEN; type >= STAMMA_KNIGHT; type--) {
        const unsigned count = count_on(end, color, type, UINT64_MAX), promoted = t->promoted[color][type];
        const unsigned first = count > promoted ? count - promoted : 0;
        pieces = 4 * pieces + (first > 3 ? 3 : first);
    }
    return (uint8_t)pieces;
}

search_entry stamma_search_proof(const record *r, const stamma_position *end)
{
    const testimony t = hear(r);
    const uint16_t month = month_of(t.date);
    search_entry e = {.result = result_of(&t),
                      .rating = {rating_of(t.rating[STAMMA_WHITE]), rating_of(t.rating[STAMMA_BLACK])},
                      .month = month != 0 ? month : month_of(t.utc_date),
                      .other_draw = is_other_draw(&t)};
    if (r->plies == 0 || r->continuation)
        return e;
    e.home_pawns = home_pawns_of(end);
    e.pawns = (uint8_t)(pawns_of(&t, end, STAMMA_WHITE) + 16 * pawns_of(&t, end, STAMMA_BLACK));
    for (unsigned color = 0; color < 2; color++)
        e.pieces[color] = pieces_of(&t, end, color);
    return e;
}

void stamma_search_compare(const search_columns *s, size_t n, const record *r, const stamma_position *end,
                           bool differs[2])
{
    if (s->signatures != SEARCH_READ && s->facts != SEARCH_READ)
        return;
    const search_entry e = stamma_search_proof(r, end);
    differs[0] |= s->signatures == SEARCH_READ && !stamma_search_signature_is(s, n, &e);
    differs[1] |= s->facts == SEARCH_READ && !stamma_search_facts_are(s, n, &e);
}
