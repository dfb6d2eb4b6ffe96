/* One block of an archive searched by a thread by itself (search_block.c), for search.c. */
#ifndef STAMMA_SEARCH_BLOCK_SEARCH_H
#define STAMMA_SEARCH_BLOCK_SEARCH_H

#include "archive/reader.h"
#include "search/search_index.h"
#include "search/verdicts.h"

/* Memory that one job takes at most, in bytes: that of an unpack job, whose text it does not hold. */
#define SEARCH_JOB_MEMORY UNPACK_JOB_MEMORY

/* A game that was found; its plies stand behind those of the games before it. */
typedef struct block_match {
    uint32_t game; /* in the block, from 1 */
    uint32_t ply_count;
} block_match;

struct search_job;

/* An answer that is made of the games found, where their numbers are none: each job has one of its own, and in the end
 * all are added up (gather.c). */
typedef struct gathering {
    void *whole;         /* what they are added up to, */
    unsigned parts;      /* which reads these parts of games: STAMMA_GAME_... */
    stamma_text archive; /* what that is called */
    stamma_error (*open)(const void *whole, const stamma_allocator *allocator, void **part);
    /* Adds what a block's index tells of games that its verdicts let through, and makes NO of those that need not be
     * read; NULL: all are. */
    stamma_error (*add_index)(void *part, struct search_job *job);
    /* Adds a game that is found. */
    stamma_error (*add_game)(void *part, stamma_text archive, const stamma_archive_game *game);
    stamma_error (*merge)(void *whole, const void *part);
    void (*close)(void *part);
    void (*so_far)(void *context, const stamma_tree *part); /* of trees: what the caller is told behind each block */
} gathering;

typedef struct search_job {
    /* What to search, which must stay. */
    const stamma_query *query;  /* NULL: all games match */
    const gathering *gathering; /* NULL: matches are wanted */
    search_limits *limits;
    bool reads_all; /* no index is asked */
    found_block at;
    const kept_block *kept; /* what is kept of it; NULL: nothing */
    /* What was found, in the order of the games: all of it, or what stands before an error. */
    buffer matches; /* block_match */
    buffer plies;   /* uint32_t */
    stamma_error error;
    uint64_t error_game; /* in the block, from 1; 0: none in particular */
    /* Its own. */
    block_reader block;
    game_batch batch;
    stamma_matcher *matcher; /* NULL until it is needed */
    block_index own;         /* index, where none is kept */
    const block_index *index;
    block_verdicts verdicts;
    bool judged; /* there are verdicts of this block */
    void *part;  /* of the answer, of all blocks so far; NULL until it is needed */
    uint64_t games_read;
} search_job;

extern const job_kind stamma_search_jobs;

/* ---- tree_block.c ---- */

/* Adds to a tree, a gathering's part, the games that have its position, as far as the index tells. CORRUPT, NO_MEMORY.
 */
stamma_error stamma_tree_add_index(void *tree, search_job *job);

/* ---- stats_block.c ---- */

/* Adds to statistics the games that the index tells all of: those of level 1, unless they are set up. NO_MEMORY,
 * CANCELLED. */
stamma_error stamma_stats_add_index(void *stats, search_job *job);
/* A job's part of results alone (gather.c). */
typedef struct results_part {
    stamma_allocator allocator;
    stamma_stats_results results;
} results_part;
/* Adds to such a part how games ended that need not be read for it, of any level. */
stamma_error stamma_results_add_index(void *results, search_job *job);

/* ---- search.c ---- */

/* As stamma_search_open; with a gathering, which must stay, no game is given, and neither "skip" nor "limit" counts. */
stamma_error stamma_search_open_for(const void *archive, size_t size, const stamma_query *query,
                                    const stamma_search_options *options, const gathering *gathering,
                                    stamma_search **search);
/* Its jobs, and what is gathered of blocks whose jobs gave it up (NULL: nothing). */
const job_ring *stamma_search_ring(const stamma_search *search);
const void *stamma_search_gathered(const stamma_search *search);

STAMMA_INLINE size_t search_job_matches(const search_job *j)
{
    return j->matches.size / sizeof(block_match);
}

#endif
