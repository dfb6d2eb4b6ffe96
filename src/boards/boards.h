/* The boards room: one independent file for each representation. They share only the interface stamma_board and the
 * order of their contents: drawing, state, set-up, attacks, make and unmake, moves. */
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

/* Each representation stores its own types in the caller's bytes. */
#define STAMMA_BOARD_FITS(state, undo)                                                     \
    _Static_assert(sizeof(state) <= sizeof(stamma_board_state), "the state is too large"); \
    _Static_assert(sizeof(undo) <= sizeof(stamma_board_undo), "the undo is too large")

/* nibble-rows: the lists of squares that a piece can reach, and where the list of a piece's nibble and square starts
 * (nibble_lists.c). */
extern const uint16_t stamma_nibble_starts[16][64];
extern const uint8_t stamma_nibble_lists[4313];

/* x88: the step of the line through two of its squares, 0 if there is none. Tests use it to show that the step depends
 * only on their difference. */
int stamma_x88_step(unsigned from, unsigned to);

#endif
