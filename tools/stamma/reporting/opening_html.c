/* SPDX-License-Identifier: MIT */
/* A report about an opening as a self-contained HTML page. */
#include "reporting/html_page.h"
#include "reporting/opening.h"
#include "reporting/report_outputs.h"

#include <math.h>

enum { CHANGES = 8 };

static const report_tree *tree_of(const opening_report *o)
{
    return &o->r.trees[STAMMA_WHITE];
}

static void put_rating(uint64_t rated, uint64_t sum)
{
    html_cell_real(rated > 0 ? (double)((sum + rated / 2) / rated) : (double)NAN, 0, "");
}

/* ---- beginning ---- */

static void put_facts(const opening_report *o)
{
    const report *r = &o->r;
    char text[64], first[16] = "?", last[16] = "?", number[TOOL_NUMBER_SIZE], path[OPENING_LINE_SIZE];
    const double score = report_tally_score(&r->all);
    size_t dated = 0;
    while (dated < r->count && r->games[dated].date.year == 0)
        dated++;
    html_element("p", NULL, stamma_text_of(opening_path_text(o, path)));
    html_open("dl", NULL);
    report_html_fact("Games", tool_number(r->count, number));
    (void)snprintf(text, sizeof text, "%.1f %%", score);
    report_html_fact("Score of White", isnan(score) ? "?" : text);
    (void)snprintf(text, sizeof text, "%" PRIu64 " / %" PRIu64 " / %" PRIu64, r->all.won, r->all.drawn, r->all.lost);
    report_html_fact("White won / drawn / Black won", text);
    if (dated < r->count) {
        (void)snprintf(text, sizeof text, "%s to %s", report_date(&r->games[dated], first),
                       report_date(&r->games[r->count - 1], last));
        report_html_fact("Dates", text);
    }
    (void)snprintf(text, sizeof text, "%" PRIu64, o->rated ? (o->rating_sum + o->rated / 2) / o->rated : 0);
    if (o->rated > 0)
        report_html_fact("Mean rating", text);
    html_close("dl");
    html_element("p", "muted", stamma_text_of("All results and scores are from the side of White."));
}

/* ---- lines ---- */

static void put_lines(const opening_report *o)
{
    static const char *const headings[] = {"Line", "#Games", "Won, drawn, lost", "#Score %", "#Rating", "#Last"};
    const size_t rows = o->r.limit < o->line_count ? (size_t)o->r.limit : o->line_count;
    char line[OPENING_LINE_SIZE], date[16];
    html_section("Main lines");
    html_open("div", "card wide");
    html_table_begin("Main lines", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < rows; i++) {
        const report_node *n = &tree_of(o)->nodes[o->lines[i].node];
        html_row_begin();
        html_cell(stamma_text_of(opening_line_text(o, o->lines[i].node, line)));
        report_html_results(n->games, n->won, n->drawn, n->lost);
        put_rating(n->rated, n->rating_sum);
        if (n->last > 0)
            (void)stamma_date_write(n->last, '-', date, sizeof date);
        html_cell_words(n->last > 0 ? date : "");
        html_row_end();
    }
    html_table_end();
    report_html_more(o->line_count, rows);
    html_close("div");
    html_close("section");
}

static void put_changes_table(const opening_report *o, const char *title, bool falling)
{
    static const char *const headings[] = {"Move", "#Recent games", "#Before %", "#Recent %", "#Gained"};
    char line[OPENING_LINE_SIZE], text[32];
    html_open("div", "card wide");
    html_element("h3", NULL, stamma_text_of(title));
    html_table_begin(title, headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < o->change_count && i < CHANGES; i++) {
        const opening_change *c = &o->changes[falling ? o->change_count - 1 - i : i];
        if (falling ? c->gained >= 0 : c->gained <= 0)
            break;
        html_row_begin();
        html_cell(stamma_text_of(opening_line_text(o, c->node, line)));
        html_cell_number(tree_of(o)->nodes[c->node].recent);
        html_cell_real(c->before, 1, "");
        html_cell_real(c->recent, 1, "");
        (void)snprintf(text, sizeof text, "%+.1f", c->gained);
        tool_put_string("<td class=\"n\">");
        html_string(text);
        tool_put_string("</td>");
        html_row_end();
    }
    html_table_end();
    html_close("div");
}

