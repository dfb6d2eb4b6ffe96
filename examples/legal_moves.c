/* SPDX-License-Identifier: MIT */
/* Lists the legal moves of a position and counts the sequences of legal moves up to a depth.
 *
 * usage: legal_moves [FEN [DEPTH]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

/* Lasker's trap in the Albin counter-gambit, in which one legal move promotes to a knight. */
#define DEFAULT_FEN "rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 1 7"

int main(int argc, char **argv)
{
    const char *fen = argc > 1 ? argv[1] : DEFAULT_FEN;
    unsigned depth = argc > 2 ? (unsigned)atoi(argv[2]) : 3;

    stamma_position position;
    stamma_error error = stamma_fen_read((stamma_text){fen, strlen(fen)}, &position, NULL, NULL);
    if (error != STAMMA_OK) {
        fprintf(stderr, "legal_moves: %s: %s\n", fen, stamma_error_text(error));
        return 2;
    }

    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(&position, moves);
    for (size_t i = 0; i < count; i++) {
        char san[STAMMA_SAN_SIZE];
        stamma_san_write(&position, moves[i], san, sizeof san);
        printf("%s%s", san, i + 1 < count ? " " : "\n");
    }
    for (unsigned plies = 1; plies <= depth; plies++)
        printf("perft %u: %" PRIu64 "\n", plies, stamma_perft(&position, plies));
    return 0;
}
