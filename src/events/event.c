/* SPDX-License-Identifier: MIT */
/* An event: opening, closing, and access to its parts. */
#include "events/events.h"

static const char *name_at(const char *const *names, size_t count, int value)
{
    return value >= 0 && (size_t)value < count ? names[value] : "";
}

const char *stamma_event_kind_name(stamma_event_kind kind)
{
    static const char *const names[] = {"other", "match", "round-robin", "swiss", "knock-out", "team"};
    return name_at(names, sizeof names / sizeof *names, (int)kind);
}

const char *stamma_tie_break_name(stamma_tie_break rule)
{
    static const char *const names[] = {"", "DE", "BH", "BH-C1", "SB", "WIN", "KS"};
    return name_at(names, sizeof names / sizeof *names, (int)rule);
}

const char *stamma_event_finding_name(stamma_event_finding_kind kind)
{
    static const char *const names[] = {"",          "missing-game", "missing-round", "missing-board", "same-game",
                                        "two-games", "unplayed",     "no-result",     "result-text",   "result-mate",
                                        "rating",    "title"};
    return name_at(names, sizeof names / sizeof *names, (int)kind);
}

/* ---- opening ---- */

static bool read_options(const stamma_event_options *o)
{
    if (o->tie_break_count > TIE_BREAKS_MAX || (o->tie_break_count > 0 && !o->tie_breaks))
        return false;
    for (size_t i = 0; i < o->tie_break_count; i++)
        if (*stamma_tie_break_name(o->tie_breaks[i]) == 0)
            return false;
    return true;
}

static void set_tie_breaks(stamma_event *e, const stamma_event_options *o)
{
    static const stamma_tie_break all[] = {STAMMA_TIE_BREAK_DIRECT, STAMMA_TIE_BREAK_WINS, STAMMA_TIE_BREAK_SONNEBORN,
                                           STAMMA_TIE_BREAK_KOYA};
    static const stamma_tie_break swiss[] = {STAMMA_TIE_BREAK_DIRECT, STAMMA_TIE_BREAK_BUCHHOLZ_CUT,
                                             STAMMA_TIE_BREAK_BUCHHOLZ, STAMMA_TIE_BREAK_SONNEBORN,
                                             STAMMA_TIE_BREAK_WINS};
    const bool is_swiss = e->facts.kind == STAMMA_EVENT_SWISS;
    const stamma_tie_break *list = o->tie_breaks ? o->tie_breaks : is_swiss ? swiss : all;
    const size_t count = is_swiss ? sizeof swiss / sizeof *swiss : sizeof all / sizeof *all;
    e->facts.tie_breaks = o->tie_breaks ? o->tie_break_count : count;
    for (size_t i = 0; i < e->facts.tie_breaks; i++)
        e->facts.tie_break[i] = list[i];
}

