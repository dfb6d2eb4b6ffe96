/* SPDX-License-Identifier: MIT */
/* Functions for commands that keep one archive up to date: update, undo and compact. */
#ifndef STAMMA_TOOL_UPDATING_H
#define STAMMA_TOOL_UPDATING_H

#include "curating/classify.h"
#include "curating/name_apply.h"
#include "importing/import.h"

/* ---- the files to read (update_files.c) ---- */

/* Initialise with zeros. */
typedef struct update_files {
    char **paths; /* release each, and the list, with update_files_free */
    size_t count, room;
} update_files;

/* Adds a file, or the files of a folder that contain games by their names: .pgn, also compressed, and .zip. They are in
 * the order of their names, in which numbers are compared as numbers. Returns false after a message. */
bool update_files_add(update_files *files, const char *path);
void update_files_free(update_files *files);

/* ---- changes of new games (update_changes.c) ---- */

/* Initialise with zeros, then set the first members. */
typedef struct update_changes {
    const char *table; /* of names; NULL: none */
    bool classifies;
    const import_run *run;
    /* numbers of games of the files whose names were replaced, and that were classified */
    uint64_t named, classified;
    /* private */
    tool_name_table names;
    name_apply apply;
    classify_change classify;
    tool_buffer renamed, edited;
    tool_new_games *known;
} update_changes;

/* Reads the table of names. Returns false after a message. */
bool update_changes_open(update_changes *changes);
/* Replaces names and writes tags in the games of files, except games that the archive has: import_run.change. */
bool update_changes_apply(void *context, tool_staged *staged, tool_new_games *known, bool *changed);
void update_changes_close(update_changes *changes);

#endif
