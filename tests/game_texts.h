/* Random games, laid out as programs lay them out, by code that knows nothing of the archive's. */
#ifndef STAMMA_TESTS_GAME_TEXTS_H
#define STAMMA_TESTS_GAME_TEXTS_H

#include "pgn_support.h"

/* How lines are wrapped: not at all; so that no line is longer than `width`, between tokens, between words of comments
 * too, between tokens but never before a result, or only before moves and results; or after the token with which a line
 * reaches `width`. */
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
    bool number_blank;    /* "1. e4", not "1.e4": a token of its own */
    bool comments;        /* now and then */
    bool clocks;          /* a comment behind every move: [%clk 0:03:00] or what an engine says */
    bool inner_blanks;    /* "{ so }" */
    bool renumber;        /* "1... e5" behind a comment */
    bool variations;      /* now and then */
    bool spaced;          /* "( 1. d4 )" */
    bool glyphs;          /* "$1" now and then */
    bool suffixes;        /* "!?" now and then */
    bool no_check;        /* never "+" */
    const char *mate;     /* "#", "+", "++" or "" */
    bool zeros;           /* 0-0 */
    bool no_equals;       /* e8Q */
    bool rank_with_file;  /* Rd1d2 where the file alone does not tell */
    bool set_up;          /* games begin from other positions, too */
    unsigned blank_lines; /* behind the game */
} text_style;

/* The styles of programs and sites, and of every rule of the format's clause 6; a style without name ends them. */
extern const text_style text_styles[];

/* Adds a random legal game. */
void list_game(listing *to, const text_style *style);

#endif
