/* SPDX-License-Identifier: MIT */
/* Teams with their matches and standings, and the matches of a knock-out. */
#include "events/events.h"

#include <stdlib.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* ---- matches of a knock-out ---- */

static int compare_firsts(const void *left, const void *right)
{
    return compare_numbers(((const event_pair *)left)->first, ((const event_pair *)right)->first);
}

bool stamma_event_find_matches(stamma_event *e)
{
    buffer copy = {.allocator = &e->allocator};
    const size_t count = event_pair_count(e);
    buffer_add(&copy, e->pairs.data, e->pairs.size);
    if (!copy.failed) {
        event_pair *list = (event_pair *)(void *)copy.data;
        stamma_event_sort(list, count, sizeof *list, compare_firsts);
        for (size_t i = 0; i < count; i++) {
            const stamma_event_match m = {.round = event_games(e)[list[i].first].round,
                                          .sides = {list[i].players[0], list[i].players[1]},
                                          .points = {list[i].points[0], list[i].points[1]},
                                          .games = list[i].games};
            buffer_add(&e->matches, &m, sizeof m);
        }
        e->facts.matches = count;
    }
    const bool right = !copy.failed && !e->matches.failed;
    stamma_buffer_release(&copy);
    return right;
}

/* ---- matches of teams ---- */

/* A game between teams. */
typedef struct team_game {
    uint32_t round, teams[2], points[2]; /* teams: numbers of texts, the lower number first */
    uint32_t game;
} team_game;

static int compare_team_games(const void *left, const void *right)
{
    const team_game *a = (const team_game *)left, *b = (const team_game *)right;
    if (a->round != b->round)
        return compare_numbers(a->round - 1, b->round - 1);
    for (int i = 0; i < 2; i++)
        if (a->teams[i] != b->teams[i])
            return compare_numbers(a->teams[i], b->teams[i]);
    return compare_numbers(a->game, b->game);
}

static bool list_team_games(const stamma_event *e, buffer *games)
{
    for (uint32_t i = 0; i < event_game_count(e); i++) {
        const stamma_event_game *g = &event_games(e)[i];
        const uint32_t *teams = event_record_of(e, i)->teams;
        const bool reverse = teams[1] < teams[0];
        if (g->repeated || !teams[0] || !teams[1] || teams[0] == teams[1])
            continue;
        const team_game added = {g->round,
                                 {teams[reverse], teams[!reverse]},
                                 {event_points(g->result, !reverse), event_points(g->result, reverse)},
                                 i};
        buffer_add(games, &added, sizeof added);
    }
    if (!games->failed)
        stamma_event_sort(games->data, games->size / sizeof(team_game), sizeof(team_game), compare_team_games);
    return !games->failed;
}

