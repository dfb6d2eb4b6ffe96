/* SPDX-License-Identifier: MIT */
/* Games of `tarrasch`, `tojot` and related codecs for all processors. */
#include "encodings/encodings.h"

#define VARIANT(name) stamma_numbered_##name##_portable

#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "encodings/numbered_game.inc"
