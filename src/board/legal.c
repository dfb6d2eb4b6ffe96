/* SPDX-License-Identifier: MIT */
/* Tests single moves: whether a move is legal, and whether it gives check. */
#include "board/board.h"

#define NO_FLAGS 16u /* no move has these flags */

/* Returns the flags of a pseudo-legal move of a piece of `type`, without promotion; NO_FLAGS if the piece cannot go
 * there. */
static unsigned expected_flags(const stamma_position *p, unsigned type, unsigned from, unsigned to)
{
    uint64_t occupied = position_occupied(p);
    bool capture = p->by_color[p->side ^ 1] >> to & 1;
    if (type != STAMMA_PAWN && !piece_attacks_square(type, from, to, occupied))
        return NO_FLAGS;
    if (type != STAMMA_PAWN)
        return capture ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET;
    if (pawn_attacks(p->side, from) >> to & 1)
        return capture ? 0u + STAMMA_FLAG_CAPTURE : to == p->en_passant ? 0u + STAMMA_FLAG_EN_PASSANT : NO_FLAGS;
    bool white = p->side == STAMMA_WHITE;
    uint64_t single = (white ? square_bit(from) << 8 : square_bit(from) >> 8) & ~occupied;
    uint64_t third = single & (white ? RANK_3 : RANK_6), twice = (white ? third << 8 : third >> 8) & ~occupied;
    return single >> to & 1 ? 0u + STAMMA_FLAG_QUIET : twice >> to & 1 ? 0u + STAMMA_FLAG_DOUBLE_PUSH : NO_FLAGS;
}

stamma_move stamma_plain_move(const stamma_position *p, unsigned from, unsigned to, unsigned promotion)
{
    unsigned flags = p->by_color[p->side ^ 1] >> to & 1 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET;
    if (p->by_type[STAMMA_PAWN] >> from & 1) {
        if (to == p->en_passant && (from & 7) != (to & 7))
            flags = STAMMA_FLAG_EN_PASSANT;
        else if (from + 16 == to || to + 16 == from)
            flags = STAMMA_FLAG_DOUBLE_PUSH;
    }
    if (promotion != STAMMA_PIECE_TYPE_NONE)
        flags |= STAMMA_FLAG_PROMOTION | (promotion - STAMMA_KNIGHT);
    return stamma_move_make(from, to, flags);
}

bool stamma_move_is_legal(const stamma_position *position, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    if (stamma_move_is_castling(move))
        return from == position_king(position, position->side) &&
               to == castling_king_to(position->side, castling_side(move)) &&
               stamma_position_can_castle(position, castling_side(move));
    uint64_t own = position->by_color[position->side];
    if (!(own >> from & 1) || own >> to & 1)
        return false;
    unsigned type = position_type_at(position, from);
    bool promotes = type == STAMMA_PAWN && (square_bit(to) & (RANK_1 | RANK_8));
    if (promotes != stamma_move_is_promotion(move))
        return false;
    unsigned expected = expected_flags(position, type, from, to);
    if ((promotes ? flags & STAMMA_FLAG_CAPTURE : flags) != expected)
        return false;
    if (type == STAMMA_KING)
        return position_king_may_step(position, to);
    if (expected == STAMMA_FLAG_EN_PASSANT)
        return stamma_position_en_passant_is_legal(position, from);
    legality l = position_legality(position);
    return legality_allows(&l, from, to);
}

/* Looks from the enemy king at the board after the move. */
bool stamma_move_gives_check(const stamma_position *position, stamma_move move)
{
    unsigned us = position->side, from = stamma_move_from(move), to = stamma_move_to(move);
    unsigned flags = stamma_move_flags(move), king = position_king(position, us ^ 1u);
    uint64_t left = square_bit(from), reached = square_bit(to), occupied = position_occupied(position);
    uint64_t diagonal = position_diagonal_sliders(position) & position->by_color[us] & ~left;
    uint64_t straight = position_straight_sliders(position) & position->by_color[us] & ~left;
    if (stamma_move_is_castling(move)) {
        unsigned rook_to = castling_rook_to(us, castling_side(move));
        uint64_t rook = square_bit_or_none(position->castling[us][castling_side(move)]);
        occupied = (occupied & ~left & ~rook) | reached | square_bit(rook_to);
        diagonal &= ~rook;
        straight = (straight & ~rook) | square_bit(rook_to);
    } else {
        unsigned type = flags & STAMMA_FLAG_PROMOTION ? stamma_move_promotion(move) : position_type_at(position, from);
        if (flags == STAMMA_FLAG_EN_PASSANT)
            occupied &= ~en_passant_taken(us, reached);
        occupied = (occupied & ~left) | reached;
        if (type == STAMMA_PAWN ? pawn_attacks(us, to) >> king & 1
                                : type < STAMMA_KING && piece_attacks_square(type, to, king, occupied))
            return true;
    }
    diagonal &= stamma_reach[STAMMA_BISHOP][king];
    straight &= stamma_reach[STAMMA_ROOK][king];
    if (STAMMA_LIKELY(!(diagonal | straight)))
        return false;
    return (bishop_attacks(king, occupied) & diagonal) || (rook_attacks(king, occupied) & straight);
}
