/* SPDX-License-Identifier: MIT */
/* A report as a self-contained HTML page. */
#include "reporting/html_page.h"
#include "reporting/report_outputs.h"

#include <math.h>

static const html_series results[] = {{"won", HTML_WON}, {"drawn", HTML_DRAWN}, {"lost", HTML_LOST}};
enum { RESULTS = 3 };

static const char *color_word(stamma_color color)
{
    return color == STAMMA_WHITE ? "White" : "Black";
}

void report_html_more(size_t count, size_t rows)
{
    char text[64];
    (void)snprintf(text, sizeof text, "... and %zu more", count - rows);
    if (count > rows)
        html_element("p", "muted", stamma_text_of(text));
}

/* ---- tables ---- */

void report_html_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost)
{
    const uint64_t values[RESULTS] = {won, drawn, lost};
    html_cell_number(games);
    html_cell_bar(results, values, RESULTS);
    html_cell_real(report_score(won, drawn, lost), 1, "");
}

static void put_rating(const report_tally *t)
{
    int32_t performance;
    html_cell_real(report_opposition(t) > 0 ? report_opposition(t) : (double)NAN, 0, "");
    html_cell_real(stamma_tree_performance(&t->rated, &performance) ? performance : (double)NAN, 0, "");
}

static void put_table_head(const char *caption, const char *name)
{
    const char *const headings[] = {name, "#Games", "Won, drawn, lost", "#Score %", "#Opponents", "#Perf."};
    html_table_begin(caption, headings, sizeof headings / sizeof *headings);
}

static void put_row(stamma_text name, const report_tally *t)
{
    html_row_begin();
    html_cell(name);
    report_html_results(t->games, t->won, t->drawn, t->lost);
    put_rating(t);
    html_row_end();
}

static void put_names(const report *r, const char *title, const char *name, const report_table *t)
{
    if (t->count == 0)
        return;
    html_open("div", "card wide names");
    html_element("h3", NULL, stamma_text_of(title));
    put_table_head(title, name);
    for (size_t i = 0; i < report_rows(r, t->count); i++)
        put_row(t->rows[i].name, &t->rows[i].tally);
    html_table_end();
    report_html_more(t->count, report_rows(r, t->count));
    html_close("div");
}

/* ---- beginning ---- */

void report_html_fact(const char *name, const char *value)
{
    html_open("div", NULL);
    html_element("dt", NULL, stamma_text_of(name));
    html_element("dd", NULL, stamma_text_of(value));
    html_close("div");
}

static void put_facts(const report *r)
{
    char text[64], first[16] = "?", last[16] = "?", number[TOOL_NUMBER_SIZE];
    int32_t performance;
    size_t dated = 0;
    while (dated < r->count && r->games[dated].date.year == 0)
        dated++;
    html_open("dl", NULL);
    report_html_fact("Games", tool_number(r->count, number));
    (void)snprintf(text, sizeof text, "%.1f %%", report_tally_score(&r->all));
    report_html_fact("Score", isnan(report_tally_score(&r->all)) ? "?" : text);
    (void)snprintf(text, sizeof text, "%" PRIu64 " / %" PRIu64 " / %" PRIu64, r->all.won, r->all.drawn, r->all.lost);
    report_html_fact("Won / drawn / lost", text);
    if (dated < r->count) {
        (void)snprintf(text, sizeof text, "%s to %s", report_date(&r->games[dated], first),
                       report_date(&r->games[r->count - 1], last));
        report_html_fact("Dates", text);
    }
    (void)snprintf(text, sizeof text, "%u", report_opposition(&r->all));
    if (report_opposition(&r->all) > 0)
        report_html_fact("Opponents' mean rating", text);
    if (stamma_tree_performance(&r->all.rated, &performance)) {
        (void)snprintf(text, sizeof text, "%" PRId32, performance);
        report_html_fact("Performance", text);
    }
    html_close("dl");
}

