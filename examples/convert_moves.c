/* SPDX-License-Identifier: MIT */
/* Plays moves from the initial position. Accepts moves in any spelling, and prints each in three notations with the
 * position after it.
 *
 * usage: convert_moves [MOVE...] */
#include <stdio.h>
#include <string.h>

#include "stamma.h"

static const char *const sample[] = {"e4",   "e7e5", "g1-f3", "Nb8-c6", "Bb5!", "a6",
                                     "Bxc6", "dc6",  "0-0",   "Qd4??",  "Nxd4"};

static int play(stamma_position *position, const char *text)
{
    stamma_move move;
    stamma_error error = stamma_san_read(position, (stamma_text){text, strlen(text)}, &move);
    if (error != STAMMA_OK) {
        fprintf(stderr, "convert_moves: %s: %s\n", text, stamma_error_text(error));
        return 2;
    }
    char san[STAMMA_SAN_SIZE], uci[STAMMA_UCI_SIZE], lan[STAMMA_LAN_SIZE], fen[STAMMA_FEN_SIZE];
    stamma_san_write(position, move, san, sizeof san);
    stamma_uci_write(position, move, false, uci, sizeof uci);
    stamma_lan_write(position, move, lan, sizeof lan);
    stamma_position_make(position, move, position);
    stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    printf("%-7s %-7s %-8s %-8s %s\n", text, san, uci, lan, fen);
    return 0;
}

int main(int argc, char **argv)
{
    stamma_position position = stamma_position_start();
    printf("%-7s %-7s %-8s %-8s %s\n", "given", "SAN", "UCI", "LAN", "FEN after it");
    size_t count = argc > 1 ? (size_t)argc - 1 : sizeof sample / sizeof *sample;
    for (size_t i = 0; i < count; i++) {
        int status = play(&position, argc > 1 ? argv[i + 1] : sample[i]);
        if (status != 0)
            return status;
    }
    return 0;
}