static int compare_ids(const void *left, const void *right)
{
    return compare_numbers(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* Stores the numbers of the teams' texts, sorted. Returns their number. */
static size_t list_teams(const buffer *games, buffer *ids)
{
    const team_game *list = (const team_game *)(const void *)games->data;
    const size_t count = games->size / sizeof *list;
    uint32_t *all = (uint32_t *)buffer_array(ids, 2 * count, sizeof *all);
    size_t kept = 0;
    if (!all)
        return 0;
    for (size_t i = 0; i < 2 * count; i++)
        all[i] = list[i / 2].teams[i % 2];
    stamma_event_sort(all, 2 * count, sizeof *all, compare_ids);
    for (size_t i = 0; i < 2 * count; i++)
        if (kept == 0 || all[kept - 1] != all[i])
            all[kept++] = all[i];
    return kept;
}

static uint32_t team_index(const buffer *ids, size_t count, uint32_t id)
{
    const uint32_t *all = (const uint32_t *)(const void *)ids->data;
    return (uint32_t)((const uint32_t *)bsearch(&id, all, count, sizeof id, compare_ids) - all);
}

/* Adds the matches, which are runs of games with equal round and teams. */
static bool add_matches(stamma_event *e, const buffer *games, const buffer *ids, size_t teams)
{
    const team_game *list = (const team_game *)(const void *)games->data;
    const size_t count = games->size / sizeof *list;
    stamma_event_match m = {.round = 0};
    for (size_t i = 0; i < count; i++) {
        const team_game *g = &list[i];
        if (i == 0 || g->round != g[-1].round || g->teams[0] != g[-1].teams[0] || g->teams[1] != g[-1].teams[1])
            m = (stamma_event_match){
                .round = g->round, .sides = {team_index(ids, teams, g->teams[0]), team_index(ids, teams, g->teams[1])}};
        m.games++;
        m.points[0] += g->points[0];
        m.points[1] += g->points[1];
        if (i + 1 == count || g->round != g[1].round || g->teams[0] != g[1].teams[0] || g->teams[1] != g[1].teams[1])
            buffer_add(&e->matches, &m, sizeof m);
    }
    e->facts.matches = e->matches.size / sizeof m;
    return !e->matches.failed;
}

/* ---- standings of teams ---- */

/* A team with the key of direct encounter: match points against the teams that are tied with it. */
typedef struct team_place {
    stamma_event_team team;
    uint32_t direct, index;
} team_place;

static int compare_points(const team_place *a, const team_place *b)
{
    if (a->team.match_points != b->team.match_points)
        return compare_numbers(b->team.match_points, a->team.match_points);
    return compare_numbers(b->team.points, a->team.points);
}

static int compare_teams(const void *left, const void *right)
{
    const team_place *a = (const team_place *)left, *b = (const team_place *)right;
    const int order = compare_points(a, b);
    if (order || a->direct != b->direct)
        return order ? order : compare_numbers(b->direct, a->direct);
    const size_t size = a->team.name.size < b->team.name.size ? a->team.name.size : b->team.name.size;
    const int name = memcmp(a->team.name.data, b->team.name.data, size);
    return name ? name : compare_numbers(a->index, b->index);
}

static void count_match(team_place *places, const stamma_event_match *m, bool direct)
{
    for (int side = 0; side < 2; side++) {
        team_place *p = &places[m->sides[side]], *other = &places[m->sides[!side]];
        const uint32_t own = m->points[side], theirs = m->points[!side];
        const uint32_t points = own > theirs ? 2 : own == theirs;
        if (direct) {
            p->direct += compare_points(p, other) == 0 ? points : 0;
            continue;
        }
        p->team.matches++;
        p->team.wins += points == 2;
        p->team.draws += points == 1;
        p->team.losses += points == 0;
        p->team.match_points += points;
        p->team.points += own;
    }
}

static bool rank_teams(stamma_event *e, const buffer *ids, size_t count)
{
    buffer list = {.allocator = &e->allocator}, places = {.allocator = &e->allocator};
    team_place *teams = (team_place *)buffer_array(&list, count, sizeof *teams);
    uint32_t *place = (uint32_t *)buffer_array(&places, count, sizeof *place);
    stamma_event_match *matches = (stamma_event_match *)(void *)e->matches.data;
    for (uint32_t i = 0; teams && place && i < count; i++)
        teams[i] = (team_place){
            .team.name = text_table_at(&e->events->texts, ((const uint32_t *)(const void *)ids->data)[i]), .index = i};
    for (int pass = 0; teams && place && pass < 2; pass++)
        for (size_t i = 0; i < e->facts.matches; i++)
            count_match(teams, &matches[i], pass == 1);
    if (teams && place) {
        stamma_event_sort(teams, count, sizeof *teams, compare_teams);
        for (uint32_t i = 0; i < count; i++) {
            place[teams[i].index] = i;
            const bool tied =
                i > 0 && compare_points(&teams[i], &teams[i - 1]) == 0 && teams[i].direct == teams[i - 1].direct;
            teams[i].team.rank = tied ? teams[i - 1].team.rank : i + 1;
            buffer_add(&e->teams, &teams[i].team, sizeof teams[i].team);
        }
        for (size_t i = 0; i < e->facts.matches; i++)
            for (int side = 0; side < 2; side++)
                matches[i].sides[side] = place[matches[i].sides[side]];
        e->facts.teams = count;
    }
    const bool right = teams && place && !e->teams.failed;
    stamma_buffer_release(&list);
    stamma_buffer_release(&places);
    return right;
}

bool stamma_event_find_teams(stamma_event *e)
{
    buffer games = {.allocator = &e->allocator}, ids = {.allocator = &e->allocator};
    bool right = list_team_games(e, &games);
    if (right) {
        const size_t teams = list_teams(&games, &ids);
        right = teams > 0 && add_matches(e, &games, &ids, teams) && rank_teams(e, &ids, teams);
    }
    stamma_buffer_release(&games);
    stamma_buffer_release(&ids);
    return right;
}
