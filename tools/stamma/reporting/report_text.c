/* SPDX-License-Identifier: MIT */
/* A report as tables for a terminal. */
#include "reporting/report_outputs.h"

#include <math.h>

enum { NAME_WIDTH = 34 };

static void print_name(stamma_text name, size_t indent)
{
    size_t columns = indent < NAME_WIDTH ? indent : NAME_WIDTH;
    (void)printf("%*s", (int)columns, "");
    columns += tool_text_print_cut(stdout, name, NAME_WIDTH - columns);
    (void)printf("%*s", (int)(columns < NAME_WIDTH ? NAME_WIDTH - columns : 0), "");
}

static void print_score(double score)
{
    if (isnan(score))
        (void)printf(" %6s", "");
    else
        (void)printf(" %6.1f", score);
}

static void print_results(uint64_t games, uint64_t won, uint64_t drawn, uint64_t lost)
{
    char number[TOOL_NUMBER_SIZE];
    (void)printf(" %8s %6" PRIu64 " %6" PRIu64 " %6" PRIu64, tool_number(games, number), won, drawn, lost);
    print_score(report_score(won, drawn, lost));
}

static void print_tally(stamma_text name, const report_tally *t)
{
    int32_t performance;
    print_name(name, 0);
    print_results(t->games, t->won, t->drawn, t->lost);
    if (report_opposition(t) > 0)
        (void)printf(" %9u", report_opposition(t));
    if (stamma_tree_performance(&t->rated, &performance))
        (void)printf(" %11" PRId32, performance);
    (void)putchar('\n');
}

static void print_head(const char *title)
{
    (void)printf("\n%-*s %8s %6s %6s %6s %6s %9s %11s\n", NAME_WIDTH, title, "games", "won", "drawn", "lost", "score",
                 "opponents", "performance");
}

static void print_names(const report *r, const char *title, const report_table *t)
{
    if (t->count == 0)
        return;
    print_head(title);
    for (size_t i = 0; i < report_rows(r, t->count); i++)
        print_tally(t->rows[i].name, &t->rows[i].tally);
    answer_results_more(t->count, report_rows(r, t->count));
}

static void print_numbers(const char *title, report_kind kind, const report_table *t)
{
    char name[32];
    if (t->count == 0)
        return;
    print_head(title);
    for (size_t i = 0; i < t->count; i++)
        print_tally(stamma_text_of(report_row_name(kind, &t->rows[i], name)), &t->rows[i].tally);
}

static void print_scores(const report *r)
{
    print_head("scores");
    if (r->color < 0)
        print_tally(stamma_text_of("all games"), &r->all);
    if (r->color != STAMMA_BLACK)
        print_tally(stamma_text_of("as White"), &r->colors[STAMMA_WHITE]);
    if (r->color != STAMMA_WHITE)
        print_tally(stamma_text_of("as Black"), &r->colors[STAMMA_BLACK]);
    if (r->last.games > 0)
        print_tally(stamma_text_of("recent games"), &r->last);
}

static void print_recent(const report *r)
{
    const size_t rows = r->recent < r->count ? (size_t)r->recent : r->count;
    if (rows > 0)
        (void)printf("\n%-10s  %-6s  %-10s  %-*s %6s  %s\n", "recent", "colour", "result", NAME_WIDTH, "opponent",
                     "rating", "opening");
    for (size_t i = 0; i < rows; i++) {
        const report_game *g = &r->games[r->count - 1 - i];
        char date[16];
        (void)printf("%-10s  %-6s  %-10s  ", report_date(g, date), g->color == STAMMA_WHITE ? "White" : "Black",
                     report_outcome_word(g->outcome));
        print_name(stamma_text_of(g->opponent), 0);
        if (g->opponent_rating > 0)
            (void)printf(" %6u  ", g->opponent_rating);
        else
            (void)printf(" %6s  ", "");
        (void)tool_text_print_cut(stdout, g->opening, 40);
        (void)putchar('\n');
    }
}

