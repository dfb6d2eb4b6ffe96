/* What `stamma tree`, `stats` and `merge-stats` share: archives searched for an answer that adds up, and the answer
 * told. */
#ifndef STAMMA_ANSWERS_H
#define STAMMA_ANSWERS_H

#include "questions/find.h"

/* ---- the archives (answers.c) ---- */

typedef struct answer_search {
    tool_values values; /* of conditions */
    uint64_t threads, memory;
    bool quiet;
    stamma_query *query; /* of these, once they are parsed */
    find_source *sources;
    size_t source_count;
    find_source *source; /* that is searched */
    stamma_executor executor;
    tool_threads *team;
    tool_progress progress;
    uint64_t passed; /* bytes of the archives before the one that is searched */
} answer_search;

/* Options of all of them; each command has its own before these. */
#define ANSWER_OPTIONS(s)                                                                       \
    {TOOL_OPTION_THREADS, .number = &(s)->threads}, {TOOL_OPTION_MEMORY, .size = &(s)->memory}, \
    {                                                                                           \
        'q', "quiet", NULL, "no progress", .flag = &(s)->quiet                                  \
    }

/* Opens all archives and searches one after another: `add` takes one into the answer. False where that fails, which is
 * told. */
bool answer_search_run(answer_search *s, char **paths, size_t count,
                       stamma_error (*add)(void *context, const answer_search *s, const find_source *source,
                                           const stamma_search_options *options, stamma_place *place),
                       void *context);
void answer_search_close(answer_search *s);

/* ---- what is told (answer_tables.c) ---- */

/* As a line of JSON; at most so many moves or rows. False when there is no memory, which is told. */
bool answer_tree_json(stamma_tree *tree, uint64_t limit);
bool answer_stats_json(stamma_stats *stats, uint64_t limit);
/* As tables for people. */
void answer_tree_table(stamma_tree *tree, uint64_t limit);
bool answer_stats_table(stamma_stats *stats, uint64_t limit);

/* ---- how games ended (answer_results.c), by result: 0 unfinished, 1 White won, 2 Black, 3 drawn ---- */

/* As a line, or as JSON. */
void answer_results_print(const uint64_t results[4], bool json);
/* Whether a line is what that prints as JSON, by its kind; !*right: it has not the members of that, or they contradict
 * one another. */
bool answer_results_read(stamma_text json, uint64_t results[4], bool *right);

#endif
