/* SPDX-License-Identifier: MIT */
/* Computes the entry of a record in the search columns (clause 20). */
#include <limits.h>
#include "block/block.h"

/* ---- signatures (20.2) ---- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned count_pieces(const stamma_position *p, unsigned color, unsigned type)
{
    return bits_count(position_pieces(p, color, type));
}

static uint16_t home_pawns(const stamma_position *p)
{
    uint64_t white = position_pieces(p, STAMMA_WHITE, STAMMA_PAWN) & RANK_2;
    uint64_t black = position_pieces(p, STAMMA_BLACK, STAMMA_PAWN) & RANK_7;
    return (uint16_t)(white >> 8 | black >> 40);
}

/* Counts the promotions of each side in the main line by type. Returns whether there are any. */
static bool count_promotions(const record *r, unsigned counts[2][6])
{
    bool any = false;
    memset(counts, 0, 2 * sizeof *counts);
    for (size_t i = r->roster_count; i < r->item_count; i++) {
        const item *it = &r->items[i];
        if (it->kind != ITEM_MOVE || it->depth > 0 || !stamma_move_is_promotion(it->move))
            continue;
        counts[it->side][stamma_move_promotion(it->move)]++;
        any = true;
    }
    return any;
}

/* Returns the code for the number of pawns that a side has left, and for whether one of its pawns was promoted. */
static unsigned pawn_code(unsigned pawns, const unsigned promotions[6])
{
    for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_QUEEN; type++)
        if (promotions[type] > 0)
            return SEARCH_PROMOTED + least(pawns, 15 - SEARCH_PROMOTED);
    return pawns;
}

/* Returns the code for a side's final number of pieces of each type, less its promotions. At no time of the game did
 * the side have fewer pieces of the type. */
static uint8_t piece_code(const stamma_position *end, unsigned color, const unsigned promotions[6])
{
    unsigned code = 0;
    for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_QUEEN; type++) {
        unsigned count = count_pieces(end, color, type);
        count -= least(count, promotions[type]);
        code |= least(count, 3) << 2 * (type - STAMMA_KNIGHT);
    }
    return (uint8_t)code;
}

static void sign(const record *r, const stamma_position *end, search_entry *e)
{
    unsigned promotions[2][6];
    (void)count_promotions(r, promotions);
    e->home_pawns = home_pawns(end);
    for (unsigned color = 0; color < 2; color++) {
        unsigned pawns = pawn_code(count_pieces(end, color, STAMMA_PAWN), promotions[color]);
        e->pawns = (uint8_t)(e->pawns | pawns << 4 * color);
        e->pieces[color] = piece_code(end, color, promotions[color]);
    }
}

/* ---- facts (20.4) ---- */

/* The tags from which the facts are read. */
enum { TAG_RESULT, TAG_WHITE_RATING, TAG_BLACK_RATING, TAG_DATE, TAG_UTC_DATE, FACT_TAGS };

static void find_tags(const record *r, stamma_text values[FACT_TAGS])
{
    static const stamma_text names[FACT_TAGS] = {
        {"Result", 6}, {"WhiteElo", 8}, {"BlackElo", 8}, {"Date", 4}, {"UTCDate", 7}};
    memset(values, 0, FACT_TAGS * sizeof *values);
    for (size_t i = 0; i < r->item_count && r->items[i].kind != ITEM_MOVE; i++) {
        const item *it = &r->items[i];
        for (unsigned n = 0; it->kind == ITEM_TAG && n < FACT_TAGS; n++)
            if (!values[n].data && text_equal(it->name, names[n]))
                values[n] = it->text;
    }
}

/* Returns whether a tag is missing, empty or unknown. */
static bool is_nothing(stamma_text text)
{
    return text.size == 0 || (text.size == 1 && (text.data[0] == '?' || text.data[0] == '-'));
}

