/* SPDX-License-Identifier: MIT */
/* Applying the table of `stamma names` to games. */
#ifndef STAMMA_TOOL_NAME_APPLY_H
#define STAMMA_TOOL_NAME_APPLY_H

#include "curating/curating.h"
#include "games/name_table.h"

/* A name with a FIDE id, before and after the decisions. Names are numbers of
 * `names`. */
typedef struct name_use {
    uint64_t id;
    uint32_t before, after;
} name_use;

/* Initialise with zeros, then set the first members. */
typedef struct name_apply {
    const tool_name_table *table;
    unsigned fields;            /* the sum of 1 << STAMMA_NAME_... */
    bool fills_id, fills_title; /* missing tags of players are added */
    /* private */
    tool_buffer rooms[2 * TOOL_NAME_TAGS];
    stamma_text *names; /* names of players in the table, sorted */
    size_t name_count;
    name_use *uses;
    size_t use_count, use_room;
    uint64_t tags, filled; /* tags that were changed, and added */
} name_apply;

/* Checks that no names of different FIDE ids become one name in the games.
 * Returns false after a message. */
bool name_apply_check_ids(name_apply *apply, tool_many *many);
/* Changes the tags of a game: a tool_rewrite. */
tool_verdict name_apply_game(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited);
void name_apply_close(name_apply *apply);

#endif
