/* SPDX-License-Identifier: MIT */
/* The search room: answers queries from the blocks of an archive. */
#ifndef STAMMA_SEARCH_H
#define STAMMA_SEARCH_H

#include "query/query.h"

#include <stdatomic.h>

/* ---- search_limits.c: limits that end a search early ---- */

/* Limits that the jobs of a search share. */
typedef struct search_limits {
    atomic_bool ended;
    bool (*stop)(void *context); /* set by the caller; NULL: none */
    void *context;
    stop_check check; /* the same limits for block readers */
} search_limits;

void stamma_search_limits_init(search_limits *limits, const stamma_search_options *options);
/* Returns whether the search must end with CANCELLED. NULL: no limits. */
bool stamma_search_is_stopped(search_limits *limits);

#endif
