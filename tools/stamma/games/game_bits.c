/* SPDX-License-Identifier: MIT */
/* The information of each move of a game in bits, according to the predictor: how surprising the move was. */
#include <math.h>

#include "games/game_views.h"

bool tool_view_predict(tool_view *view)
{
    const stamma_archive_game *game = view->game;
    const stamma_game_context context = stamma_archive_game_context(game);
    if (stamma_predictor_id() == 0)
        return true;
    if (view->frequencies_room < game->ply_count || !view->frequencies) {
        uint32_t *grown = realloc(view->frequencies, (game->ply_count + 1) * sizeof *grown);
        if (!grown)
            return false;
        view->frequencies = grown;
        view->frequencies_room = game->ply_count;
    }
    const stamma_predict_options options = {.size = sizeof options,
                                            .context = view->stop ? view->stop->context : NULL,
                                            .stop = view->stop ? view->stop->is_stopped : NULL};
    return stamma_predict_game_with(&game->start, game->moves, game->ply_count, &context, &options,
                                    view->frequencies) == STAMMA_OK;
}

double tool_bits_of(uint32_t frequency)
{
    return log2((double)STAMMA_PREDICT_TOTAL / frequency);
}

double tool_view_bits(const tool_view *view, size_t ply)
{
    return tool_bits_of(view->frequencies[ply]);
}
