/* SPDX-License-Identifier: MIT */
/* A report about an opening as tables for a terminal. */
#include "reporting/opening.h"

#include <math.h>

enum { LINE_WIDTH = 58, CHANGES = 5 };

static size_t rows_of(const opening_report *o, size_t count)
{
    return o->r.limit < count ? (size_t)o->r.limit : count;
}

static void print_name(const char *name)
{
    const size_t columns = tool_text_print_cut(stdout, stamma_text_of(name), LINE_WIDTH);
    (void)printf("%*s", (int)(columns < LINE_WIDTH ? LINE_WIDTH - columns : 0), "");
}

static void print_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost)
{
    char number[TOOL_NUMBER_SIZE];
    const double score = report_score(won, drawn, lost);
    (void)printf(" %8s %6" PRIu64 " %6" PRIu64 " %6" PRIu64, tool_number(games, number), won, drawn, lost);
    if (isnan(score))
        (void)printf(" %6s", "");
    else
        (void)printf(" %6.1f", score);
}

static void print_head(const char *title, const char *last)
{
    (void)printf("\n%-*s %8s %6s %6s %6s %6s %s\n", LINE_WIDTH, title, "games", "white", "draw", "black", "score",
                 last);
}

/* ---- parts ---- */

static void print_title(const opening_report *o)
{
    char path[OPENING_LINE_SIZE], number[TOOL_NUMBER_SIZE], first[16], last[16];
    const report *r = &o->r;
    size_t dated = 0;
    while (dated < r->count && r->games[dated].date.year == 0)
        dated++;
    (void)printf("%s\n", opening_path_text(o, path));
    if (o->name.size > 0)
        (void)printf("%.*s %.*s\n", (int)o->eco.size, o->eco.data, (int)o->name.size, o->name.data);
    (void)printf("%s games", tool_number(r->count, number));
    if (dated < r->count)
        (void)printf(", %s to %s", report_date(&r->games[dated], first), report_date(&r->games[r->count - 1], last));
    if (o->rated > 0)
        (void)printf(", mean rating %" PRIu64, (o->rating_sum + o->rated / 2) / o->rated);
    (void)putchar('\n');
    print_head("results", "");
    print_name("all games");
    print_results(r->all.games, r->all.won, r->all.drawn, r->all.lost);
    (void)putchar('\n');
}

static void print_lines(const opening_report *o)
{
    char line[OPENING_LINE_SIZE], date[16];
    if (o->line_count == 0)
        return;
    print_head("main lines", "rating  last");
    for (size_t i = 0; i < rows_of(o, o->line_count); i++) {
        const report_node *n = &o->r.trees[STAMMA_WHITE].nodes[o->lines[i].node];
        print_name(opening_line_text(o, o->lines[i].node, line));
        print_results(n->games, n->won, n->drawn, n->lost);
        if (n->rated > 0)
            (void)printf(" %6" PRIu64, (n->rating_sum + n->rated / 2) / n->rated);
        else
            (void)printf(" %6s", "");
        if (n->last > 0)
            (void)stamma_date_write(n->last, '-', date, sizeof date);
        (void)printf("  %s\n", n->last > 0 ? date : "");
    }
    answer_results_more(o->line_count, rows_of(o, o->line_count));
}

static void print_change(const opening_report *o, const opening_change *c)
{
    const report_node *n = &o->r.trees[STAMMA_WHITE].nodes[c->node];
    char line[OPENING_LINE_SIZE], number[TOOL_NUMBER_SIZE];
    print_name(opening_line_text(o, c->node, line));
    (void)printf(" %8s %8.1f %8.1f %+8.1f\n", tool_number(n->recent, number), c->before, c->recent, c->gained);
}

static void print_changes(const opening_report *o)
{
    char date[16];
    if (o->change_count == 0)
        return;
    (void)stamma_date_write(o->r.recent_from, '-', date, sizeof date);
    for (int falling = 0; falling < 2; falling++) {
        (void)printf("\n%s, games from %-*s %8s %8s %8s %8s\n", falling ? "falling" : "rising", falling ? 37 : 38, date,
                     "recent", "before %", "recent %", "gained");
        for (size_t i = 0; i < o->change_count && i < CHANGES; i++) {
            const opening_change *c = &o->changes[falling ? o->change_count - 1 - i : i];
            if (falling ? c->gained < 0 : c->gained > 0)
                print_change(o, c);
        }
    }
}

static void print_numbers(const char *title, report_kind kind, const report_table *t)
{
    char name[32];
    if (t->count == 0)
        return;
    print_head(title, "");
    for (size_t i = 0; i < t->count; i++) {
        const report_tally *tally = &t->rows[i].tally;
        print_name(report_row_name(kind, &t->rows[i], name));
        print_results(tally->games, tally->won, tally->drawn, tally->lost);
        (void)putchar('\n');
    }
}

static void print_key_games(const opening_report *o)
{
    static const char *const titles[] = {"key games: White won", "key games: drawn", "key games: Black won"};
    char date[16], line[OPENING_LINE_SIZE];
    for (size_t n = 0; n < 3; n++) {
        if (o->key_counts[n] > 0)
            (void)printf("\n%s\n", titles[n]);
        for (size_t i = 0; i < o->key_counts[n]; i++) {
            const report_game *g = o->key_games[n][i];
            (void)printf("%-10s  %4u  ", report_date(g, date), g->opponent_rating);
            (void)tool_text_print_cut(stdout, stamma_text_of(g->name), 24);
            (void)printf(" - ");
            (void)tool_text_print_cut(stdout, stamma_text_of(g->opponent), 24);
            (void)printf(" (game %" PRIu64 ")  %s\n", g->number, opening_game_text(o, g, 8, line));
        }
    }
}

static void print_features(const opening_report *o, const char *title, const opening_features *f, int color,
                           const char *(*text)(const opening_feature *, char[32]))
{
    char name[STAMMA_FEN_SIZE];
    size_t shown = 0;
    if (f->count == 0)
        return;
    print_head(title, "share %");
    for (size_t i = 0; i < f->count && shown < o->r.limit; i++) {
        const opening_feature *one = &f->list[i];
        if (color >= 0 && opening_feature_color(one) != (stamma_color)color)
            continue;
        print_name(text ? text(one, name) : opening_structure_text(one, name));
        print_results(one->games, one->won, one->drawn, one->lost);
        (void)printf(" %7.1f\n", answer_percent(one->games, f->games));
        shown++;
    }
}

bool opening_put_text(const opening_report *o)
{
    print_title(o);
    print_lines(o);
    print_changes(o);
    print_numbers("years", REPORT_YEARS, &o->r.years);
    print_numbers("mean rating of both players", REPORT_RATINGS, &o->r.ratings);
    print_numbers("length in moves", REPORT_LENGTHS, &o->r.lengths);
    print_key_games(o);
    print_features(o, "pawns ten moves later", &o->structures, -1, NULL);
    print_features(o, "endgames", &o->endgames, -1, opening_endgame_text);
    print_features(o, "White's squares", &o->placements, STAMMA_WHITE, opening_placement_text);
    print_features(o, "Black's squares", &o->placements, STAMMA_BLACK, opening_placement_text);
    print_features(o, "White's manoeuvres", &o->manoeuvres, STAMMA_WHITE, opening_manoeuvre_text);
    print_features(o, "Black's manoeuvres", &o->manoeuvres, STAMMA_BLACK, opening_manoeuvre_text);
    return true;
}