static void put_scores(const report *r)
{
    html_section("Scores");
    html_open("div", "grid");
    html_open("div", "card wide names");
    html_element("h3", NULL, stamma_text_of("By colour, and recently"));
    put_table_head("By colour, and recently", "Games");
    for (int color = 0; color < 2; color++)
        if (r->colors[color].games > 0)
            put_row(stamma_text_of(color == STAMMA_WHITE ? "As White" : "As Black"), &r->colors[color]);
    if (r->last.games > 0)
        put_row(stamma_text_of("Recent"), &r->last);
    html_table_end();
    html_close("div");
    put_names(r, "Spellings of the name", "Name", &r->names);
    html_close("div");
    html_close("section");
}

static void put_recent(const report *r)
{
    static const char *const headings[] = {"Date", "Colour", "Result", "Opponent", "#Rating", "Opening", "Event"};
    html_section("Recent form");
    html_open("div", "card wide recent");
    html_table_begin("Last games", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < r->count && i < r->recent; i++) {
        const report_game *g = &r->games[r->count - 1 - i];
        char date[16];
        html_row_begin();
        html_cell_words(report_date(g, date));
        html_cell_words(color_word(g->color));
        html_cell_words(report_outcome_word(g->outcome));
        html_cell(stamma_text_of(g->opponent));
        html_cell_real(g->opponent_rating > 0 ? g->opponent_rating : (double)NAN, 0, "");
        html_cell(g->opening);
        html_cell(stamma_text_of(g->event));
        html_row_end();
    }
    html_table_end();
    html_close("div");
    html_close("section");
}

/* ---- plots ---- */

/* The labels and values of a plot. */
typedef struct numbers {
    char (*names)[32];
    const char **labels;
    double *values;
} numbers;

static void numbers_close(numbers *n)
{
    free(n->names);
    free(n->labels);
    free(n->values);
}

static bool numbers_open(numbers *n, size_t rows, size_t series)
{
    n->names = calloc(rows + 1, sizeof *n->names);
    n->labels = calloc(rows + 1, sizeof *n->labels);
    n->values = calloc(rows * series + 1, sizeof *n->values);
    if (n->names && n->labels && n->values)
        return true;
    numbers_close(n);
    return tool_fail_memory(NULL);
}

/* Plots results by number. */
bool report_html_columns(const char *title, const char *rows_name, report_kind kind, const report_table *t)
{
    numbers n;
    if (!numbers_open(&n, t->count, RESULTS))
        return false;
    for (size_t i = 0; i < t->count; i++) {
        const report_tally *tally = &t->rows[i].tally;
        n.labels[i] = report_row_name(kind, &t->rows[i], n.names[i]);
        n.values[i * RESULTS] = (double)tally->won;
        n.values[i * RESULTS + 1] = (double)tally->drawn;
        n.values[i * RESULTS + 2] = (double)tally->lost;
    }
    const html_plot plot = {.title = title,
                            .rows_name = rows_name,
                            .series_count = RESULTS,
                            .series = results,
                            .rows = t->count,
                            .labels = n.labels,
                            .values = n.values};
    html_columns(&plot);
    numbers_close(&n);
    return true;
}

static bool put_rating_lines(const report *r)
{
    static const html_series series[] = {{"player", HTML_FIRST}, {"opponents", HTML_SECOND}};
    const report_table *t = &r->years;
    numbers n;
    size_t rows = 0;
    if (!numbers_open(&n, t->count, 2))
        return false;
    for (size_t i = 0; i < t->count; i++) {
        const report_row *row = &t->rows[i];
        const unsigned opposition = report_opposition(&row->tally);
        if (row->rated == 0 && opposition == 0)
            continue;
        n.labels[rows] = report_row_name(REPORT_YEARS, row, n.names[rows]);
        n.values[2 * rows] = row->rated > 0 ? (double)row->rating_sum / (double)row->rated : (double)NAN;
        n.values[2 * rows + 1] = opposition > 0 ? opposition : (double)NAN;
        rows++;
    }
    const html_plot plot = {.title = "Mean ratings by year",
                            .rows_name = "Year",
                            .series_count = 2,
                            .series = series,
                            .rows = rows,
                            .labels = n.labels,
                            .values = n.values};
    html_lines(&plot);
    numbers_close(&n);
    return true;
}

