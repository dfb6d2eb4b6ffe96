/* Questions about a position that need no list of moves. */
#include "board/board.h"

stamma_piece stamma_position_piece(const stamma_position *position, stamma_square square)
{
    unsigned type = position_type_at(position, square);
    if (type == STAMMA_PIECE_TYPE_NONE)
        return STAMMA_NO_PIECE;
    return (stamma_piece)(type + (position->by_color[STAMMA_BLACK] >> square & 1) * 8);
}

bool stamma_position_in_check(const stamma_position *position)
{
    unsigned king = position_king(position, position->side);
    return position_attackers(position, position->side ^ 1u, king, position_occupied(position)) != 0;
}

/* Takes the two pawns off their squares and looks at the king from there, which also finds the rank that both leave. */
bool stamma_position_en_passant_is_legal(const stamma_position *p, unsigned from)
{
    unsigned us = p->side, king = position_king(p, us);
    uint64_t to = square_bit(p->en_passant);
    uint64_t taken = us == STAMMA_WHITE ? to >> 8 : to << 8;
    uint64_t occupied = (position_occupied(p) & ~square_bit(from) & ~taken) | to;
    return !(position_attackers(p, us ^ 1, king, occupied) & ~taken);
}

uint64_t stamma_position_en_passant_pawns(const stamma_position *p)
{
    if (p->en_passant == STAMMA_SQUARE_NONE)
        return 0;
    uint64_t legal = 0;
    uint64_t pawns = pawn_attacks(p->side ^ 1u, p->en_passant) & position_men(p, p->side, STAMMA_PAWN);
    for (; pawns; pawns = bits_rest(pawns))
        if (stamma_position_en_passant_is_legal(p, bits_first(pawns)))
            legal |= pawns & (0 - pawns);
    return legal;
}

/* FIDE Laws 3.8.2 and, for Chess960, Guidelines II.3: what king and rook pass must be empty but for themselves, and no
 * square of the king's way attacked. The last look is at the final position: the rook may have been a shield. */
bool stamma_position_can_castle(const stamma_position *p, unsigned side)
{
    unsigned us = p->side, rook = p->castling[us][side];
    if (rook == STAMMA_SQUARE_NONE)
        return false;
    unsigned king = position_king(p, us), king_to = castling_king_to(us, side), rook_to = castling_rook_to(us, side);
    uint64_t movers = square_bit(king) | square_bit(rook), goals = square_bit(king_to) | square_bit(rook_to);
    uint64_t occupied = position_occupied(p);
    if (((stamma_between[king][king_to] | stamma_between[rook][rook_to] | goals) & ~movers) & occupied)
        return false;
    for (uint64_t way = stamma_between[king][king_to] | square_bit(king); way; way = bits_rest(way))
        if (position_attackers(p, us ^ 1, bits_first(way), occupied))
            return false;
    return !position_attackers(p, us ^ 1, king_to, (occupied & ~movers) | goals);
}

bool stamma_position_is_insufficient(const stamma_position *position)
{
    uint64_t knights = position->by_type[STAMMA_KNIGHT], bishops = position->by_type[STAMMA_BISHOP];
    if (position->by_type[STAMMA_PAWN] | position->by_type[STAMMA_ROOK] | position->by_type[STAMMA_QUEEN])
        return false;
    if (knights)
        return !bishops && !bits_rest(knights);
    return !(bishops & DARK_SQUARES) || !(bishops & ~DARK_SQUARES);
}
