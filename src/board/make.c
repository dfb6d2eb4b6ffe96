/* Making a move: the position after it, with its key. Copying is how a move is taken back. */
#include "board/board.h"

/* Whether the board allows a move that is not castling to be made, legal or not: an own man to move, an enemy where one
 * is taken, else nothing. So no square ever gets two men. */
static bool fits(const stamma_position *p, stamma_move move)
{
    uint64_t own = p->by_color[p->side], enemy = p->by_color[p->side ^ 1], to = square_bit(stamma_move_to(move));
    uint64_t empty = stamma_move_is_capture(move) ? own : own | enemy, taken = enemy & to;
    if (stamma_move_flags(move) == STAMMA_FLAG_EN_PASSANT) {
        empty |= enemy;
        taken = enemy & en_passant_taken(p->side, to);
    }
    return (own >> stamma_move_from(move) & 1) && !(empty & to) && (taken || !stamma_move_is_capture(move));
}

/* What the key changes by when a man goes from `from` to `to`, taking what stands there. */
static uint64_t move_key(const stamma_position *p, stamma_move move, unsigned type)
{
    unsigned us = p->side, to = stamma_move_to(move), flags = stamma_move_flags(move), taken_at = to;
    unsigned becomes = flags & STAMMA_FLAG_PROMOTION ? stamma_move_promotion(move) : type;
    uint64_t key = key_man(us, type, stamma_move_from(move)) ^ key_man(us, becomes, to);
    if (!(flags & STAMMA_FLAG_CAPTURE))
        return key;
    if (flags == STAMMA_FLAG_EN_PASSANT)
        taken_at = bits_first(en_passant_taken(us, square_bit(to)));
    return key ^ key_man(us ^ 1, position_type_at(p, taken_at), taken_at);
}

static uint64_t castle_key(const stamma_position *p, unsigned side)
{
    unsigned us = p->side;
    return key_man(us, STAMMA_KING, position_king(p, us)) ^ key_man(us, STAMMA_ROOK, p->castling[us][side]) ^
           key_man(us, STAMMA_KING, castling_king_to(us, side)) ^ key_man(us, STAMMA_ROOK, castling_rook_to(us, side));
}

static void drop_rights(const stamma_position *before, stamma_position *after, uint64_t touched)
{
    castling_drop(after, touched);
    after->key ^= castling_key(before) ^ castling_key(after);
}

/* A move of one man, which may take one; `type` is that of the man. */
static void move_man(const stamma_position *before, stamma_move move, unsigned type, stamma_position *after)
{
    unsigned us = before->side, from = stamma_move_from(move), to = stamma_move_to(move);
    unsigned flags = stamma_move_flags(move);
    uint64_t touched = square_bit(from) | square_bit(to);
    men_move(before, after, us, type, square_bit(from), square_bit(to), flags);
    after->key ^= move_key(before, move, type);
    if (type == STAMMA_KING)
        touched |= us == STAMMA_WHITE ? RANK_1 : RANK_8;
    if (castling_has_rights(before))
        drop_rights(before, after, touched);
    if (flags == STAMMA_FLAG_DOUBLE_PUSH)
        after->en_passant = (stamma_square)((from + to) / 2);
    if (type == STAMMA_PAWN || flags & STAMMA_FLAG_CAPTURE)
        after->halfmove_clock = 0;
}

static void castle(const stamma_position *before, unsigned side, stamma_position *after)
{
    men_castle(before, after, before->side, side);
    after->key ^= castle_key(before, side);
    drop_rights(before, after, before->side == STAMMA_WHITE ? RANK_1 : RANK_8);
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
    stamma_position p;
    pass_turn(before, &p);
    if (STAMMA_UNLIKELY(stamma_move_is_castling(move))) {
        if (castling_way(before, castling_side(move)))
            castle(before, castling_side(move), &p);
    } else if (move != STAMMA_MOVE_NULL && fits(before, move)) {
        move_man(before, move, position_type_at(before, stamma_move_from(move)), &p);
    }
    *after = p;
}
