/* SPDX-License-Identifier: MIT */
/* Events as tables for a terminal. */
#include "reporting/event_view.h"

enum { NAME_WIDTH = 24, EVENT_WIDTH = 34, SITE_WIDTH = 22 };

static void print_cut(stamma_text text, size_t width)
{
    const size_t columns = tool_text_print_cut(stdout, text, width);
    (void)printf("%*s", (int)(columns < width ? width - columns : 0), "");
}

static void print_name(const char *name, size_t width)
{
    print_cut(stamma_text_of(name), width);
}

static size_t rows_of(const event_report *r, size_t count)
{
    return r->limit < count ? (size_t)r->limit : count;
}

/* ---- the list ---- */

static void print_list(const event_report *r)
{
    const size_t rows = rows_of(r, r->view_count);
    char dates[40];
    (void)printf("%6s  %-*s  %-*s  %-24s  %-11s %6s %8s %7s\n", "number", EVENT_WIDTH, "event", SITE_WIDTH, "site",
                 "dates", "kind", "games", "players", "rounds");
    for (size_t i = 0; i < rows; i++) {
        const event_view *v = &r->views[i];
        const stamma_event_facts *f = &v->facts;
        (void)printf("%6zu  ", v->number);
        print_name(v->name, EVENT_WIDTH);
        (void)printf("  ");
        print_name(v->site, SITE_WIDTH);
        (void)printf("  %-24s  %-11s %6zu %8zu", event_dates(f, dates), stamma_event_kind_name(f->kind), f->games,
                     f->players);
        if (f->rounds > 0)
            (void)printf(" %7" PRIu32, f->rounds);
        (void)putchar('\n');
    }
    answer_results_more(r->view_count, rows);
}

/* ---- standings ---- */

static void print_count(const char *before, size_t count, const char *word)
{
    (void)printf("%s%zu %s%s", before, count, word, count == 1 ? "" : "s");
}

static void print_head(const event_view *v)
{
    const stamma_event_facts *f = &v->facts;
    char dates[40];
    (void)tool_text_print(stdout, stamma_text_of(v->name));
    (void)printf("\n");
    (void)tool_text_print(stdout, stamma_text_of(v->site));
    if (f->sites > 1)
        (void)printf(" and %" PRIu32 " other sites", f->sites - 1);
    (void)printf(", %s\n%s", event_dates(f, dates), stamma_event_kind_name(f->kind));
    if (f->cycles > 1)
        (void)printf(", %" PRIu32 " times", f->cycles);
    print_count(": ", f->games, "game");
    print_count(", ", f->players, "player");
    if (f->teams > 0)
        print_count(", ", f->teams, "team");
    if (f->rounds > 0)
        print_count(", ", f->rounds, "round");
    (void)printf("\n");
}

static size_t cross_width(const event_view *v)
{
    return v->facts.cycles > 2 ? v->facts.cycles : v->facts.kind == STAMMA_EVENT_MATCH ? v->game_count : 2;
}

static void print_standings_head(const event_view *v)
{
    const stamma_event_facts *f = &v->facts;
    (void)printf("\n%5s  %-5s %-*s %6s %6s %6s", "place", "title", NAME_WIDTH, "player", "rating", "games", "points");
    for (size_t i = 0; i < f->tie_breaks; i++)
        (void)printf(" %6s", stamma_tie_break_name(f->tie_break[i]));
    (void)printf(" %6s %7s ", "perf.", "change");
    for (size_t i = 0; event_has_cross(v) && i < f->players; i++)
        (void)printf(" %*zu", (int)cross_width(v), i + 1);
    for (uint32_t round = 1; event_has_rounds(v) && round <= f->rounds; round++)
        (void)printf(" %6" PRIu32, round);
    (void)putchar('\n');
}

static void print_rating(uint32_t rating)
{
    if (rating > 0)
        (void)printf(" %6" PRIu32, rating);
    else
        (void)printf(" %6s", "");
}

static void print_cells(const event_view *v, size_t index)
{
    const stamma_event_facts *f = &v->facts;
    char cell[EVENT_CELL_SIZE];
    for (size_t i = 0; event_has_cross(v) && i < f->players; i++)
        (void)printf(" %*s", (int)cross_width(v), i == index ? "x" : event_cross_cell(v, index, i, "=", cell));
    for (uint32_t round = 1; event_has_rounds(v) && round <= f->rounds; round++)
        (void)printf(" %6s", event_round_cell(v, index, round, "=", cell));
}