static bool put_plots(const report *r)
{
    html_section("Results");
    html_open("div", "grid");
    bool right = report_html_columns("Games by year", "Year", REPORT_YEARS, &r->years) && put_rating_lines(r) &&
                 report_html_columns("Games by the opponent's rating", "Rating", REPORT_RATINGS, &r->ratings) &&
                 report_html_columns("Games by length in moves", "Moves", REPORT_LENGTHS, &r->lengths);
    html_close("div");
    html_close("section");
    return right;
}

/* ---- openings ---- */

static void put_openings(const report *r)
{
    html_section("Openings and opponents");
    html_open("div", "grid");
    put_names(r, "Openings as White", "Opening", &r->openings[STAMMA_WHITE]);
    put_names(r, "Openings as Black", "Opening", &r->openings[STAMMA_BLACK]);
    put_names(r, "Opponents", "Opponent", &r->opponents);
    html_close("div");
    html_close("section");
}

void report_html_node(const report_node *n, unsigned number, bool white)
{
    const unsigned ply = n->depth - 1 + !white; /* from the move of White with this number */
    char text[96];
    html_row_begin();
    (void)snprintf(text, sizeof text, "<td style=\"--d:%u\">", n->depth - 1);
    tool_put_string(text);
    (void)snprintf(text, sizeof text, "%u.%s %s", number + ply / 2, ply % 2 ? ".." : "", n->san);
    html_open("b", NULL);
    html_string(text);
    tool_put_string("</b> ");
    html_open("span", "muted");
    html_text(n->opening);
    html_string(n->again ? " (see above)" : "");
    tool_put_string("</span></td>");
    report_html_results(n->games, n->won, n->drawn, n->lost);
    html_row_end();
}

static void put_tree(const report *r, stamma_color color)
{
    static const char *const headings[] = {"Move", "#Games", "Won, drawn, lost", "#Score %"};
    const report_tree *t = &r->trees[color];
    char title[32];
    if (t->count == 0)
        return;
    (void)snprintf(title, sizeof title, "Repertoire as %s", color_word(color));
    html_open("div", "card tree");
    html_element("h3", NULL, stamma_text_of(title));
    html_table_begin(title, headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < t->count; i++)
        report_html_node(&t->nodes[i], 1, true);
    html_table_end();
    html_close("div");
}

static void put_trees(const report *r)
{
    char text[200];
    html_section("Repertoire");
    (void)snprintf(text, sizeof text,
                   "The moves of all positions, whatever moves led to them. Moves of fewer than %" PRIu64
                   " games as White and %" PRIu64 " as Black are omitted.",
                   r->trees[STAMMA_WHITE].least, r->trees[STAMMA_BLACK].least);
    html_element("p", "muted", stamma_text_of(text));
    html_open("div", "grid");
    put_tree(r, STAMMA_WHITE);
    put_tree(r, STAMMA_BLACK);
    html_close("div");
    html_close("section");
}

/* ---- time ---- */

/* Collects the speeds with clocks, at most as many as there are colors of categories. */
static size_t timed_speeds(const report *r, size_t speeds[REPORT_SPEEDS])
{
    size_t count = 0;
    for (size_t i = 0; i < REPORT_SPEEDS; i++)
        if (r->time[i].games > 0)
            speeds[count++] = i;
    return count;
}

static void put_time_plot(const report *r, const size_t *speeds, size_t count)
{
    html_series series[REPORT_SPEEDS];
    char names[REPORT_SPANS][16];
    const char *labels[REPORT_SPANS];
    double values[REPORT_SPANS * REPORT_SPEEDS];
    for (size_t i = 0; i < count; i++)
        series[i] = (html_series){stamma_speed_name((stamma_speed)speeds[i]),
                                  (html_color)(HTML_FIRST + i % (HTML_SIXTH - HTML_FIRST + 1))};
    for (size_t span = 0; span < REPORT_SPANS; span++) {
        labels[span] = report_span_name(span, names[span]);
        for (size_t i = 0; i < count; i++)
            values[span * count + i] = report_span_seconds(&r->time[speeds[i]], span);
    }
    const html_plot plot = {.title = "Seconds for each move, by move number",
                            .rows_name = "Moves",
                            .unit = " s",
                            .digits = 1,
                            .series_count = count,
                            .series = series,
                            .rows = REPORT_SPANS,
                            .labels = labels,
                            .values = values};
    html_lines(&plot);
}

