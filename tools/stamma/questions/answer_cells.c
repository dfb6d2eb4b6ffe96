/* SPDX-License-Identifier: MIT */
/* Trees and statistics as CSV, or separated by tabs. */
#include "questions/answer_search.h"

#include <inttypes.h>

/* ---- trees ---- */

static void put_integer(tool_table *t, bool known, int32_t number)
{
    char text[TOOL_NUMBER_SIZE] = "";
    if (known)
        (void)snprintf(text, sizeof text, "%" PRId32, number);
    tool_cell_string(t, text);
}

static void put_move(const stamma_position *position, const stamma_tree_move *m, tool_table *t)
{
    char text[STAMMA_SAN_SIZE], date[16] = "";
    int32_t performance = 0;
    const stamma_tree_counts *c = &m->counts;
    const unsigned rating = stamma_tree_rating(c);
    tool_cell_word(
        t, (stamma_text){text, stamma_uci_write(position, m->move, tool_is_chess960(position), text, sizeof text)});
    tool_cell_word(t, (stamma_text){text, stamma_san_write(position, m->move, text, sizeof text)});
    tool_cell_number(t, c->games);
    tool_cell_number(t, c->white_wins);
    tool_cell_number(t, c->draws);
    tool_cell_number(t, c->black_wins);
    put_integer(t, rating > 0, (int32_t)rating);
    bool known = stamma_tree_performance(c, &performance);
    put_integer(t, known, performance);
    if (c->last_date > 0)
        (void)stamma_date_write(c->last_date, '-', date, sizeof date);
    tool_cell_string(t, date);
    tool_row_end(t);
}

void answer_tree_cells(stamma_tree *tree, uint64_t limit, tool_table *t)
{
    static const char *const names[] = {"uci",        "san",    "games",       "white_wins", "draws",
                                        "black_wins", "rating", "performance", "last_date"};
    const stamma_position *position = stamma_tree_position(tree);
    tool_names_row(t, names, sizeof names / sizeof *names);
    for (size_t n = 0; n < answer_rows(limit) && n < stamma_tree_move_count(tree); n++)
        put_move(position, stamma_tree_move_at(tree, n), t);
}

/* ---- statistics ---- */

/* `side` and `plies` may be NULL. */
static void put_row(const char *grouping, stamma_text name, const char *side, const stamma_stats_results *r,
                    const uint64_t *plies, tool_table *t)
{
    tool_cell_string(t, grouping);
    tool_cell_text(t, name);
    tool_cell_string(t, side ? side : "");
    tool_cell_number(t, r->games);
    tool_cell_number(t, r->white_wins);
    tool_cell_number(t, r->draws);
    tool_cell_number(t, r->black_wins);
    if (plies)
        tool_cell_number(t, *plies);
    else
        tool_cell_string(t, "");
    tool_row_end(t);
}

/* Puts a row of a table; two rows for tables by side. */
static void put_stats_row(const char *grouping, const stamma_stats_row *row, bool sides, tool_table *t)
{
    static const char *const words[2] = {"white", "black"};
    if (!sides)
        put_row(grouping, row->name, NULL, &row->results[0], &row->plies, t);
    for (int side = 0; sides && side < 2; side++)
        if (row->results[side].games > 0)
            put_row(grouping, row->name, words[side], &row->results[side], NULL, t);
}

bool answer_stats_cells(stamma_stats *stats, uint64_t limit, tool_table *t)
{
    static const char *const names[] = {"grouping",   "name",  "side",       "games",
                                        "white_wins", "draws", "black_wins", "plies"};
    static const char *const groupings[STAMMA_STATS_TABLES] = {
        "length", "year", "rating", "player", "first_moves", "eco", "opening", "time_control", "termination"};
    const stamma_stats_total sum = stamma_stats_sum(stats);
    tool_names_row(t, names, sizeof names / sizeof *names);
    put_row("all", stamma_text_of(""), NULL, &sum.results, &sum.plies, t);
    for (int table = 0; table < STAMMA_STATS_TABLES; table++)
        for (size_t n = 0; n < answer_rows(limit) && n < stamma_stats_row_count(stats, (stamma_stats_table)table);
             n++) {
            const stamma_stats_row *row = NULL;
            if (stamma_stats_row_at(stats, (stamma_stats_table)table, n, &row))
                return tool_fail_memory(NULL);
            put_stats_row(groupings[table], row, table == STAMMA_STATS_PLAYERS || table == STAMMA_STATS_RATINGS, t);
        }
    return true;
}
