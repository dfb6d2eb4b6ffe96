/* SPDX-License-Identifier: MIT */
/* Finds evidence in the games about two spellings of a name: common games, ratings, years, and games in the same
 * round. */
#include "names/names.h"

#include <stdlib.h>

enum {
    FAR_RATING = 250,   /* difference that is practically impossible in a year */
    RATING_A_YEAR = 60, /* added for each year between the ratings */
    YEARS_MAX = 65      /* years between the first and the last game of a player */
};

static int compare_by_year(const void *a, const void *b)
{
    const appearance *x = (const appearance *)a, *y = (const appearance *)b;
    if (x->node != y->node)
        return (x->node > y->node) - (x->node < y->node);
    return (x->year > y->year) - (x->year < y->year);
}

static int compare_by_slot(const void *a, const void *b)
{
    const appearance *x = (const appearance *)a, *y = (const appearance *)b;
    if (x->node != y->node)
        return (x->node > y->node) - (x->node < y->node);
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static const appearance *appearances_of(const stamma_names *n)
{
    return (const appearance *)(const void *)n->appearances.data;
}

/* Adds the mean rating of the appearances from `first` to `last`, exclusive, which belong to one node and year. */
static void add_year(stamma_names *n, size_t first, size_t last)
{
    const appearance *all = appearances_of(n);
    player_node *node = &nodes_of(n)[all[first].node];
    uint64_t sum = 0, count = 0;
    for (size_t i = first; i < last; i++) {
        sum += all[i].rating;
        count += all[i].rating > 0;
    }
    if (all[first].year == 0)
        return;
    node->facts.first_year = node->facts.first_year == 0 ? all[first].year : node->facts.first_year;
    node->facts.last_year = all[first].year;
    if (count == 0)
        return;
    if (node->rating_count++ == 0)
        node->rating = (uint32_t)(n->ratings.size / sizeof(year_rating));
    buffer_add(&n->ratings, &(year_rating){all[first].year, (uint16_t)(sum / count)}, sizeof(year_rating));
}

stamma_error stamma_evidence_prepare(stamma_names *n)
{
    appearance *all = (appearance *)(void *)n->appearances.data;
    size_t count = n->appearances.size / sizeof *all;
    n->ratings.size = 0;
    for (size_t i = 1; i < node_count(n); i++)
        nodes_of(n)[i].rating_count = nodes_of(n)[i].facts.first_year = nodes_of(n)[i].facts.last_year = 0;
    if (count > 1)
        qsort(all, count, sizeof *all, compare_by_year);
    for (size_t i = 0, first = 0; i < count; i++)
        if (i + 1 == count || compare_by_year(&all[i], &all[i + 1]) != 0) {
            add_year(n, first, i + 1);
            first = i + 1;
        }
    if (count > 1)
        qsort(all, count, sizeof *all, compare_by_slot);
    for (size_t i = count; i-- > 0;)
        nodes_of(n)[all[i].node].appearance = (uint32_t)i;
    return n->ratings.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* ---- two names ---- */

static void compare_ratings(const stamma_names *n, const player_node *a, const player_node *b, name_evidence *e)
{
    const year_rating *all = (const year_rating *)(const void *)n->ratings.data;
    int nearest = INT32_MAX, difference = 0;
    for (uint32_t i = 0; i < a->rating_count; i++)
        for (uint32_t k = 0; k < b->rating_count; k++) {
            const year_rating *x = &all[a->rating + i], *y = &all[b->rating + k];
            int years = abs(x->year - y->year), points = abs(x->rating - y->rating);
            if (years < nearest || (years == nearest && points < difference)) {
                nearest = years;
                difference = points;
                e->rating = x->rating;
            }
        }
    e->rated = nearest < INT32_MAX;
    e->years = (uint16_t)(nearest < UINT16_MAX ? nearest : UINT16_MAX);
    e->points = (uint16_t)difference;
    e->ratings_differ = nearest < INT32_MAX && difference > FAR_RATING + RATING_A_YEAR * nearest;
}

static void compare_years(const player_node *a, const player_node *b, name_evidence *e)
{
    player_facts both = a->facts;
    if (a->facts.first_year == 0 || b->facts.first_year == 0)
        return;
    stamma_facts_add(&both, &b->facts);
    e->years_differ = both.last_year - both.first_year > YEARS_MAX;
}

/* Returns whether two nodes may be the same player. */
static bool may_be_same(const stamma_names *n, uint32_t a, uint32_t b)
{
    const player_node *x = &nodes_of(n)[a], *y = &nodes_of(n)[b];
    if (a == b || x->text == y->text)
        return true;
    if (x->id != 0 && y->id != 0)
        return x->id == y->id;
    name_form one = node_form(n, a), other = node_form(n, b);
    return stamma_forms_compare(&one, &other) < NAME_OTHER;
}

/* Compares a game of a node with the games of another node at the same time. */
static void compare_game(const stamma_names *n, const appearance *game, uint32_t node, name_evidence *e)
{
    const appearance *all = appearances_of(n);
    size_t first = nodes_of(n)[node].appearance, end = first + nodes_of(n)[node].games, last = end;
    e->conflict |= game->opponent == node;
    if (game->slot == 0)
        return;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (all[middle].slot >> SLOT_BITS < game->slot >> SLOT_BITS)
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < end && all[first].slot >> SLOT_BITS == game->slot >> SLOT_BITS; first++) {
        if (may_be_same(n, all[first].opponent, game->opponent))
            e->same_games |= all[first].slot == game->slot;
        else
            e->conflict |= all[first].event == game->event;
    }
}

name_evidence stamma_evidence_read(const stamma_names *n, uint32_t a, uint32_t b)
{
    const player_node *x = &nodes_of(n)[a], *y = &nodes_of(n)[b];
    name_evidence e = {.same_games = false};
    compare_ratings(n, x, y, &e);
    compare_years(x, y, &e);
    if (x->games > y->games) {
        const player_node *exchanged = x;
        uint32_t node = a;
        x = y;
        y = exchanged;
        a = b;
        b = node;
    }
    for (uint32_t i = 0; i < x->games; i++)
        compare_game(n, &appearances_of(n)[x->appearance + i], b, &e);
    return e;
}
