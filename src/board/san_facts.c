/* SPDX-License-Identifier: MIT */
/* Computes SAN facts: the data that SAN needs in addition to the squares of a move. */
#include "board/board.h"

uint64_t stamma_position_rivals(const stamma_position *p, unsigned type, unsigned from, unsigned to)
{
    uint64_t pieces =
        position_pieces(p, p->side, type) & piece_attacks(type, to, position_occupied(p)) & ~square_bit(from);
    if (STAMMA_LIKELY(pieces == 0))
        return 0;
    legality l = position_legality(p);
    for (uint64_t rest = pieces; rest; rest = bits_rest(rest))
        if (!legality_allows(&l, bits_first(rest), to))
            pieces &= ~bits_lowest(rest);
    return pieces;
}

unsigned stamma_move_origin_san_facts(const stamma_position *p, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), type = position_type_at(p, from);
    if (type == STAMMA_PAWN)
        return STAMMA_PAWN | (stamma_move_is_capture(move) ? SAN_FACT_FILE : 0);
    if (type >= STAMMA_KING)
        return STAMMA_KING;
    return type | san_facts_of_origin(stamma_position_rivals(p, type, from, to), from);
}

bool stamma_position_is_mate(const stamma_position *p)
{
    uint64_t steps = king_attacks(position_king(p, p->side)) & ~p->by_color[p->side];
    for (; steps; steps = bits_rest(steps))
        if (position_king_may_step(p, bits_first(steps)))
            return false;
    return stamma_legal_moves_count(p) == 0;
}

unsigned stamma_move_check_san_facts(const stamma_position *p, stamma_move move)
{
    if (STAMMA_LIKELY(!stamma_move_gives_check(p, move)))
        return 0;
    stamma_position after;
    stamma_position_make(p, move, &after);
    return stamma_position_is_mate(&after) ? SAN_FACT_CHECK | SAN_FACT_MATE : SAN_FACT_CHECK;
}
