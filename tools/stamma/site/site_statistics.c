/* SPDX-License-Identifier: MIT */
/* The page of statistics of a site: HTML that needs no scripts. */
#include "reporting/html_page.h"
#include "site/site.h"

enum { ROWS = 100, YEARS_MAX = 400, COLUMNS = 3 };

static const html_series results[COLUMNS] = {{"White won", HTML_WON}, {"drawn", HTML_DRAWN}, {"Black won", HTML_LOST}};

/* ---- numbers ---- */

static void put_fact(const char *name, uint64_t value)
{
    char text[TOOL_NUMBER_SIZE];
    html_open("div", NULL);
    html_element("dt", NULL, stamma_text_of(name));
    html_element("dd", NULL, stamma_text_of(tool_number(value, text)));
    html_close("div");
}

static void put_totals(const site *s)
{
    const stamma_stats_total all = stamma_stats_sum(s->stats);
    html_open("dl", NULL);
    put_fact("Games", all.results.games);
    put_fact("White won", all.results.white_wins);
    put_fact("Drawn", all.results.draws);
    put_fact("Black won", all.results.black_wins);
    put_fact("Plies", all.plies);
    put_fact("Games with both ratings", all.rated);
    html_close("dl");
}

/* ---- plots and tables ---- */

/* Plots the results of a table whose rows are numbers. */
static bool put_plot(site *s, stamma_stats_table table, const char *title, const char *rows_name)
{
    static char names[YEARS_MAX][16];
    static const char *labels[YEARS_MAX];
    static double values[YEARS_MAX * COLUMNS];
    const stamma_stats_row *row = NULL;
    size_t n = 0;
    for (; n < YEARS_MAX; n++) {
        if (stamma_stats_row_at(s->stats, table, n, &row))
            return tool_fail_memory(title);
        if (!row)
            break;
        (void)snprintf(names[n], sizeof names[n], "%.*s", (int)row->name.size, row->name.data);
        labels[n] = names[n];
        values[n * COLUMNS] = (double)row->results[0].white_wins;
        values[n * COLUMNS + 1] = (double)row->results[0].draws;
        values[n * COLUMNS + 2] = (double)row->results[0].black_wins;
    }
    const html_plot plot = {.title = title,
                            .rows_name = rows_name,
                            .series_count = COLUMNS,
                            .series = results,
                            .rows = n,
                            .labels = labels,
                            .values = values};
    html_columns(&plot);
    return true;
}

static uint64_t games_of(const stamma_stats_row *row)
{
    return row->results[0].games + row->results[1].games;
}

/* Writes the first rows of a table, which has the most games first. Tables of players count both sides. */
static bool put_table(site *s, stamma_stats_table table, const char *title, const char *heading)
{
    const char *const headings[] = {heading, "#Games", "White won, drawn, Black won"};
    const stamma_stats_row *row = NULL;
    const bool by_side = table == STAMMA_STATS_PLAYERS;
    html_open("div", "card wide");
    html_element("h3", NULL, stamma_text_of(title));
    html_table_begin(title, headings, by_side ? 2 : 3);
    for (size_t n = 0; n < ROWS; n++) {
        if (stamma_stats_row_at(s->stats, table, n, &row))
            return tool_fail_memory(title);
        if (!row)
            break;
        const uint64_t counts[COLUMNS] = {row->results[0].white_wins, row->results[0].draws,
                                          row->results[0].black_wins};
        html_row_begin();
        html_cell(row->name);
        html_cell_number(games_of(row));
        if (!by_side)
            html_cell_bar(results, counts, COLUMNS);
        html_row_end();
    }
    html_table_end();
    html_close("div");
    return true;
}

static bool put_plots(site *s)
{
    html_section("Games");
    html_open("div", "grid");
    const bool right = put_plot(s, STAMMA_STATS_YEARS, "Games per year", "Year") &&
                       put_plot(s, STAMMA_STATS_LENGTHS, "Games by length in plies", "Plies");
    html_close("div");
    html_close("section");
    return right;
}

static bool put_tables(site *s)
{
    html_section("Openings and players");
    html_open("div", "grid");
    const bool right = put_table(s, STAMMA_STATS_OPENINGS, "Openings", "Opening") &&
                       put_table(s, STAMMA_STATS_FIRST_MOVES, "First moves", "Moves") &&
                       put_table(s, STAMMA_STATS_PLAYERS, "Players", "Player");
    html_close("div");
    html_close("section");
    return right;
}

static void put_foot(const site *s)
{
    html_open("footer", NULL);
    if (s->author) {
        tool_put_string("Published by ");
        html_string(s->author);
        tool_put_string(". ");
    }
    if (s->licence) {
        tool_put_string("Licence of the games: ");
        html_string(s->licence);
        tool_put_string(". ");
    }
    tool_put_string("Made by stamma site.");
    html_close("footer");
}

bool site_add_statistics(site *s)
{
    tool_buffer buffer = {.bytes = NULL};
    const stamma_output output = tool_buffer_output(&buffer);
    tool_put_to(&output);
    html_begin(stamma_text_of(s->title));
    tool_put_string("<p><a href=\"./\">Explore these games</a></p>\n");
    put_totals(s);
    const bool right = put_plots(s) && put_tables(s);
    put_foot(s);
    html_end();
    if (right)
        return site_add_printed(s, "statistics.html", &buffer);
    tool_put_to(NULL);
    tool_buffer_free(&buffer);
    return false;
}
