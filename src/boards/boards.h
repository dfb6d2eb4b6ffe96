/* SPDX-License-Identifier: MIT */
/* The boards room: representations of the board. The file of each representation is complete and independent, and
 * contains its rules of moves. The files share the interface stamma_board, conversions.h, and the order of their
 * contents: drawing, state, set-up, attacks, make and unmake, moves. Their differences:
 *
 *   representation  square           piece                 off the board         legal if              unmake restores
 *   bitboard        0-63             sets of squares       masks and tables      pins, checks          a copy
 *   array-8x8       0-63             signed number         ranks and files       safe when made        one square
 *   mailbox-12x12   26-117, 12 wide  signed number         guard squares         safe when made        one square
 *   mailbox-10x12   21-98, 10 wide   signed number         guard squares         pins, checks          one square
 *   array-16x16     0rrr0fff         number in a list      guard squares         differences           one piece
 *   x88             0rrr0fff         type, + 8 for Black   square & 0x88         differences, or made  one square
 *   nibble-rows     0-63             type, + 8 for Black   lists of squares      safe on a copy        a copy
 *   piece-list      0-63             two pieces in a byte  ranks and files       seen by king, made    one piece */
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

/* Each representation stores its types in the caller's bytes. */
#define STAMMA_BOARD_FITS(state, undo)                                                     \
    _Static_assert(sizeof(state) <= sizeof(stamma_board_state), "the state is too large"); \
    _Static_assert(sizeof(undo) <= sizeof(stamma_board_undo), "the undo is too large")

/* nibble-rows: the lists of squares that a piece can reach, and the start of the list for a piece's nibble and square
 * (nibble_lists.c). */
extern const uint16_t stamma_nibble_starts[16][64];
extern const uint8_t stamma_nibble_lists[4313];

/* x88: the step of the line through two of its squares, 0 if there is none. Tests use it to show that the step depends
 * only on their difference. */
int stamma_x88_step(unsigned from, unsigned to);

#endif
