/* SPDX-License-Identifier: MIT */
/* Events as JSON: one line with the list, or one line for each event. */
#include "reporting/event_view.h"

static void put_day(const char *key, uint32_t day)
{
    char text[16];
    if (day > 0)
        (void)stamma_date_write(day, '-', text, sizeof text);
    tool_json_string(key, day > 0 ? text : NULL);
}

static void put_facts(const event_view *v)
{
    const stamma_event_facts *f = &v->facts;
    tool_json_number("number", v->number);
    tool_json_text("event", stamma_text_of(v->name));
    tool_json_text("site", stamma_text_of(v->site));
    put_day("first_date", f->first_day);
    put_day("last_date", f->last_day);
    tool_json_string("type", stamma_event_kind_name(f->kind));
    tool_json_number("games", f->games);
    tool_json_number("players", f->players);
    tool_json_number("teams", f->teams);
    tool_json_number("rounds", f->rounds);
    tool_json_number("cycles", f->cycles);
}

static void put_half(const char *key, uint32_t points)
{
    tool_json_real(key, points / 2.0, 1);
}

static void put_player(const event_view *v, size_t index)
{
    const stamma_event_player *p = &v->players[index];
    tool_json_open(NULL, '{');
    tool_json_number("rank", p->rank);
    tool_json_text("name", stamma_text_of(v->names[index]));
    tool_json_value("title", p->title);
    tool_json_value("team", p->team);
    tool_json_value("fide_id", p->id);
    tool_json_known("rating", p->rating);
    put_half("points", p->points);
    tool_json_number("games", p->games);
    tool_json_number("wins", p->wins);
    tool_json_number("draws", p->draws);
    tool_json_number("losses", p->losses);
    tool_json_number("unfinished", p->unfinished);
    tool_json_number("unplayed", p->unplayed);
    tool_json_number("absent", p->absent);
    put_half("direct", p->direct);
    put_half("buchholz", p->buchholz);
    put_half("buchholz_cut", p->buchholz_cut);
    tool_json_real("sonneborn", p->sonneborn / 4.0, 2);
    tool_json_number("won", p->won);
    put_half("koya", p->koya);
    tool_json_number("rated_games", p->rated);
    tool_json_known("opponents_rating", p->opposition);
    if (p->rated > 0)
        tool_json_integer("performance", p->performance);
    else
        tool_json_string("performance", NULL);
    tool_json_real("expected", p->expected / 100.0, 2);
    tool_json_real("rating_change", p->rating_change / 100.0, 2);
    tool_json_close('}');
}

static void put_teams(const event_view *v)
{
    tool_json_open("team_standings", '[');
    for (size_t i = 0; i < v->facts.teams; i++) {
        const stamma_event_team *t = &v->teams[i];
        tool_json_open(NULL, '{');
        tool_json_number("rank", t->rank);
        tool_json_text("name", stamma_text_of(v->team_names[i]));
        tool_json_number("match_points", t->match_points);
        put_half("points", t->points);
        tool_json_number("matches", t->matches);
        tool_json_number("wins", t->wins);
        tool_json_number("draws", t->draws);
        tool_json_number("losses", t->losses);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_matches(const event_view *v)
{
    char *const *names = v->facts.kind == STAMMA_EVENT_TEAM ? v->team_names : v->names;
    tool_json_open("matches", '[');
    for (size_t i = 0; i < v->facts.matches; i++) {
        const stamma_event_match *m = &v->matches[i];
        tool_json_open(NULL, '{');
        tool_json_known("round", m->round);
        tool_json_text("first", stamma_text_of(names[m->sides[0]]));
        tool_json_text("second", stamma_text_of(names[m->sides[1]]));
        put_half("first_points", m->points[0]);
        put_half("second_points", m->points[1]);
        tool_json_number("games", m->games);
        tool_json_close('}');
    }
    tool_json_close(']');
}

/* Puts the index of a player in the list of players, from 0. */
static void put_index(const char *key, uint32_t player)
{
    if (player == STAMMA_EVENT_NO_PLAYER)
        tool_json_string(key, NULL);
    else
        tool_json_number(key, player);
}

static void put_game(const event_report *r, const stamma_event_game *g)
{
    tool_json_open(NULL, '{');
    tool_json_text("archive", stamma_text_of(r->paths[g->number >> EVENT_ARCHIVE_SHIFT]));
    tool_json_number("number", g->number & (((uint64_t)1 << EVENT_ARCHIVE_SHIFT) - 1));
    tool_json_known("round", g->round);
    tool_json_known("board", g->board);
    put_day("date", g->day);
    put_index("white", g->white);
    put_index("black", g->black);
    tool_json_string("result", stamma_result_text(g->result));
    tool_json_number("plies", g->plies);
    tool_json_bool("unplayed", g->unplayed);
    tool_json_bool("repeated", g->repeated);
    tool_json_close('}');
}

static bool put_findings(const event_report *r, const event_view *v)
{
    bool right = true;
    tool_json_open("findings", '[');
    for (size_t i = 0; i < v->facts.findings && right; i++) {
        stamma_event_finding f;
        (void)stamma_event_finding_at(v->event, i, &f);
        char *text = event_finding_text(r, v, &f);
        right = text != NULL;
        tool_json_open(NULL, '{');
        tool_json_string("finding", stamma_event_finding_name(f.kind));
        tool_json_known("round", f.round);
        tool_json_number("count", f.count);
        tool_json_text("text", stamma_text_of(text ? text : ""));
        tool_json_close('}');
        free(text);
    }
    tool_json_close(']');
    return right;
}

static bool put_event(const event_report *r, const event_view *v)
{
    tool_json_open(NULL, '{');
    tool_json_string("kind", "event");
    put_facts(v);
    tool_json_open("tie_breaks", '[');
    for (size_t i = 0; i < v->facts.tie_breaks; i++)
        tool_json_string(NULL, stamma_tie_break_name(v->facts.tie_break[i]));
    tool_json_close(']');
    tool_json_open("standings", '[');
    for (size_t i = 0; i < v->facts.players; i++)
        put_player(v, i);
    tool_json_close(']');
    put_teams(v);
    put_matches(v);
    tool_json_open("game_list", '[');
    for (size_t i = 0; i < v->game_count; i++)
        put_game(r, &v->games[i]);
    tool_json_close(']');
    const bool right = put_findings(r, v);
    tool_json_close('}');
    tool_json_end();
    return right;
}

bool event_put_json(const event_report *r)
{
    if (r->full)
        return event_views_each(r, put_event);
    tool_json_open(NULL, '{');
    tool_json_string("kind", "events");
    tool_json_open("events", '[');
    for (size_t i = 0; i < r->view_count; i++) {
        tool_json_open(NULL, '{');
        put_facts(&r->views[i]);
        tool_json_close('}');
    }
    tool_json_close(']');
    tool_json_close('}');
    tool_json_end();
    return true;
}
