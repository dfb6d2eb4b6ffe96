/* Games of `tarrasch`, `tojot` and their kin, for every processor. */
#include "codec/codec.h"

#define VARIANT(name) stamma_numbered_##name##_portable

#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "codec/numbered_game.inc"
