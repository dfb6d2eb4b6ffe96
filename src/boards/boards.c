/* SPDX-License-Identifier: MIT */
/* The list of board representations, and the perft that works with any of them. */
#include "boards/boards.h"

static const stamma_board *const boards[] = {
    &stamma_board_bitboard,    &stamma_board_array_8x8, &stamma_board_mailbox_12x12, &stamma_board_mailbox_10x12,
    &stamma_board_array_16x16, &stamma_board_x88,       &stamma_board_nibble_rows,   &stamma_board_piece_list,
};

const stamma_board *stamma_board_at(size_t index)
{
    return index < sizeof boards / sizeof *boards ? boards[index] : NULL;
}

const stamma_board *stamma_board_find(stamma_text name)
{
    for (size_t n = 0; n < sizeof boards / sizeof *boards; n++)
        if (strlen(boards[n]->name) == name.size && memcmp(boards[n]->name, name.data, name.size) == 0)
            return boards[n];
    return NULL;
}

uint64_t stamma_board_perft(const stamma_board *board, void *state, unsigned depth)
{
    if (depth == 0)
        return 1;
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = board->legal_moves(state, moves);
    if (depth == 1)
        return count;
    uint64_t nodes = 0;
    for (size_t n = 0; n < count; n++) {
        stamma_board_undo undo;
        board->make(state, moves[n], &undo);
        nodes += stamma_board_perft(board, state, depth - 1);
        board->unmake(state, moves[n], &undo);
    }
    return nodes;
}
