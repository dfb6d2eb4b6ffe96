/* SPDX-License-Identifier: MIT */
/* Fuzz target: reading SAN and LAN. The input is a FEN (empty: the initial position), a line feed, and one text per
 * line. Each text that is a move is played. The written forms of the move must be read as the same move. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

static void check(const stamma_position *position, stamma_move move)
{
    char san[STAMMA_SAN_SIZE], lan[STAMMA_LAN_SIZE];
    stamma_text san_text = {san, stamma_san_write(position, move, san, sizeof san)};
    stamma_text lan_text = {lan, stamma_lan_write(position, move, lan, sizeof lan)};
    stamma_move again;
    demand(move == STAMMA_MOVE_NULL || stamma_move_is_legal(position, move));
    demand(san_text.size < sizeof san && lan_text.size < sizeof lan);
    demand(stamma_san_read(position, san_text, &again) == STAMMA_OK && again == move);
    demand(stamma_lan_read(position, lan_text, &again) == STAMMA_OK && again == move);
}

static stamma_text next_line(stamma_text *rest)
{
    const char *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    stamma_text line = {rest->data, end ? (size_t)(end - rest->data) : rest->size};
    size_t taken = line.size + (end != NULL);
    rest->data += taken;
    rest->size -= taken;
    return line;
}

const work_limit fuzz_limit = {.fixed = 20000, .per_byte = 2000};

void fuzz_input(const uint8_t *data, size_t size)
{
    stamma_text rest = {(const char *)data, size};
    stamma_position position;
    if (stamma_fen_read(next_line(&rest), &position, NULL, NULL) != STAMMA_OK)
        position = stamma_position_start();
    while (rest.size != 0) {
        stamma_text line = next_line(&rest);
        stamma_move move, long_move;
        stamma_error error = stamma_san_read(&position, line, &move);
        if (stamma_lan_read(&position, line, &long_move) == STAMMA_OK)
            demand(error == STAMMA_ERROR_AMBIGUOUS || (error == STAMMA_OK && move == long_move));
        if (error != STAMMA_OK)
            continue;
        check(&position, move);
        stamma_position_make(&position, move, &position);
    }
}
