/* SPDX-License-Identifier: MIT */
/* Reads statistics from JSON that stamma_stats_write_json has written. */
#include "answers/answers.h"

/* Version 1.0.0-rc1 wrote the members "white" and "black". */
static stamma_stats_results read_results(value_reader *r, const json_value *object)
{
    const bool earlier = stamma_json_find(r, object, "white") != NULL;
    stamma_stats_results results = {.games = stamma_json_count(r, object, "games"),
                                    .white_wins = stamma_json_count(r, object, earlier ? "white" : "white_wins"),
                                    .draws = stamma_json_count(r, object, "draws"),
                                    .black_wins = stamma_json_count(r, object, earlier ? "black" : "black_wins")};
    stamma_json_expect(r, results.white_wins + results.draws + results.black_wins <= results.games, object, "games");
    return results;
}

static void read_side(value_reader *r, const json_value *object, const char *name, stamma_stats_results *results)
{
    const json_value *side = stamma_json_member(r, object, name, JSON_OBJECT);
    if (side)
        *results = read_results(r, side);
}

static void read_row(value_reader *r, stamma_stats *s, stamma_stats_table table, const json_value *object)
{
    const stats_form *form = &stamma_stats_forms[table];
    const json_value *name = stamma_json_member(r, object, form->name, form->number ? JSON_NUMBER : JSON_TEXT);
    stamma_stats_row row = {.plies = stamma_json_count(r, object, "plies")};
    if (form->number)
        (void)stamma_json_count(r, object, form->name); /* reports an error unless it has only digits */
    if (form->sides) {
        read_side(r, object, "as_white", &row.results[STAMMA_WHITE]);
        read_side(r, object, "as_black", &row.results[STAMMA_BLACK]);
    } else {
        row.results[0] = read_results(r, object);
    }
    if (r->failed)
        return;
    row.name = json_text(&r->json, name);
    r->no_memory |= !stamma_stats_add_row(s, table, &row);
}

static stamma_error read_stats(value_reader *r, stamma_stats *s)
{
    const json_value *root = json_value_at(&r->json, 0);
    s->total = (stamma_stats_total){.results = read_results(r, root),
                                    .plies = stamma_json_count(r, root, "plies"),
                                    .longest = stamma_json_count(r, root, "longest"),
                                    .set_up = stamma_json_count(r, root, "set_up"),
                                    .rated = stamma_json_count(r, root, "rated")};
    for (unsigned n = 0; n < STAMMA_STATS_TABLES; n++) {
        const json_value *list = stamma_json_member(r, root, stamma_stats_forms[n].key, JSON_LIST);
        const json_value *row = list ? json_first(&r->json, list) : NULL;
        for (; row && !r->failed; row = json_next(&r->json, row))
            read_row(r, s, (stamma_stats_table)n, row);
    }
    return r->no_memory ? STAMMA_ERROR_NO_MEMORY : r->failed ? STAMMA_ERROR_SYNTAX : STAMMA_OK;
}

stamma_error stamma_stats_read_json(stamma_text json, const stamma_allocator *given, stamma_query_problem *fault,
                                    stamma_stats **stats)
{
    value_reader r;
    stamma_stats *s = NULL;
    if (!text_is_given(json) || !allocator_is_given(given) || !stats)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_allocator allocator = stamma_allocator_or_default(given);
    stamma_error error = stamma_json_open_value(&r, json, &allocator, "stats");
    if (error == STAMMA_OK)
        error = stamma_stats_open(&allocator, &s);
    if (error == STAMMA_OK)
        error = read_stats(&r, s);
    error = stamma_json_close_value(&r, error, fault);
    if (error == STAMMA_OK)
        *stats = s;
    else
        stamma_stats_close(s);
    return error;
}
