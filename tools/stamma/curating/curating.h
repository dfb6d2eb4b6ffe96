/* SPDX-License-Identifier: MIT */
/* Functions for commands that clean archives: reading the games of several archives, and writing changed games. */
#ifndef STAMMA_TOOL_CURATING_H
#define STAMMA_TOOL_CURATING_H

#include "shared/flags.h"

/* ---- the games of several archives (many_games.c) ---- */

/* Which games are read. `skip` is called for games that are not needed, and returns false after a message; it may be
 * NULL. */
typedef struct tool_selection {
    bool (*needs)(void *context, uint64_t index);
    bool (*skip)(void *context, uint64_t count);
    void *context;
} tool_selection;

typedef struct tool_many {
    char **paths;
    size_t count;
    tool_progress progress;
    size_t at;       /* index of the archive that is read */
    uint64_t games;  /* games read before this one, of all archives; continuations do not count */
    bool flags;      /* games have the flags of the files next to the archives */
    uint64_t *first; /* first[n]: games before archive n; first[count]: all games. Set by tool_many_visit */
    const tool_selection *selection; /* NULL: all games are read */
} tool_many;

/* Prepares reading archives, which the command may rewrite (tool_role). Returns false after a message: standard input
 * cannot be used, because the archives are read several times. Release with tool_many_close. */
bool tool_many_open(tool_many *many, const char *command, char **paths, size_t count);
void tool_many_close(tool_many *many);
/* Calls `visit` for each game and each continuation of all archives, in order. The games have the parts `parts`.
 * Only those that many->selection needs are read. many->games is the index of the game from 0, also for its
 * continuations. Returns false, after a message, if an archive cannot be read or is damaged; and if `visit` returns
 * false, which has then printed a message. */
bool tool_many_visit(tool_many *many, unsigned parts, bool (*visit)(void *context, const stamma_archive_game *game),
                     void *context);
/* Returns the archive that contains a game, and the number of the game in this archive. */
const char *tool_many_place(const tool_many *many, uint64_t index, uint64_t *number);

/* ---- writing changed games (rewriting.c) ---- */

typedef enum tool_verdict {
    TOOL_GAME_KEEP, /* the game is written unchanged, byte for byte */
    TOOL_GAME_DROP, /* the game is not written */
    TOOL_GAME_EDIT, /* `edited` is written instead of the text of the game; its continuations are written unchanged */
    TOOL_GAME_FAIL  /* the command fails; a message was printed */
} tool_verdict;

/* Is called for each game in order, but not for its continuations. `index` counts the games of all archives from 0.
 * `edited` is empty. */
typedef tool_verdict tool_rewrite(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited);

/* A game that was not written. */
typedef struct tool_left_game {
    uint64_t index;
    uint32_t flags;
} tool_left_game;

/* Initialise with zeros, then set the first members. */
typedef struct tool_rewriting tool_rewriting;
struct tool_rewriting {
    const char *command;
    const char *out;
    /* With files of flags: returns the game that receives the flags of a game that is not written; UINT64_MAX: none,
     * which is reported. NULL: flags of these games are dropped */
    uint64_t (*heir)(void *context, uint64_t index);
    uint64_t unread; /* number of the first games, which are not read for writing */
    bool force, pgn; /* pgn: OUT is the text of the games, not an archive */
    uint64_t level, threads, memory;
    unsigned parts; /* of games, in addition to their text */
    tool_rewrite *rewrite;
    void *context;
    /* For another order of the games: `take` receives the text of each game and continuation that would be written, and
     * `finish` writes all games with tool_rewriting_put. NULL: games are written in order */
    bool (*take)(void *context, const stamma_archive_game *game, stamma_text text);
    bool (*finish)(void *context, tool_rewriting *rewriting);
    /* set by tool_rewriting_run */
    uint64_t kept, dropped, edited; /* games */
    stamma_archive_counts counts;   /* unless `pgn` */
    /* private */
    tool_many *many;
    tool_output *output;
    stamma_archive_writer *writer;
    tool_buffer text;
    tool_verdict verdict;
    tool_text_end last_end; /* of the text written */
    tool_carried carried;
    uint64_t written;     /* games */
    tool_left_game *left; /* with `heir`: games that were not written, ascending */
    size_t left_count, left_room;
};

/* Checks the options, and opens the output, so that an error is found before the archives are read. An archive may
 * replace one of the archives that tool_many_open has prepared. Call tool_rewriting_close in any case. */
bool tool_rewriting_open(tool_rewriting *r);
/* Writes the games of all archives. Returns false after a message; OUT then does not exist, or is unchanged. An empty
 * line is inserted after a game that does not end its line. If an archive has a file of flags, OUT has one, too. */
bool tool_rewriting_run(tool_rewriting *r, tool_many *many);
/* Writes the text of a game, or of a continuation. */
bool tool_rewriting_put(tool_rewriting *r, stamma_text text, bool begins_game);
/* Counts the next game that is written in another order, and keeps its flags. */
bool tool_rewriting_count(tool_rewriting *r, uint32_t flags);
void tool_rewriting_close(tool_rewriting *r);

#endif