static void put_changes(const opening_report *o)
{
    char text[240], date[16];
    if (o->change_count == 0)
        return;
    (void)stamma_date_write(o->r.recent_from, '-', date, sizeof date);
    html_section("Rising and falling moves");
    (void)snprintf(text, sizeof text,
                   "Shares of the games of the position, from %s on and before. Gained: recent games more than the "
                   "earlier share would have.",
                   date);
    html_element("p", "muted", stamma_text_of(text));
    html_open("div", "grid");
    put_changes_table(o, "Rising", false);
    put_changes_table(o, "Falling", true);
    html_close("div");
    html_close("section");
}

static bool put_plots(const opening_report *o)
{
    html_section("Results");
    html_open("div", "grid");
    const bool right = report_html_columns("Games by year", "Year", REPORT_YEARS, &o->r.years) &&
                       report_html_columns("Games by mean rating", "Rating", REPORT_RATINGS, &o->r.ratings) &&
                       report_html_columns("Games by length in moves", "Moves", REPORT_LENGTHS, &o->r.lengths);
    html_close("div");
    html_close("section");
    return right;
}

static void put_tree(const opening_report *o)
{
    static const char *const headings[] = {"Move", "#Games", "Won, drawn, lost", "#Score %"};
    const report_tree *t = tree_of(o);
    char text[160];
    html_section("Moves");
    (void)snprintf(text, sizeof text,
                   "The moves of all positions, whatever moves led to them. Moves of fewer than %" PRIu64
                   " games are omitted.",
                   t->least);
    html_element("p", "muted", stamma_text_of(text));
    html_open("div", "card tree");
    html_table_begin("Moves", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < t->count; i++)
        report_html_node(&t->nodes[i], o->r.start.fullmove_number, o->r.start.side == STAMMA_WHITE);
    html_table_end();
    html_close("div");
    html_close("section");
}

/* ---- key games ---- */

static void put_key_games(const opening_report *o)
{
    static const char *const headings[] = {"Date", "White", "Black", "Result", "#Rating", "Event", "#Game", "Moves"};
    static const char *const results[] = {"1-0", "1/2-1/2", "0-1"};
    char date[16], line[OPENING_LINE_SIZE];
    html_section("Key games");
    html_element("p", "muted", stamma_text_of("The games of each result with the highest mean rating."));
    html_open("div", "card wide");
    html_table_begin("Key games", headings, sizeof headings / sizeof *headings);
    for (size_t n = 0; n < 3; n++)
        for (size_t i = 0; i < o->key_counts[n]; i++) {
            const report_game *g = o->key_games[n][i];
            html_row_begin();
            html_cell_words(report_date(g, date));
            html_cell(stamma_text_of(g->name));
            html_cell(stamma_text_of(g->opponent));
            html_cell_words(results[n]);
            html_cell_real(g->opponent_rating, 0, "");
            html_cell(stamma_text_of(g->event));
            html_cell_number(g->number);
            html_cell(stamma_text_of(opening_game_text(o, g, 8, line)));
            html_row_end();
        }
    html_table_end();
    html_close("div");
    html_close("section");
}

/* ---- plans ---- */

