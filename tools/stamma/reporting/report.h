/* SPDX-License-Identifier: MIT */
/* The data of a report about a player's games: the games, their counts, the repertoire and the novelties. */
#ifndef STAMMA_REPORT_H
#define STAMMA_REPORT_H

#include "questions/answer_search.h"

typedef enum report_outcome { REPORT_UNFINISHED, REPORT_WON, REPORT_DRAWN, REPORT_LOST } report_outcome;

/* Moves by number, for time use: 1 to 10, 11 to 20 ... and all from 41. */
enum { REPORT_SPANS = 5, REPORT_SPAN_MOVES = 10, REPORT_SPEEDS = STAMMA_SPEED_CORRESPONDENCE + 1 };

/* Clocks of the player in one game, or in several. */
typedef struct report_time {
    uint64_t games;
    uint64_t moves[REPORT_SPANS];
    uint64_t spent_ms[REPORT_SPANS];
    uint64_t short_games;  /* games in which a tenth of the time or less was left */
    uint64_t short_points; /* half points in the finished games among the short games */
    uint64_t short_finished;
} report_time;

/* A game of the player. The game owns its texts, except the texts of the opening, which are static. */
typedef struct report_game {
    size_t archive;
    uint64_t number;
    stamma_color color;
    report_outcome outcome;
    stamma_date date;                 /* all 0: unknown */
    unsigned rating, opponent_rating; /* 0: unknown */
    char *name, *opponent, *event;    /* UTF-8 or Windows-1252, without escapes; "?" if the tag is missing */
    stamma_text eco, opening;         /* by the moves; empty: none */
    bool standard;                    /* begins in the initial position */
    size_t plies;
    stamma_move *moves; /* of a standard game; of a game of an opening, those after r->start */
    size_t before;      /* plies before these moves */
    stamma_speed speed;
    report_time time; /* `games` is 0 without usable clocks */
} report_game;

/* Results from the side of the player. */
typedef struct report_tally {
    uint64_t games, won, drawn, lost; /* the other games are unfinished */
    uint64_t plies;
    stamma_tree_counts rated; /* opponents, opponent_sum and half_points */
} report_tally;

typedef struct report_row {
    stamma_text name;
    uint64_t number; /* of a table by number; otherwise 0 */
    report_tally tally;
    uint64_t rated, rating_sum; /* ratings of the player */
} report_row;

typedef struct report_table {
    report_row *rows;
    size_t count, room;
} report_table;

/* A move of the repertoire. Nodes are in the order of a walk: the children of a node follow it, most games first. */
typedef struct report_node {
    unsigned depth; /* plies from the initial position, from 1 */
    stamma_move move;
    char san[STAMMA_SAN_SIZE], uci[STAMMA_UCI_SIZE];
    uint64_t games, won, drawn, lost;
    uint64_t dated, recent;       /* games with a date, and of these from r->recent_from on */
    uint64_t of_dated, of_recent; /* the same of all games with a move in the position before it */
    uint64_t rated, rating_sum;   /* of the opponents; in a report of an opening, mean ratings of both players */
    uint64_t continued;           /* games with a move in the position after it, whatever moves led there */
    stamma_text opening;          /* of the position after the move; empty: it has no name */
    bool again;                   /* the position occurred before in the walk, with its continuations */
    uint32_t last;                /* latest date of the games: year * 10000 + month * 100 + day; 0: unknown */
    double bits;                  /* of the player's moves, by the predictor; NAN: not computed */
} report_node;

typedef struct report_tree {
    report_node *nodes;
    size_t count, room;
    uint64_t games; /* standard games of the color */
    uint64_t least; /* smallest number of games of a node */
} report_tree;

/* A move after which the position was new. */
typedef struct report_novelty {
    const report_game *game;
    size_t ply;         /* number of the move in plies, from 1 */
    uint64_t followers; /* later games that reach the position */
} report_novelty;

