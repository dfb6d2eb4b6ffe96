/* SPDX-License-Identifier: MIT */
/* The canonical order of legal moves: ascending UCI text (Forster 2015), independent of the generator's order. */
#include "board/board.h"

/* Moves by origin and target. Squares are in the order of files, then ranks, as in the text. The four promotions of a
 * pawn on one square share an entry. */
typedef struct table {
    uint64_t origins; /* origins that have moves */
    uint64_t targets[64];
    stamma_move at[64][64]; /* only elements with a move are set */
} table;

static unsigned file_major(unsigned square)
{
    return (square & 7) << 3 | square >> 3;
}

/* Adds a move to the table. The target of castling is the rook's square. */
static void enter(table *t, const stamma_position *p, stamma_move move)
{
    unsigned from = file_major(stamma_move_from(move)), to = stamma_move_to(move);
    if (STAMMA_UNLIKELY(stamma_move_is_castling(move)))
        to = p->castling[p->side][castling_side(move)];
    to = file_major(to);
    t->origins |= square_bit(from);
    t->targets[from] |= square_bit(to);
    t->at[from][to] = move;
}

/* Stores a move, or the four promotions of its entry in the order b, n, q, r; returns their number. */
static size_t leave(stamma_move move, stamma_move *moves)
{
    static const uint8_t order[4] = {STAMMA_FLAG_PROMOTE_BISHOP, STAMMA_FLAG_PROMOTE_KNIGHT, STAMMA_FLAG_PROMOTE_QUEEN,
                                     STAMMA_FLAG_PROMOTE_ROOK};
    moves[0] = move;
    if (STAMMA_LIKELY(!stamma_move_is_promotion(move)))
        return 1;
    for (unsigned n = 0; n < 4; n++)
        moves[n] = stamma_move_make(stamma_move_from(move), stamma_move_to(move),
                                    order[n] | (stamma_move_flags(move) & STAMMA_FLAG_CAPTURE));
    return 4;
}

size_t stamma_legal_moves_canonical(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX])
{
    table t;
    t.origins = 0;
    memset(t.targets, 0, sizeof t.targets);
    size_t count = stamma_legal_moves(position, moves), written = 0;
    for (size_t n = 0; n < count; n++)
        enter(&t, position, moves[n]);
    for (uint64_t origins = t.origins; origins; origins = bits_rest(origins)) {
        unsigned from = bits_first(origins);
        for (uint64_t targets = t.targets[from]; targets; targets = bits_rest(targets))
            written += leave(t.at[from][bits_first(targets)], moves + written);
    }
    return written;
}
