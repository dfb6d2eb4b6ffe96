/* SPDX-License-Identifier: MIT */
/* Random games in the layouts of various programs, made by code that is independent of the library. */
#ifndef STAMMA_TESTS_GAME_TEXTS_H
#define STAMMA_TESTS_GAME_TEXTS_H

#include "pgn_support.h"

/* How lines are wrapped:
 * - TEXT_LINE: not at all;
 * - TEXT_TOKENS to TEXT_MOVES: no line is longer than `width`. Lines end between tokens; also between words of
 *   comments; between tokens but never before a result; or only before moves and results;
 * - TEXT_REACHED, TEXT_REACHED_WORDS: a line ends after the token, or word, with which it reaches `width`. */
typedef enum text_wrap {
    TEXT_LINE,
    TEXT_TOKENS,
    TEXT_WORDS,
    TEXT_NOT_RESULT,
    TEXT_MOVES,
    TEXT_REACHED,
    TEXT_REACHED_WORDS
} text_wrap;

typedef struct text_style {
    const char *name;
    const char *line_end;
    text_wrap wrap;
    size_t width;
    bool number_blank;    /* "1. e4", not "1.e4": the number is a separate token */
    bool comments;        /* occasionally */
    bool clocks;          /* a comment after each move: [%clk 0:03:00] or the output of an engine */
    bool inner_blanks;    /* "{ so }" */
    bool renumber;        /* "1... e5" after a comment */
    bool variations;      /* occasionally */
    bool spaced;          /* "( 1. d4 )" */
    bool glyphs;          /* "$1" occasionally */
    bool suffixes;        /* "!?" occasionally */
    bool no_check;        /* never "+" */
    const char *mate;     /* "#", "+", "++" or "" */
    bool zeros;           /* 0-0 */
    bool no_equals;       /* e8Q */
    bool rank_with_file;  /* Rd1d2 if the file is not sufficient */
    bool set_up;          /* some games begin from other positions */
    unsigned blank_lines; /* after a game */
} text_style;

/* The styles of programs and sites, and styles for every rule of clause 6. A style without a name ends the list. */
extern const text_style text_styles[];

/* Adds a random legal game. */
void list_game(listing *to, const text_style *style);
/* Adds games of twelve moves that reach the position ORDERED_FEN, each with a different order of moves. */
void list_ordered_games(listing *to, unsigned count);
#define ORDERED_FEN "rnbqkbnr/6pp/pppppp2/8/8/PPPPPP2/6PP/RNBQKBNR w KQkq - 0 7"

#endif
