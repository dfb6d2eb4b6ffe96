/* SPDX-License-Identifier: MIT */
/* Events: tournaments and matches, with standings, tie-breaks, ratings, and a check of their games.
 *
 *     stamma_error error = stamma_events_open(NULL, &events);
 *     while (!error && !(error = stamma_archive_reader_next(reader, &game)) && game)
 *         error = stamma_events_add(events, game, game->number);
 *     if (!error && !(error = stamma_events_find(events)))
 *         for (size_t i = 0; i < stamma_events_count(events); i++)
 *             ... stamma_events_at(events, i, NULL, &event) ...
 *
 * doc/reference/events.md describes how games are divided into events, and all definitions. */
#ifndef STAMMA_API_EVENT_H
#define STAMMA_API_EVENT_H

#include "stamma/archive.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an event is played. Permanent values. */
typedef enum stamma_event_kind {
    STAMMA_EVENT_OTHER = 0,       /* none of the other kinds, or too few games to find out */
    STAMMA_EVENT_MATCH = 1,       /* two players */
    STAMMA_EVENT_ROUND_ROBIN = 2, /* all meet all, once or several times */
    STAMMA_EVENT_SWISS = 3,       /* each player has one opponent in each round */
    STAMMA_EVENT_KNOCK_OUT = 4,   /* who loses a match is eliminated */
    STAMMA_EVENT_TEAM = 5         /* teams meet on several boards */
} stamma_event_kind;

/* Returns the permanent name of a kind: "round-robin"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_event_kind_name(stamma_event_kind kind);

/* Rules that rank players with equal points. Permanent values. Source: FIDE Handbook C.07, in force from 2024-08-01. */
typedef enum stamma_tie_break {
    STAMMA_TIE_BREAK_DIRECT = 1,       /* "DE": direct encounter (article 6) */
    STAMMA_TIE_BREAK_BUCHHOLZ = 2,     /* "BH": points of the opponents (8.1) */
    STAMMA_TIE_BREAK_BUCHHOLZ_CUT = 3, /* "BH-C1": Buchholz without the lowest contribution (14.1, 16.5) */
    STAMMA_TIE_BREAK_SONNEBORN = 4,    /* "SB": Sonneborn-Berger, points of opponents times the points won (9.1) */
    STAMMA_TIE_BREAK_WINS = 5,         /* "WIN": number of wins, with or without playing (7.1) */
    STAMMA_TIE_BREAK_KOYA = 6          /* "KS": points against opponents with half of the points or more (9.2) */
} stamma_tie_break;

/* Returns the permanent name of a rule: "BH-C1"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_tie_break_name(stamma_tie_break rule);

/* Returns the difference of ratings that corresponds to a score, from -800 to 800. The score is in percent, rounded; a
 * score above 100 is read as 100. Source: FIDE Handbook B.02, 8.1.1. */
STAMMA_API int32_t stamma_rating_difference(unsigned percent);
/* Returns the expected score in percent of a player whose rating is higher than the opponent's by `difference`, which
 * may be negative. Source: FIDE Handbook B.02, 8.1.2. */
STAMMA_API unsigned stamma_rating_expected(int32_t difference);

/* ---- the games of all events ---- */

/* Games, which are divided into events. */
typedef struct stamma_events stamma_events;

/* Opens an empty collection. `allocator` may be NULL.
 * Errors: BAD_ARGUMENT for an invalid allocator; NO_MEMORY. */
STAMMA_API stamma_error stamma_events_open(const stamma_allocator *allocator, stamma_events **events);
/* Closes a collection. Its events must be closed before. Accepts NULL. */
STAMMA_API void stamma_events_close(stamma_events *events);

/* Adds a game, of which TAGS and RESULT must have been read. With MOVES, the result is also compared with the final
 * position, and games that occur twice are compared by their moves. Continuations are ignored. Memory: about 100 bytes
 * for each game, and the distinct texts of the tags.
 *   number  a number for the caller's use, which stamma_event_game returns
 * Errors:
 *   BAD_ARGUMENT  an argument is NULL, or stamma_events_find was called
 *   LIMIT         2^32 - 1 games have been added
 *   NO_MEMORY     the collection can only be closed */
STAMMA_API stamma_error stamma_events_add(stamma_events *events, const stamma_archive_game *game, uint64_t number);

