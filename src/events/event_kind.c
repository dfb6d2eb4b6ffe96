/* SPDX-License-Identifier: MIT */
/* The pairs of players who met, and the kind of an event. */
#include "events/events.h"

static int compare_pairs(const void *left, const void *right)
{
    const event_pair *a = (const event_pair *)left, *b = (const event_pair *)right;
    for (int i = 0; i < 2; i++)
        if (a->players[i] != b->players[i])
            return a->players[i] < b->players[i] ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

bool stamma_event_find_pairs(stamma_event *e)
{
    size_t kept = 0;
    e->pairs.size = 0;
    for (uint32_t i = 0; i < event_game_count(e); i++) {
        const stamma_event_game *g = &event_games(e)[i];
        const bool reverse = g->black < g->white;
        if (g->repeated || g->white == STAMMA_EVENT_NO_PLAYER || g->black == STAMMA_EVENT_NO_PLAYER)
            continue;
        const event_pair added = {{reverse ? g->black : g->white, reverse ? g->white : g->black},
                                  1,
                                  {event_points(g->result, !reverse), event_points(g->result, reverse)},
                                  i};
        buffer_add(&e->pairs, &added, sizeof added);
    }
    if (e->pairs.failed)
        return false;
    event_pair *list = event_pairs(e);
    const size_t count = event_pair_count(e);
    stamma_event_sort(list, count, sizeof *list, compare_pairs);
    for (size_t i = 0; i < count; i++) {
        event_pair *last = kept > 0 ? &list[kept - 1] : NULL;
        if (!last || last->players[0] != list[i].players[0] || last->players[1] != list[i].players[1]) {
            list[kept++] = list[i];
            continue;
        }
        last->games++;
        last->points[0] += list[i].points[0];
        last->points[1] += list[i].points[1];
    }
    e->pairs.size = kept * sizeof *list;
    return true;
}

const event_pair *stamma_event_pair(const stamma_event *e, uint32_t a, uint32_t b)
{
    const event_pair *list = event_pairs(e);
    const uint32_t first = a < b ? a : b, second = a < b ? b : a;
    size_t low = 0, high = event_pair_count(e);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint32_t *players = list[middle].players;
        if (players[0] == first && players[1] == second)
            return &list[middle];
        if (players[0] < first || (players[0] == first && players[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- kinds: shares in percent ---- */

enum {
    KNOCK_OUT_PLAYERS = 1024, /* at most */
    KNOCK_OUT_SHARE = 90,     /* of the matches that eliminate all players but one */
    TEAM_SHARE = 80,          /* of the games have two different teams */
    ROUND_ROBIN_SHARE = 80,   /* of the pairs of players met */
    SCHEDULED_SHARE = 50,     /* the same if the number of rounds is that of a round robin */
    ROUNDS_SHARE = 80,        /* of the games have a number of a round */
    SWISS_SHARE = 90,         /* of the games of a player in a round are against the first opponent of the round */
    NEW_SHARE = 90            /* of the games of a Swiss event are the first of their players */
};

static bool is_share(size_t part, size_t all, unsigned percent)
{
    return all > 0 && part * 100 >= all * percent;
}

static bool is_team(const stamma_event *e)
{
    size_t teams = 0;
    for (size_t i = 0; i < e->count; i++)
        teams += e->records[i].teams[0] && e->records[i].teams[1] && e->records[i].teams[0] != e->records[i].teams[1];
    return is_share(teams, e->count, TEAM_SHARE);
}

/* Returns how often most pairs met. */
static uint32_t usual_games(const stamma_event *e)
{
    enum { MOST = 16 };
    size_t counts[MOST + 1] = {0}, best = 1;
    for (size_t i = 0; i < event_pair_count(e); i++) {
        const uint32_t games = event_pairs(e)[i].games;
        counts[games < MOST ? games : MOST]++;
    }
    for (size_t n = 1; n <= MOST; n++)
        best = counts[n] > counts[best] ? n : best;
    return (uint32_t)best;
}

/* Returns whether a loser of a match plays no later match, except one match for the third place. The games are sorted
 * by round. At least one player must have won two matches, or lost one after a win. */
static bool is_knock_out(const stamma_event *e)
{
    size_t pairs = event_pair_count(e), again = 0, stages = 0;
    for (size_t i = 0; i < pairs; i++) {
        const event_pair *p = &event_pairs(e)[i];
        bool won[2] = {false, false}, lost[2] = {false, false};
        for (size_t k = 0; k < pairs; k++) {
            const event_pair *q = &event_pairs(e)[k];
            for (int a = 0; a < 2 && k != i && q->first < p->first; a++)
                for (int b = 0; b < 2; b++)
                    if (p->players[a] == q->players[b]) {
                        won[a] |= q->points[b] >= q->points[!b];
                        lost[a] |= q->points[b] < q->points[!b];
                    }
        }
        again += lost[0] || lost[1];
        stages += won[0] && won[1];
    }
    return stages > 0 && again <= 1 && is_share(pairs, e->facts.players - 1, KNOCK_OUT_SHARE);
}

/* Returns whether nearly all players have one opponent in a round, and another in each round. The number of games
 * must not be below that of players. */
static bool is_swiss(const stamma_event *e)
{
    size_t numbered = 0, first = 0, all = 0;
    for (size_t i = 0; i < event_game_count(e); i++)
        numbered += event_games(e)[i].round > 0 && !event_games(e)[i].repeated;
    if (e->facts.rounds < 2 || e->facts.games < e->facts.players || usual_games(e) > 2 ||
        !is_share(numbered, e->facts.games, ROUNDS_SHARE))
        return false;
    for (uint32_t p = 0; p < e->facts.players; p++) {
        size_t count;
        const uint32_t *list = event_games_of(e, p, &count);
        const stamma_event_game *last = NULL;
        for (size_t i = 0; i < count; i++) {
            const stamma_event_game *g = &event_games(e)[list[i]];
            if (g->repeated || g->round == 0)
                continue;
            all++;
            first += !last || last->round != g->round || event_opponent(last, p) == event_opponent(g, p);
            last = g;
        }
    }
    return is_share(first, all, SWISS_SHARE) &&
           is_share(event_pair_count(e) * usual_games(e), e->facts.games, NEW_SHARE);
}

/* Returns whether most players met. */
static bool is_round_robin(const stamma_event *e, size_t pairs)
{
    const size_t players = e->facts.players, all = players * (players - 1) / 2;
    const size_t rounds = players % 2 ? players : players - 1;
    const bool scheduled = players > 3 && (e->facts.rounds == rounds || e->facts.rounds == 2 * rounds);
    return is_share(pairs, all, scheduled ? SCHEDULED_SHARE : ROUND_ROBIN_SHARE);
}

void stamma_event_find_kind(stamma_event *e)
{
    stamma_event_facts *f = &e->facts;
    const size_t pairs = event_pair_count(e), players = f->players;
    f->kind = STAMMA_EVENT_OTHER;
    if (!f->name.data)
        return;
    if (is_team(e))
        f->kind = STAMMA_EVENT_TEAM;
    else if (players == 2)
        f->kind = STAMMA_EVENT_MATCH;
    else if (players >= 3 && is_round_robin(e, pairs)) {
        f->kind = STAMMA_EVENT_ROUND_ROBIN;
        f->cycles = usual_games(e);
    } else if (players >= 3 && players <= KNOCK_OUT_PLAYERS && pairs <= players && is_knock_out(e))
        f->kind = STAMMA_EVENT_KNOCK_OUT;
    else if (is_swiss(e))
        f->kind = STAMMA_EVENT_SWISS;
}
