/* SPDX-License-Identifier: MIT */
/* Makes a move: computes the position after it, including its key. Callers keep a copy to unmake a move. */
#include "board/board.h"

/* Returns whether a move that is not castling can be made, even if it is illegal. The origin must contain a piece of
 * the side to move, which must be a pawn if it promotes. The target must contain an enemy piece other than the king if
 * the move captures; otherwise it must be empty. Therefore no square gets two pieces, and no king is removed. */
static bool fits(const stamma_position *p, stamma_move move)
{
    uint64_t own = p->by_color[p->side], enemy = p->by_color[p->side ^ 1], to = square_bit(stamma_move_to(move));
    uint64_t movers = stamma_move_is_promotion(move) ? own & p->by_type[STAMMA_PAWN] : own;
    if (!(movers >> stamma_move_from(move) & 1) || (own & to))
        return false;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT)
        return !(enemy & to) && (enemy & ~p->by_type[STAMMA_KING] & en_passant_taken(p->side, to));
    return stamma_move_is_capture(move) ? enemy & ~p->by_type[STAMMA_KING] & to : !(enemy & to);
}

/* Returns the change of the key when a piece of `type` moves, without castling rights. */
static uint64_t move_key(const stamma_position *p, stamma_move move, unsigned type)
{
    unsigned us = p->side, to = stamma_move_to(move), flags = stamma_move_flags(move);
    unsigned becomes = flags & STAMMA_FLAG_PROMOTION ? (unsigned)stamma_move_promotion(move) : type;
    uint64_t key = key_piece(us, type, stamma_move_from(move)) ^ key_piece(us, becomes, to) ^ stamma_key_black;
    if (!(flags & STAMMA_FLAG_CAPTURE))
        return key;
    unsigned taken = bits_first(pieces_taken(us, square_bit(to), flags));
    return key ^ key_piece(us ^ 1, position_type_at(p, taken), taken);
}

/* Removes the castling rights of the rooks in `touched`, also from the key. */
static void drop_rights(stamma_position *p, uint64_t touched)
{
    uint64_t key = castling_key(p);
    castling_drop(p, touched);
    p->key ^= key ^ castling_key(p);
}

/* Moves one piece, which may capture. A hot path: each member is read once and written once. */
static void move_piece(const stamma_position *before, stamma_move move, stamma_position *after)
{
    unsigned us = before->side, from = stamma_move_from(move), to = stamma_move_to(move);
    unsigned flags = stamma_move_flags(move), type = position_type_at(before, from);
    unsigned resets = (type == STAMMA_PAWN) | (flags & STAMMA_FLAG_CAPTURE);
    unsigned clock = before->halfmove_clock, number = before->fullmove_number;
    uint64_t touched = square_bit(from) | square_bit(to), rights = castling_squares(before);
    after->key = before->key ^ move_key(before, move, type);
    pieces_move(before, after, us, type, square_bit(from), square_bit(to), flags);
    after->halfmove_clock = resets ? 0 : (uint16_t)(clock + (clock < UINT16_MAX));
    after->fullmove_number = (uint16_t)(number + (us & (number < UINT16_MAX)));
    after->side = (uint8_t)(us ^ 1);
    after->en_passant = flags == STAMMA_FLAG_DOUBLE_PUSH ? (stamma_square)((from + to) / 2) : STAMMA_SQUARE_NONE;
    memset(after->reserved, 0, sizeof after->reserved);
    memmove(after->castling, before->castling, sizeof after->castling);
    if (STAMMA_UNLIKELY((touched & rights) != 0))
        drop_rights(after, touched | (type != STAMMA_KING ? 0 : us == STAMMA_WHITE ? RANK_1 : RANK_8));
}

static uint64_t castle_key(const stamma_position *p, unsigned side)
{
    unsigned us = p->side;
    return key_piece(us, STAMMA_KING, position_king(p, us)) ^ key_piece(us, STAMMA_ROOK, p->castling[us][side]) ^
           key_piece(us, STAMMA_KING, castling_king_to(us, side)) ^
           key_piece(us, STAMMA_ROOK, castling_rook_to(us, side));
}

static void castle(const stamma_position *before, unsigned side, stamma_position *after)
{
    pieces_castle(before, after, before->side, side);
    after->key ^= castle_key(before, side);
    drop_rights(after, before->side == STAMMA_WHITE ? RANK_1 : RANK_8);
}

static void pass_turn(const stamma_position *before, stamma_position *after)
{
    *after = *before;
    after->side ^= 1;
    after->key ^= stamma_key_black;
    after->en_passant = STAMMA_SQUARE_NONE;
    if (before->halfmove_clock < UINT16_MAX)
        after->halfmove_clock++;
    if (before->side == STAMMA_BLACK && before->fullmove_number < UINT16_MAX)
        after->fullmove_number++;
}

void stamma_position_make(const stamma_position *before, stamma_move move, stamma_position *after)
{
    if (STAMMA_LIKELY(move != STAMMA_MOVE_NULL && !stamma_move_is_castling(move) && fits(before, move))) {
        move_piece(before, move, after);
        return;
    }
    stamma_position p;
    pass_turn(before, &p);
    if (stamma_move_is_castling(move) && castling_way(before, castling_side(move)))
        castle(before, castling_side(move), &p);
    *after = p;
}
