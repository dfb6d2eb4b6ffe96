/* SPDX-License-Identifier: MIT */
/* Adds the tags, comments and variations of other records of a game to the text of the game. */
#ifndef STAMMA_TOOL_MERGE_GAME_H
#define STAMMA_TOOL_MERGE_GAME_H

#include "curating/curating.h"

enum { TOOL_MERGE_TAGS = 1, TOOL_MERGE_COMMENTS = 2, TOOL_MERGE_VARIATIONS = 4 };

/* The additions from a record. */
typedef struct tool_merged {
    size_t comments, nags, variations;
    tool_buffer tags; /* names, separated by commas; release with tool_buffer_free */
} tool_merged;

/* Initialise with zeros and set `what`. */
typedef struct tool_merging {
    unsigned what;
    /* private */
    stamma_game *kept, *other;
    stamma_text text;     /* of the game that is kept */
    tool_buffer names;    /* of changed tags, each followed by NUL */
    tool_buffer one, two; /* comments that are compared */
    tool_buffer borders;  /* of `two`: size_t[] */
    size_t names_count;
    uint64_t work; /* bytes and variations that may still be compared */
    bool sound; /* the tree has the complete movetext */
    bool moves_changed;
    stamma_error error;
} tool_merging;

/* Starts with the text of the game that is kept, which must live until tool_merge_end. `complete`: the game has no
 * continuation; otherwise only tags are merged. */
stamma_error tool_merge_begin(tool_merging *m, stamma_text kept, bool complete);
/* Adds the contents of another record that the game lacks. `added` receives the additions. */
stamma_error tool_merge_add(tool_merging *m, stamma_text other, tool_merged *added);
/* Appends the text of the game to `text`, or nothing if nothing was added. */
stamma_error tool_merge_end(tool_merging *m, tool_buffer *text);
void tool_merge_close(tool_merging *m);

#endif
