/* Perft: the number of leaves of the tree of legal moves, the classic test of a generator. */
#include "board/board.h"

uint64_t stamma_perft(const stamma_position *position, unsigned depth)
{
    if (depth <= 1)
        return depth == 0 ? 1 : stamma_legal_moves_count(position);
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    uint64_t nodes = 0;
    for (size_t n = 0; n < count; n++) {
        stamma_position after;
        stamma_position_make(position, moves[n], &after);
        nodes += stamma_perft(&after, depth - 1);
    }
    return nodes;
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
