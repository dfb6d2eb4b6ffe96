/* SPDX-License-Identifier: MIT */
/* External definitions of stamma.h's inline functions, for bindings and calls that are not inlined (C11 6.7.4). */
#include "stamma.h"

extern inline stamma_move stamma_move32_move(stamma_move32 move);
extern inline stamma_piece_type stamma_move32_moved(stamma_move32 move);
extern inline stamma_piece_type stamma_move32_captured(stamma_move32 move);
extern inline unsigned stamma_move32_score(stamma_move32 move);
extern inline stamma_move32 stamma_move32_with_score(stamma_move32 move, unsigned score);
extern inline bool stamma_move32_equal(stamma_move32 a, stamma_move32 b);
