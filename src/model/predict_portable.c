/* SPDX-License-Identifier: MIT */
/* The predictor for all processors. */
#include "base/vector.h"
#include "model/model.h"

#define VARIANT(name) stamma_predict_##name##_portable
#define VECTORS STAMMA_HAVE_VECTORS
#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "model/second_net.inc"

void stamma_predict_features(const predict_game *game, const stamma_position *position, predict_features *features)
{
    view v;
    find_features(&v, game, position, features);
}

void stamma_predict_frequencies(const int32_t *logits, int32_t best, unsigned moves, uint32_t *frequency)
{
    find_frequencies(logits, best, moves, frequency);
}
