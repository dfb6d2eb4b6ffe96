/* SPDX-License-Identifier: MIT */
/* Lists of correct names that `stamma names` reads. */
#ifndef STAMMA_TOOL_NAME_LISTS_H
#define STAMMA_TOOL_NAME_LISTS_H

#include "shared/tool.h"

/* Corrections of parts of values, from a spelling file: %Prefix, %Infix and
 * %Suffix. */
typedef struct tool_name_part {
    stamma_name_kind field;
    char kind; /* 'P', 'I' or 'S' */
    stamma_text wrong, right;
} tool_name_part;

typedef struct tool_name_lists {
    tool_mapped file; /* of the spelling file, whose text the parts use */
    tool_name_part *parts;
    size_t count;
    tool_buffer text; /* of corrected values */
} tool_name_lists;

/* Adds the names of a spelling file of Scid (.ssp). Returns false after a
 * message. */
bool tool_name_lists_spelling(tool_name_lists *lists, const char *path, stamma_names *names);
/* Adds the players of a list of FIDE, as text or XML. Returns false after a
 * message. */
bool tool_name_lists_fide(const char *path, stamma_names *names);
/* Adds the corrected values of a game, if parts of them are wrong. */
stamma_error tool_name_lists_correct(tool_name_lists *lists, const stamma_archive_game *game, stamma_names *names);
void tool_name_lists_close(tool_name_lists *lists);

#endif
