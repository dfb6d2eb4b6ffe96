/* SPDX-License-Identifier: MIT */
/* Prints the main lines of games, for comparison with other programs.
 *
 * usage: dump_games EVERY <PGN
 *
 * Prints each EVERY-th game: a line "game", then a line for each position, including the last. A line has six fields
 * separated by tabs: the FEN; the played move in UCI, SAN and LAN (empty in the last position); all legal moves in
 * SAN and in UCI_Chess960, separated by spaces, in canonical order. A game ends at a null move and at an illegal
 * move. */
#include <stdio.h>
#include <stdlib.h>

#include "stamma.h"

static ptrdiff_t read_stdin(void *context, void *bytes, size_t size)
{
    (void)context;
    size_t got = fread(bytes, 1, size, stdin);
    return got == 0 && ferror(stdin) ? -1 : (ptrdiff_t)got;
}

static void print_played(const stamma_position *position, stamma_move move)
{
    char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE], lan[STAMMA_LAN_SIZE];
    stamma_uci_write(position, move, false, uci, sizeof uci);
    stamma_san_write(position, move, san, sizeof san);
    stamma_lan_write(position, move, lan, sizeof lan);
    printf("%s\t%s\t%s\t", uci, san, lan);
}

static void print_position(const stamma_position *position, const stamma_move *played)
{
    char fen[STAMMA_FEN_SIZE], text[STAMMA_SAN_SIZE];
    stamma_fen_write(position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    printf("%s\t", fen);
    if (played)
        print_played(position, *played);
    else
        printf("\t\t\t");
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(position, moves);
    for (size_t i = 0; i < count; i++) {
        stamma_san_write(position, moves[i], text, sizeof text);
        printf("%s%s", i ? " " : "", text);
    }
    printf("\t");
    for (size_t i = 0; i < count; i++) {
        stamma_uci_write(position, moves[i], true, text, sizeof text);
        printf("%s%s", i ? " " : "", text);
    }
    printf("\n");
}

/* Prints the main line of the reader's current game, up to its end. */
static stamma_error dump_game(stamma_pgn_reader *reader)
{
    stamma_pgn_event event;
    stamma_position position = stamma_position_start();
    bool playing = true;
    for (;;) {
        stamma_error error = stamma_pgn_reader_next(reader, &event);
        if (error != STAMMA_OK)
            return error;
        if (event.kind == STAMMA_PGN_GAME_END)
            break;
        const stamma_position *now = stamma_pgn_reader_position(reader);
        if (event.kind == STAMMA_PGN_MOVE && event.depth == 0 && playing) {
            playing = event.error == STAMMA_OK && event.move != STAMMA_MOVE_NULL;
            if (playing)
                print_position(&position, &event.move);
        }
        if (event.depth == 0 && playing && now)
            position = *now;
    }
    print_position(&position, NULL);
    return STAMMA_OK;
}

static stamma_error dump_games(stamma_pgn_reader *reader, unsigned long every)
{
    stamma_pgn_event event;
    for (unsigned long number = 0;;) {
        stamma_error error = stamma_pgn_reader_next(reader, &event);
        if (error != STAMMA_OK || event.kind == STAMMA_PGN_END)
            return error;
        if (event.kind != STAMMA_PGN_GAME_BEGIN)
            continue;
        if (number++ % every != 0) {
            error = stamma_pgn_reader_skip_game(reader);
        } else {
            printf("game\n");
            error = dump_game(reader);
        }
        if (error != STAMMA_OK)
            return error;
    }
}

int main(int argc, char **argv)
{
    unsigned long every = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (every == 0) {
        fprintf(stderr, "usage: dump_games EVERY <PGN\n");
        return 2;
    }
    stamma_input input = {.read = read_stdin};
    stamma_pgn_reader *reader;
    stamma_error error = stamma_pgn_reader_open(&input, NULL, &reader);
    if (error == STAMMA_OK) {
        error = dump_games(reader, every);
        stamma_pgn_reader_close(reader);
    }
    if (error != STAMMA_OK)
        fprintf(stderr, "dump_games: %s\n", stamma_error_text(error));
    return error != STAMMA_OK;
}
