/* SPDX-License-Identifier: MIT */
/* The generator for every processor. */
#include "board/board.h"

#define VARIANT(name) stamma_generate_##name##_portable

#define sliding_diagonal bishop_attacks
#define sliding_straight rook_attacks

#include "board/generate.inc"
