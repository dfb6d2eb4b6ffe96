/* SPDX-License-Identifier: MIT */
/* Events as a self-contained HTML page. */
#include "reporting/event_view.h"
#include "reporting/html_page.h"

#include <math.h>

static const char half[] = "\302\275"; /* U+00BD */

enum { HEADINGS_MAX = 96 };

static size_t rows_of(const event_report *r, size_t count)
{
    return r->limit < count ? (size_t)r->limit : count;
}

static void put_more(size_t count, size_t rows)
{
    char text[64];
    (void)snprintf(text, sizeof text, "... and %zu more", count - rows);
    if (count > rows)
        html_element("p", "muted", stamma_text_of(text));
}

static void put_cell(const char *text)
{
    tool_put_string("<td class=\"n\">");
    html_string(text);
    tool_put_string("</td>");
}

/* ---- the list ---- */

static void put_list(const event_report *r)
{
    static const char *const headings[] = {"#Number", "Event",  "Site",     "Dates",
                                           "Kind",    "#Games", "#Players", "#Rounds"};
    const size_t rows = rows_of(r, r->view_count);
    char dates[40];
    html_section("Events");
    html_open("div", "card wide");
    html_table_begin("Events", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < rows; i++) {
        const event_view *v = &r->views[i];
        html_row_begin();
        html_cell_number(v->number);
        html_cell(stamma_text_of(v->name));
        html_cell(stamma_text_of(v->site));
        html_cell_words(event_dates(&v->facts, dates));
        html_cell_words(stamma_event_kind_name(v->facts.kind));
        html_cell_number(v->facts.games);
        html_cell_number(v->facts.players);
        html_cell_real(v->facts.rounds > 0 ? v->facts.rounds : (double)NAN, 0, "");
        html_row_end();
    }
    html_table_end();
    put_more(r->view_count, rows);
    html_close("div");
    html_close("section");
}

/* ---- facts ---- */

static void put_fact(const char *name, const char *value)
{
    html_open("div", NULL);
    html_element("dt", NULL, stamma_text_of(name));
    html_element("dd", NULL, stamma_text_of(value));
    html_close("div");
}

static void put_count(const char *name, uint64_t count)
{
    char number[TOOL_NUMBER_SIZE];
    if (count > 0)
        put_fact(name, tool_number(count, number));
}

static void put_facts(const event_view *v)
{
    char dates[40];
    html_open("dl", NULL);
    put_fact("Site", v->site);
    put_count("Sites", v->facts.sites > 1 ? v->facts.sites : 0);
    put_fact("Dates", event_dates(&v->facts, dates));
    put_fact("Kind", stamma_event_kind_name(v->facts.kind));
    put_count("Games", v->facts.games);
    put_count("Players", v->facts.players);
    put_count("Teams", v->facts.teams);
    put_count("Rounds", v->facts.rounds);
    html_close("dl");
}

/* ---- standings ---- */

static void put_name(const event_view *v, size_t index)
{
    const stamma_text title = v->players[index].title;
    tool_put_string("<td class=\"t\">");
    if (title.size > 0) {
        html_open("span", "muted");
        html_text(title);
        tool_put_string("</span> ");
    }
    html_string(v->names[index]);
    tool_put_string("</td>");
}

static void put_standings_head(const event_view *v)
{
    static const char *const before[] = {"#Place", "Player", "#Rating", "#Games", "#Points"};
    const char *headings[HEADINGS_MAX];
    char words[HEADINGS_MAX][16];
    size_t count = 0;
    for (; count < sizeof before / sizeof *before; count++)
        headings[count] = before[count];
    for (size_t i = 0; i < v->facts.tie_breaks; i++, count++) {
        (void)snprintf(words[count], sizeof *words, "#%s", stamma_tie_break_name(v->facts.tie_break[i]));
        headings[count] = words[count];
    }
    headings[count++] = "#Perf.";
    headings[count++] = "#Change";
    html_table_begin("Standings", headings, count);
}

static void put_player(const event_view *v, size_t index)
{
    const stamma_event_player *p = &v->players[index];
    char text[EVENT_POINTS_SIZE];
    html_row_begin();
    html_cell_number(p->rank);
    put_name(v, index);
    html_cell_real(p->rating > 0 ? p->rating : (double)NAN, 0, "");
    html_cell_number(p->games);
    tool_put_string("<td class=\"n\"><b>");
    html_string(event_half(p->points, text));
    tool_put_string("</b></td>");
    for (size_t i = 0; i < v->facts.tie_breaks; i++)
        put_cell(event_tie_break(p, v->facts.tie_break[i], text));
    html_cell_real(p->rated > 0 ? p->performance : (double)NAN, 0, "");
    (void)snprintf(text, sizeof text, "%+.1f", p->rating_change / 100.0);
    put_cell(p->rated > 0 && p->rating > 0 ? text : "");
    html_row_end();
}

static void put_standings(const event_report *r, const event_view *v)
{
    const size_t rows = rows_of(r, v->facts.players);
    html_section("Standings");
    html_open("div", "card wide");
    put_standings_head(v);
    for (size_t i = 0; i < rows; i++)
        put_player(v, i);
    html_table_end();
    put_more(v->facts.players, rows);
    html_close("div");
    html_close("section");
}

