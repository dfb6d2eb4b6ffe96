/* SPDX-License-Identifier: MIT */
/* Codes the moves of games with the predictor's frequencies and a range coder. A move that is the only legal move needs
 * no bits. */
#include "model/model.h"

void stamma_move_coder_begin(move_coder *c, const uint8_t *weights, const predict_context *context,
                             const stamma_position *start)
{
    c->weights = weights;
    c->adaptive = NULL;
    c->position = *start;
    c->prediction.features.moves = 0;
    stamma_predict_begin(&c->game, context, start);
}

void stamma_move_coder_begin_adaptive(move_coder *c, adaptive *a, const predict_context *context,
                                      const uint64_t players[2], const stamma_position *start)
{
    stamma_move_coder_begin(c, stamma_predict_weights(), context, start);
    stamma_adaptive_begin(a, players);
    c->adaptive = a;
}

static const predict_features *features_of(const move_coder *c)
{
    return c->adaptive ? &c->adaptive->now.look.features : &c->prediction.features;
}

static const uint32_t *frequencies_of(const move_coder *c)
{
    return c->adaptive ? c->adaptive->now.frequency : c->prediction.frequency;
}

unsigned stamma_move_coder_look(move_coder *c)
{
    if (c->adaptive)
        stamma_adaptive_run(c->adaptive, c->weights, stamma_second_weights(), &c->game, &c->position);
    else
        stamma_predict_run(c->weights, &c->game, &c->position, &c->prediction);
    return features_of(c)->moves;
}

void stamma_move_coder_play(move_coder *c, stamma_move move)
{
    stamma_predict_play(&c->game, &c->position, move);
    stamma_position_make(&c->position, move, &c->position);
}

static void learn(move_coder *c, unsigned number)
{
    if (c->adaptive)
        stamma_adaptive_learn(c->adaptive, &c->game, &c->position, number);
}

bool stamma_move_encode(move_coder *c, stamma_move move, range_encoder *e)
{
    unsigned moves = stamma_move_coder_look(c), number = 0;
    const uint32_t *frequency = frequencies_of(c);
    uint32_t before = 0;
    for (; number < moves && features_of(c)->move[number].move != move; number++)
        before += frequency[number];
    if (number == moves)
        return false;
    stamma_range_encode(e, before, frequency[number], PREDICT_BITS);
    learn(c, number);
    stamma_move_coder_play(c, move);
    return true;
}

stamma_move stamma_move_take(move_coder *c, range_decoder *d)
{
    uint32_t before = 0;
    if (stamma_move_coder_look(c) == 0)
        return STAMMA_MOVE_NULL;
    const uint32_t *frequency = frequencies_of(c);
    uint32_t target = range_decode_target(d, PREDICT_BITS);
    unsigned number = 0;
    while (target - before >= frequency[number])
        before += frequency[number++];
    range_decode_pass(d, before, frequency[number], PREDICT_BITS);
    learn(c, number);
    return features_of(c)->move[number].move;
}

stamma_move stamma_move_decode(move_coder *c, range_decoder *d)
{
    stamma_move move = stamma_move_take(c, d);
    if (move != STAMMA_MOVE_NULL)
        stamma_move_coder_play(c, move);
    return move;
}
