/* Making a move: the position after it, with its key. Copying is how a move is taken back. */
#include "board/board.h"

static void toggle(stamma_position *p, unsigned color, unsigned type, unsigned square)
{
    p->by_color[color] ^= square_bit(square);
    p->by_type[type] ^= square_bit(square);
    p->key ^= key_man(color, type, square);
}

static void drop_right(stamma_position *p, unsigned color, unsigned side)
{
    stamma_square *rook = &p->castling[color][side];
    if (*rook != STAMMA_SQUARE_NONE)
        p->key ^= stamma_key_castling[*rook];
    *rook = STAMMA_SQUARE_NONE;
}

/* The rights that end when a king or rook leaves or a rook is taken. */
static void drop_rights(stamma_position *p, unsigned us, unsigned from, unsigned to, bool king)
{
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++) {
        if (king || p->castling[us][side] == from)
            drop_right(p, us, side);
        if (p->castling[us ^ 1][side] == to)
            drop_right(p, us ^ 1, side);
    }
}

/* King and rook leave before either arrives: in Chess960 they may change places. */
static void castle(stamma_position *p, unsigned us, unsigned side)
{
    unsigned king = position_king(p, us), rook = p->castling[us][side];
    toggle(p, us, STAMMA_KING, king);
    toggle(p, us, STAMMA_ROOK, rook);
    toggle(p, us, STAMMA_KING, castling_king_to(us, side));
    toggle(p, us, STAMMA_ROOK, castling_rook_to(us, side));
    drop_right(p, us, STAMMA_KING_SIDE);
    drop_right(p, us, STAMMA_QUEEN_SIDE);
}

/* A move of one man, which may take one. */
static void move_man(stamma_position *p, unsigned us, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    unsigned type = position_type_at(p, from), taken_at = to;
    if (flags == STAMMA_FLAG_EN_PASSANT)
        taken_at = us == STAMMA_WHITE ? to - 8 : to + 8;
    taken_at &= 63;
    if (flags & STAMMA_FLAG_CAPTURE) {
        unsigned taken = position_type_at(p, taken_at);
        if (STAMMA_LIKELY(taken != STAMMA_PIECE_TYPE_NONE))
            toggle(p, us ^ 1, taken, taken_at);
    }
    toggle(p, us, type, from);
    toggle(p, us, flags & STAMMA_FLAG_PROMOTION ? stamma_move_promotion(move) : type, to);
    drop_rights(p, us, from, to, type == STAMMA_KING);
    if (flags == STAMMA_FLAG_DOUBLE_PUSH)
        p->en_passant = (stamma_square)((from + to) / 2);
    if (type == STAMMA_PAWN || flags & STAMMA_FLAG_CAPTURE)
        p->halfmove_clock = 0;
}

static void pass_turn(stamma_position *p)
{
    if (p->side == STAMMA_BLACK && p->fullmove_number < UINT16_MAX)
        p->fullmove_number++;
    p->side ^= 1;
    p->key ^= stamma_key_black;
}

void stamma_position_make(const stamma_position *before, stamma_move move, stamma_position *after)
{
    stamma_position p = *before;
    unsigned us = p.side;
    p.en_passant = STAMMA_SQUARE_NONE;
    if (p.halfmove_clock < UINT16_MAX)
        p.halfmove_clock++;
    if (stamma_move_is_castling(move)) {
        if (p.castling[us][castling_side(move)] != STAMMA_SQUARE_NONE)
            castle(&p, us, castling_side(move));
    } else if (move != STAMMA_MOVE_NULL && (p.by_color[us] >> stamma_move_from(move) & 1)) {
        move_man(&p, us, move);
    }
    pass_turn(&p);
    *after = p;
}
