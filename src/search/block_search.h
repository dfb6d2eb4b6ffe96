/* SPDX-License-Identifier: MIT */
/* The search of one block of an archive by one thread (search_block.c), for search.c. */
#ifndef STAMMA_SEARCH_BLOCK_SEARCH_H
#define STAMMA_SEARCH_BLOCK_SEARCH_H

#include "archive/reader.h"
#include "search/plan_verify.h"
#include "search/search_index.h"
#include "search/verdicts.h"

/* Maximum memory of one job in bytes. It is equal to the limit of an unpack job, although a search job does not keep
 * the text. */
#define SEARCH_JOB_MEMORY UNPACK_JOB_MEMORY

/* A match. Its plies are stored after the plies of earlier matches. */
typedef struct block_match {
    uint32_t game; /* number of the game in the block, counted from 1 */
    uint32_t ply_count;
} block_match;

struct search_job;

/* An archive with an index file. */
typedef struct file_search {
    const stamma_search_index *index;
    const stamma_bytes *archive;
    stamma_text name; /* of the archive */
    const stamma_query *query;
    search_limits *limits;
    const stamma_executor *executor;
} file_search;

/* A result that is computed from all matching games, such as a tree, instead of a list of matches. Each job computes a
 * partial result, and at the end all partial results are merged (gather.c). */
typedef struct gathering {
    void *whole;         /* the complete result */
    unsigned parts;      /* STAMMA_GAME_...: the parts of games that it needs */
    stamma_text archive; /* name of the archive */
    stamma_error (*open)(const void *whole, const stamma_allocator *allocator, void **part);
    /* Adds games with verdict YES from the block's index, and sets the verdict of each added game that need not be read
     * to NO. NULL: all matching games are read. */
    stamma_error (*add_index)(void *part, struct search_job *job);
    /* Adds a matching game. */
    stamma_error (*add_game)(void *part, stamma_text archive, const stamma_archive_game *game);
    /* Adds a matching game by its facts in an index file. NULL: matching games are read. */
    void (*add_facts)(void *part, const index_facts *facts);
    /* Adds games from an index file, and lists in the plan the games that must be read. If the plan is not usable
     * afterwards, nothing was added. Errors: CORRUPT (the file is damaged), NO_MEMORY, CANCELLED. NULL: not
     * possible. */
    stamma_error (*add_file)(void *part, const file_search *from, search_plan *plan);
    stamma_error (*merge)(void *whole, void *part); /* afterwards, `part` may only be closed; `whole` may also be a
                                                     * partial result */
    void (*close)(void *part);
    /* for trees: called after each block with the result so far */
    void (*so_far)(void *context, const stamma_tree *part);
} gathering;

typedef struct search_job {
    /* Input; owned by the caller. */
    const stamma_query *query;  /* NULL: all games match */
    const gathering *gathering; /* NULL: the result is a list of matches */
    search_limits *limits;
    const stamma_flags *flags; /* of the archive's games; NULL: none */
    bool reads_all;            /* no search columns are used */
    found_block at;
    buffer payload;         /* the block's frame, if the archive is read from an input */
    const kept_block *kept; /* kept index of the block; NULL: none */
    /* games of the block that an index file lists; other games do not match. NULL: there is no list */
    const planned_game *planned;
    size_t planned_count;
    bool settled; /* all listed games match and need not be read */
    /* tests of listed games that may match, and the filter of their segment; NULL: these games must be read */
    const plan_tests *tests;
    const plan_filter *filter;
    /* Output, in the order of the games. After an error: the matches before the error. */
    buffer matches; /* block_match */
    buffer plies;   /* uint32_t */
    stamma_error error;
    uint64_t error_game; /* in the block, counted from 1; 0: no particular game */
    /* Private. */
    plan_verifier verifier;
    buffer left;      /* planned_game: listed games without those that the tests exclude */
    size_t undecided; /* number of those that the tests do not decide */
    block_reader block;
    game_batch batch;
    stamma_matcher *matcher; /* NULL before first use */
    block_index own;         /* used if no index is kept */
    const block_index *index;
    block_verdicts verdicts;
    buffer known; /* uint8_t per record: verdicts of planned games */
    bool judged;  /* `verdicts` is valid for this block */
    void *part;   /* partial result of all blocks so far; NULL before first use */
    uint64_t games_read;
} search_job;

extern const job_kind stamma_search_jobs;

/* ---- tree_block.c ---- */

/* Adds games that reach the position of a tree to this tree, the partial result of a gathering. Only games for which
 * the block's index is enough are added.
 * Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_tree_add_index(void *tree, search_job *job);

/* ---- tree_file.c ---- */

/* Adds games that reach the position of a tree to this tree; see gathering.add_file. */
stamma_error stamma_tree_add_file(void *tree, const file_search *from, search_plan *plan);

/* ---- stats_file.c ---- */

/* Adds all games to statistics, if the query has no condition; see gathering.add_file. */
stamma_error stamma_stats_add_file(void *stats, const file_search *from, search_plan *plan);

/* Adds the results of those matching games that the index file decides to a results_part; see gathering.add_file. */
stamma_error stamma_results_add_file(void *results, const file_search *from, search_plan *plan);

/* ---- stats_block.c ---- */

/* Adds the games for which the block's index is enough to statistics: games of level 1 that begin in the initial
 * position.
 * Errors: NO_MEMORY, CANCELLED. */
stamma_error stamma_stats_add_index(void *stats, search_job *job);
/* The partial result of a job that counts only results (gather.c). */
typedef struct results_part {
    stamma_stats_results results; /* first, because parts are merged like the whole result */
    stamma_allocator allocator;
} results_part;
/* Adds the results of games that need not be read to a results_part, at any level. */
stamma_error stamma_results_add_index(void *results, search_job *job);

/* ---- search.c ---- */

/* Opens a search like stamma_search_open. With a gathering, which must remain valid, the search returns no matches and
 * ignores "offset" and "limit". */
stamma_error stamma_search_open_for(stamma_archive *archive, const stamma_query *query,
                                    const stamma_search_options *options, const gathering *gathering,
                                    stamma_search **search);
/* Return the jobs of a search, and the merged partial results of the jobs whose results were merged so far (NULL: no
 * job's result was). */
const job_ring *stamma_search_ring(const stamma_search *search);
void *stamma_search_gathered(const stamma_search *search);

STAMMA_INLINE size_t search_job_matches(const search_job *j)
{
    return j->matches.size / sizeof(block_match);
}

#endif
