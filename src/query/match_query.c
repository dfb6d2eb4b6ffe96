/* SPDX-License-Identifier: MIT */
/* Tests a query on a game: on its main line, then on its variations. Stores the plies that are found. */
#include "query/query.h"

/* Finds the plies of the match and stores them in `reported`. Returns the first, or SIZE_MAX if there is none. */
static size_t find_first(stamma_matcher *m)
{
    const stamma_query *query = m->query;
    uint64_t *set = stamma_match_main_line(m);
    size_t first = plies_next(m, set, 0);
    bool varied = query->variations && !m->outer && !m->game->no_start && (first == SIZE_MAX || query->all_matches);
    if (first != SIZE_MAX && !query->all_matches && !m->failed)
        stamma_match_report(m, first);
    if (varied && !m->failed) {
        stamma_match_variations(m, set);
        first = plies_next(m, set, 0);
    }
    if (query->all_matches || varied)
        stamma_match_report_all(m, set, !query->all_matches);
    return first;
}

stamma_error stamma_matcher_test(stamma_matcher *matcher, const stamma_archive_game *game, bool *found,
                                 const uint32_t **plies, size_t *count)
{
    if (!matcher || !game || !found)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (game->ply_count > 0 && !game->moves && matcher->query->parts & STAMMA_GAME_MOVES && !game->continuation)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!stamma_matcher_begin(matcher, game))
        return STAMMA_ERROR_NO_MEMORY;
    size_t first = game->continuation ? SIZE_MAX : find_first(matcher);
    if (matcher->failed)
        return STAMMA_ERROR_NO_MEMORY;
    *found = first != SIZE_MAX;
    if (plies)
        *plies = (const uint32_t *)(const void *)matcher->reported.data;
    if (count)
        *count = matcher->reported.size / sizeof(uint32_t);
    return STAMMA_OK;
}
