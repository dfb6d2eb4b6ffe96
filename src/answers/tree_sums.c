/* SPDX-License-Identifier: MIT */
/* Adds sums of games, from a block or an index file, to a tree. */
#include "answers/answers.h"

stamma_result stamma_result_of_column(unsigned result)
{
    static const stamma_result results[] = {STAMMA_RESULT_WHITE, STAMMA_RESULT_BLACK, STAMMA_RESULT_DRAW,
                                            STAMMA_RESULT_UNKNOWN};
    return results[result & 3];
}

static stamma_tree_counts counts_of(const index_sum *s, unsigned mover)
{
    stamma_tree_counts c = {.games = index_sum_games(s),
                            .white_wins = s->results[0],
                            .black_wins = s->results[1],
                            .draws = s->results[2],
                            .rated = s->rated,
                            .rating_sum = s->rating_sum,
                            .opponents = s->opposed[mover],
                            .opponent_sum = s->opposed_sum[mover],
                            .half_points = s->half_points[mover],
                            .last_date = tree_date_of_month(s->last_month)};
    for (unsigned color = STAMMA_WHITE; color <= STAMMA_BLACK; color++) {
        c.opposed[color] = s->opposed[color];
        c.opposed_sum[color] = s->opposed_sum[color];
        c.opposed_points[color] = s->half_points[color];
    }
    return c;
}

static stamma_tree_game game_of(stamma_text archive, const index_example *e, stamma_move move)
{
    return (stamma_tree_game){.archive = archive,
                              .game = e->game,
                              .move = move,
                              .ended = e->code == INDEX_NO_MOVE,
                              .white_rating = e->facts.rating[STAMMA_WHITE],
                              .black_rating = e->facts.rating[STAMMA_BLACK],
                              .result = stamma_result_of_column(e->facts.result),
                              .date = tree_date_of_month(e->month),
                              .speed = (stamma_speed)e->facts.speed,
                              .mode = (stamma_mode)e->facts.mode};
}

static stamma_error add_sum(stamma_tree *tree, stamma_text archive, const index_sum *s, unsigned code)
{
    stamma_tree_move move = {.counts = counts_of(s, tree->position.side)};
    stamma_tree_add_counts(&tree->counts, &move.counts);
    if (code == INDEX_NO_MOVE)
        return STAMMA_OK;
    stamma_error error = stamma_byte_decode(&tree->position, (uint8_t)code, &move.move);
    if (error != STAMMA_OK)
        return error;
    move.top = game_of(archive, &s->top, move.move);
    move.recent = game_of(archive, &s->recent, move.move);
    return stamma_tree_count_move(tree, &move);
}

static stamma_error add_examples(stamma_tree *tree, stamma_text archive, const index_example_list *list,
                                 bool (*keep)(stamma_tree *, const stamma_tree_game *))
{
    for (size_t n = 0; n < list->count; n++) {
        const index_example *e = &list->games[n];
        stamma_move move = STAMMA_MOVE_NULL;
        if (e->code != INDEX_NO_MOVE && stamma_byte_decode(&tree->position, (uint8_t)e->code, &move) != STAMMA_OK)
            return STAMMA_ERROR_CORRUPT;
        const stamma_tree_game game = game_of(archive, e, move);
        if (!keep(tree, &game))
            return STAMMA_ERROR_NO_MEMORY;
    }
    return STAMMA_OK;
}

static bool add_months(stamma_tree *tree, const index_sums *sums)
{
    bool added = true;
    for (uint32_t n = 0; n < INDEX_MONTHS && added && sums->months; n++) {
        const tree_results results = {
            .white = sums->months[n][0], .black = sums->months[n][1], .draws = sums->months[n][2]};
        if (results.white + results.black + results.draws > 0)
            added = stamma_tree_count_month(tree, tree_date_of_month(n), &results);
    }
    return added;
}

stamma_error stamma_tree_add_sums(stamma_tree *tree, stamma_text archive, const index_sums *sums)
{
    stamma_error error = STAMMA_OK;
    for (unsigned code = 0; code < INDEX_SUM_CODES && error == STAMMA_OK; code++)
        if (index_sum_games(&sums->of[code]) > 0)
            error = add_sum(tree, archive, &sums->of[code], code);
    if (error == STAMMA_OK)
        error = add_examples(tree, archive, &sums->top, stamma_tree_keep_top);
    if (error == STAMMA_OK)
        error = add_examples(tree, archive, &sums->recent, stamma_tree_keep_recent);
    return error == STAMMA_OK && !add_months(tree, sums) ? STAMMA_ERROR_NO_MEMORY : error;
}
