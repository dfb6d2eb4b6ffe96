/* SPDX-License-Identifier: MIT */
/* The data and outputs of `stamma event`. */
#ifndef STAMMA_EVENT_VIEW_H
#define STAMMA_EVENT_VIEW_H

#include "questions/answer_search.h"

enum { EVENT_ARCHIVE_SHIFT = 40 }; /* numbers of games: index of the archive << this | number in the archive */
enum { EVENT_CELL_SIZE = 64, EVENT_POINTS_SIZE = 16 };

/* An event with its texts, which the view owns: UTF-8 or Windows-1252, without escapes. */
typedef struct event_view {
    stamma_event *event;
    stamma_event_facts facts;
    size_t number; /* in the list, from 1 */
    char *name, *site;
    char **names; /* of players */
    char **team_names;
    stamma_event_player *players;
    stamma_event_team *teams;
    stamma_event_match *matches;
    stamma_event_game *games;
    size_t game_count;
    size_t *first, *list; /* of each player: first entry in the list of its games, in the order of rounds */
} event_view;

typedef struct event_report {
    answer_search search;
    char **paths;
    size_t path_count;
    uint64_t limit; /* maximum number of rows of a table, and of findings of a kind */
    uint64_t number;
    bool all;
    bool full; /* print the events, not a list */
    stamma_event_options options;
    stamma_tie_break tie_breaks[6];
    stamma_events *events;
    event_view *views; /* the facts of all events that are printed */
    size_t view_count;
} event_report;

/* ---- views (event_view.c) ---- */

/* Opens the event with this index. If `full` is false, only the facts are read. Returns false, after a message, if
 * memory is exhausted; call event_view_close in any case. */
bool event_view_open(event_view *v, const event_report *r, size_t index, bool full);
void event_view_close(event_view *v);
/* Opens each event in full, calls `put`, and closes the event. Returns false if `put` does, or after a message. */
bool event_views_each(const event_report *r, bool (*put)(const event_report *r, const event_view *v));
/* Returns whether an event has a table of all players against all. */
bool event_has_cross(const event_view *v);
/* Returns whether an event has a column for each round. */
bool event_has_rounds(const event_view *v);

/* ---- words (event_words.c) ---- */

/* Writes half points, or quarter points, "6.5", "12.25". */
const char *event_half(uint32_t points, char out[EVENT_POINTS_SIZE]);
const char *event_quarter(uint32_t points, char out[EVENT_POINTS_SIZE]);
/* Writes the value of a tie-break. */
const char *event_tie_break(const stamma_event_player *p, stamma_tie_break rule, char out[EVENT_POINTS_SIZE]);
/* Writes the results of a player against another, "1", "=0"; an unplayed game is + or -. Draws are `draw`. */
const char *event_cross_cell(const event_view *v, size_t player, size_t other, const char *draw,
                             char out[EVENT_CELL_SIZE]);
/* Writes the games of a player in a round: opponent's place, colour, result, "12w1". */
const char *event_round_cell(const event_view *v, size_t player, uint32_t round, const char *draw,
                             char out[EVENT_CELL_SIZE]);
/* Writes the points of two teams against each other, "3.5 2". */
const char *event_team_cell(const event_view *v, size_t team, size_t other, char out[EVENT_CELL_SIZE]);
/* Writes the dates of an event, "2018-01-13 to 2018-01-28". */
const char *event_dates(const stamma_event_facts *facts, char out[40]);
/* Writes a sentence about a finding, to be released with free(). Returns NULL, after a message, if memory is
 * exhausted. */
char *event_finding_text(const event_report *r, const event_view *v, const stamma_event_finding *f);
/* Returns what a kind of finding means, in the plural: "games that occur twice". */
const char *event_finding_words(stamma_event_finding_kind kind);

/* ---- outputs (event_text.c, event_html.c, event_json.c): return false, after a message, on failure ---- */

bool event_put_text(const event_report *r);
bool event_put_html(const event_report *r);
bool event_put_json(const event_report *r);

#endif
