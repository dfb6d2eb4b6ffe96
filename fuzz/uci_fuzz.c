/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading UCI moves. The input is a FEN (empty: the initial position), a line feed, and moves separated by
 * spaces. Each valid move is played. Its text with castling as king takes rook must be read as the same move. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

static void check(const stamma_position *position, stamma_move move)
{
    char uci[STAMMA_UCI_SIZE];
    stamma_text text = {uci, stamma_uci_write(position, move, true, uci, sizeof uci)};
    stamma_move again;
    demand(move == STAMMA_MOVE_NULL || stamma_move_is_legal(position, move));
    demand(text.size < sizeof uci);
    demand(stamma_uci_read(position, text, &again) == STAMMA_OK && again == move);
    demand(stamma_uci_write(position, move, false, uci, sizeof uci) < sizeof uci);
}

const work_limit fuzz_limit = {.fixed = 5000, .per_byte = 500};

void fuzz_input(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    const char *line_end = size ? memchr(at, '\n', size) : NULL;
    stamma_text fen = {at, line_end ? (size_t)(line_end - at) : size};
    stamma_position position;
    if (stamma_fen_read(fen, &position, NULL, NULL) != STAMMA_OK)
        position = stamma_position_start();
    for (at += fen.size; at < end; at++) {
        stamma_text uci = {at, 0};
        while (at < end && *at != ' ' && *at != '\n')
            at++;
        uci.size = (size_t)(at - uci.data);
        stamma_move move;
        if (stamma_uci_read(&position, uci, &move) == STAMMA_OK) {
            check(&position, move);
            stamma_position_make(&position, move, &position);
        }
    }
}
