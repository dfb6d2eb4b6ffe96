/* SPDX-License-Identifier: MIT */
/* Plays moves one by one. Converts the moves named by a game's notation to moves and bytes. The board updates the sums
 * of bounds from which the bytes are computed (piece_game.inc). */
#include "codec/codec.h"

/* Stores the position, without its key. */
static void look(const game_line *l, stamma_position *p)
{
    piece_board_position(&l->board, l->side, p);
    p->halfmove_clock = l->halfmove_clock;
    p->fullmove_number = l->fullmove_number;
}

void stamma_line_set(game_line *l, const stamma_position *before, const stamma_position *position)
{
    PIECE_GAME(set_up, &l->board, position);
    l->halfmove_clock = position->halfmove_clock;
    l->fullmove_number = position->fullmove_number;
    l->side = position->side;
    l->before = *before;
}

bool stamma_line_play(game_line *l, const move_name *name, played_move *played)
{
    look(l, &l->before);
    if (STAMMA_UNLIKELY(!PIECE_GAME(play_named, &l->board, l->side, name, played))) {
        PIECE_GAME(set_up, &l->board, &l->before);
        return false;
    }
    bool resets = name->type == STAMMA_PAWN || stamma_move_is_capture(played->move);
    l->halfmove_clock = resets ? 0 : (uint16_t)(l->halfmove_clock + (l->halfmove_clock < UINT16_MAX));
    l->fullmove_number = (uint16_t)(l->fullmove_number + (l->side & (l->fullmove_number < UINT16_MAX)));
    l->side ^= 1;
    return true;
}

stamma_position stamma_line_position(const game_line *l)
{
    stamma_position p;
    look(l, &p);
    p.key = stamma_position_fresh_key(&p);
    return p;
}
