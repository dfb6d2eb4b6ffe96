/* SPDX-License-Identifier: MIT */
/* Positions and their legal moves. */
#include "games/game_views.h"
#include "web/web_module.h"

enum {
    LINE = STAMMA_UCI_SIZE + STAMMA_SAN_SIZE, /* a blank and a line end instead of two NULs */
    TEXT = STAMMA_FEN_SIZE + 3 + STAMMA_MOVES_MAX * LINE
};

/* Writes a line for each legal move: UCI, a blank, and SAN. */
static size_t put_moves(const stamma_position *position, bool chess960, char *text, size_t at)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    const size_t count = stamma_legal_moves_canonical(position, moves);
    for (size_t i = 0; i < count; i++) {
        at += stamma_uci_write(position, moves[i], chess960, text + at, STAMMA_UCI_SIZE);
        text[at++] = ' ';
        at += stamma_san_write(position, moves[i], text + at, STAMMA_SAN_SIZE);
        text[at++] = '\n';
    }
    return at;
}

/* Sends the position after a move, which may be "": lines with its FEN, "+" or "-" for check, and a line for each legal
 * move with its UCI and SAN. An empty `fen` is the initial position. Returns 0, or an error: SYNTAX or ILLEGAL. */
int WEB_EXPORT(position)(const char *fen, const char *move)
{
    stamma_position position = stamma_position_start();
    char text[TEXT];
    stamma_move played;
    stamma_error error = *fen ? stamma_fen_read(stamma_text_of(fen), &position, NULL, NULL) : STAMMA_OK;
    if (!error && *move) {
        error = stamma_san_read(&position, stamma_text_of(move), &played);
        if (!error)
            stamma_position_make(&position, played, &position);
    }
    if (error)
        return -(int)error;
    size_t size = stamma_fen_write(&position, STAMMA_FEN_STANDARD, text, STAMMA_FEN_SIZE);
    text[size++] = '\n';
    text[size++] = stamma_position_in_check(&position) ? '+' : '-';
    text[size++] = '\n';
    return web_piece(text, put_moves(&position, tool_is_chess960(&position), text, size))
               ? 0
               : -(int)STAMMA_ERROR_CANCELLED;
}
