/* The codec room: encodings of moves that need no probabilities. What the rooms above need beyond the public contract
 * stands here. */
#ifndef STAMMA_CODEC_H
#define STAMMA_CODEC_H

#include "board/board.h"

/* ---- constant tables (target_tables.c), for knight, bishop, rook, queen, king: index piece type - 1 ---- */

/* What the piece attacks from a square on an empty board, as a set and as a list in ascending order that is filled up
 * with STAMMA_SQUARE_NONE. */
extern const uint64_t stamma_empty_attacks[5][64];
extern const uint8_t stamma_empty_targets[5][64][28];

/* ---- bcgn_square.c: one byte a move, the code of archive level 1 (doc/format.md, clause 5.2) ---- */

#define BYTE_CODE_NULL 255

/* The byte of a legal move, or of the null move. UNSUPPORTED where the position has no codes (more than 255 legal
 * moves), ILLEGAL for a null move in check. Other moves that are not legal get any byte, or ILLEGAL: the caller has
 * looked. */
stamma_error stamma_byte_encode(const stamma_position *position, stamma_move move, uint8_t *code);

/* The move of a byte. Never gives any but a legal move, or the null move where it is allowed: CORRUPT for other bytes,
 * UNSUPPORTED as above. */
stamma_error stamma_byte_decode(const stamma_position *position, uint8_t code, stamma_move *move);

#endif
