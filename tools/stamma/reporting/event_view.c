/* SPDX-License-Identifier: MIT */
/* An event with its texts and lists. */
#include "reporting/event_view.h"

enum { CROSS_PLAYERS = 64 };

/* Returns a text of a tag without escapes, to be released with free(). */
static char *take_text(stamma_text text)
{
    stamma_text plain = tool_text_unescape(text);
    if (!plain.data)
        return strdup("?");
    char *string = (char *)(uintptr_t)plain.data;
    string[plain.size] = 0;
    return string;
}

/* Lists the games of each player. */
static bool list_games(event_view *v)
{
    const size_t players = v->facts.players;
    v->first = calloc(players + 1, sizeof *v->first);
    v->list = malloc((2 * v->game_count + 1) * sizeof *v->list);
    if (!v->first || !v->list)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = v->game_count; i-- > 0;) {
            const uint32_t sides[] = {v->games[i].white, v->games[i].black};
            for (int side = 0; side < 2; side++)
                if (sides[side] == STAMMA_EVENT_NO_PLAYER)
                    continue;
                else if (pass == 0)
                    v->first[sides[side]]++;
                else
                    v->list[--v->first[sides[side]]] = i;
        }
        for (size_t i = 0; pass == 0 && i < players; i++)
            v->first[i + 1] += v->first[i];
    }
    return true;
}

static bool read_lists(event_view *v)
{
    const stamma_event_facts *f = &v->facts;
    v->game_count = stamma_event_games(v->event);
    v->players = calloc(f->players + 1, sizeof *v->players);
    v->names = calloc(f->players + 1, sizeof *v->names);
    v->teams = calloc(f->teams + 1, sizeof *v->teams);
    v->team_names = calloc(f->teams + 1, sizeof *v->team_names);
    v->matches = calloc(f->matches + 1, sizeof *v->matches);
    v->games = calloc(v->game_count + 1, sizeof *v->games);
    if (!v->players || !v->names || !v->teams || !v->team_names || !v->matches || !v->games)
        return false;
    for (size_t i = 0; i < f->players; i++) {
        (void)stamma_event_player_at(v->event, i, &v->players[i]);
        if (!(v->names[i] = take_text(v->players[i].name)))
            return false;
    }
    for (size_t i = 0; i < f->teams; i++) {
        (void)stamma_event_team_at(v->event, i, &v->teams[i]);
        if (!(v->team_names[i] = take_text(v->teams[i].name)))
            return false;
    }
    for (size_t i = 0; i < f->matches; i++)
        (void)stamma_event_match_at(v->event, i, &v->matches[i]);
    for (size_t i = 0; i < v->game_count; i++)
        (void)stamma_event_game_at(v->event, i, &v->games[i]);
    return list_games(v);
}

bool event_view_open(event_view *v, const event_report *r, size_t index, bool full)
{
    *v = (event_view){.number = index + 1};
    stamma_error error = stamma_events_at(r->events, index, &r->options, &v->event);
    if (error) {
        tool_say(NULL, "%s", stamma_error_text(error));
        return false;
    }
    (void)stamma_event_facts_read(v->event, &v->facts);
    v->name = take_text(v->facts.name);
    v->site = take_text(v->facts.site);
    const bool right = v->name && v->site && (!full || read_lists(v));
    if (!full) {
        stamma_event_close(v->event);
        v->event = NULL;
    }
    return right || tool_fail_memory(NULL);
}

void event_view_close(event_view *v)
{
    for (size_t i = 0; v->names && i < v->facts.players; i++)
        free(v->names[i]);
    for (size_t i = 0; v->team_names && i < v->facts.teams; i++)
        free(v->team_names[i]);
    void *const all[] = {v->name,  v->site,    v->names, v->team_names, v->players,
                         v->teams, v->matches, v->games, v->first,      v->list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    stamma_event_close(v->event);
}

bool event_views_each(const event_report *r, bool (*put)(const event_report *r, const event_view *v))
{
    bool right = true;
    for (size_t i = 0; i < r->view_count && right; i++) {
        event_view v;
        right = event_view_open(&v, r, r->views[i].number - 1, true) && put(r, &v);
        event_view_close(&v);
    }
    return right;
}

bool event_has_cross(const event_view *v)
{
    const bool pairs = v->facts.kind == STAMMA_EVENT_ROUND_ROBIN || v->facts.kind == STAMMA_EVENT_MATCH;
    return pairs && v->facts.players <= CROSS_PLAYERS;
}

bool event_has_rounds(const event_view *v)
{
    return v->facts.kind == STAMMA_EVENT_SWISS && v->facts.rounds <= CROSS_PLAYERS;
}
