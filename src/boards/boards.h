/* The boards room: one file a representation, each by itself. All that they have in common is the shape of
 * stamma_board, and the order in which each file tells its story: the drawing, the state, set-up, attacks, make and
 * unmake, the moves, perft. */
#ifndef STAMMA_BOARDS_H
#define STAMMA_BOARDS_H

#include "base/base.h"

extern const stamma_board stamma_board_bitboard;
extern const stamma_board stamma_board_array_8x8;
extern const stamma_board stamma_board_mailbox_12x12;
extern const stamma_board stamma_board_mailbox_10x12;
extern const stamma_board stamma_board_array_16x16;
extern const stamma_board stamma_board_x88;
extern const stamma_board stamma_board_nibble_rows;
extern const stamma_board stamma_board_piece_list;

/* A representation's own types lie in the bytes that the caller gives. */
#define STAMMA_BOARD_FITS(state, undo)                                                     \
    _Static_assert(sizeof(state) <= sizeof(stamma_board_state), "the state is too large"); \
    _Static_assert(sizeof(undo) <= sizeof(stamma_board_undo), "the undo is too large")

/* nibble-rows: for the nibble of a piece and its square, where its list starts; the list (nibble_lists.c). */
extern const uint16_t stamma_nibble_starts[16][64];
extern const uint8_t stamma_nibble_lists[4313];

/* x88: the step of the line on which two of its squares lie, 0 where they lie on none. For the test that this depends
 * on their difference alone. */
int stamma_x88_step(unsigned from, unsigned to);

#endif
