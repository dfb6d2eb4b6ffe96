/* SPDX-License-Identifier: MIT */
/* Prints the frequencies of the adaptive predictor, for comparison with another implementation.
 *
 * usage: adaptive_frequencies <GAMES
 *
 * A game begins with a line "game" that contains both ratings, the time class, the result and the plies as in
 * predict_context, both players' hashes, and a FEN. Each other line is a move of the game in UCI. For each move,
 * prints a line with the frequencies of all moves in the position before the move. The predictor learns all moves
 * except null moves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static bool begin_game(move_coder *c, adaptive *a, const char *line)
{
    unsigned white, black, time, result, plies;
    uint64_t players[2];
    int size = 0;
    stamma_position start;
    if (sscanf(line, "game %u %u %u %u %u %" SCNu64 " %" SCNu64 " %n", &white, &black, &time, &result, &plies,
               &players[0], &players[1], &size) != 7 ||
        stamma_fen_read((stamma_text){line + size, strlen(line + size)}, &start, NULL, NULL))
        return false;
    const predict_context context = {{(uint16_t)white, (uint16_t)black}, (uint8_t)time, (uint8_t)result, plies};
    stamma_move_coder_begin_adaptive(c, a, &context, players, &start);
    return true;
}

static bool play(move_coder *c, const char *line)
{
    stamma_move move;
    unsigned moves = stamma_move_coder_look(c);
    if (stamma_uci_read(&c->position, (stamma_text){line, strlen(line)}, &move))
        return false;
    for (unsigned n = 0; n < moves; n++)
        printf(n ? " %" PRIu32 : "%" PRIu32, c->adaptive->now.frequency[n]);
    puts("");
    for (unsigned n = 0; n < moves; n++)
        if (c->adaptive->now.look.features.move[n].move == move)
            stamma_adaptive_learn(c->adaptive, &c->game, &c->position, n);
    stamma_move_coder_play(c, move);
    return true;
}

int main(void)
{
    char line[256];
    adaptive *a = malloc(sizeof *a);
    move_coder c = {.adaptive = NULL};
    bool good = a && stamma_predict_weights() && stamma_second_weights();
    if (good)
        stamma_adaptive_reset(a);
    while (good && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        good = strncmp(line, "game ", 5) == 0 ? begin_game(&c, a, line) : c.adaptive && play(&c, line);
    }
    if (!good)
        fputs("no weights, or bad input\n", stderr);
    free(a);
    return good ? 0 : 2;
}
