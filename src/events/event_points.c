/* SPDX-License-Identifier: MIT */
/* Points and tie-breaks of players. Source: FIDE Handbook C.07, in force from 2024-08-01. */
#include "events/events.h"

/* What a player did in the rounds of a Swiss event. Rounds without a game, bye or forfeit are unplayed rounds with 0
 * points. Voluntary unplayed rounds are these, forfeits that were lost, and byes without a full point (16.2.5, 16.5).
 */
typedef struct presence {
    uint32_t absent;    /* rounds without a game, bye or forfeit */
    uint32_t voluntary; /* voluntary unplayed rounds */
    uint32_t unplayed;  /* all unplayed rounds */
    uint32_t last;      /* the last round that is not a voluntary unplayed round; 0: none */
} presence;

static bool is_voluntary(const stamma_event_game *g, bool white)
{
    return g->unplayed && event_points(g->result, white) < 2;
}

static presence find_presence(const stamma_event *e, uint32_t player)
{
    presence p = {.absent = 0};
    size_t count;
    uint32_t rounds = 0, previous = 0;
    const uint32_t *list = event_games_of(e, player, &count);
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        const bool voluntary = is_voluntary(g, g->white == player);
        if (g->repeated)
            continue;
        p.voluntary += voluntary;
        p.unplayed += g->unplayed;
        if (!voluntary && g->round > p.last)
            p.last = g->round;
        rounds += g->round > 0 && g->round != previous;
        previous = g->round;
    }
    if (e->facts.kind != STAMMA_EVENT_SWISS)
        return p;
    p.absent = e->facts.rounds - rounds;
    p.voluntary += p.absent;
    p.unplayed += p.absent;
    return p;
}

static void count_games(stamma_event *e, uint32_t player)
{
    stamma_event_player *p = &event_players(e)[player];
    size_t count;
    const uint32_t *list = event_games_of(e, player, &count);
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        const uint32_t points = event_points(g->result, g->white == player);
        const bool finished = g->result != STAMMA_RESULT_UNKNOWN;
        if (g->repeated)
            continue;
        p->points += points;
        p->won += points == 2;
        p->unplayed += g->unplayed;
        if (g->unplayed)
            continue;
        p->games++;
        p->wins += points == 2;
        p->draws += points == 1;
        p->losses += finished && points == 0;
        p->unfinished += !finished;
    }
}

/* Returns the points that a player counts as an opponent: voluntary unplayed rounds at the end are draws (16.3). */
static uint32_t adjusted_points(const stamma_event *e, uint32_t player)
{
    const presence p = find_presence(e, player);
    size_t count;
    uint32_t points = 0, later = 0;
    const uint32_t *list = event_games_of(e, player, &count);
    if (e->facts.kind != STAMMA_EVENT_SWISS)
        return event_players(e)[player].points;
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        if (g->repeated)
            continue;
        if (g->round <= p.last)
            points += event_points(g->result, g->white == player);
        else /* a forfeit against an opponent is not a draw */
            later += event_opponent(g, player) != STAMMA_EVENT_NO_PLAYER;
    }
    const uint32_t rounds = e->facts.rounds - p.last;
    return points + (rounds > later ? rounds - later : 0);
}

/* Returns the points that are half of the maximum of a player, in half points. */
static uint32_t half_of_maximum(const stamma_event *e, const stamma_event_player *p)
{
    if (e->facts.kind == STAMMA_EVENT_ROUND_ROBIN)
        return e->facts.cycles * (uint32_t)(e->facts.players - 1);
    return e->facts.kind == STAMMA_EVENT_SWISS ? e->facts.rounds : p->games + p->unplayed;
}

/* Finds Buchholz, Sonneborn-Berger and Koya. An unplayed round counts as a game against an opponent with the player's
 * own points (16.4); in other events than a Swiss event, it counts only if there is an opponent. */
static void find_tie_breaks(stamma_event *e, uint32_t player)
{
    stamma_event_player *p = &event_players(e)[player];
    const uint32_t *adjusted = (const uint32_t *)(const void *)e->adjusted.data;
    const presence here = find_presence(e, player);
    const bool swiss = e->facts.kind == STAMMA_EVENT_SWISS;
    size_t count;
    const uint32_t *list = event_games_of(e, player, &count);
    uint32_t lowest = UINT32_MAX;
    p->absent = here.absent;
    for (size_t i = 0; i < count; i++) {
        const stamma_event_game *g = &event_games(e)[list[i]];
        const uint32_t opponent = event_opponent(g, player), points = event_points(g->result, g->white == player);
        if (g->repeated || (opponent == STAMMA_EVENT_NO_PLAYER && !swiss))
            continue;
        const uint32_t value = swiss && g->unplayed ? p->points : adjusted[opponent];
        p->buchholz += value;
        p->sonneborn += value * points;
        if (opponent != STAMMA_EVENT_NO_PLAYER) {
            const stamma_event_player *other = &event_players(e)[opponent];
            p->koya += other->points >= half_of_maximum(e, other) ? points : 0;
        }
        lowest = value < lowest ? value : lowest;
    }
    p->buchholz += here.absent * p->points;
    if (here.voluntary > 0 && swiss) /* a voluntary unplayed round is cut first (16.5) */
        lowest = p->points;
    p->buchholz_cut = p->buchholz - (lowest < p->buchholz ? lowest : p->buchholz);
}

bool stamma_event_find_points(stamma_event *e)
{
    const size_t players = e->facts.players;
    uint32_t *adjusted = (uint32_t *)buffer_array(&e->adjusted, players, sizeof *adjusted);
    if (!adjusted)
        return false;
    for (uint32_t i = 0; i < players; i++)
        count_games(e, i);
    for (uint32_t i = 0; i < players; i++)
        adjusted[i] = adjusted_points(e, i);
    for (uint32_t i = 0; i < players; i++)
        find_tie_breaks(e, i);
    return true;
}
