/* SPDX-License-Identifier: MIT */
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

/* Sorts moves by descending frequency. The sort is stable. */
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
    *count = prediction.features.moves;
    for (size_t n = 0; n < *count; n++)
        likely[n] = (stamma_likely_move){prediction.features.move[n].move, prediction.frequency[n]};
    sort(likely, *count);
    return STAMMA_OK;
}

/* Stores the frequency of a move; for a null move, the total. Errors: ILLEGAL. */
static stamma_error find_frequency(const predict_game *game, const stamma_position *position, stamma_move move,
                                   uint32_t *frequency)
{
    prediction prediction;
    if (move == STAMMA_MOVE_NULL) {
        *frequency = STAMMA_PREDICT_TOTAL;
        return stamma_position_in_check(position) ? STAMMA_ERROR_ILLEGAL : STAMMA_OK;
    }
    stamma_predict_run(stamma_predict_weights(), game, position, &prediction);
    const unsigned found = stamma_prediction_find(&prediction, move);
    if (found == prediction.features.moves)
        return STAMMA_ERROR_ILLEGAL;
    *frequency = prediction.frequency[found];
    return STAMMA_OK;
}

/* Number of moves between two calls of the callback: about two milliseconds. */
enum { MOVES_AT_ONCE = 256 };

stamma_error stamma_predict_game_with(const stamma_position *start, const stamma_move *moves, size_t plies,
                                      const stamma_game_context *context, const stamma_predict_options *options,
                                      uint32_t *frequencies)
{
    predict_game game;
    stamma_predict_options known;
    stamma_error error = stamma_options_read(options, &known, sizeof known);
    if (error == STAMMA_OK)
        error = frequencies || plies == 0 ? begin(start, moves, plies, context, &game) : STAMMA_ERROR_BAD_ARGUMENT;
    if (error != STAMMA_OK)
        return error;
    stamma_position position = *start;
    for (size_t n = 0; n < plies; n++) {
        uint32_t frequency;
        if (n % MOVES_AT_ONCE == 0 && known.stop && known.stop(known.context))
            return STAMMA_ERROR_CANCELLED;
        error = find_frequency(&game, &position, moves[n], &frequency);
        if (error != STAMMA_OK)
            return error;
        frequencies[n] = frequency;
        stamma_predict_play(&game, &position, moves[n]);
        stamma_position_make(&position, moves[n], &position);
    }
    return STAMMA_OK;
}

stamma_error stamma_predict_game(const stamma_position *start, const stamma_move *moves, size_t plies,
                                 const stamma_game_context *context, uint32_t *frequencies)
{
    return stamma_predict_game_with(start, moves, plies, context, NULL, frequencies);
}

uint64_t stamma_predictor_id(void)
{
    return stamma_predict_weights() ? stamma_predict_weights_id : 0;
}
