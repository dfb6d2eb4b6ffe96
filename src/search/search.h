/* The search room: queries answered from the blocks of an archive. */
#ifndef STAMMA_SEARCH_H
#define STAMMA_SEARCH_H

#include "query/query.h"

#include <stdatomic.h>

/* ---- search_limits.c: what ends a search before its blocks are through ---- */

/* Shared by the jobs of a search. */
typedef struct search_limits {
    atomic_bool ended;
    uint64_t deadline;           /* of stamma_clock_ms; 0: none */
    bool (*stop)(void *context); /* the caller's; NULL: none */
    void *context;
    stop_check check; /* the same for readers of blocks */
} search_limits;

void stamma_search_limits_init(search_limits *limits, const stamma_search_options *options);
/* Whether the search is to end with CANCELLED; never without limits (NULL). It costs as much as looking at a clock. */
bool stamma_search_is_stopped(search_limits *limits);

#endif
