/* SPDX-License-Identifier: MIT */
/* Perft: the number of leaves of the tree of legal moves, the classic test of a move generator. */
#include "board/board.h"

uint64_t stamma_perft(const stamma_position *position, unsigned depth)
{
#if STAMMA_HAVE_BMI2
    if (stamma_cpu_has_bmi2())
        return stamma_generate_perft_bmi2(position, depth);
#endif
    return stamma_generate_perft_portable(position, depth);
}

uint64_t stamma_perft_plain(const stamma_position *position, unsigned depth)
{
    if (depth == 0)
        return 1;
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    uint64_t nodes = 0;
    for (size_t n = 0; n < count; n++) {
        stamma_position after;
        stamma_position_make(position, moves[n], &after);
        nodes += stamma_perft_plain(&after, depth - 1);
    }
    return nodes;
}
