/* SPDX-License-Identifier: MIT */
/* Flags that `stamma edit` sets and removes. */
#ifndef STAMMA_EDIT_FLAGS_H
#define STAMMA_EDIT_FLAGS_H

#include "curating/changes.h"
#include "questions/answer_search.h"

/* Set the first members, and zeros. */
typedef struct edit_flags {
    uint32_t added, removed;
    const tool_ranges *ranges; /* only these games */
    tool_changes *list;        /* lists the changes instead of writing them; NULL: they are written */
    answer_search search;      /* `query`: only games that match; NULL: all */
    uint64_t changed, flagged; /* games; set by edit_flags_run */
    /* private */
    uint64_t *numbers; /* of the games found */
    size_t count, room;
} edit_flags;

/* Reads the names of flags. Returns false after a message. */
bool edit_flags_read(const tool_values *names, uint32_t *flags);
/* Changes the flags of games of archives. Returns false after a message. */
bool edit_flags_run(edit_flags *e, char **paths, size_t count);
void edit_flags_close(edit_flags *e);

#endif
