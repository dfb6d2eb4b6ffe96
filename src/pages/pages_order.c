/* SPDX-License-Identifier: MIT */
/* Numbers of moves. The legal moves of a position are ordered by weights of their classes, which the file contains, so
 * that moves that are often played have small numbers. */
#include "pages/pages.h"

/* Returns whether a pawn of the other side attacks a square. */
static bool is_attacked(const stamma_position *p, unsigned square)
{
    return (pawn_attacks(p->side, square) & position_pieces(p, p->side ^ 1u, STAMMA_PAWN)) != 0;
}

unsigned stamma_pages_class(const stamma_position *p, stamma_move move, unsigned last)
{
    const unsigned to = stamma_move_to(move), turn = p->side == STAMMA_BLACK ? 56 : 0;
    const unsigned type = position_type_at(p, stamma_move_from(move));
    const unsigned order = !stamma_move_is_capture(move) ? 0 : to == last ? 2 : 1;
    return ((type * 64 + (to ^ turn)) * PAGES_ORDERS + order) * 2 + is_attacked(p, to);
}

/* A weight is a logarithm: eight steps for each doubling. */
uint8_t stamma_pages_weight(uint64_t played, uint64_t available)
{
    const uint64_t share = (played << 16) / (available + 16) + 1;
    const unsigned last = bits_last(share);
    const uint64_t rest = last >= 3 ? share >> (last - 3) : share << (3 - last);
    return (uint8_t)(8 * last + (rest & 7));
}

/* Returns a number that orders moves of equal weight: by squares, and promotions from the queen down. */
static unsigned tie_of(stamma_move move)
{
    const unsigned squares = stamma_move_butterfly(move) * 8u;
    return squares + (stamma_move_is_promotion(move) ? 1u + STAMMA_QUEEN - stamma_move_promotion(move) : 0);
}

/* Returns a number that is greater for moves that come first. */
static uint32_t place_of(const pages_order *order, const stamma_position *p, stamma_move move, unsigned last)
{
    return (uint32_t)order->weights[stamma_pages_class(p, move, last)] << 16 | (0xFFFFu - tie_of(move));
}

unsigned stamma_pages_rank(const pages_order *order, const stamma_position *p, stamma_move move, unsigned last)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves(p, moves);
    if (move == STAMMA_MOVE_NULL)
        return (unsigned)count;
    const uint32_t place = place_of(order, p, move, last);
    unsigned rank = 0;
    for (size_t n = 0; n < count; n++)
        rank += place_of(order, p, moves[n], last) > place;
    return rank;
}

bool stamma_pages_move(const pages_order *order, const stamma_position *p, unsigned rank, unsigned last,
                       stamma_move *move)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    uint32_t places[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves(p, moves);
    *move = STAMMA_MOVE_NULL;
    if (rank >= count)
        return rank == count && !position_attackers(p, p->side ^ 1u, position_king(p, p->side), position_occupied(p));
    for (size_t n = 0; n < count; n++)
        places[n] = place_of(order, p, moves[n], last);
    for (size_t n = 0; n < count; n++) {
        unsigned before = 0;
        for (size_t k = 0; k < count && before <= rank; k++)
            before += places[k] > places[n];
        if (before == rank)
            *move = moves[n];
    }
    return true;
}
