/* SPDX-License-Identifier: MIT */
/* Symbols of the functions that stamma.h defines inline, for bindings and for calls that are not inlined (C11
 * 6.7.4). */
#include "stamma.h"

extern inline stamma_move stamma_move_make(unsigned from, unsigned to, unsigned flags);
extern inline stamma_square stamma_move_to(stamma_move move);
extern inline stamma_square stamma_move_from(stamma_move move);
extern inline unsigned stamma_move_flags(stamma_move move);
extern inline bool stamma_move_is_capture(stamma_move move);
extern inline bool stamma_move_is_en_passant(stamma_move move);
extern inline bool stamma_move_is_promotion(stamma_move move);
extern inline bool stamma_move_is_castling(stamma_move move);
extern inline stamma_piece_type stamma_move_promotion(stamma_move move);
extern inline stamma_move stamma_move_with_from(stamma_move move, unsigned from);
extern inline stamma_move stamma_move_with_to(stamma_move move, unsigned to);
extern inline unsigned stamma_move_butterfly(stamma_move move);
