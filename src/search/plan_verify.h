/* SPDX-License-Identifier: MIT */
/* Tests the games of a plan with the moves, facts and names of an index file, instead of reading their blocks. */
#ifndef STAMMA_PLAN_VERIFY_H
#define STAMMA_PLAN_VERIFY_H

#include "search/search_plan.h"

/* What the tests need. It does not change after it is made, and the jobs of a search share it. */
typedef struct plan_tests {
    const stamma_query *query;
    const stamma_bytes *archive;
    index_file *file;
    plan_filter *filters; /* by segment */
    size_t filter_count;  /* number of filters that are open */
    bool verifies;        /* the moves, facts and names decide the query */
    size_t target_count;  /* 0: no rule of the query could be compiled to targets */
    position_target targets[TARGETS_MAX];
    bool decides; /* a game with a target matches if its facts and names do, from the first ply with a target on */
} plan_tests;

/* Makes tests without filters. `query` NULL: all games match. Returns NULL if memory is exhausted. */
plan_tests *stamma_plan_tests_new(const stamma_query *query, index_file *file, const stamma_bytes *archive,
                                  const stamma_allocator *allocator);
/* NULL is allowed. */
void stamma_plan_tests_free(plan_tests *t, const stamma_allocator *allocator);
/* Returns the filter of the segment of a block. */
const plan_filter *stamma_plan_tests_filter(const plan_tests *t, size_t block);

/* Tests one game after another. Each job has its own. */
typedef struct plan_verifier {
    const plan_tests *tests;
    const plan_filter *filter;
    uint32_t rank;
    piece_board start; /* the initial position */
    uint32_t first;    /* the first ply with a target */
    bool undecided;    /* facts and names do not decide a rule of the game */
    index_moves moves;
    stamma_matcher *matcher; /* NULL before first use */
    buffer codes;            /* uint8_t */
    buffer line;             /* stamma_move */
} plan_verifier;

void stamma_plan_verifier_init(plan_verifier *v, const stamma_allocator *allocator);
void stamma_plan_verifier_release(plan_verifier *v);
/* Sets the tests and the filter of the next games. The tests must be the same in all calls. */
void stamma_plan_verifier_begin(plan_verifier *v, const plan_tests *tests, const plan_filter *filter);
/* Tests the game of a rank. Stores the verdict; MAYBE: the game must be read. For YES, stores the plies that match,
 * valid until the next call. Returns NO_MEMORY on failure. */
stamma_error stamma_plan_verify(plan_verifier *v, uint32_t rank, verdict *result, const uint32_t **plies,
                                size_t *count);

#endif
