/* SPDX-License-Identifier: MIT */
/* Limits of a search, which all of its jobs check while they read a block. */
#include "search/search.h"

static bool is_stopped(void *limits)
{
    return stamma_search_is_stopped((search_limits *)limits);
}

void stamma_search_limits_init(search_limits *l, const stamma_search_options *options)
{
    atomic_init(&l->ended, false);
    l->stop = options->stop;
    l->context = options->context;
    l->check = (stop_check){is_stopped, l};
}

bool stamma_search_is_stopped(search_limits *l)
{
    if (!l)
        return false;
    if (atomic_load_explicit(&l->ended, memory_order_relaxed))
        return true;
    if (!l->stop || !l->stop(l->context))
        return false;
    /* other jobs then stop, and the callback is not called again */
    atomic_store_explicit(&l->ended, true, memory_order_relaxed);
    return true;
}
