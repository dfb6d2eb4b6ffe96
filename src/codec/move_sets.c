/* SPDX-License-Identifier: MIT */
/* All moves of a position as one set of targets for each piece, in canonical order (Forster 2015: by origin file,
 * origin rank, target file, target rank). Indices in that order are sums of population counts; no list is made or
 * sorted. */
#include "codec/codec.h"

/* ---- sets of targets ---- */

/* Returns the targets of a pawn, without en passant. Promotions to different pieces have the same target. */
STAMMA_INLINE uint64_t pawn_targets(const stamma_position *p, unsigned from)
{
    uint64_t empty = ~position_occupied(p), pawn = square_bit(from);
    bool white = p->side == STAMMA_WHITE;
    uint64_t single = (white ? pawn << 8 : pawn >> 8) & empty;
    uint64_t start = single & (white ? RANK_3 : RANK_6);
    uint64_t twice = (white ? start << 8 : start >> 8) & empty;
    return single | twice | (pawn_attacks(p->side, from) & p->by_color[p->side ^ 1]);
}

/* The kind of moves to collect. Only LEGAL considers checks. ATTACKS ignores pieces between king and rook when
 * castling. */
enum moves_asked { LEGAL, PSEUDO_LEGAL, ATTACKS };

static bool may_castle(const stamma_position *p, enum moves_asked asked, unsigned side)
{
    if (asked == LEGAL)
        return stamma_position_can_castle(p, side);
    return asked == ATTACKS || castling_way(p, side) != 0;
}

/* Returns the squares of the rooks with which the king may castle. */
static uint64_t castling_targets(const stamma_position *p, enum moves_asked asked)
{
    uint64_t rooks = 0;
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++)
        if (p->castling[p->side][side] != STAMMA_SQUARE_NONE && may_castle(p, asked, side))
            rooks |= square_bit(p->castling[p->side][side]);
    return rooks;
}

static uint64_t legal_king_targets(const stamma_position *p, const legality *l)
{
    uint64_t safe = 0;
    for (uint64_t steps = king_attacks(l->king) & ~p->by_color[p->side]; steps; steps = bits_rest(steps))
        if (position_king_may_step(p, bits_first(steps)))
            safe |= bits_lowest(steps);
    return l->checkers ? safe : safe | castling_targets(p, LEGAL);
}

STAMMA_INLINE uint64_t pseudo_legal_targets(const stamma_position *p, enum moves_asked asked, unsigned type,
                                            unsigned from)
{
    if (type == STAMMA_PAWN)
        return pawn_targets(p, from) | (pawn_attacks(p->side, from) & square_bit_or_none(p->en_passant));
    uint64_t targets = piece_attacks(type, from, position_occupied(p)) & ~p->by_color[p->side];
    return type == STAMMA_KING ? targets | castling_targets(p, asked) : targets;
}

STAMMA_INLINE uint64_t legal_targets(const stamma_position *p, const legality *l, unsigned type, unsigned from)
{
    if (type == STAMMA_KING)
        return legal_king_targets(p, l);
    uint64_t targets = type == STAMMA_PAWN ? pawn_targets(p, from) : piece_attacks(type, from, position_occupied(p));
    targets &= l->allowed;
    if (l->pinned >> from & 1)
        targets &= line_from(l->king, from);
    if (type == STAMMA_PAWN && pawn_attacks(p->side, from) & square_bit_or_none(p->en_passant) &&
        stamma_position_en_passant_is_legal(p, from))
        targets |= square_bit(p->en_passant);
    return targets;
}

/* ---- one piece ---- */

/* Returns the moves of a piece of the side to move, without the number of moves before them. `l` is NULL unless
 * LEGAL. */
STAMMA_INLINE move_set set_of(const stamma_position *p, enum moves_asked asked, const legality *l, unsigned from)
{
    uint64_t pawns = p->by_type[STAMMA_PAWN] & (p->side == STAMMA_WHITE ? RANK_7 : RANK_2);
    unsigned type = position_type_at(p, from);
    return (move_set){.targets = l ? legal_targets(p, l, type, from) : pseudo_legal_targets(p, asked, type, from),
                      .from = (uint8_t)from,
                      .times = (uint8_t)(pawns >> from & 1 ? 4 : 1)};
}

move_set stamma_move_set_attacks(const stamma_position *position, unsigned from)
{
    return set_of(position, ATTACKS, NULL, from);
}

/* ---- all pieces ---- */

STAMMA_INLINE void collect(const stamma_position *p, enum moves_asked asked, const legality *l, move_sets *sets)
{
    size_t moves = 0;
    unsigned pieces = 0;
    for (unsigned file = 0; file < 8; file++)
        for (uint64_t own = p->by_color[p->side] & FILE_A << file; own && pieces < 16; own = bits_rest(own)) {
            move_set *set = &sets->of[pieces++];
            *set = set_of(p, asked, l, bits_first(own));
            set->before = (uint16_t)moves;
            moves += move_set_size(set);
        }
    sets->pieces = pieces;
    sets->moves = moves;
}

