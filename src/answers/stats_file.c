/* SPDX-License-Identifier: MIT */
/* Adds the statistics of all games from an index file, and counts the results of games by their facts. */
#include "answers/answers.h"
#include "search/block_search.h"

static bool is_of_all_games(const stamma_query *query)
{
    return !query || (!query->root.rules && query->root.plies <= 1);
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

stamma_error stamma_results_add_file(void *part, const file_search *from, search_plan *plan)
{
    uint64_t counts[4] = {0};
    const plan_purpose purpose = {.query = from->query,
                                  .limits = from->limits,
                                  .executor = from->executor,
                                  .results = counts,
                                  .memory = UINT64_MAX};
    stamma_error error = stamma_search_plan_make(plan, from->index, from->archive, &purpose);
    for (unsigned n = 0; n < 4 && plan->usable; n++) {
        stamma_stats_results all = stamma_stats_results_of(stamma_result_of_column(n));
        all.games *= counts[n];
        all.white_wins *= counts[n];
        all.draws *= counts[n];
        all.black_wins *= counts[n];
        stamma_stats_add_results(&((results_part *)part)->results, &all);
    }
    return error;
}
