/* SPDX-License-Identifier: MIT */
/* Squares of pieces, and positions, squares and moves with the colors or the files exchanged. */
#include "query/query.h"

uint64_t stamma_squares_of(const stamma_position *p, query_word pieces)
{
    uint64_t white = 0, black = 0;
    for (unsigned type = 0; type < 6; type++) {
        white |= pieces >> type & 1 ? p->by_type[type] : 0;
        black |= pieces >> (type + 6) & 1 ? p->by_type[type] : 0;
    }
    uint64_t empty = pieces >> QUERY_EMPTY & 1 ? ~position_occupied(p) : 0;
    return (white & p->by_color[0]) | (black & p->by_color[1]) | empty;
}

/* ---- turned positions ---- */

/* Reverses the ranks of a set of squares, which are its bytes. */
static uint64_t turn_ranks(uint64_t x)
{
    x = (x >> 8 & 0x00FF00FF00FF00FFu) | (x & 0x00FF00FF00FF00FFu) << 8;
    x = (x >> 16 & 0x0000FFFF0000FFFFu) | (x & 0x0000FFFF0000FFFFu) << 16;
    return x >> 32 | x << 32;
}
/* Reverses the files of a set of squares, which are the bits of each byte. */
static uint64_t turn_files(uint64_t x)
{
    x = (x >> 1 & EACH_BYTE(0x55)) | (x & EACH_BYTE(0x55)) << 1;
    x = (x >> 2 & EACH_BYTE(0x33)) | (x & EACH_BYTE(0x33)) << 2;
    return (x >> 4 & EACH_BYTE(0x0F)) | (x & EACH_BYTE(0x0F)) << 4;
}

uint64_t stamma_squares_turned(uint64_t x, unsigned turn)
{
    if (turn & QUERY_TURN_COLORS)
        x = turn_ranks(x);
    return turn & QUERY_TURN_FILES ? turn_files(x) : x;
}

static unsigned turn_mask(unsigned turn)
{
    return (turn & QUERY_TURN_COLORS ? 56u : 0) | (turn & QUERY_TURN_FILES ? 7u : 0);
}

static stamma_square turn_square(stamma_square square, unsigned turn)
{
    return square < 64 ? (stamma_square)(square ^ turn_mask(turn)) : square;
}

/* If the files are turned, the castling rights of the king's side and the queen's side are exchanged. */
stamma_position stamma_position_turned(const stamma_position *position, unsigned turn)
{
    stamma_position p = *position;
    unsigned other = (turn & QUERY_TURN_COLORS) != 0, side = (turn & QUERY_TURN_FILES) != 0;
    for (unsigned color = 0; color < 2; color++) {
        p.by_color[color] = stamma_squares_turned(position->by_color[color ^ other], turn);
        for (unsigned i = 0; i < 2; i++)
            p.castling[color][i] = turn_square(position->castling[color ^ other][i ^ side], turn);
    }
    for (unsigned type = 0; type < 6; type++)
        p.by_type[type] = stamma_squares_turned(position->by_type[type], turn);
    p.side = (uint8_t)(position->side ^ other);
    p.en_passant = turn_square(position->en_passant, turn);
    return p;
}

stamma_move stamma_move_turned(stamma_move move, unsigned turn)
{
    return move == STAMMA_MOVE_NULL ? move : (stamma_move)(move ^ turn_mask(turn) ^ turn_mask(turn) << 6);
}
