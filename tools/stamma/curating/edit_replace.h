/* SPDX-License-Identifier: MIT */
/* One game whose parts are replaced by those of a PGN file. */
#ifndef STAMMA_EDIT_REPLACE_H
#define STAMMA_EDIT_REPLACE_H

#include "curating/changes.h"

/* What is replaced; can be combined. */
enum {
    EDIT_REPLACE_TAGS = 1,
    EDIT_REPLACE_MOVES = 2,     /* the complete movetext, with the result */
    EDIT_REPLACE_ANNOTATION = 4 /* comments, NAGs and variations; the moves must be the same */
};

/* A game in an archive in memory. Initialise with zeros. */
typedef struct edit_game {
    tool_buffer bytes; /* of the archive */
    stamma_archive *archive;
    stamma_archive_reader *reader;
    const stamma_archive_game *game;
} edit_game;

/* Initialise with zeros. */
typedef struct edit_replace {
    unsigned what;
    edit_game from; /* the game of the file */
    tool_movetext movetext;
} edit_replace;

/* Reads the value of --replace. Returns false after a message. */
bool edit_replace_read(const char *list, unsigned *what);
/* Reads the file, which must contain one game whose moves are all legal. Returns false after a message. */
bool edit_replace_open(edit_replace *r, const char *path);
/* Writes the changed game to `edited`, or lists its changes if `list` is not NULL. The game must have its tags, result,
 * moves and text. Fails if the moves do not fit, or if the new text would not be read as the expected game. */
tool_verdict edit_replace_apply(edit_replace *r, const stamma_archive_game *game, tool_buffer *edited,
                                tool_changes *list);
void edit_replace_close(edit_replace *r);

#endif
