/* SPDX-License-Identifier: MIT */
/* Chooses the texts that a column has for openings (clause 22). A bad choice only makes the archive larger. */
#include "tags/tags.h"

enum { ENTRY_LEAST = 2 }; /* minimum number of records of an entry */

bool stamma_tag_is_fact(const tag_table *t, size_t column, size_t record, unsigned fact)
{
    char out[STAMMA_FEN_SIZE];
    const stamma_text text = stamma_game_text(&t->games[record], fact, out);
    return text.data && text_equal(text, tag_text(t, tag_value(t, column, record)));
}

/* Returns the opening of a record whose value the map may have; 0: none. */
static unsigned opening_at(const tag_table *t, size_t column, const tag_plan *plan, size_t record)
{
    if (tag_value(t, column, record) == 0)
        return 0;
    for (size_t i = 0; plan && i < plan->source_count; i++) {
        const tag_source *s = &plan->sources[i];
        if (s->kind == SOURCE_EQUAL && s->what > FACT_OPENING && s->what < FACT_MADE &&
            stamma_tag_is_fact(t, column, record, s->what))
            return 0;
    }
    return t->games[record].opening;
}

/* Chooses by majority vote (R. Boyer and J. Moore, 1981): each opening keeps a text and the number of its votes. */
static void vote(const tag_table *t, size_t column, const tag_plan *plan, opening_map map, uint32_t *votes)
{
    for (size_t r = 0; r < t->records; r++) {
        const unsigned opening = opening_at(t, column, plan, r);
        const uint32_t value = tag_value(t, column, r);
        if (opening == 0)
            continue;
        if (votes[opening] == 0)
            map[opening] = value;
        votes[opening] += map[opening] == value ? 1u : UINT32_MAX; /* one less */
    }
}

size_t stamma_opening_map_choose(const tag_table *t, size_t column, const tag_plan *plan, opening_map map)
{
    uint32_t counts[OPENINGS + 1] = {0};
    size_t all = 0;
    memset(map, 0, sizeof(opening_map));
    vote(t, column, plan, map, counts);
    memset(counts, 0, sizeof counts);
    for (size_t r = 0; r < t->records; r++) {
        const unsigned opening = opening_at(t, column, plan, r);
        counts[opening] += opening > 0 && map[opening] == tag_value(t, column, r);
    }
    for (size_t opening = 1; opening <= OPENINGS; opening++) {
        if (counts[opening] < ENTRY_LEAST)
            map[opening] = 0;
        all += map[opening] ? counts[opening] : 0;
    }
    return all;
}
