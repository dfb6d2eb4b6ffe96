/* SPDX-License-Identifier: MIT */
/* Prints the moves that the PGN reader finds, for comparison with other readers of the same text.
 *
 * usage: list_games FILE
 *
 * Prints a line for each game, with two fields separated by a tab: the moves of the main line, and the FEN after
 * them. */
#include <stdio.h>
#include <stdlib.h>

#include "stamma.h"

static ptrdiff_t read_file(void *context, void *bytes, size_t size)
{
    size_t got = fread(bytes, 1, size, context);
    return got == 0 && ferror((FILE *)context) ? -1 : (ptrdiff_t)got;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    stamma_input input = {.context = file, .read = read_file};
    stamma_pgn_reader *reader;
    stamma_pgn_event event;
    stamma_position position = stamma_position_start();
    char fen[STAMMA_FEN_SIZE];
    unsigned plies = 0;
    if (!file || stamma_pgn_reader_open(&input, NULL, &reader))
        return 2;
    do {
        if (stamma_pgn_reader_next(reader, &event))
            return 2;
        if (event.kind == STAMMA_PGN_GAME_BEGIN)
            plies = 0;
        if (event.kind == STAMMA_PGN_GAME_END) {
            stamma_fen_write(&position, STAMMA_FEN_STANDARD, fen, sizeof fen);
            printf("%u\t%s\n", plies, fen);
        } else if (event.depth == 0 && stamma_pgn_reader_position(reader)) {
            position = *stamma_pgn_reader_position(reader);
            plies += event.kind == STAMMA_PGN_MOVE;
        }
    } while (event.kind != STAMMA_PGN_END);
    stamma_pgn_reader_close(reader);
    fclose(file);
    return 0;
}
