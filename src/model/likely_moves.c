/* The predictor's public functions. */
#include "model/model.h"

/* Converts a caller's context. Returns BAD_ARGUMENT for impossible values. */
static stamma_error read_context(const stamma_game_context *given, predict_context *context)
{
    stamma_game_context known;
    stamma_error error = stamma_options_read(given, &known, sizeof known);
    if (error != STAMMA_OK)
        return error;
    if ((unsigned)known.result > STAMMA_RESULT_DRAW || (known.time_control.size > 0 && !known.time_control.data))
        return STAMMA_ERROR_BAD_ARGUMENT;
    context->ratings[STAMMA_WHITE] = known.white_rating;
    context->ratings[STAMMA_BLACK] = known.black_rating;
    context->time = (uint8_t)stamma_predict_time(known.time_control);
    context->result = (uint8_t)known.result;
    context->plies = known.plies;
    return STAMMA_OK;
}

static stamma_error begin(const stamma_position *start, const stamma_move *moves, size_t plies,
                          const stamma_game_context *context, predict_game *game)
{
    predict_context known;
    if (!start || (!moves && plies > 0))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = read_context(context, &known);
    if (error != STAMMA_OK)
        return error;
    stamma_predict_begin(game, &known, start);
    return stamma_predict_weights() ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

/* Sorts moves in canonical order by descending frequency. The sort is stable. */
static void sort(stamma_likely_move *likely, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        stamma_likely_move one = likely[n];
        size_t at = n;
        for (; at > 0 && likely[at - 1].frequency < one.frequency; at--)
            likely[at] = likely[at - 1];
        likely[at] = one;
    }
}

stamma_error stamma_predict(const stamma_position *start, const stamma_move *moves, size_t plies,
                            const stamma_game_context *context, stamma_likely_move likely[STAMMA_MOVES_MAX],
                            size_t *count)
{
    predict_game game;
    prediction prediction;
    stamma_move legal[STAMMA_MOVES_MAX];
    stamma_error error = likely && count ? begin(start, moves, plies, context, &game) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        if (!stamma_codec_may_play(&position, moves[n]))
            return STAMMA_ERROR_ILLEGAL;
        stamma_predict_play(&game, &position, moves[n]);
        stamma_position_make(&position, moves[n], &position);
    }
    stamma_predict_run(stamma_predict_weights(), &game, &position, &prediction);
    *count = stamma_legal_moves_canonical(&position, legal);
    for (size_t n = 0; n < *count; n++) {
        uint32_t frequency = prediction.frequency[stamma_prediction_find(&prediction, legal[n])];
        likely[n] = (stamma_likely_move){legal[n], frequency};
    }
    sort(likely, *count);
    return STAMMA_OK;
}

stamma_error stamma_predict_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                 const stamma_game_context *context, uint32_t *frequencies)
{
    predict_game game;
    prediction prediction;
    stamma_error error =
        frequencies || plies == 0 ? begin(start, moves, plies, context, &game) : STAMMA_ERROR_BAD_ARGUMENT;
    stamma_position position;
    if (error == STAMMA_OK)
        position = *start;
    for (size_t n = 0; error == STAMMA_OK && n < plies; n++) {
        uint32_t frequency = STAMMA_PREDICT_TOTAL;
        if (moves[n] != STAMMA_MOVE_NULL) {
            stamma_predict_run(stamma_predict_weights(), &game, &position, &prediction);
            unsigned found = stamma_prediction_find(&prediction, moves[n]);
            if (found == prediction.features.moves)
                return STAMMA_ERROR_ILLEGAL;
            frequency = prediction.frequency[found];
        } else if (stamma_position_in_check(&position)) {
            return STAMMA_ERROR_ILLEGAL;
        }
        frequencies[n] = frequency;
        stamma_predict_play(&game, &position, moves[n]);
        stamma_position_make(&position, moves[n], &position);
    }
    return error;
}

uint64_t stamma_predictor_id(void)
{
    return stamma_predict_weights() ? stamma_predict_weights_id : 0;
}
