/* For the board room's tests only: a position from the four fields of an EPD line, well-formed ones taken for granted.
 * (The notation room, which stands above, has the real reader.) */
#ifndef STAMMA_TESTS_BOARD_EPD_H
#define STAMMA_TESTS_BOARD_EPD_H

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stamma.h"

static const char epd_letters[] = "PNBRQK..pnbrqk";

/* The outermost rook of a side for KQkq, else the rook on the file named. */
static void epd_right(stamma_setup *setup, char letter)
{
    unsigned color = islower((unsigned char)letter) != 0, base = color ? 56 : 0, king = 0;
    char upper = (char)toupper((unsigned char)letter);
    for (unsigned file = 0; file < 8; file++)
        if (setup->board[base + file] == STAMMA_KING + 8 * color)
            king = file;
    unsigned rook = (unsigned)(upper - 'A');
    if (upper == 'K')
        for (rook = 7; rook > king && setup->board[base + rook] != STAMMA_ROOK + 8 * color; rook--)
            ;
    else if (upper == 'Q')
        for (rook = 0; rook < king && setup->board[base + rook] != STAMMA_ROOK + 8 * color; rook++)
            ;
    setup->castling[color][rook > king ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE] = (stamma_square)(base + rook);
}

static stamma_setup epd_setup(const char *epd)
{
    stamma_setup setup;
    memset(&setup, 0, sizeof setup);
    memset(setup.board, STAMMA_NO_PIECE, sizeof setup.board);
    memset(setup.castling, STAMMA_SQUARE_NONE, sizeof setup.castling);
    setup.en_passant = STAMMA_SQUARE_NONE;
    setup.fullmove_number = 1;
    unsigned rank = 7, file = 0;
    for (; *epd != ' '; epd++) {
        if (*epd == '/')
            rank--, file = 0;
        else if (isdigit((unsigned char)*epd))
            file += (unsigned)(*epd - '0');
        else
            setup.board[8 * rank + file++] = (stamma_piece)(strchr(epd_letters, *epd) - epd_letters);
    }
    setup.side = *++epd == 'w' ? STAMMA_WHITE : STAMMA_BLACK;
    for (epd += 2; *epd && *epd != ' '; epd++)
        if (*epd != '-')
            epd_right(&setup, *epd);
    if (*epd == ' ' && epd[1] >= 'a' && epd[1] <= 'h')
        setup.en_passant = (stamma_square)(epd[1] - 'a' + 8 * (epd[2] - '1'));
    return setup;
}

static inline stamma_position epd_position(const char *epd)
{
    stamma_position position;
    stamma_setup setup = epd_setup(epd);
    if (stamma_position_set_up(&setup, &position) != STAMMA_OK)
        abort();
    return position;
}

#endif