static void print_tree(const report *r, stamma_color color)
{
    const report_tree *t = &r->trees[color];
    if (t->count == 0)
        return;
    (void)printf("\n%-*s %8s %6s %6s %6s %6s\n", NAME_WIDTH,
                 color == STAMMA_WHITE ? "repertoire as White" : "repertoire as Black", "games", "won", "drawn", "lost",
                 "score");
    for (size_t i = 0; i < t->count; i++) {
        const report_node *n = &t->nodes[i];
        char text[48];
        (void)snprintf(text, sizeof text, "%u.%s %s%s", (n->depth + 1) / 2, n->depth % 2 == 0 ? ".." : "", n->san,
                       n->again ? " (see above)" : "");
        print_name(stamma_text_of(text), 2 * (n->depth - 1));
        print_results(n->games, n->won, n->drawn, n->lost);
        (void)putchar('\n');
    }
}

static void print_seconds(double seconds)
{
    if (isnan(seconds))
        (void)printf(" %7s", "");
    else
        (void)printf(" %7.1f", seconds);
}

static void print_times(const report *r)
{
    bool any = false;
    char name[16];
    for (size_t i = 0; i < REPORT_SPEEDS; i++) {
        const report_time *t = &r->time[i];
        if (t->games == 0)
            continue;
        if (!any) {
            (void)printf("\n%-16s %8s", "seconds a move", "games");
            for (size_t span = 0; span < REPORT_SPANS; span++)
                (void)printf(" %7s", report_span_name(span, name));
            (void)printf("  %s\n", "games with a tenth of the time left");
        }
        any = true;
        (void)printf("%-16s %8" PRIu64, stamma_speed_name((stamma_speed)i), t->games);
        for (size_t span = 0; span < REPORT_SPANS; span++)
            print_seconds(report_span_seconds(t, span));
        (void)printf("  %" PRIu64 " (%.1f %%)\n", t->short_games, 100.0 * (double)t->short_games / (double)t->games);
    }
    if (r->untimed > 0)
        (void)printf("%s%" PRIu64 " games with clocks have no time control that can be used\n", any ? "" : "\n",
                     r->untimed);
}

static bool print_novelties(const report *r)
{
    if (r->no_novelties)
        return true;
    (void)printf("\nnovelties after ply %" PRIu64 ": %zu of %" PRIu64 " games with a complete date\n", r->novelty_ply,
                 r->novelty_count, r->complete);
    for (size_t i = 0; i < report_rows(r, r->novelty_count); i++) {
        const report_novelty *n = &r->novelties[i];
        char date[16], *line = report_line(n->game, n->ply);
        if (!line)
            return false;
        (void)printf("%-10s  ", report_date(n->game, date));
        print_name(stamma_text_of(n->game->opponent), 0);
        (void)printf(" %3" PRIu64 " later  %s\n", n->followers, line);
        free(line);
    }
    answer_results_more(r->novelty_count, report_rows(r, r->novelty_count));
    return true;
}

bool report_put_text(const report *r)
{
    char first[16], last[16], number[TOOL_NUMBER_SIZE];
    size_t dated = 0;
    while (dated < r->count && r->games[dated].date.year == 0)
        dated++;
    (void)tool_text_print(stdout, stamma_text_of(r->player));
    (void)printf(": %s games", tool_number(r->count, number));
    if (dated < r->count)
        (void)printf(", %s to %s", report_date(&r->games[dated], first), report_date(&r->games[r->count - 1], last));
    if (r->set_up > 0)
        (void)printf("; %s begin in another position", tool_number(r->set_up, number));
    (void)putchar('\n');
    print_scores(r);
    print_names(r, "names", &r->names);
    print_recent(r);
    print_numbers("years", REPORT_YEARS, &r->years);
    print_numbers("opponents' ratings", REPORT_RATINGS, &r->ratings);
    print_numbers("length in moves", REPORT_LENGTHS, &r->lengths);
    print_names(r, "opponents", &r->opponents);
    print_names(r, "openings as White", &r->openings[STAMMA_WHITE]);
    print_names(r, "openings as Black", &r->openings[STAMMA_BLACK]);
    print_tree(r, STAMMA_WHITE);
    print_tree(r, STAMMA_BLACK);
    print_times(r);
    return print_novelties(r);
}