void stamma_move_sets_legal(const stamma_position *position, move_sets *sets)
{
    legality l = position_legality(position);
    collect(position, LEGAL, &l, sets);
}

void stamma_move_sets_pseudo_legal(const stamma_position *position, move_sets *sets)
{
    collect(position, PSEUDO_LEGAL, NULL, sets);
}

/* ---- indices in canonical order ---- */

/* Canonical order is B N Q R; promotion flags are in the order N B R Q. The table converts in both directions. */
static const uint8_t promotion_order[4] = {1, 0, 3, 2};

size_t stamma_move_set_index(const move_set *set, const stamma_position *position, stamma_move move)
{
    unsigned target = stamma_move_to(move);
    if (stamma_move_is_castling(move))
        target = position->castling[position->side][castling_side(move)] & 63;
    if (!(set->targets >> target & 1))
        return move_set_size(set);
    size_t index = set->times * (size_t)bits_count(set->targets & squares_before(target));
    return set->times == 4 ? index + promotion_order[stamma_move_flags(move) & 3] : index;
}

size_t stamma_move_sets_index(const move_sets *sets, const stamma_position *position, stamma_move move)
{
    unsigned piece = 0;
    while (piece < sets->pieces && sets->of[piece].from != stamma_move_from(move))
        piece++;
    if (piece == sets->pieces)
        return sets->moves;
    const move_set *set = &sets->of[piece];
    size_t index = stamma_move_set_index(set, position, move);
    return index == move_set_size(set) ? sets->moves : set->before + index;
}

size_t stamma_legal_index(const stamma_position *position, stamma_move move)
{
    const unsigned from = stamma_move_from(move);
    const legality l = position_legality(position);
    const move_set set = set_of(position, LEGAL, &l, from);
    return stamma_legal_moves_count_from(position, squares_before(from)) + stamma_move_set_index(&set, position, move);
}

unsigned stamma_nth_square(uint64_t set, unsigned n)
{
    for (unsigned file = 0; file < 8; file++) {
        uint64_t column = set & FILE_A << file;
        if (n >= bits_count(column)) {
            n -= bits_count(column);
            continue;
        }
        for (; n > 0; n--)
            column = bits_rest(column);
        return bits_first(column);
    }
    return STAMMA_SQUARE_NONE;
}

/* Returns the move of a piece to one of its targets. */
static stamma_move move_to(const stamma_position *p, const move_set *set, unsigned target, unsigned promotion)
{
    unsigned from = set->from, side = target > from ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE;
    if (p->by_color[p->side] >> target & 1)
        return stamma_move_make(from, castling_king_to(p->side, side),
                                side == STAMMA_KING_SIDE ? STAMMA_FLAG_KING_CASTLE : STAMMA_FLAG_QUEEN_CASTLE);
    unsigned flags = p->by_color[p->side ^ 1] >> target & 1 ? STAMMA_FLAG_CAPTURE : STAMMA_FLAG_QUIET;
    if (set->times == 4)
        return stamma_move_make(from, target, flags | STAMMA_FLAG_PROMOTION | promotion_order[promotion]);
    if (p->by_type[STAMMA_PAWN] >> from & 1) {
        if (target == p->en_passant) /* no push reaches this square, because the pawn to capture has passed it */
            flags = STAMMA_FLAG_EN_PASSANT;
        else if (from + 16 == target || target + 16 == from)
            flags = STAMMA_FLAG_DOUBLE_PUSH;
    }
    return stamma_move_make(from, target, flags);
}

stamma_move stamma_move_set_at(const move_set *set, const stamma_position *position, size_t index)
{
    unsigned place = (unsigned)index;
    return move_to(position, set, stamma_nth_square(set->targets, place / set->times), place % set->times);
}

stamma_move stamma_move_sets_at(const move_sets *sets, const stamma_position *position, size_t index)
{
    unsigned piece = sets->pieces - 1;
    while (sets->of[piece].before > index)
        piece--;
    return stamma_move_set_at(&sets->of[piece], position, index - sets->of[piece].before);
}

stamma_move stamma_legal_move_at(const stamma_position *position, size_t index)
{
    const legality l = position_legality(position);
    for (unsigned file = 0; file < 8; file++)
        for (uint64_t own = position->by_color[position->side] & FILE_A << file; own; own = bits_rest(own)) {
            const move_set set = set_of(position, LEGAL, &l, bits_first(own));
            if (index < move_set_size(&set))
                return stamma_move_set_at(&set, position, index);
            index -= move_set_size(&set);
        }
    return STAMMA_MOVE_NULL;
}
