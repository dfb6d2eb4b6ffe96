/* SPDX-License-Identifier: MIT */
/* Maintains the predictor's state of a game, and selects the build of the predictor. */
#include "model/model.h"

void stamma_predict_begin(predict_game *game, const predict_context *context, const stamma_position *start)
{
    memset(game, 0, sizeof *game);
    game->context = *context;
    game->ply = start->fullmove_number > 0 ? (start->fullmove_number - 1u) * 2 + start->side : start->side;
    if (context->plies > 0)
        game->context.plies = context->plies < UINT32_MAX - game->ply ? context->plies + game->ply : UINT32_MAX;
    for (unsigned n = 0; n < 4; n++)
        game->last[n].type = STAMMA_PIECE_TYPE_NONE;
}

void stamma_predict_play(predict_game *game, const stamma_position *before, stamma_move move)
{
    predict_last last = {STAMMA_PIECE_TYPE_NONE, 0, 0, 0};
    if (move != STAMMA_MOVE_NULL) {
        unsigned type = stamma_move_is_castling(move)    ? STAMMA_KING
                        : stamma_move_is_promotion(move) ? stamma_move_promotion(move)
                                                         : position_type_at(before, stamma_move_from(move));
        last =
            (predict_last){(uint8_t)type, stamma_move_from(move), stamma_move_to(move), stamma_move_is_capture(move)};
    }
    memmove(game->last + 1, game->last, 3 * sizeof game->last[0]);
    game->last[0] = last;
    game->ply++;
}

/* Reads a decimal number at the start of a text and removes the digits. Returns at most 65535. */
static unsigned take_number(stamma_text *text)
{
    unsigned value = 0;
    for (; text->size > 0 && text->data[0] >= '0' && text->data[0] <= '9'; text->data++, text->size--)
        value = value > 65535 ? value : value * 10 + (unsigned)(text->data[0] - '0');
    return value < 65535 ? value : 65535;
}

predict_time stamma_predict_time(stamma_text control)
{
    if (control.size == 0 || control.data[0] == '?')
        return PREDICT_TIME_UNKNOWN;
    if (control.data[0] == '-' || memchr(control.data, '/', control.size))
        return PREDICT_TIME_CORRESPONDENCE;
    unsigned base = take_number(&control), increment = 0;
    const char *plus = control.size == 0 ? NULL : memchr(control.data, '+', control.size);
    if (plus) {
        stamma_text rest = {plus + 1, (size_t)(control.data + control.size - plus) - 1};
        increment = take_number(&rest);
    }
    unsigned seconds = base + 40 * increment;
    return seconds == 0     ? PREDICT_TIME_UNKNOWN
           : seconds < 60   ? PREDICT_TIME_ULTRA_BULLET
           : seconds < 180  ? PREDICT_TIME_BULLET
           : seconds < 480  ? PREDICT_TIME_BLITZ
           : seconds < 1500 ? PREDICT_TIME_RAPID
                            : PREDICT_TIME_CLASSICAL;
}

void stamma_predict_run(const uint8_t *weights, const predict_game *game, const stamma_position *position,
                        prediction *prediction)
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_avx2()) {
        stamma_predict_run_avx2(weights, game, position, prediction);
        return;
    }
#endif
    stamma_predict_run_portable(weights, game, position, prediction);
}

void stamma_predict_run_both(const uint8_t *weights, const uint8_t *second, const predict_game *game,
                             const stamma_position *position, second_prediction *p)
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_avx2()) {
        stamma_predict_run_both_avx2(weights, second, game, position, p);
        return;
    }
#endif
    stamma_predict_run_both_portable(weights, second, game, position, p);
}

unsigned stamma_prediction_find(const prediction *prediction, stamma_move move)
{
    unsigned n = 0;
    while (n < prediction->features.moves && prediction->features.move[n].move != move)
        n++;
    return n;
}