/* Divides the games into events, which are ordered by date, name and place. To be called once.
 * Errors: BAD_ARGUMENT if `events` is NULL, or in a second call; NO_MEMORY. */
STAMMA_API stamma_error stamma_events_find(stamma_events *events);

/* Returns the number of events; 0 before stamma_events_find, and if `events` is NULL. */
STAMMA_API size_t stamma_events_count(const stamma_events *events);

/* ---- one event ---- */

/* An event with its standings. */
typedef struct stamma_event stamma_event;

typedef struct stamma_event_options {
    size_t size;
    /* tie-breaks in the order in which they are applied, at most 6; NULL: DE, WIN, SB, KS, and DE, BH-C1, BH, SB, WIN
     * in a Swiss event */
    const stamma_tie_break *tie_breaks;
    size_t tie_break_count;
    unsigned k_factor; /* factor of the change of ratings; 0: 10 from a rating of 2400, otherwise 20 */
} stamma_event_options;

/* Opens an event, and computes its standings.
 *   index    0 to stamma_events_count - 1
 *   options  may be NULL
 *   event    receives the event; close it with stamma_event_close, before `events`
 * Errors: BAD_ARGUMENT for an invalid argument or option; UNSUPPORTED; NO_MEMORY. */
STAMMA_API stamma_error stamma_events_at(const stamma_events *events, size_t index, const stamma_event_options *options,
                                         stamma_event **event);
/* Closes an event. Accepts NULL. */
STAMMA_API void stamma_event_close(stamma_event *event);

/* What is known of an event. Texts are tag values as written, and are valid until `events` is closed; {NULL, 0} is
 * unknown. */
typedef struct stamma_event_facts {
    stamma_text name, site;       /* the site of most games */
    uint32_t first_day, last_day; /* year * 10000 + month * 100 + day; 0: unknown */
    stamma_event_kind kind;
    uint32_t sites;                /* number of different sites */
    uint32_t rounds;               /* highest number of a round; 0: unknown */
    uint32_t cycles;               /* of a round robin: how often two players meet; otherwise 0 */
    size_t games, players, teams;  /* games counts games that occur twice once */
    size_t matches;                /* of teams, or of a knock-out */
    size_t findings;               /* entries of stamma_event_finding_at */
    size_t tie_breaks;             /* number of rules applied */
    stamma_tie_break tie_break[6]; /* these rules */
    uint64_t reserved[2];          /* 0; space for later versions, so that the struct never grows */
} stamma_event_facts;

/* Stores the facts of an event. Errors: BAD_ARGUMENT if an argument is NULL. */
STAMMA_API stamma_error stamma_event_facts_read(const stamma_event *event, stamma_event_facts *facts);

/* A player with the player's score. Points and tie-breaks of points are in half points; SB is in quarter points. */
typedef struct stamma_event_player {
    stamma_text name, title, id, team; /* as in stamma_event_facts; the first value of each tag */
    uint32_t rank;   /* from 1; equal for players who are still tied. In a knock-out by elimination, then by points */
    uint32_t rating; /* in the first game with a rating; 0: unknown */
    uint32_t games, wins, draws, losses; /* played games */
    uint32_t unfinished;                 /* games without a result, which count 0 points */
    uint32_t unplayed;                   /* recorded byes and forfeits */
    uint32_t absent;                     /* rounds of a Swiss event without a game, bye or forfeit */
    uint32_t points;
    uint32_t direct;                                       /* DE: points against the players with equal points */
    uint32_t buchholz, buchholz_cut, sonneborn, won, koya; /* won: WIN */
    uint32_t rated;                                        /* played games with a result and an opponent's rating */
    uint32_t opposition;                                   /* mean rating of these opponents, rounded; 0: unknown */
    int32_t performance;   /* opposition + stamma_rating_difference(score); 0: unknown */
    int32_t rating_change; /* in hundredths; 0 without rating */
    uint32_t expected;     /* points expected in the games with both ratings, in hundredths */
    uint64_t reserved[2];  /* 0; space for later versions, so that the struct never grows */
} stamma_event_player;

/* Stores a player. `index`: 0 to facts.players - 1, in the order of the standings; players with equal ranks are in the
 * order of their names. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_event_player_at(const stamma_event *event, size_t index, stamma_event_player *player);

/* The index of a player who does not exist: the opponent in a bye. */
#define STAMMA_EVENT_NO_PLAYER UINT32_MAX

