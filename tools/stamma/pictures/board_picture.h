/* SPDX-License-Identifier: MIT */
/* Pictures of boards in SVG, for `stamma board` and for the server. */
#ifndef STAMMA_BOARD_PICTURE_H
#define STAMMA_BOARD_PICTURE_H

#include "shared/tool.h"

enum { BOARD_MARKS = 128, BOARD_SIZE = 400, BOARD_SIZE_MAX = 10000, BOARD_MESSAGE = 160 };

/* A coloured arrow, or a circle if both squares are the same. */
typedef struct board_mark {
    char color; /* 'G', 'R', 'Y' or 'B': green, red, yellow, blue */
    stamma_square from, to;
} board_mark;

typedef struct board_picture {
    stamma_position position;
    bool flip;  /* Black is at the bottom */
    bool plain; /* no coordinates */
    bool moved;
    stamma_square last[2]; /* squares of the last move, if `moved` */
    uint64_t size;         /* width and height in pixels; the picture can be scaled */
    board_mark marks[BOARD_MARKS];
    size_t mark_count;
} board_picture;

/* Adds circles, "Ge4,Rd5", or arrows, "Ge2e4,d7d5", as in the PGN commands [%csl] and [%cal]. The default colour is
 * green. Returns false with a message that begins with the invalid item. */
bool board_marks_read(board_picture *picture, const char *text, bool arrows, char message[BOARD_MESSAGE]);
/* Reads the last move: two squares, and optionally the letter of a promotion, which is ignored. */
bool board_last_read(board_picture *picture, const char *text, char message[BOARD_MESSAGE]);

/* Puts the picture (tool_put). Without the page's pieces, the pieces are chess symbols of the viewer's fonts. */
void board_picture_put(const board_picture *picture);

#endif