static void put_short_times(const report *r, const size_t *speeds, size_t count)
{
    static const char *const headings[] = {"Speed", "#Games with clocks", "#Short of time", "#Share",
                                           "#Score % of these"};
    html_open("div", "card wide");
    html_element("h3", NULL, stamma_text_of("Games with a tenth of the time left, or less"));
    html_table_begin("Games with a tenth of the time left, or less", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < count; i++) {
        const report_time *t = &r->time[speeds[i]];
        html_row_begin();
        html_cell_words(stamma_speed_name((stamma_speed)speeds[i]));
        html_cell_number(t->games);
        html_cell_number(t->short_games);
        html_cell_real(100.0 * (double)t->short_games / (double)t->games, 1, " %");
        html_cell_real(
            t->short_finished == 0 ? (double)NAN : 50.0 * (double)t->short_points / (double)t->short_finished, 1, "");
        html_row_end();
    }
    html_table_end();
    html_close("div");
}

static void put_times(const report *r)
{
    size_t speeds[REPORT_SPEEDS], count = timed_speeds(r, speeds);
    char text[120];
    if (count == 0 && r->untimed == 0)
        return;
    html_section("Time");
    (void)snprintf(text, sizeof text, "%" PRIu64 " games with clocks have no time control that can be used.",
                   r->untimed);
    if (r->untimed > 0)
        html_element("p", "muted", stamma_text_of(text));
    html_open("div", "grid");
    if (count > 0) {
        put_time_plot(r, speeds, count);
        put_short_times(r, speeds, count);
    }
    html_close("div");
    html_close("section");
}

/* ---- novelties ---- */

static bool put_novelty(const report_novelty *n)
{
    char date[16], *line = report_line(n->game, n->ply);
    if (!line)
        return false;
    const char *last = strrchr(line, ' ');
    html_row_begin();
    html_cell_words(report_date(n->game, date));
    html_cell(stamma_text_of(n->game->opponent));
    tool_put_string("<td>");
    html_text((stamma_text){line, last ? (size_t)(last + 1 - line) : 0});
    html_open("b", NULL);
    html_string(last ? last + 1 : line);
    tool_put_string("</b></td>");
    html_cell_number(n->followers);
    html_row_end();
    free(line);
    return true;
}

static bool put_novelties(const report *r)
{
    static const char *const headings[] = {"Date", "Opponent", "Moves", "#Later games"};
    const size_t rows = report_rows(r, r->novelty_count);
    bool right = true;
    char text[200];
    html_section("Novelties");
    (void)snprintf(text, sizeof text,
                   "Moves of the player after ply %" PRIu64
                   " that led to a position of no earlier game in the archives: "
                   "%zu in %" PRIu64 " games with a complete date.",
                   r->novelty_ply, r->novelty_count, r->complete);
    html_element("p", "muted", stamma_text_of(text));
    if (rows > 0) {
        html_open("div", "card wide");
        html_table_begin("Novelties", headings, sizeof headings / sizeof *headings);
        for (size_t i = 0; i < rows && right; i++)
            right = put_novelty(&r->novelties[i]);
        html_table_end();
        report_html_more(r->novelty_count, rows);
        html_close("div");
    }
    html_close("section");
    return right;
}

static void put_foot(const report *r)
{
    char text[64];
    html_open("footer", NULL);
    (void)snprintf(text, sizeof text, "stamma report, version %s. Games of the archives:", stamma_version());
    html_string(text);
    for (size_t i = 0; i < r->path_count; i++) {
        html_string(i > 0 ? ", " : " ");
        html_string(r->paths[i]);
    }
    if (r->set_up > 0) {
        (void)snprintf(text, sizeof text, ". %" PRIu64 " games begin in another position.", r->set_up);
        html_string(text);
    }
    html_close("footer");
}

bool report_put_html(const report *r)
{
    html_begin(stamma_text_of(r->player));
    put_facts(r);
    put_scores(r);
    put_recent(r);
    bool right = put_plots(r);
    put_openings(r);
    put_trees(r);
    put_times(r);
    right = right && (r->no_novelties || put_novelties(r));
    put_foot(r);
    html_end();
    return right;
}
