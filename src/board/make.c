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

static uint64_t castle_key(const stamma_position *p, unsigned side)
{
    unsigned us = p->side;
    return key_man(us, STAMMA_KING, position_king(p, us)) ^ key_man(us, STAMMA_ROOK, p->castling[us][side]) ^
           key_man(us, STAMMA_KING, castling_king_to(us, side)) ^ key_man(us, STAMMA_ROOK, castling_rook_to(us, side));
}

/* A set for each type of man: all squares for one of them, none for the others; the row behind the kings' is of none.
 */
static const uint64_t of_type[7][6] = {{~UINT64_C(0), 0, 0, 0, 0, 0},
                                       {0, ~UINT64_C(0), 0, 0, 0, 0},
                                       {0, 0, ~UINT64_C(0), 0, 0, 0},
                                       {0, 0, 0, ~UINT64_C(0), 0, 0},
                                       {0, 0, 0, 0, ~UINT64_C(0), 0},
                                       {0, 0, 0, 0, 0, ~UINT64_C(0)},
                                       {0}};

/* A move of one man, which may take one. A hot path: each member is read once and written once, in the same width, so
 * that the next move need not wait for the stores of this one; `after` may be `before`. */
static void move_man(const stamma_position *before, stamma_move move, stamma_position *after)
{
    unsigned us = before->side, from = stamma_move_from(move), to = stamma_move_to(move);
    unsigned flags = stamma_move_flags(move), type = position_type_at(before, from);
    unsigned becomes = flags & STAMMA_FLAG_PROMOTION ? (flags & 3) + STAMMA_KNIGHT : type;
    uint64_t leaves = square_bit(from), arrives = square_bit(to), taken = 0;
    uint64_t key = before->key ^ stamma_key_black ^ key_man(us, type, from) ^ key_man(us, becomes, to);
    if (flags & STAMMA_FLAG_CAPTURE) {
        taken = flags == STAMMA_FLAG_EN_PASSANT ? en_passant_taken(us, arrives) : arrives;
        unsigned taken_at = bits_first(taken);
        key ^= key_man(us ^ 1, position_type_at(before, taken_at), taken_at);
    }
    for (unsigned n = STAMMA_PAWN; n <= STAMMA_KING; n++)
        after->by_type[n] =
            (before->by_type[n] & ~(taken | (leaves & of_type[type][n]))) | (arrives & of_type[becomes][n]);
    uint64_t own = (before->by_color[us] & ~leaves) | arrives, enemy = before->by_color[us ^ 1] & ~taken;
    after->by_color[us] = own;
    after->by_color[us ^ 1] = enemy;
    bool resets = type == STAMMA_PAWN || taken != 0, last = before->halfmove_clock == UINT16_MAX;
    after->halfmove_clock = resets ? 0 : (uint16_t)(before->halfmove_clock + !last);
    after->fullmove_number = (uint16_t)(before->fullmove_number + (us & (before->fullmove_number != UINT16_MAX)));
    after->side = (uint8_t)(us ^ 1);
    after->en_passant = flags == STAMMA_FLAG_DOUBLE_PUSH ? (stamma_square)((from + to) / 2) : STAMMA_SQUARE_NONE;
    memset(after->reserved, 0, sizeof after->reserved);
    bool rights = castling_has_rights(before);
    memmove(after->castling, before->castling, sizeof after->castling);
    after->key = key;
    if (rights) {
        uint64_t old = castling_key(after), back_rank = us == STAMMA_WHITE ? RANK_1 : RANK_8;
        castling_drop(after, leaves | arrives | (type == STAMMA_KING ? back_rank : 0));
        after->key ^= old ^ castling_key(after);
    }
}

static void castle(const stamma_position *before, unsigned side, stamma_position *after)
{
    men_castle(before, after, before->side, side);
    after->key ^= castle_key(before, side);
    castling_drop(after, before->side == STAMMA_WHITE ? RANK_1 : RANK_8);
    after->key ^= castling_key(before) ^ castling_key(after);
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
        move_man(before, move, after);
        return;
    }
    stamma_position p;
    pass_turn(before, &p);
    if (stamma_move_is_castling(move) && castling_way(before, castling_side(move)))
        castle(before, castling_side(move), &p);
    *after = p;
}