static int compare_sites(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Finds the number of sites, and the site of most games. */
static bool find_sites(stamma_event *e)
{
    buffer sites = {.allocator = &e->allocator};
    uint32_t *list = (uint32_t *)buffer_array(&sites, e->count, sizeof *list), best = 0;
    size_t most = 0;
    for (size_t i = 0; list && i < e->count; i++)
        list[i] = e->records[i].site;
    if (list)
        stamma_event_sort(list, e->count, sizeof *list, compare_sites);
    for (size_t from = 0, i = 1; list && i <= e->count; i++)
        if (i == e->count || list[i] != list[from]) {
            e->facts.sites += list[from] != 0;
            best = list[from] && i - from > most ? list[from] : best;
            most = list[from] && i - from > most ? i - from : most;
            from = i;
        }
    if (best)
        e->facts.site = text_table_at(&e->events->texts, best);
    stamma_buffer_release(&sites);
    return list != NULL;
}

static bool find_facts(stamma_event *e)
{
    stamma_event_facts *f = &e->facts;
    if (e->count > 0 && e->records[0].name)
        f->name = text_table_at(&e->events->texts, e->records[0].name);
    for (size_t i = 0; i < e->count; i++) {
        const uint32_t day = e->records[i].day;
        f->first_day = day > 0 && (f->first_day == 0 || day < f->first_day) ? day : f->first_day;
        f->last_day = day > f->last_day ? day : f->last_day;
    }
    return find_sites(e);
}

static bool compute(stamma_event *e, const stamma_event_options *options)
{
    if (!find_facts(e) || !stamma_event_find_players(e) || !stamma_event_list_games(e) || !stamma_event_find_pairs(e))
        return false;
    stamma_event_find_kind(e);
    set_tie_breaks(e, options);
    if (!stamma_event_find_points(e) || !stamma_event_rank(e) || !stamma_event_list_games(e) ||
        !stamma_event_find_pairs(e))
        return false;
    stamma_event_find_ratings(e);
    if (e->facts.kind == STAMMA_EVENT_TEAM && !stamma_event_find_teams(e))
        return false;
    if (e->facts.kind == STAMMA_EVENT_KNOCK_OUT && !stamma_event_find_matches(e))
        return false;
    return stamma_event_check(e);
}

static void set_allocators(stamma_event *e)
{
    buffer *const all[] = {&e->games, &e->order,    &e->players, &e->firsts,  &e->lists,
                           &e->pairs, &e->adjusted, &e->teams,   &e->matches, &e->findings};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->allocator = &e->allocator;
}

stamma_error stamma_events_at(const stamma_events *events, size_t index, const stamma_event_options *given,
                              stamma_event **event)
{
    stamma_event_options options;
    if (!event || index >= stamma_events_count(events))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_options_read(given, &options, sizeof options);
    if (error)
        return error;
    if (!read_options(&options))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_event *e = (stamma_event *)memory_allocate(&events->allocator, sizeof *e);
    if (!e)
        return STAMMA_ERROR_NO_MEMORY;
    memset(e, 0, sizeof *e);
    const size_t *firsts = (const size_t *)(const void *)events->firsts.data;
    e->allocator = events->allocator;
    e->events = events;
    e->records = (const event_record *)(const void *)events->records.data + firsts[index];
    e->count = firsts[index + 1] - firsts[index];
    e->k_factor = options.k_factor;
    set_allocators(e);
    if (!compute(e, &options)) {
        stamma_event_close(e);
        return STAMMA_ERROR_NO_MEMORY;
    }
    *event = e;
    return STAMMA_OK;
}

void stamma_event_close(stamma_event *e)
{
    if (!e)
        return;
    stamma_allocator allocator = e->allocator;
    buffer *const all[] = {&e->games, &e->order,    &e->players, &e->firsts,  &e->lists,
                           &e->pairs, &e->adjusted, &e->teams,   &e->matches, &e->findings};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        stamma_buffer_release(all[i]);
    memory_release(&allocator, e);
}

/* ---- access ---- */

stamma_error stamma_event_facts_read(const stamma_event *e, stamma_event_facts *facts)
{
    if (!e || !facts)
        return STAMMA_ERROR_BAD_ARGUMENT;
    *facts = e->facts;
    return STAMMA_OK;
}

size_t stamma_event_games(const stamma_event *e)
{
    return e ? event_game_count(e) : 0;
}

static stamma_error copy_entry(const buffer *b, size_t index, void *out, size_t size)
{
    if (!out || index >= b->size / size)
        return STAMMA_ERROR_BAD_ARGUMENT;
    memcpy(out, b->data + index * size, size);
    return STAMMA_OK;
}

stamma_error stamma_event_player_at(const stamma_event *e, size_t index, stamma_event_player *player)
{
    return e ? copy_entry(&e->players, index, player, sizeof *player) : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_event_game_at(const stamma_event *e, size_t index, stamma_event_game *game)
{
    return e ? copy_entry(&e->games, index, game, sizeof *game) : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_event_team_at(const stamma_event *e, size_t index, stamma_event_team *team)
{
    return e ? copy_entry(&e->teams, index, team, sizeof *team) : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_event_match_at(const stamma_event *e, size_t index, stamma_event_match *match)
{
    return e ? copy_entry(&e->matches, index, match, sizeof *match) : STAMMA_ERROR_BAD_ARGUMENT;
}

stamma_error stamma_event_finding_at(const stamma_event *e, size_t index, stamma_event_finding *found)
{
    return e ? copy_entry(&e->findings, index, found, sizeof *found) : STAMMA_ERROR_BAD_ARGUMENT;
}
