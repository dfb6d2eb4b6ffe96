/* Allocation-failure sweeps: work that must survive the failure of any single allocation, and of all from any one on.
 */
#ifndef STAMMA_TESTS_ALLOCATION_H
#define STAMMA_TESTS_ALLOCATION_H

#include "archive_support.h"

/* What a piece of work is called with. It adds what it finds out to `result`, which must be the same each time. */
typedef struct trial {
    const stamma_allocator *allocator;
    const stamma_executor *executor;
    int level;
    uint64_t memory;     /* the option of that name */
    unsigned thinned;    /* how slow the work is: 0 to 2. Of slow work, and with sanitizers, fewer allocations fail */
    const listing *text; /* games */
    const listing *archive; /* of these */
    const char *query;
    listing result;
} trial;

/* Returns the first error. All that it opens is closed when it returns. */
typedef stamma_error work(trial *t);

/* Runs the work without failures, then with the n-th allocation failing, and with all from the n-th on failing: for
 * small n each, then for some. Asserts that the work returns NO_MEMORY, or OK with the result that it has without
 * failures; that nothing is left allocated; and that no result depends on what new memory contains. */
void sweep(work *w, trial t);

/* Within a piece of work with a variable `error`: makes a call unless there was an error. */
#define STEP(call)              \
    do {                        \
        if (error == STAMMA_OK) \
            error = (call);     \
    } while (0)

/* The same for a call that opens an object: asserts that a failure leaves the pointer unchanged, and makes it NULL. */
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
/* Fails unless the pointer is to that object. Returns NULL. */
void *expect_untouched(const void *object);

/* Executes each piece of work when it is started. */
extern const stamma_executor immediate_executor;

#endif