/* Puts the results of each player against each other, or in each round. */
static void put_results(const event_report *r, const event_view *v)
{
    const size_t rows = rows_of(r, v->facts.players);
    const bool cross = event_has_cross(v);
    const size_t columns = cross ? v->facts.players : v->facts.rounds;
    const char *headings[HEADINGS_MAX] = {"#", "Player"};
    char words[HEADINGS_MAX][16], cell[EVENT_CELL_SIZE];
    if (!cross && !event_has_rounds(v))
        return;
    for (size_t i = 0; i < columns; i++) {
        (void)snprintf(words[i], sizeof *words, "#%zu", i + 1);
        headings[i + 2] = words[i];
    }
    html_section(cross ? "Crosstable" : "Rounds");
    html_open("div", "card wide cross");
    html_table_begin(cross ? "Crosstable" : "Rounds", headings, columns + 2);
    for (size_t i = 0; i < rows; i++) {
        html_row_begin();
        html_cell_number(i + 1);
        put_name(v, i);
        for (size_t k = 0; k < columns; k++)
            put_cell(!cross   ? event_round_cell(v, i, (uint32_t)k + 1, half, cell)
                     : i == k ? "\303\227"
                              : event_cross_cell(v, i, k, half, cell));
        html_row_end();
    }
    html_table_end();
    put_more(v->facts.players, rows);
    html_close("div");
    html_close("section");
}

/* ---- teams and matches ---- */

static void put_teams(const event_view *v)
{
    static const char *const before[] = {"#Place", "Team", "#Matches", "#Points", "#Boards"};
    const size_t teams = v->facts.teams;
    const char *headings[HEADINGS_MAX];
    char words[HEADINGS_MAX][16], text[EVENT_POINTS_SIZE], cell[EVENT_CELL_SIZE];
    size_t count = 0;
    if (teams == 0)
        return;
    for (; count < sizeof before / sizeof *before; count++)
        headings[count] = before[count];
    const size_t columns = teams < HEADINGS_MAX - count ? teams : 0;
    for (size_t i = 0; i < columns; i++, count++) {
        (void)snprintf(words[count], sizeof *words, "#%zu", i + 1);
        headings[count] = words[count];
    }
    html_section("Teams");
    html_open("div", "card wide cross");
    html_table_begin("Teams", headings, count);
    for (size_t i = 0; i < teams; i++) {
        const stamma_event_team *t = &v->teams[i];
        html_row_begin();
        html_cell_number(t->rank);
        html_cell(stamma_text_of(v->team_names[i]));
        html_cell_number(t->matches);
        html_cell_number(t->match_points);
        put_cell(event_half(t->points, text));
        for (size_t k = 0; k < columns; k++)
            put_cell(i == k ? "\303\227" : event_team_cell(v, i, k, cell));
        html_row_end();
    }
    html_table_end();
    html_close("div");
    html_close("section");
}

static void put_matches(const event_view *v)
{
    static const char *const headings[] = {"#Round", "Player", "#Points", "#Points", "Player"};
    char text[EVENT_POINTS_SIZE];
    if (v->facts.kind != STAMMA_EVENT_KNOCK_OUT)
        return;
    html_section("Matches");
    html_open("div", "card wide");
    html_table_begin("Matches", headings, sizeof headings / sizeof *headings);
    for (size_t i = 0; i < v->facts.matches; i++) {
        const stamma_event_match *m = &v->matches[i];
        html_row_begin();
        html_cell_real(m->round > 0 ? m->round : (double)NAN, 0, "");
        html_cell(stamma_text_of(v->names[m->sides[0]]));
        put_cell(event_half(m->points[0], text));
        put_cell(event_half(m->points[1], text));
        html_cell(stamma_text_of(v->names[m->sides[1]]));
        html_row_end();
    }
    html_table_end();
    html_close("div");
    html_close("section");
}

/* ---- findings ---- */

static bool put_findings(const event_report *r, const event_view *v)
{
    static const char *const headings[] = {"Finding", "Where"};
    size_t shown = 0;
    stamma_event_finding_kind kind = 0;
    html_section("Check");
    if (v->facts.findings == 0)
        html_element("p", "muted", stamma_text_of("All rounds and boards are there, and nothing is contradictory."));
    else {
        html_open("div", "card wide");
        html_table_begin("Findings", headings, sizeof headings / sizeof *headings);
    }
    for (size_t i = 0; i < v->facts.findings; i++) {
        stamma_event_finding f;
        (void)stamma_event_finding_at(v->event, i, &f);
        shown = f.kind == kind ? shown + 1 : 1;
        kind = f.kind;
        if (shown > r->limit + 1)
            continue;
        char *text = event_finding_text(r, v, &f);
        if (!text)
            return false;
        html_row_begin();
        html_cell(stamma_text_of(event_finding_words(f.kind)));
        html_cell(stamma_text_of(shown > r->limit ? "..." : text));
        html_row_end();
        free(text);
    }
    if (v->facts.findings > 0) {
        html_table_end();
        html_close("div");
    }
    html_close("section");
    return true;
}

static void put_foot(const event_report *r)
{
    char text[64];
    html_open("footer", NULL);
    (void)snprintf(text, sizeof text, "stamma event, version %s. Games of the archives:", stamma_version());
    html_string(text);
    for (size_t i = 0; i < r->path_count; i++) {
        html_string(i > 0 ? ", " : " ");
        html_string(r->paths[i]);
    }
    html_close("footer");
}

static bool put_event(const event_report *r, const event_view *v)
{
    if (r->view_count > 1)
        html_element("h2", NULL, stamma_text_of(v->name));
    put_facts(v);
    put_teams(v);
    put_matches(v);
    put_standings(r, v);
    put_results(r, v);
    return put_findings(r, v);
}

bool event_put_html(const event_report *r)
{
    bool right = true;
    html_begin(stamma_text_of(r->full && r->view_count == 1 ? r->views[0].name : "Events"));
    if (r->full)
        right = event_views_each(r, put_event);
    else
        put_list(r);
    put_foot(r);
    html_end();
    return right;
}
