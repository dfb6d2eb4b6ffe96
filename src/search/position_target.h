/* SPDX-License-Identifier: MIT */
/* A position to search for, with tests that exclude games and positions from which the position cannot be reached,
 * without playing moves. */
#ifndef STAMMA_POSITION_TARGET_H
#define STAMMA_POSITION_TARGET_H

#include "block/search_columns.h"
#include "codec/codec.h"

typedef struct position_target {
    board_goal goal;
    bool is_pattern;      /* a set of positions */
    uint8_t counts[2][6]; /* pieces by color and type; of a pattern: the least numbers */
    /* by color and number of captures by pawns: the squares from which each pawn may have come */
    uint64_t origins[2][PAWN_CAPTURES][8];
    uint16_t homes; /* as in search_entry */
    /* by byte: whether an ending with this byte does not have more pawns or pieces than the position */
    bool pawns_fit[256];
    bool pieces_fit[2][256];
} position_target;

/* Makes a target of a position. Castling rights or the en passant square can be excluded from the comparison. */
void stamma_target_init(position_target *t, const stamma_position *position, bool any_castling, bool any_en_passant);
/* Makes a target of a pattern without tests, which any position matches. */
void stamma_target_init_pattern(position_target *t);
/* Computes the tests on endings from the numbers of pieces in the goal. */
void stamma_target_set_material(position_target *t);
/* Returns false if no game can reach the target after the board's position. True is not conclusive. */
bool stamma_target_may_follow(const position_target *t, const piece_board *b);
/* Like stamma_target_may_follow, but tests only castling rights. */
bool stamma_target_may_castle(const position_target *t, const piece_board *b);
/* Returns false if no game that begins in the initial position and has this entry can reach the target. */
STAMMA_INLINE bool target_may_precede(const position_target *t, const search_entry *e)
{
    return !(e->home_pawns & ~t->homes) && t->pawns_fit[e->pawns] && t->pieces_fit[0][e->pieces[0]] &&
           t->pieces_fit[1][e->pieces[1]];
}

#endif
