/* Moves of games by the predictor's frequencies and a range coder. A position with one legal move takes no bits. */
#include "model/model.h"

void stamma_move_coder_begin(move_coder *c, const uint8_t *weights, const predict_context *context,
                             const stamma_position *start)
{
    c->weights = weights;
    c->position = *start;
    c->prediction.features.moves = 0;
    stamma_predict_begin(&c->game, context, start);
}

unsigned stamma_move_coder_look(move_coder *c)
{
    stamma_predict_run(c->weights, &c->game, &c->position, &c->prediction);
    return c->prediction.features.moves;
}

void stamma_move_coder_play(move_coder *c, stamma_move move)
{
    stamma_predict_play(&c->game, &c->position, move);
    stamma_position_make(&c->position, move, &c->position);
}

bool stamma_move_encode(move_coder *c, stamma_move move, range_encoder *e)
{
    unsigned moves = stamma_move_coder_look(c), number = stamma_prediction_find(&c->prediction, move);
    uint32_t before = 0;
    if (number == moves)
        return false;
    for (unsigned n = 0; n < number; n++)
        before += c->prediction.frequency[n];
    stamma_range_encode(e, before, c->prediction.frequency[number], PREDICT_BITS);
    stamma_move_coder_play(c, move);
    return true;
}

stamma_move stamma_move_take(move_coder *c, range_decoder *d)
{
    const uint32_t *frequency = c->prediction.frequency;
    uint32_t before = 0;
    if (stamma_move_coder_look(c) == 0)
        return STAMMA_MOVE_NULL;
    uint32_t target = range_decode_target(d, PREDICT_BITS);
    unsigned number = 0;
    while (target - before >= frequency[number])
        before += frequency[number++];
    range_decode_pass(d, before, frequency[number], PREDICT_BITS);
    return c->prediction.features.move[number].move;
}

stamma_move stamma_move_decode(move_coder *c, range_decoder *d)
{
    stamma_move move = stamma_move_take(c, d);
    if (move != STAMMA_MOVE_NULL)
        stamma_move_coder_play(c, move);
    return move;
}
