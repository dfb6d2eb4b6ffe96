/* SPDX-License-Identifier: MIT */
/* Sets up a position in every board representation, makes and unmakes its legal moves, and counts the sequences of
 * legal moves. All representations must agree with the library.
 *
 * usage: all_boards [FEN [DEPTH]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

/* A position with castling on both sides, en passant, promotions and pins, by Peter McKenzie ("Kiwipete"). */
#define DEFAULT_FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

/* Makes and unmakes each legal move of a state. Returns their number, or 0 if the state is not restored. */
static size_t try_moves(const stamma_board *board, stamma_board_state *state)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = board->legal_moves(state, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_board_state before = *state;
        stamma_board_undo undo;
        board->make(state, moves[n], &undo);
        board->unmake(state, moves[n], &undo);
        if (memcmp(state, &before, board->size) != 0)
            return 0;
    }
    return count;
}

/* Prints a line for a representation. Returns whether it agrees with the library. */
static bool show(const stamma_board *board, const stamma_position *position, unsigned depth)
{
    stamma_board_state state;
    stamma_position back;
    stamma_error error = board->set_up(position, &state);
    if (error != STAMMA_OK) {
        printf("%-14s %s\n", board->name, stamma_error_text(error));
        return error == STAMMA_ERROR_UNSUPPORTED;
    }
    size_t moves = try_moves(board, &state);
    uint64_t nodes = stamma_board_perft(board, &state, depth);
    error = board->give_back(&state, &back);
    bool same = error == STAMMA_OK && memcmp(&back, position, sizeof back) == 0 &&
                moves == stamma_legal_moves_count(position) && nodes == stamma_perft(position, depth);
    printf("%-14s %3zu bytes  %2zu legal moves  perft %u: %" PRIu64 "%s\n", board->name, board->size, moves, depth,
           nodes, same ? "" : "  DIFFERENT");
    return same;
}

/* Prints the legal moves as a representation lists them, in SAN. */
static void list_moves(const stamma_board *board, const stamma_position *position)
{
    stamma_board_state state;
    stamma_move moves[STAMMA_MOVES_MAX];
    if (board->set_up(position, &state) != STAMMA_OK)
        return;
    size_t count = board->legal_moves(&state, moves);
    printf("\n%s (%s):\n", board->name, board->description);
    for (size_t n = 0; n < count; n++) {
        char san[STAMMA_SAN_SIZE];
        stamma_san_write(position, moves[n], san, sizeof san);
        printf("%s%s", san, n + 1 == count || n % 16 == 15 ? "\n" : " ");
    }
}

int main(int argc, char **argv)
{
    const char *fen = argc > 1 ? argv[1] : DEFAULT_FEN;
    unsigned depth = argc > 2 ? (unsigned)atoi(argv[2]) : 3;
    stamma_position position;
    stamma_error error = stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL);
    if (error != STAMMA_OK) {
        fprintf(stderr, "all_boards: %s: %s\n", fen, stamma_error_text(error));
        return 2;
    }

    const stamma_board *board;
    bool same = true;
    for (size_t n = 0; (board = stamma_board_at(n)) != NULL; n++)
        same = show(board, &position, depth) && same;
    list_moves(stamma_board_find(stamma_text_of("x88")), &position);
    return same ? 0 : 2;
}
