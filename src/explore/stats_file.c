/* Adds the statistics of all games from an index file. */
#include "explore/explore.h"
#include "search/block_search.h"

static bool is_of_all_games(const stamma_query *query)
{
    return !query || (!query->root.rules && query->root.turns == 0 && query->root.plies <= 1);
}

stamma_error stamma_stats_add_file(void *part, const file_search *from, search_plan *plan)
{
    index_file *x = from->index->file;
    stamma_error error = STAMMA_OK;
    plan->usable = false;
    if (!is_of_all_games(from->query))
        return STAMMA_OK;
    for (size_t n = 0; n < x->segment_count && error == STAMMA_OK; n++)
        error = stamma_search_is_stopped(from->limits)
                    ? STAMMA_ERROR_CANCELLED
                    : stamma_index_stats_read(x, &x->segments[n], (stamma_stats *)part);
    plan->usable = error == STAMMA_OK;
    return error;
}
