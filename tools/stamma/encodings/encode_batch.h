/* SPDX-License-Identifier: MIT */
/* Declarations for the files of `stamma encode --batch`. */
#ifndef STAMMA_ENCODE_BATCH_H
#define STAMMA_ENCODE_BATCH_H

#include "encodings/encode.h"

/* How codes are written and read. */
typedef enum encode_units {
    ENCODE_NUMBERS, /* decimal numbers, one per move; characters if the code is a text */
    ENCODE_BITS,    /* binary digits, one group per move */
    ENCODE_BYTES    /* the code of the complete game: hexadecimal digits */
} encode_units;

/* Encodes each line or game of the file at `path` ("-": standard input), or decodes each line if `from` is the name of
 * an encoding. Returns the exit status. */
int encode_batch(const encode_form *form, encode_units units, const char *from, const char *path);

/* ---- encode_lines.c: input by line, and by game ---- */

/* A line: a position, and moves or codes. */
typedef struct encode_line {
    const char *path;
    uint64_t number; /* of the line or game, from 1 */
    bool is_game;    /* a game of a PGN file, whose moves are given; otherwise `words` contains their texts */
    bool is_cut;     /* a move of the game is not legal; the moves before it are given */
    stamma_position start;
    const stamma_move *moves;
    size_t plies;
    char *words; /* separated by blanks; ends with a NUL */
} encode_line;

/* Passes each line of text, or each game of PGN, to `take`. PGN begins with '['. Lines that begin with '#' are
 * skipped. A line is a position in FEN, which may be missing if it is the initial position, and words. Returns
 * false, after a message, if the file cannot be read or `take` returns false. */
bool encode_read_lines(const char *path, bool (*take)(void *context, encode_line *line), void *context);

/* Returns the path as messages show it. */
const char *encode_path_shown(const char *path);

/* Reports an error of a line: "games.txt, line 7: ...". */
void encode_say_line(const encode_line *line, const char *format, ...);

#endif
