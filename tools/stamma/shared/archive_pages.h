/* SPDX-License-Identifier: MIT */
/* Files of pages next to archives: games.stamma.pages has the pages of games.stamma. */
#ifndef STAMMA_TOOL_ARCHIVE_PAGES_H
#define STAMMA_TOOL_ARCHIVE_PAGES_H

#include "shared/tool.h"

/* The file of pages next to an archive. Initialise with zeros; tool_pages_close may then be called at any time. */
typedef struct tool_pages {
    char *path; /* ARCHIVE.pages */
    char *archive;
    tool_mapped file;    /* `bytes` is NULL if there is no file */
    stamma_pages *pages; /* NULL: the file cannot be used */
    bool damaged;        /* this was reported */
} tool_pages;

/* Returns the path of the file of pages of an archive, "games.stamma.pages"; like tool_index_path. */
char *tool_pages_path(const char *archive);
/* Opens the file of pages next to an archive with these bytes, if there is one. Reports a file that cannot be used. */
void tool_pages_open(const char *archive, const stamma_bytes *bytes, tool_pages *pages);
/* Adds an archive to a tree, as stamma_tree_add_pages does. Returns whether it was added. Reports damage once. */
bool tool_pages_add(tool_pages *pages, stamma_tree *tree, stamma_text name, const stamma_position *before,
                    size_t count);
void tool_pages_close(tool_pages *pages);

#endif
