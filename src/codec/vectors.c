/* A move from the vector of a man, with what the board has to say. */
#include "codec/codec.h"

stamma_move stamma_vector_legal_move(const stamma_position *position, unsigned kind, unsigned from, unsigned vector)
{
    if (from == STAMMA_SQUARE_NONE)
        return STAMMA_MOVE_NULL;
    stamma_move move = stamma_vector_moves[vector_row(position->side, kind, from)][vector];
    unsigned to = stamma_move_to(move), flags = stamma_move_flags(move);
    if (stamma_move_is_castling(move))
        to = castling_king_to(position->side, castling_side(move));
    else if (kind == STAMMA_PAWN && flags == STAMMA_FLAG_CAPTURE && to == position->en_passant)
        flags = STAMMA_FLAG_EN_PASSANT;
    else if (kind != STAMMA_PAWN && position->by_color[position->side ^ 1] >> to & 1)
        flags = STAMMA_FLAG_CAPTURE;
    move = stamma_move_make(from, to, flags);
    return stamma_move_is_legal(position, move) ? move : STAMMA_MOVE_NULL;
}
