/* SPDX-License-Identifier: MIT */
/* Keeps the games of a plan that may be among the first in an order. Their places in the order are found with facts,
 * without reading games. */
#include <stdlib.h>
#include "search/search_plan.h"

#include <stdlib.h>

/* Places of games: values in ascending order, values in descending order, games without a value. Place 0 is not
 * known: the game may be anywhere. */
#define PLACE_DESCENDING (UINT64_C(1) << 40)
#define PLACE_LAST (UINT64_C(1) << 41)

void stamma_plan_order_init(plan_order *o, const stamma_search_options *options, const stamma_allocator *allocator)
{
    *o = (plan_order){.by = options->order,
                      .descending = options->descending,
                      .ties = options->ties,
                      .most = options->most,
                      .bound = UINT64_MAX,
                      .games.allocator = allocator};
}

void stamma_plan_order_release(plan_order *o)
{
    stamma_buffer_release(&o->games);
}

static uint64_t place_of(const plan_order *o, uint64_t value)
{
    return value == 0 ? PLACE_LAST : o->descending ? PLACE_DESCENDING - value : value;
}

/* Twice the mean of both ratings, or twice the only rating that is known. */
static uint64_t mean_of(const index_facts *f)
{
    const unsigned white = f->rating[STAMMA_WHITE], black = f->rating[STAMMA_BLACK];
    return white > 0 && black > 0 ? white + black : 2 * (white + black);
}

/* Dates are ordered as texts: "2010.??.??" is after "2010.12.31". An unknown day is 0. */
static uint64_t place_of_date(const plan_order *o, unsigned month, unsigned day)
{
    enum { DAYS = 33 };
    const unsigned of_year = month % SEARCH_YEAR;
    if (month == SEARCH_ODD_MONTH)
        return 0;
    if (month == 0)
        return PLACE_LAST;
    const unsigned months = month / SEARCH_YEAR * (SEARCH_YEAR + 1) + (of_year > 0 ? of_year : SEARCH_YEAR);
    return place_of(o, months * DAYS + (day > 0 ? day : DAYS - 1));
}

/* Returns the place that follows from facts; of a date, the first place that the month may have. */
static uint64_t place_of_facts(const plan_order *o, const index_facts *f)
{
    switch (o->by) {
    case STAMMA_ORDER_WHITE_RATING: return place_of(o, f->rating[STAMMA_WHITE]);
    case STAMMA_ORDER_BLACK_RATING: return place_of(o, f->rating[STAMMA_BLACK]);
    case STAMMA_ORDER_DATE: return place_of_date(o, f->month, !o->descending);
    default: return place_of(o, mean_of(f));
    }
}

uint64_t stamma_plan_order_place(const plan_order *o, index_file *x, const index_segment *s, uint32_t rank)
{
    index_facts facts = {.month = 0};
    if (o->by == STAMMA_ORDER_NUMBER)
        return place_of(o, stamma_index_game(x, s, stamma_index_record(x, s, rank)));
    if (o->by == STAMMA_ORDER_PLIES)
        return rank < s->counts[COUNT_TYPED] ? place_of(o, UINT64_C(1) + index_game_plies(x, s, rank)) : 0;
    if (!stamma_index_facts(x, s, rank, &facts, NULL))
        return 0;
    return o->by == STAMMA_ORDER_DATE ? place_of_date(o, facts.month, index_game_day(x, s, rank))
                                      : place_of_facts(o, &facts);
}

/* A hot loop: facts are read without a copy. */
void stamma_plan_order_exclude(const plan_order *o, const uint8_t *facts, uint32_t count, uint8_t *verdicts)
{
    for (uint32_t n = 0; n < count; n++, facts += INDEX_FACTS_SIZE) {
        const index_facts f = index_facts_read(facts);
        if (place_of_facts(o, &f) > o->bound && !index_facts_are_odd(&f))
            verdicts[n] = VERDICT_NO;
    }
}

static int compare(const void *left, const void *right)
{
    const ordered_game *a = (const ordered_game *)left, *b = (const ordered_game *)right;
    return a->place != b->place ? (a->place < b->place ? -1 : 1) : (a->game > b->game) - (a->game < b->game);
}

/* A game may have several entries. */
void stamma_plan_order_reduce(plan_order *o)
{
    ordered_game *all = (ordered_game *)(void *)o->games.data;
    size_t count = o->games.size / sizeof *all, kept = 0;
    uint64_t sure = 0, last = 0;
    if (count > 0)
        qsort(all, count, sizeof *all, compare);
    for (; kept < count && sure < o->most; kept++) {
        const uint64_t number = planned_number(all[kept].game);
        if (planned_verdict(all[kept].game) != VERDICT_YES || all[kept].place == 0 || number == last)
            continue;
        sure++;
        last = number;
        o->bound = sure == o->most ? all[kept].place : o->bound;
    }
    while (kept < count && sure == o->most && o->ties && all[kept].place == o->bound)
        kept++;
    o->games.size = kept * sizeof *all;
    o->reduce_at = 2 * o->games.size + 4096 * sizeof *all;
}

bool stamma_plan_order_add(plan_order *o, uint64_t place, planned_game game)
{
    const ordered_game added = {place, game};
    buffer_add(&o->games, &added, sizeof added);
    if (o->games.size >= o->reduce_at && o->reduce_at > 0 && !o->games.failed)
        stamma_plan_order_reduce(o);
    if (o->reduce_at == 0)
        o->reduce_at = 4096 * sizeof added;
    return !o->games.failed;
}
