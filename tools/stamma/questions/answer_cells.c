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
    tool_cell_number(t, c->white);
    tool_cell_number(t, c->draws);
    tool_cell_number(t, c->black);
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
    static const char *const names[] = {"uci",   "san",    "games",       "white", "draws",
                                        "black", "rating", "performance", "last"};
    const stamma_position *position = stamma_tree_position(tree);
    tool_names_row(t, names, sizeof names / sizeof *names);
    for (size_t n = 0; n < answer_rows(limit) && n < stamma_tree_move_count(tree); n++)
        put_move(position, stamma_tree_move_at(tree, n), t);
}

/* ---- statistics ---- */

static void put_row(const char *table, stamma_text name, const uint64_t numbers[5], tool_table *t)
{
    tool_cell_string(t, table);
    tool_cell_text(t, name);
    for (size_t i = 0; i < 5; i++)
        tool_cell_number(t, numbers[i]);
    tool_row_end(t);
}

/* Puts a row of a table. In tables by side, games are won and lost by the players, otherwise by White. */
static void put_stats_row(const char *table, const stamma_stats_row *row, bool sides, tool_table *t)
{
    const stamma_stats_results *a = &row->results[STAMMA_WHITE], *b = &row->results[STAMMA_BLACK];
    const uint64_t numbers[5] = {a->games + b->games, a->white + (sides ? b->black : 0), a->draws + b->draws,
                                 a->black + (sides ? b->white : 0), row->plies};
    put_row(table, row->name, numbers, t);
}

bool answer_stats_cells(stamma_stats *stats, uint64_t limit, tool_table *t)
{
    static const char *const names[] = {"table", "name", "games", "won", "drawn", "lost", "plies"};
    static const char *const tables[STAMMA_STATS_TABLES] = {
        "lengths", "years", "ratings", "players", "first_moves", "eco", "openings", "time_controls", "terminations"};
    const stamma_stats_total sum = stamma_stats_sum(stats);
    const stamma_stats_results *r = &sum.results;
    tool_names_row(t, names, sizeof names / sizeof *names);
    put_row("all", stamma_text_of(""), (const uint64_t[5]){r->games, r->white, r->draws, r->black, sum.plies}, t);
    for (int table = 0; table < STAMMA_STATS_TABLES; table++)
        for (size_t n = 0; n < answer_rows(limit) && n < stamma_stats_row_count(stats, (stamma_stats_table)table);
             n++) {
            const stamma_stats_row *row = NULL;
            if (stamma_stats_row_at(stats, (stamma_stats_table)table, n, &row))
                return tool_fail_memory(NULL);
            put_stats_row(tables[table], row, table == STAMMA_STATS_PLAYERS || table == STAMMA_STATS_RATINGS, t);
        }
    return true;
}
