/* SPDX-License-Identifier: MIT */
/* Changes of single games: their tags and movetext, and lists of them for --dry-run. */
#ifndef STAMMA_CHANGES_H
#define STAMMA_CHANGES_H

#include "curating/curating.h"
#include "games/game_text.h"

/* ---- lists of changes: lines of tab-separated cells, or objects (changes_list.c) ---- */

typedef struct tool_changes {
    bool json;
    const char *member; /* name of the list in its object; NULL: "changes" */
    const char *archive;
    uint64_t number; /* of the game in the archive */
    bool open;       /* the game has a change */
    uint64_t games;  /* games with changes */
} tool_changes;

/* Starts the progress bar of a command that may print a list. A list on a terminal shows the progress itself. */
tool_progress tool_changes_progress(const char *verb, bool lists, bool quiet);
/* Begins a game, which may have no changes. */
void tool_changes_begin(tool_changes *c, const char *archive, uint64_t number);
/* Prints a changed tag: its name, its old value as written in the game, and its new value without escapes. Values
 * without data are missing. */
void tool_changes_tag(tool_changes *c, stamma_text name, stamma_text before, stamma_text after);
/* Prints a number of things that are removed from the movetext, unless it is 0. */
void tool_changes_count(tool_changes *c, const char *name, uint64_t count);
/* Prints a text about the game. */
void tool_changes_note(tool_changes *c, const char *name, stamma_text text);
void tool_changes_end(tool_changes *c);

/* ---- one game (game_change.c) ---- */

typedef struct tool_game_change {
    /* Changes of tags. Those that change nothing in a game are skipped: a tag keeps its name if the game already has
     * the new name. */
    const stamma_tag_edit *tags;
    size_t tag_count;
    tool_movetext_edit movetext;
    /* memory, reused for each game; zeros at first, released with tool_game_change_free */
    stamma_tag_edit *chosen; /* the changes that apply to a game */
    size_t room;
    tool_movetext editor;
    uint64_t refused; /* games whose movetext was not changed, because it cannot be edited (see tool_movetext_outcome),
                       * or because the game is too large for a block */
} tool_game_change;

/* Writes a changed game to `edited`, or lists its changes if `list` is not NULL. The game must have its tags, result
 * and text. */
tool_verdict tool_game_change_apply(tool_game_change *c, const stamma_archive_game *game, tool_buffer *edited,
                                    tool_changes *list);
void tool_game_change_free(tool_game_change *c);

#endif
