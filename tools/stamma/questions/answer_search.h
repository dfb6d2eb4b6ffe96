/* SPDX-License-Identifier: MIT */
/* Archives that are searched one after another, and the answers of `stamma tree`, `stats` and `merge-stats`. */
#ifndef STAMMA_ANSWER_SEARCH_H
#define STAMMA_ANSWER_SEARCH_H

#include "questions/find.h"
#include "threads/worker_threads.h"

/* ---- the archives (answer_search.c) ---- */

typedef struct answer_search {
    tool_values values; /* values of conditions */
    uint64_t threads, memory;
    bool quiet;
    find_index index;
    bool needs_flags;    /* the flags of the games are used, even if the query does not use them */
    stamma_query *query; /* the parsed conditions */
    find_source *sources;
    size_t source_count;
    find_source *source; /* the archive being searched */
    stamma_executor executor;
    worker_threads *team;
    tool_progress progress;
    uint64_t passed; /* bytes of the archives before the current one */
    double until;    /* time of tool_clock at which searches end with CANCELLED; 0: no limit */
} answer_search;

/* Options of all of these commands; each command lists its other options first. */
#define ANSWER_OPTIONS(s)                                                                                \
    {TOOL_OPTION_THREADS, .number = &(s)->threads}, {TOOL_OPTION_MEMORY, .size = &(s)->memory},          \
        {TOOL_OPTION_INDEX, .text = &(s)->index.path}, {TOOL_OPTION_NO_INDEX, .flag = &(s)->index.none}, \
    {                                                                                                    \
        'q', "quiet", NULL, "no progress", .flag = &(s)->quiet                                           \
    }

/* Opens all archives, to report a missing one before any is searched, and starts the threads and the progress, which is
 * not shown if `hidden`. Returns false after a message. Call answer_search_close in any case. */
bool answer_search_open(answer_search *s, char **paths, size_t count, const char *verb, bool hidden);
/* Begins the search of an archive, s->source. Returns the options of the search. */
stamma_search_options answer_search_begin(answer_search *s, size_t archive);
/* Calls `take` for each game found in s->source, until it returns false; *stopped: it did. NULL: only opens the search.
 */
stamma_error answer_search_games(answer_search *s, const stamma_search_options *options,
                                 bool (*take)(void *context, const stamma_match *match), void *context,
                                 stamma_place *place, bool *stopped);
/* Ends the search of s->source: reports an index that was found damaged, and `error`. */
void answer_search_end(answer_search *s, stamma_error error, stamma_place place);

/* Opens all archives and searches one after another. `add` adds an archive to the answer. Returns false, after a
 * message, on failure. */
bool answer_search_run(answer_search *s, char **paths, size_t count,
                       stamma_error (*add)(void *context, answer_search *s, const stamma_search_options *options,
                                           stamma_place *place),
                       void *context);
void answer_search_close(answer_search *s);
/* Prints notices for a search without a result: patterns without wildcards, and for a name that no game has the names
 * that are similar (search_hints.c). Call it before answer_search_close. */
void answer_search_hint(answer_search *s);

/* ---- games by group (stats_groups.c) ---- */

typedef enum answer_groups_kind {
    GROUPS_PAWNS,    /* pawns of the position at the match */
    GROUPS_MATERIAL, /* pieces of the position at the match */
    GROUPS_YEAR,
    GROUPS_OPPONENT, /* the other player; requires `player` */
    GROUPS_OPENING,
    GROUPS_EVENT,
    GROUPS_SITE,
    GROUPS_COUNTRY,    /* of the site */
    GROUPS_TITLE,      /* of each player, whose results are counted; of the other player if there is a `player` */
    GROUPS_FEDERATION, /* the same */
    GROUPS_END
} answer_groups_kind;

typedef struct answer_groups_options {
    answer_groups_kind kind;
    const tool_value *player; /* results are from the side of this player; NULL: of White */
    tool_form form;
    bool csv_raw;
    uint64_t limit; /* maximum number of rows; UINT64_MAX: the default */
} answer_groups_options;

/* Finds a kind by its word. Returns false for another word. */
bool answer_groups_find(const char *word, answer_groups_kind *kind);
/* Counts the games found by group, and prints the groups. Returns the exit status. */
int answer_groups(answer_search *s, char **paths, size_t count, const answer_groups_options *options);

/* ---- printing (answer_tables.c) ---- */

static inline double answer_percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

static inline size_t answer_rows(uint64_t limit)
{
    return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

/* Print a table of results for people: its head, for the results of a player or of White; a row; and the number of rows
 * that are not shown, if there are any. The first column has `width` columns of the terminal. */
void answer_results_head(const char *title, int width, bool of_player);
void answer_results_row(stamma_text name, int width, uint64_t games, const uint64_t results[3], uint64_t plies);
void answer_results_more(size_t count, size_t rows);

/* Prints one line of JSON with at most `limit` moves or rows. Returns false, after a message, if memory is exhausted.
 */
bool answer_tree_json(stamma_tree *tree, uint64_t limit);
bool answer_stats_json(stamma_stats *stats, uint64_t limit);
/* Prints a table of the games by month of a tree that has a history. Returns false, after a message, if memory is
 * exhausted. */
bool answer_tree_history(stamma_tree *tree);
/* Prints tables for people. */
void answer_tree_table(stamma_tree *tree, uint64_t limit);
bool answer_stats_table(stamma_stats *stats, uint64_t limit);

/* ---- tables for programs (answer_cells.c) ---- */

/* Prints a row of names, and a row for each move, or for each row of all tables. answer_stats_cells returns false,
 * after a message, if memory is exhausted. */
void answer_tree_cells(stamma_tree *tree, uint64_t limit, tool_table *table);
bool answer_stats_cells(stamma_stats *stats, uint64_t limit, tool_table *table);

/* ---- results of games (answer_results.c), by result: 0 unfinished, 1 White won, 2 Black won, 3 draw ---- */

/* Results from the side of a player, whatever the colour. */
typedef struct answer_side {
    const char *name;
    uint64_t unfinished, won, lost, drawn;
} answer_side;

/* Prints one line, and a second line for a player if `side` is not NULL; or JSON. */
void answer_results_print(const uint64_t results[4], const answer_side *side, bool json);
/* Returns whether a line is the JSON of answer_results_print, by its "kind". *right is false if its members are
 * missing or contradict each other. */
bool answer_results_read(stamma_text json, uint64_t results[4], bool *right);

#endif