typedef struct stamma_event_game {
    uint64_t number;       /* as passed to stamma_events_add */
    uint32_t white, black; /* indexes of players */
    uint32_t round, board; /* the first two numbers of the tag Round; 0: unknown */
    uint32_t day;          /* year * 10000 + month * 100 + day; 0: unknown */
    uint32_t plies;
    stamma_result result;
    bool unplayed;        /* a bye, or a forfeit: a result without moves */
    bool repeated;        /* the game occurs before, and does not count */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_event_game;

/* Returns the number of games, including games that are repeated; 0 if `event` is NULL. */
STAMMA_API size_t stamma_event_games(const stamma_event *event);
/* Stores a game. `index`: 0 to stamma_event_games - 1, by round, board, date and number. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_event_game_at(const stamma_event *event, size_t index, stamma_event_game *game);

typedef struct stamma_event_team {
    stamma_text name;
    uint32_t rank; /* from 1: by match points, points of the boards, and direct encounter */
    uint32_t matches, wins, draws, losses;
    uint32_t match_points; /* 2 for a win, 1 for a draw */
    uint32_t points;       /* of the boards, in half points */
    uint64_t reserved[2];  /* 0; space for later versions, so that the struct never grows */
} stamma_event_team;

/* Stores a team. `index`: 0 to facts.teams - 1, in the order of the standings. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_event_team_at(const stamma_event *event, size_t index, stamma_event_team *team);

/* A match of two teams in a round, or of two players in a knock-out. */
typedef struct stamma_event_match {
    uint32_t round;       /* of its first game; 0: unknown */
    uint32_t sides[2];    /* indexes of teams, or of players */
    uint32_t points[2];   /* in half points */
    uint32_t games;       /* games with a result */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_event_match;

/* Stores a match. `index`: 0 to facts.matches - 1, in the order of their first games. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_event_match_at(const stamma_event *event, size_t index, stamma_event_match *match);

/* What a check of an event finds. Permanent values. */
typedef enum stamma_event_finding_kind {
    STAMMA_EVENT_MISSING_GAME = 1,  /* round robin: two players have fewer games than others: `count` are missing */
    STAMMA_EVENT_MISSING_ROUND = 2, /* no game of a round, although later rounds have games */
    STAMMA_EVENT_MISSING_BOARD = 3, /* a round, or a match of two teams, lacks `count` boards */
    STAMMA_EVENT_SAME_GAME = 4,     /* a game occurs twice */
    STAMMA_EVENT_TWO_GAMES = 5,     /* a player has two opponents in one round */
    STAMMA_EVENT_UNPLAYED = 6,      /* a bye or a forfeit */
    STAMMA_EVENT_NO_RESULT = 7,     /* a game without a result */
    STAMMA_EVENT_RESULT_TEXT = 8,   /* the movetext ends with another result than the tag Result */
    STAMMA_EVENT_RESULT_MATE = 9,   /* the final position is checkmate or stalemate, and the result is another */
    STAMMA_EVENT_RATING = 10,       /* two ratings of a player in one month */
    STAMMA_EVENT_TITLE = 11         /* two titles of a player */
} stamma_event_finding_kind;

/* Returns the permanent name of a kind: "missing-game"; "" for any other value. Never NULL. Static. */
STAMMA_API const char *stamma_event_finding_name(stamma_event_finding_kind kind);

typedef struct stamma_event_finding {
    stamma_event_finding_kind kind;
    uint32_t round;       /* 0: unknown, or no matter */
    uint32_t players[2];  /* indexes of players, or of teams for a match; STAMMA_EVENT_NO_PLAYER: none */
    uint32_t count;       /* number of missing games or boards; otherwise 1 */
    size_t games[2];      /* indexes of games; SIZE_MAX: none */
    uint64_t reserved[2]; /* 0; space for later versions, so that the struct never grows */
} stamma_event_finding;

/* Stores a finding. `index`: 0 to facts.findings - 1, by kind, then by round. Errors: BAD_ARGUMENT. */
STAMMA_API stamma_error stamma_event_finding_at(const stamma_event *event, size_t index, stamma_event_finding *finding);

#ifdef __cplusplus
}
#endif

#endif
