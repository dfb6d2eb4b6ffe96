/* The canonical order of legal moves: ascending UCI text (seed 004), whatever order the generator has. */
#include "board/board.h"

/* Transposes a square, so that files count more than ranks. */
static unsigned file_major(unsigned square)
{
    return (square & 7) << 3 | square >> 3;
}

/* Grows with the move's UCI text: origin, target (the rook's square when castling), then none < b < n < q < r. */
static uint32_t canonical_rank(const stamma_position *p, stamma_move move)
{
    static const uint8_t promotions[4] = {2, 1, 4, 3}; /* n, b, r, q */
    unsigned to = stamma_move_to(move), promotion = 0;
    if (stamma_move_is_castling(move))
        to = p->castling[p->side][castling_side(move)];
    if (stamma_move_is_promotion(move))
        promotion = promotions[stamma_move_flags(move) & 3];
    return file_major(stamma_move_from(move)) << 9 | file_major(to) << 3 | promotion;
}

/* Sorting by insertion: lists have some 30 moves, and come in runs that ascend already. */
size_t stamma_legal_moves_canonical(const stamma_position *position, stamma_move moves[STAMMA_MOVES_MAX])
{
    uint32_t ranks[STAMMA_MOVES_MAX]; /* canonical rank above the move */
    size_t count = stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++) {
        uint32_t entry = canonical_rank(position, moves[n]) << 16 | moves[n];
        size_t at = n;
        for (; at > 0 && ranks[at - 1] > entry; at--)
            ranks[at] = ranks[at - 1];
        ranks[at] = entry;
    }
    for (size_t n = 0; n < count; n++)
        moves[n] = (stamma_move)ranks[n];
    return count;
}
