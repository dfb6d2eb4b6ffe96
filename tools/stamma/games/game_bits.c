/* The information of each move of a game in bits, according to the predictor: how surprising the move was. */
#include <math.h>

#include "games/game_views.h"

/* Reads a rating of one to four digits; 0 for other text, as in archives (clause 15.5 of the format). */
static uint16_t read_rating(stamma_text text)
{
    unsigned value = 0;
    if (text.size > 4)
        return 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return 0;
        value = value * 10 + (unsigned)(text.data[i] - '0');
    }
    return (uint16_t)value;
}

static stamma_game_context context_of(const stamma_archive_game *game)
{
    return (stamma_game_context){.size = sizeof(stamma_game_context),
                                 .white_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("WhiteElo"))),
                                 .black_rating = read_rating(stamma_archive_game_tag(game, stamma_text_of("BlackElo"))),
                                 .time_control = stamma_archive_game_tag(game, stamma_text_of("TimeControl")),
                                 .result = stamma_result_read(stamma_archive_game_tag(game, stamma_text_of("Result"))),
                                 .plies = (uint32_t)game->ply_count};
}

bool tool_view_predict(tool_view *view)
{
    const stamma_archive_game *game = view->game;
    stamma_game_context context = context_of(game);
    if (stamma_predictor_id() == 0)
        return true;
    if (view->frequencies_room < game->ply_count || !view->frequencies) {
        uint32_t *grown = realloc(view->frequencies, (game->ply_count + 1) * sizeof *grown);
        if (!grown)
            return false;
        view->frequencies = grown;
        view->frequencies_room = game->ply_count;
    }
    return stamma_predict_game(&game->start, game->moves, game->ply_count, &context, view->frequencies) == STAMMA_OK;
}

double tool_bits_of(uint32_t frequency)
{
    return log2((double)STAMMA_PREDICT_TOTAL / frequency);
}

double tool_view_bits(const tool_view *view, size_t ply)
{
    return tool_bits_of(view->frequencies[ply]);
}
