/* SPDX-License-Identifier: MIT */
/* The events room: divides games into events, and computes the standings of an event.
 *
 *   event_games.c     facts of each game
 *   event_groups.c    division into events
 *   event.c           an event: opening, access
 *   event_players.c   players and games of an event
 *   event_kind.c      pairs of players, and the kind of the event
 *   event_points.c    points and tie-breaks
 *   event_ranks.c     order of the standings
 *   event_teams.c     teams and their matches
 *   event_checks.c    findings
 *   event_ratings.c   tables of FIDE's ratings */
#ifndef STAMMA_EVENTS_H
#define STAMMA_EVENTS_H

#include "base/tables.h"

enum {
    ROUND_MAX = 999, /* a higher number of a round or board is unknown */
    TIE_BREAKS_MAX = 6,
    GAP_DAYS = 60 /* games without EventDate that are further apart belong to different events */
};

/* Facts of a game. Texts are numbers in the table of the collection; 0 is unknown. */
typedef struct event_record {
    uint64_t number;
    uint64_t moves; /* hash of the moves; 0: not read */
    uint32_t name, site, country;
    uint32_t start; /* EventDate, as year * 10000 + month * 100 + day; 0: unknown */
    uint32_t day;   /* Date */
    uint32_t round_text, round, board;
    uint32_t names[2], ids[2], titles[2], teams[2];
    uint32_t plies;
    uint16_t ratings[2];
    uint8_t result, movetext; /* stamma_result; movetext: UNKNOWN also if it is not decisive */
    bool contradicts;         /* movetext and tag have different results */
    bool unplayed;
    uint8_t mated;  /* 1 + stamma_result of the final position if it is checkmate or stalemate; otherwise 0 */
    bool bye[2];    /* this player is a bye */
    uint32_t index; /* in the order of the additions */
    uint32_t event; /* set by event_groups.c */
} event_record;

struct stamma_events {
    stamma_allocator allocator;
    text_table texts;
    buffer records; /* event_record; after stamma_events_find, by event */
    buffer firsts;  /* size_t: index of the first record of each event, and the number of records */
    bool found, failed;
};

/* Two players who met. */
typedef struct event_pair {
    uint32_t players[2]; /* the lower index first */
    uint32_t games;
    uint32_t points[2]; /* half points */
    uint32_t first;     /* index of the first game */
} event_pair;

struct stamma_event {
    stamma_allocator allocator;
    const stamma_events *events;
    const event_record *records;
    size_t count; /* of records */
    unsigned k_factor;
    stamma_event_facts facts;
    buffer games;    /* stamma_event_game */
    buffer order;    /* uint32_t: record of each game */
    buffer players;  /* stamma_event_player */
    buffer firsts;   /* uint32_t: for each player, index of the first entry of `lists`, and the number of entries */
    buffer lists;    /* uint32_t: indexes of the games of each player */
    buffer pairs;    /* event_pair, by players */
    buffer adjusted; /* uint32_t: points of each player as an opponent, in half points (C.07, 16.3) */
    buffer teams;    /* stamma_event_team */
    buffer matches;  /* stamma_event_match */
    buffer findings; /* stamma_event_finding */
};

STAMMA_INLINE stamma_event_game *event_games(const stamma_event *e)
{
    return (stamma_event_game *)(void *)e->games.data;
}
STAMMA_INLINE size_t event_game_count(const stamma_event *e)
{
    return e->games.size / sizeof(stamma_event_game);
}
STAMMA_INLINE const event_record *event_record_of(const stamma_event *e, size_t game)
{
    return &e->records[((const uint32_t *)(const void *)e->order.data)[game]];
}
STAMMA_INLINE stamma_event_player *event_players(const stamma_event *e)
{
    return (stamma_event_player *)(void *)e->players.data;
}
STAMMA_INLINE event_pair *event_pairs(const stamma_event *e)
{
    return (event_pair *)(void *)e->pairs.data;
}
STAMMA_INLINE size_t event_pair_count(const stamma_event *e)
{
    return e->pairs.size / sizeof(event_pair);
}
/* Returns the indexes of the games of a player, and stores their number. */
STAMMA_INLINE const uint32_t *event_games_of(const stamma_event *e, size_t player, size_t *count)
{
    const uint32_t *firsts = (const uint32_t *)(const void *)e->firsts.data;
    *count = firsts[player + 1] - firsts[player];
    return (const uint32_t *)(const void *)e->lists.data + firsts[player];
}
/* Returns the half points of White, or of Black, for a result. */
STAMMA_INLINE uint32_t event_points(stamma_result result, bool white)
{
    return result == STAMMA_RESULT_DRAW ? 1 : result == (white ? STAMMA_RESULT_WHITE : STAMMA_RESULT_BLACK) ? 2 : 0;
}
/* Returns the pair of two different players; NULL: they did not meet. */
const event_pair *stamma_event_pair(const stamma_event *e, uint32_t a, uint32_t b);
/* Returns the opponent of a player in a game. */
STAMMA_INLINE uint32_t event_opponent(const stamma_event_game *game, uint32_t player)
{
    return game->white == player ? game->black : game->white;
}

/* Sorts an array. */
void stamma_event_sort(void *array, size_t count, size_t element, int (*compare)(const void *, const void *));

/* Each step returns false if memory is exhausted. */
bool stamma_event_find_players(stamma_event *e); /* players and games */
bool stamma_event_list_games(stamma_event *e);   /* firsts and lists */
bool stamma_event_find_pairs(stamma_event *e);   /* pairs, by the players' indexes */
void stamma_event_find_kind(stamma_event *e);
bool stamma_event_find_points(stamma_event *e);
bool stamma_event_rank(stamma_event *e); /* reorders the players */
void stamma_event_find_ratings(stamma_event *e);
bool stamma_event_find_teams(stamma_event *e);
bool stamma_event_find_matches(stamma_event *e); /* of a knock-out */
bool stamma_event_check(stamma_event *e);

#endif
