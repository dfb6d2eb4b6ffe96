/* SPDX-License-Identifier: MIT */
/* Allocation-failure sweeps. A piece of work must survive the failure of any single allocation, and of all allocations
 * from any allocation on. */
#ifndef STAMMA_TESTS_ALLOCATION_H
#define STAMMA_TESTS_ALLOCATION_H

#include "archive_support.h"

/* The argument of work. The work appends its results to `result`, which must be the same in each run. */
typedef struct trial {
    const stamma_allocator *allocator;
    const stamma_executor *executor;
    int level;
    uint64_t memory;        /* the option `memory` */
    const listing *text;    /* games */
    const listing *archive; /* an archive of some games */
    const char *query;
    listing result;
} trial;

/* Returns the first error. Must close everything that it opens. */
typedef stamma_error work(trial *t);

/* Runs the work without failures, then with failing allocations: the n-th allocation only, and all allocations from the
 * n-th on. n selects the first few allocations, and the first and the last of each call stack that no earlier sweep has
 * failed (LONG=1: of each call stack). Asserts that:
 * - the work returns NO_MEMORY, or OK with the same result as without failures;
 * - no memory is leaked;
 * - the result does not depend on the initial contents of new memory. */
void sweep(work *w, trial t);

/* Makes a call unless there was an error. Needs a variable `error`. */
#define STEP(call)              \
    do {                        \
        if (error == STAMMA_OK) \
            error = (call);     \
    } while (0)

/* Like STEP, for a call that opens an object. Asserts that a failed call leaves the pointer unchanged, and then sets
 * the pointer to NULL. */
#define OPEN(object, call)                           \
    do {                                             \
        if (error == STAMMA_OK) {                    \
            (object) = (void *)&untouched_object;    \
            error = (call);                          \
            if (error != STAMMA_OK)                  \
                (object) = expect_untouched(object); \
        }                                            \
    } while (0)

extern uint64_t untouched_object;
/* Asserts that the pointer points to `untouched_object`. Returns NULL. */
void *expect_untouched(const void *object);

/* Runs each piece of work immediately in the calling thread. */
extern const stamma_executor immediate_executor;

#endif
