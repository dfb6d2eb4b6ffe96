/* SPDX-License-Identifier: MIT */
/* Edits of the text of one game: removing parts of its movetext, and writing it in PGN export format. */
#ifndef STAMMA_TOOL_GAME_TEXT_H
#define STAMMA_TOOL_GAME_TEXT_H

#include "shared/tool.h"

/* ---- parts that are removed (strip_option.c) ---- */

/* A set of parts of a movetext. */
enum {
    TOOL_STRIP_COMMENTS = 1,    /* complete comments */
    TOOL_STRIP_VARIATIONS = 2,  /* with everything in them */
    TOOL_STRIP_CLOCKS = 4,      /* commands in comments: clk, emt, egt, mct, timestamp */
    TOOL_STRIP_EVALUATIONS = 8, /* commands in comments: eval, evp */
    TOOL_STRIP_NAGS = 16        /* also !, ?!, += and other glyphs */
};

#define TOOL_STRIP_NAMES "comments, variations, clocks, evaluations, nags"

/* Reads the value of --strip, names separated by commas. Returns false after a message. */
bool tool_strip_read(const char *list, unsigned *strip);

/* Copies a comment without commands of these parts, and without the blanks that separate them from the text, to `out`,
 * which needs comment.size bytes. Returns the new size; *removed is the number of commands that were removed. */
size_t tool_strip_comment(stamma_text comment, unsigned strip, char *out, size_t *removed);

/* ---- the movetext of a game (movetext.c) ---- */

typedef struct tool_movetext_edit {
    unsigned strip;
    uint64_t plies;      /* everything after this number of plies is removed; UINT64_MAX: nothing */
    stamma_text *result; /* replaces the termination marker; NULL: unchanged */
} tool_movetext_edit;

/* Numbers of things that an edit removes. */
typedef struct tool_movetext_changes {
    uint64_t comments, commands, variations, nags, plies;
    bool result; /* the termination marker changes */
} tool_movetext_changes;

/* Tokens of a text. */
typedef struct tool_tokens {
    struct tool_token *list;
    size_t count, room;
    size_t games; /* games in the text; the tokens are from the first game */
} tool_tokens;

/* Memory for editing movetexts, which is reused. Initialise with zeros. */
typedef struct tool_movetext {
    tool_tokens tokens;
    tool_tokens again;    /* of the edited text */
    tool_buffer replaced; /* tokens that replace others */
    tool_buffer text;     /* the edited text of the game */
} tool_movetext;

typedef enum tool_movetext_outcome {
    TOOL_MOVETEXT_SAME,    /* nothing is to be changed */
    TOOL_MOVETEXT_EDITED,  /* m->text is the complete text of the game */
    TOOL_MOVETEXT_REFUSED, /* a comment or variation is not closed, or the edited text would be read in another way */
    TOOL_MOVETEXT_FAILED   /* memory is exhausted */
} tool_movetext_outcome;

/* Edits the movetext of a game. The text before the movetext and all tokens that stay are unchanged, legal or not.
 * Between tokens that were not adjacent, a blank or a line end is written. If the old movetext has several lines, new
 * lines are not longer than its longest line. The result is read again: it must contain the tokens that stay, and must
 * be one game even if another game follows. */
tool_movetext_outcome tool_movetext_run(tool_movetext *m, stamma_text game, const tool_movetext_edit *edit,
                                        tool_movetext_changes *changes);
void tool_movetext_free(tool_movetext *m);

/* ---- games in PGN export format (clean_pgn.c) ---- */

typedef struct tool_clean_pgn {
    const char *tags; /* names separated by commas; NULL: all */
    unsigned strip;
    uint64_t games;
    uint64_t incomplete; /* games with text that is not legal chess, which was omitted with the rest of its line */
    stamma_pgn_writer *writer;
    stamma_game *tree;
    tool_movetext movetext;
} tool_clean_pgn;

/* Begins writing to an output. Set `tags` and `strip`, and everything else to zero. Returns false after a message. */
bool tool_clean_pgn_open(tool_clean_pgn *c, const stamma_output *output);
/* Writes a game, given its text. Returns false if it cannot be written; a failure of the output is not reported. */
bool tool_clean_pgn_write(tool_clean_pgn *c, stamma_text game);
void tool_clean_pgn_close(tool_clean_pgn *c);

#endif
