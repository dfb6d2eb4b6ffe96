/* SPDX-License-Identifier: MIT */
/* Facts about a position that need no list of moves. */
#include "board/board.h"

stamma_piece stamma_position_piece(const stamma_position *position, stamma_square square)
{
    unsigned type = position_type_at(position, square);
    if (type == STAMMA_PIECE_TYPE_NONE)
        return STAMMA_PIECE_NONE;
    return (stamma_piece)(type + (position->by_color[STAMMA_BLACK] >> square & 1) * 8);
}

bool stamma_position_in_check(const stamma_position *position)
{
    unsigned king = position_king(position, position->side);
    return position_attackers(position, position->side ^ 1u, king, position_occupied(position)) != 0;
}

/* Removes both pawns and looks for attacks on the king, including attacks along the rank that both pawns leave. */
bool stamma_position_en_passant_is_legal(const stamma_position *p, unsigned from)
{
    unsigned us = p->side, king = position_king(p, us);
    uint64_t to = square_bit(p->en_passant);
    uint64_t taken = en_passant_taken(us, to);
    uint64_t occupied = (position_occupied(p) & ~square_bit(from) & ~taken) | to;
    return !(position_attackers(p, us ^ 1, king, occupied) & ~taken);
}

bool stamma_position_can_castle(const stamma_position *p, unsigned side)
{
    uint64_t way = castling_way(p, side);
    if (!way)
        return false;
    for (; way; way = bits_rest(way))
        if (position_attackers(p, p->side ^ 1u, bits_first(way), position_occupied(p)))
            return false;
    return !castling_exposes(p, side);
}
