/* The generator of legal moves. One body lists and counts, for either colour: each use is a copy of its own in which
 * the choice of colour and of list or count is a constant. Nothing is made and taken back: pins and checks decide
 * (position set up once in `legality`), only en passant looks at the board after the move. */
#include "board/board.h"

typedef struct output {
    stamma_move *next; /* where the list goes on; not used when counting */
    size_t count;
} output;

STAMMA_INLINE void put(output *out, bool list, unsigned from, unsigned to, unsigned flags)
{
    if (list)
        *out->next++ = stamma_move_make(from, to, flags);
    else
        out->count++;
}

/* The moves of one man to a set of squares. */
STAMMA_INLINE void put_targets(output *out, bool list, unsigned from, uint64_t targets, uint64_t enemy)
{
    if (!list) {
        out->count += bits_count(targets);
        return;
    }
    for (; targets; targets = bits_rest(targets)) {
        unsigned to = bits_first(targets);
        put(out, list, from, to, enemy >> to & 1 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET);
    }
}

/* The moves of pawns to a set of squares, all from `back` squares behind; `flags` without promotion. */
STAMMA_INLINE void put_pawns(output *out, bool list, uint64_t targets, int back, unsigned flags)
{
    uint64_t last = targets & (RANK_1 | RANK_8);
    if (!list) {
        out->count += bits_count(targets) + 3u * bits_count(last);
        return;
    }
    for (uint64_t rest = targets & ~last; rest; rest = bits_rest(rest)) {
        unsigned to = bits_first(rest);
        put(out, list, (unsigned)((int)to - back), to, flags);
    }
    for (; last; last = bits_rest(last)) {
        unsigned to = bits_first(last);
        for (unsigned promotion = STAMMA_FLAG_PROMOTE_KNIGHT; promotion <= STAMMA_FLAG_PROMOTE_QUEEN; promotion++)
            put(out, list, (unsigned)((int)to - back), to, promotion | flags);
    }
}

STAMMA_INLINE uint64_t shift(uint64_t set, bool white, unsigned squares)
{
    return white ? set << squares : set >> squares;
}

/* A pinned pawn may go on where its way is the king's line: a square lies on only one line with the king. */
STAMMA_INLINE void pawn_moves(output *out, bool list, const stamma_position *p, const legality *l, bool white)
{
    uint64_t pawns = p->by_color[!white] & p->by_type[STAMMA_PAWN], enemy = p->by_color[white];
    uint64_t empty = ~position_occupied(p);
    const uint64_t *lines = stamma_line_masks[l->king];
    int sign = white ? 1 : -1;
    uint64_t single = shift(pawns & (~l->pinned | lines[1]), white, 8) & empty;
    uint64_t twice = shift(single & (white ? RANK_3 : RANK_6), white, 8) & empty;
    uint64_t diagonal = shift(pawns & (~l->pinned | lines[2]) & ~(white ? FILE_H : FILE_A), white, 9) & enemy;
    uint64_t anti = shift(pawns & (~l->pinned | lines[3]) & ~(white ? FILE_A : FILE_H), white, 7) & enemy;
    put_pawns(out, list, single & l->allowed, sign * 8, STAMMA_FLAG_QUIET);
    put_pawns(out, list, twice & l->allowed, sign * 16, STAMMA_FLAG_DOUBLE_PUSH);
    put_pawns(out, list, diagonal & l->allowed, sign * 9, STAMMA_FLAG_CAPTURE);
    put_pawns(out, list, anti & l->allowed, sign * 7, STAMMA_FLAG_CAPTURE);
    if (STAMMA_UNLIKELY(p->en_passant != STAMMA_SQUARE_NONE))
        for (uint64_t from = stamma_position_en_passant_pawns(p); from; from = bits_rest(from))
            put(out, list, bits_first(from), p->en_passant, STAMMA_FLAG_EN_PASSANT);
}

/* Queens move as bishops first, then as rooks. */
STAMMA_INLINE void piece_moves(output *out, bool list, const stamma_position *p, const legality *l, bool white)
{
    uint64_t own = p->by_color[!white], enemy = p->by_color[white], occupied = own | enemy;
    uint64_t free = own & ~l->pinned, diagonal = position_diagonal_sliders(p), straight = position_straight_sliders(p);
    for (uint64_t men = free & p->by_type[STAMMA_KNIGHT]; men; men = bits_rest(men))
        put_targets(out, list, bits_first(men), knight_attacks(bits_first(men)) & l->allowed, enemy);
    for (uint64_t men = free & diagonal; men; men = bits_rest(men))
        put_targets(out, list, bits_first(men), bishop_attacks(bits_first(men), occupied) & l->allowed, enemy);
    for (uint64_t men = free & straight; men; men = bits_rest(men))
        put_targets(out, list, bits_first(men), rook_attacks(bits_first(men), occupied) & l->allowed, enemy);
    for (uint64_t men = l->pinned & (diagonal | straight); STAMMA_UNLIKELY(men != 0); men = bits_rest(men)) {
        unsigned from = bits_first(men);
        uint64_t attacks = (diagonal >> from & 1 ? bishop_attacks(from, occupied) : 0) |
                           (straight >> from & 1 ? rook_attacks(from, occupied) : 0);
        put_targets(out, list, from, attacks & l->allowed & stamma_line[l->king][from], enemy);
    }
}

STAMMA_INLINE void king_moves(output *out, bool list, const stamma_position *p, const legality *l, bool white)
{
    uint64_t steps = king_attacks(l->king) & ~p->by_color[!white], safe = 0;
    for (; steps; steps = bits_rest(steps))
        if (position_king_may_step(p, bits_first(steps)))
            safe |= steps & (0 - steps);
    put_targets(out, list, l->king, safe, p->by_color[white]);
    if (l->checkers)
        return;
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++)
        if (p->castling[!white][side] != STAMMA_SQUARE_NONE && stamma_position_can_castle(p, side))
            put(out, list, l->king, castling_king_to(!white, side),
                side == STAMMA_KING_SIDE ? STAMMA_FLAG_KING_CASTLE : STAMMA_FLAG_QUEEN_CASTLE);
}

STAMMA_INLINE void generate(output *out, bool list, const stamma_position *p, bool white)
{
    legality l = position_legality(p);
    king_moves(out, list, p, &l, white);
    if (l.checkers && bits_rest(l.checkers))
        return;
    pawn_moves(out, list, p, &l, white);
    piece_moves(out, list, p, &l, white);
}

size_t stamma_legal_moves(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX])
{
    output out = {moves, 0};
    if (position->side == STAMMA_WHITE)
        generate(&out, true, position, true);
    else
        generate(&out, true, position, false);
    return (size_t)(out.next - moves);
}

size_t stamma_legal_moves_count(const stamma_position *position)
{
    output out = {NULL, 0};
    if (position->side == STAMMA_WHITE)
        generate(&out, false, position, true);
    else
        generate(&out, false, position, false);
    return out.count;
}
