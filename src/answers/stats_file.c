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

/* Counts the results of the matching games of a segment. Sets *decided to false if a game must be read to decide its
 * result. */
static stamma_error count_segment(const plan_filter *f, search_limits *limits, stamma_stats_results *results,
                                  bool *decided)
{
    enum { AT_ONCE = 1 << 12 };
    const uint32_t end = f->segment->counts[COUNT_GAMES];
    uint32_t tested = 0;
    for (uint32_t rank = 0; *decided && (rank = plan_filter_next(f, rank, end)) < end; rank++) {
        if (tested++ % AT_ONCE == 0 && stamma_search_is_stopped(limits))
            return STAMMA_ERROR_CANCELLED;
        const verdict v = stamma_plan_filter_test(f, rank);
        index_facts facts;
        *decided = v != VERDICT_MAYBE;
        if (v != VERDICT_YES || !stamma_index_facts(f->file, f->segment, rank, &facts, NULL))
            continue;
        const stamma_stats_results one = stamma_stats_results_of(stamma_result_of_column(facts.result));
        stamma_stats_add_results(results, &one);
    }
    return atomic_load_explicit(&f->file->damaged, memory_order_relaxed) ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

stamma_error stamma_results_add_file(void *part, const file_search *from, search_plan *plan)
{
    results_part *p = (results_part *)part;
    index_file *x = from->index->file;
    bool decided = from->query && stamma_plan_filters_condition(&from->query->root);
    fact_tables *tables = decided ? stamma_fact_tables_make(&from->query->root, &p->allocator) : NULL;
    plan_filter f = {.tables = tables};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < x->segment_count && error == STAMMA_OK && decided; n++) {
        error = stamma_plan_filter_open(&f, x, &x->segments[n], &from->query->root);
        if (error == STAMMA_OK)
            error = count_segment(&f, from->limits, &p->results, &decided);
        stamma_plan_filter_release(&f);
    }
    memory_release(&p->allocator, tables);
    plan->usable = decided && error == STAMMA_OK;
    return error;
}
