/* The predictor for every processor. */
#include "model/model.h"

#define VARIANT(name) stamma_predict_##name##_portable
#define VECTORS 0
#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "model/predict_net.inc"

void stamma_predict_features(const predict_game *game, const stamma_position *position, predict_features *features)
{
    find_features(game, position, features);
}