/* Prints a small board with the pawns of a structure. */
static void put_board(const opening_feature *f)
{
    char text[STAMMA_FEN_SIZE + 160];
    (void)snprintf(text, sizeof text,
                   "<svg class=\"board\" viewBox=\"0 0 64 64\" width=\"104\" height=\"104\" role=\"img\" "
                   "aria-label=\"%s\"><path d=\"",
                   opening_structure_text(f, (char[STAMMA_FEN_SIZE]){0}));
    tool_put_string(text);
    for (int square = 0; square < 64; square++)
        if ((square / 8 + square % 8) % 2 == 0) { /* dark squares */
            (void)snprintf(text, sizeof text, "M%d %dh8v8h-8z", square % 8 * 8, (7 - square / 8) * 8);
            tool_put_string(text);
        }
    tool_put_string("\"/>");
    for (int square = 0; square < 64; square++) {
        const bool white = f->key[0] >> square & 1;
        if (!white && !(f->key[1] >> square & 1))
            continue;
        (void)snprintf(text, sizeof text, "<text x=\"%d\" y=\"%d\">%s</text>", square % 8 * 8 + 4,
                       (7 - square / 8) * 8 + 7, white ? "\342\231\231" : "\342\231\237");
        tool_put_string(text);
    }
    tool_put_string("</svg>");
}

static void put_features(const opening_report *o, const char *title, const char *name, const opening_features *f,
                         int color, const char *(*text)(const opening_feature *, char[32]))
{
    const char *const headings[] = {name, "#Games", "Won, drawn, lost", "#Score %", "#Share %"};
    char words[32];
    uint64_t shown = 0;
    html_open("div", "card wide");
    html_element("h3", NULL, stamma_text_of(title));
    html_table_begin(title, headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < f->count && shown < o->r.limit; i++) {
        const opening_feature *one = &f->list[i];
        if (color >= 0 && opening_feature_color(one) != (stamma_color)color)
            continue;
        html_row_begin();
        if (text)
            html_cell_words(text(one, words));
        else {
            tool_put_string("<td>");
            put_board(one);
            tool_put_string("</td>");
        }
        report_html_results(one->games, one->won, one->drawn, one->lost);
        html_cell_real(answer_percent(one->games, f->games), 1, "");
        html_row_end();
        shown++;
    }
    html_table_end();
    html_close("div");
}

static void put_plans(const opening_report *o)
{
    html_section("Structures, endgames and plans");
    html_element("p", "muted",
                 stamma_text_of("Pawns are those of ten moves later. An endgame begins when each side has at most one "
                                "piece besides king and pawns. Squares and manoeuvres are those of fifteen moves."));
    html_open("div", "grid");
    put_features(o, "Pawns", "Pawns", &o->structures, -1, NULL);
    put_features(o, "Endgames", "Pieces", &o->endgames, -1, opening_endgame_text);
    put_features(o, "White's squares", "Square", &o->placements, STAMMA_WHITE, opening_placement_text);
    put_features(o, "Black's squares", "Square", &o->placements, STAMMA_BLACK, opening_placement_text);
    put_features(o, "White's manoeuvres", "Manoeuvre", &o->manoeuvres, STAMMA_WHITE, opening_manoeuvre_text);
    put_features(o, "Black's manoeuvres", "Manoeuvre", &o->manoeuvres, STAMMA_BLACK, opening_manoeuvre_text);
    html_close("div");
    html_close("section");
}

static void put_foot(const opening_report *o)
{
    char text[64];
    html_open("footer", NULL);
    (void)snprintf(text, sizeof text, "stamma report, version %s. Games of the archives:", stamma_version());
    html_string(text);
    for (size_t i = 0; i < o->r.path_count; i++) {
        html_string(i > 0 ? ", " : " ");
        html_string(o->r.paths[i]);
    }
    html_close("footer");
}

bool opening_put_html(const opening_report *o)
{
    html_begin(o->name.size > 0 ? o->name : stamma_text_of(o->wanted));
    put_facts(o);
    put_lines(o);
    put_changes(o);
    const bool right = put_plots(o);
    put_key_games(o);
    put_plans(o);
    put_tree(o);
    put_foot(o);
    html_end();
    return right;
}