typedef struct report {
    answer_search search;
    char **paths;
    size_t path_count;
    const char *player;     /* the name for people */
    tool_value chosen;      /* the option --player or --person */
    int color;              /* STAMMA_WHITE or STAMMA_BLACK; -1: both */
    uint64_t depth;         /* of the repertoire in plies */
    uint64_t least;         /* smallest number of games of a move; UINT64_MAX: 2 % of the games, at least 2 */
    uint64_t novelty_ply;   /* novelties come after this ply */
    uint64_t recent, limit; /* rows of the recent games, and of other tables */
    bool no_novelties;
    bool bits;                 /* compute report_node.bits */
    stamma_position start;     /* of the trees */
    uint32_t recent_from;      /* first recent date, as report_node.last; 0: none */
    bool unique;               /* a game that occurs several times counts once */
    stamma_game_set *known;    /* with `unique`: the games of the player that were read */
    stamma_query *white_query; /* whether the player has White */
    stamma_matcher *white;
    report_game *games; /* by date, unknown dates first; then by archive and number */
    size_t count, room;
    uint64_t set_up;                   /* games that begin in another position */
    uint64_t untimed;                  /* games with clocks, but without a time control that can be used */
    uint64_t complete;                 /* standard games with a complete date, which can have novelties */
    report_tally all, colors[2], last; /* last: of the recent games */
    report_table names, years, ratings, lengths, opponents, openings[2];
    report_time time[REPORT_SPEEDS];
    report_tree trees[2];
    report_novelty *novelties; /* most followers first */
    size_t novelty_count, novelty_room;
} report;

/* ---- games (report_games.c) ---- */

/* Reads the games of the player. Returns false, after a message, on failure. */
bool report_games_read(report *r);
/* Adds a game of the player in the archive with this index; r->white must be open if r->color is -1. Returns false,
 * after a message, if memory is exhausted. */
bool report_games_add(report *r, size_t archive, const stamma_archive_game *game);
/* Sorts the games, after all have been added. */
void report_games_sort(report *r);
void report_games_close(report *r);
/* Adds a game to a set; NULL: none. *added is false if the set contains the game. A game that only its text identifies
 * is never contained. Returns false, after a message, if memory is exhausted. */
bool report_set_add(stamma_game_set *set, const stamma_archive_game *game, bool *added);
/* Returns whether a position is the initial one. */
bool report_is_initial(const stamma_position *position);

/* ---- counts (report_counts.c) ---- */

/* Makes all tables. */
bool report_count(report *r);
/* Makes the tables of a report of an opening: years, ratings and lengths, from the side of White. */
bool report_count_opening(report *r);
void report_counts_close(report *r);
/* Returns the points in percent of the finished games; NAN: none is finished. */
double report_score(uint64_t won, uint64_t drawn, uint64_t lost);
double report_tally_score(const report_tally *tally);
/* Returns the mean rating of the opponents in finished games; 0: unknown. */
unsigned report_opposition(const report_tally *tally);

/* ---- repertoire (report_tree.c) ---- */

bool report_trees_make(report *r);
/* Makes the tree of the games of White. */
bool report_tree_make(report *r, stamma_color color);
void report_trees_close(report *r);

/* ---- novelties (report_novelties.c) ---- */

/* Reads all games of the archives, and finds the novelties. */
bool report_novelties_find(report *r);
/* Writes the moves of a game up to a ply, "1. e4 e5 2. Nf3". The caller frees the text. */
char *report_line(const report_game *game, size_t plies);

/* ---- JSON (report_json.c) and words (report_counts.c) ---- */

/* Prints the report. Returns false, after a message, on failure. */
bool report_put_json(const report *r);

/* Writes the name of a row by number: "2019", "2400-2499", "21-30". */
typedef enum report_kind { REPORT_YEARS, REPORT_RATINGS, REPORT_LENGTHS } report_kind;
const char *report_row_name(report_kind kind, const report_row *row, char out[32]);
/* Returns the value of a tag without escapes, to be released with free(); "?" if it is missing. NULL: out of memory. */
char *report_tag(const stamma_archive_game *game, const char *name);
/* Returns the result from the side of a player. */
report_outcome report_outcome_of(stamma_result result, stamma_color color);
/* Writes the date of a game, "2019-05-31"; "?" if it is unknown. */
const char *report_date(const report_game *game, char out[16]);
/* Returns "won", "drawn", "lost" or "unfinished". */
const char *report_outcome_word(report_outcome outcome);
/* Writes the span of moves with this index: "1-10", "41+". */
const char *report_span_name(size_t span, char out[16]);
/* Returns the seconds for each move in a span; NAN: none is known. */
double report_span_seconds(const report_time *time, size_t span);

#endif