static void print_player(const event_view *v, size_t index)
{
    const stamma_event_player *p = &v->players[index];
    char text[EVENT_POINTS_SIZE];
    (void)printf("%5" PRIu32 "  ", p->rank);
    print_cut(p->title, 5);
    (void)putchar(' ');
    print_name(v->names[index], NAME_WIDTH);
    print_rating(p->rating);
    (void)printf(" %6" PRIu32 " %6s", p->games, event_half(p->points, text));
    for (size_t i = 0; i < v->facts.tie_breaks; i++)
        (void)printf(" %6s", event_tie_break(p, v->facts.tie_break[i], text));
    if (p->rated > 0)
        (void)printf(" %6" PRId32, p->performance);
    else
        (void)printf(" %6s", "");
    if (p->rated > 0 && p->rating > 0)
        (void)printf(" %+7.1f ", p->rating_change / 100.0);
    else
        (void)printf(" %7s ", "");
    print_cells(v, index);
    (void)putchar('\n');
}

static void print_standings(const event_report *r, const event_view *v)
{
    const size_t rows = rows_of(r, v->facts.players);
    print_standings_head(v);
    for (size_t i = 0; i < rows; i++)
        print_player(v, i);
    answer_results_more(v->facts.players, rows);
}

/* ---- teams and matches ---- */

static void print_teams(const event_view *v)
{
    const size_t teams = v->facts.teams;
    char text[EVENT_POINTS_SIZE], cell[EVENT_CELL_SIZE];
    if (teams == 0)
        return;
    (void)printf("\n%5s  %-*s %7s %6s %6s ", "place", NAME_WIDTH, "team", "matches", "points", "boards");
    for (size_t i = 0; i < teams; i++)
        (void)printf(" %4zu", i + 1);
    (void)putchar('\n');
    for (size_t i = 0; i < teams; i++) {
        const stamma_event_team *t = &v->teams[i];
        (void)printf("%5" PRIu32 "  ", t->rank);
        print_name(v->team_names[i], NAME_WIDTH);
        (void)printf(" %7" PRIu32 " %6" PRIu32 " %6s ", t->matches, t->match_points, event_half(t->points, text));
        for (size_t k = 0; k < teams; k++)
            (void)printf(" %4s", i == k ? "x" : event_team_cell(v, i, k, cell));
        (void)putchar('\n');
    }
}

static void print_matches(const event_view *v)
{
    char first[EVENT_POINTS_SIZE], second[EVENT_POINTS_SIZE];
    if (v->facts.kind != STAMMA_EVENT_KNOCK_OUT)
        return;
    (void)printf("\n%5s  %-*s  %-*s %7s\n", "round", NAME_WIDTH, "player", NAME_WIDTH, "player", "points");
    for (size_t i = 0; i < v->facts.matches; i++) {
        const stamma_event_match *m = &v->matches[i];
        (void)printf("%5" PRIu32 "  ", m->round);
        print_name(v->names[m->sides[0]], NAME_WIDTH);
        (void)printf("  ");
        print_name(v->names[m->sides[1]], NAME_WIDTH);
        (void)printf(" %s - %s\n", event_half(m->points[0], first), event_half(m->points[1], second));
    }
}

/* ---- findings ---- */

static bool print_findings(const event_report *r, const event_view *v)
{
    size_t shown = 0;
    stamma_event_finding_kind kind = 0;
    print_count("\ncheck: ", v->facts.findings, "finding");
    (void)putchar('\n');
    for (size_t i = 0; i < v->facts.findings; i++) {
        stamma_event_finding f;
        (void)stamma_event_finding_at(v->event, i, &f);
        if (f.kind != kind)
            (void)printf("%s\n", event_finding_words(f.kind));
        shown = f.kind == kind ? shown + 1 : 1;
        kind = f.kind;
        if (shown == r->limit + 1)
            (void)printf("    ...\n");
        if (shown > r->limit)
            continue;
        char *text = event_finding_text(r, v, &f);
        if (!text)
            return false;
        (void)printf("    ");
        (void)tool_text_print(stdout, stamma_text_of(text));
        (void)putchar('\n');
        free(text);
    }
    return true;
}

static bool print_event(const event_report *r, const event_view *v)
{
    if (v->number != r->views[0].number)
        (void)putchar('\n');
    print_head(v);
    print_teams(v);
    print_matches(v);
    print_standings(r, v);
    return print_findings(r, v);
}

bool event_put_text(const event_report *r)
{
    if (r->full)
        return event_views_each(r, print_event);
    print_list(r);
    return true;
}
