/* A position that is looked for, and what can be said without playing to it: from which positions, and in which games,
 * it cannot be reached. */
#ifndef STAMMA_POSITION_TARGET_H
#define STAMMA_POSITION_TARGET_H

#include "archive/search_columns.h"
#include "codec/codec.h"

typedef struct position_target {
    board_goal goal;
    bool is_pattern;      /* many positions are: nothing is said of what leads there but by material */
    uint8_t counts[2][6]; /* pieces by colour and type */
    /* by colour and how often pawns may have captured: squares that each pawn may have come from */
    uint64_t origins[2][PAWN_CAPTURES][8];
    uint16_t homes; /* as in search_entry */
    /* whether a game's ending has no more of them than the position, by its byte */
    bool pawns_fit[256];
    bool pieces_fit[2][256];
} position_target;

/* Castling rights or en passant may be left out of the comparison. */
void stamma_target_init(position_target *t, const stamma_position *position, bool any_castling, bool any_en_passant);
/* Makes a target of a pattern, which has no tests yet: any position. */
void stamma_target_init_pattern(position_target *t);
/* Sets what the numbers of pieces, which are in the goal, say of how games end. */
void stamma_target_set_material(position_target *t);
/* False: no game that comes to the board's position comes to the target later. True says nothing. */
bool stamma_target_may_follow(const position_target *t, const piece_board *b);
/* Castling rights alone. */
bool stamma_target_may_castle(const position_target *t, const piece_board *b);
/* The same of a game that begins in the initial position and has this entry. */
STAMMA_INLINE bool target_may_precede(const position_target *t, const search_entry *e)
{
    return !(e->home_pawns & ~t->homes) && t->pawns_fit[e->pawns] && t->pieces_fit[0][e->pieces[0]] &&
           t->pieces_fit[1][e->pieces[1]];
}

#endif