/* Reads a decimal number of `size` digits. Returns UINT_MAX if it is not a number. */
static unsigned read_digits(const char *at, size_t size)
{
    unsigned number = 0;
    for (size_t i = 0; i < size; i++) {
        if (at[i] < '0' || at[i] > '9')
            return UINT_MAX;
        number = number * 10 + (unsigned)(at[i] - '0');
    }
    return number;
}

static uint16_t read_rating(stamma_text text)
{
    if (is_nothing(text))
        return 0;
    return (uint16_t)least(stamma_rating_digits(text), SEARCH_ODD_RATING);
}

/* Returns the number of a part of a date; 0 for question marks; UINT_MAX for other text and for zeros. */
static unsigned read_part(const char *at, size_t size)
{
    unsigned number = memcmp(at, "????", size) == 0 ? 0 : read_digits(at, size);
    return number == 0 && at[0] != '?' ? UINT_MAX : number;
}

enum { DATE_SIZE = 10, MONTH = 5, DAY = 8, LAST_YEAR = 5000 };

static uint16_t read_month(stamma_text text)
{
    if (is_nothing(text))
        return 0;
    if (text.size != DATE_SIZE || text.data[MONTH - 1] != '.' || text.data[DAY - 1] != '.')
        return SEARCH_ODD_MONTH;
    unsigned year = read_part(text.data, 4), month = read_part(text.data + MONTH, 2);
    unsigned day = read_part(text.data + DAY, 2);
    if (year > LAST_YEAR || month > 12 || day > 31 || (year == 0 && month + day > 0))
        return SEARCH_ODD_MONTH;
    return (uint16_t)(SEARCH_YEAR * year + month);
}

uint16_t stamma_search_month(stamma_text date, stamma_text utc_date)
{
    uint16_t month = read_month(date);
    return month == 0 ? read_month(utc_date) : month;
}

uint8_t stamma_search_day(stamma_text date, stamma_text utc_date)
{
    const stamma_text text = read_month(date) == 0 ? utc_date : date;
    const uint16_t month = read_month(text);
    return month == 0 || month == SEARCH_ODD_MONTH ? 0 : (uint8_t)read_part(text.data + DAY, 2);
}

/* Returns the last result in the movetext outside variations; UNKNOWN if there is none. */
static stamma_result last_result(const record *r)
{
    for (size_t i = r->item_count; i > 0; i--) {
        const item *it = &r->items[i - 1];
        if (it->kind == ITEM_RESULT && it->depth == 0)
            return (stamma_result)it->number;
    }
    return STAMMA_RESULT_UNKNOWN;
}

/* Reads the result like stamma_result_of_game, but uses the movetext only if the tag is not one of the four words. */
static void read_result(const record *r, stamma_text tag, search_entry *e)
{
    static const uint8_t by_number[RESULTS] = {SEARCH_OTHER_RESULT, 0, 1, 2};
    unsigned number = stamma_result_find(tag);
    if (number == RESULTS) {
        number = last_result(r);
        e->other_draw = number == STAMMA_RESULT_UNKNOWN && stamma_result_read(tag) == STAMMA_RESULT_DRAW;
    }
    e->result = by_number[e->other_draw ? STAMMA_RESULT_DRAW : number];
}

search_entry stamma_search_facts_of(const stamma_text ratings[2], stamma_text date, stamma_text utc_date,
                                    uint8_t result)
{
    return (search_entry){.result = result,
                          .rating = {read_rating(ratings[STAMMA_WHITE]), read_rating(ratings[STAMMA_BLACK])},
                          .month = stamma_search_month(date, utc_date)};
}

search_entry stamma_search_entry(const record *r, const stamma_position *end)
{
    stamma_text tags[FACT_TAGS];
    find_tags(r, tags);
    search_entry e =
        stamma_search_facts_of(&tags[TAG_WHITE_RATING], tags[TAG_DATE], tags[TAG_UTC_DATE], SEARCH_OTHER_RESULT);
    read_result(r, tags[TAG_RESULT], &e);
    if (r->plies > 0 && !r->continuation)
        sign(r, end, &e);
    return e;
}
