/* SPDX-License-Identifier: MIT */
/* Files in memory, and patterns of names: posix_table_files.c or windows_table_files.c. */
#ifndef STAMMA_TABLE_FILES_H
#define STAMMA_TABLE_FILES_H

#include "tables/sql_tables.h"

/* Maps a file into memory, or reads it to its end. Returns false with errno set. */
bool table_file_load(const char *path, tables_file *file);
void table_file_unload(const tables_file *file);
/* Returns whether a text is a pattern of names, and not the name of a file. */
bool table_file_is_pattern(const char *text);
/* Calls `visit` for the files that match a pattern, in the order of their names, until it returns false. Returns
 * false if `visit` did, or with errno set: ENOENT if no file matches. */
bool table_file_each(const char *pattern, bool (*visit)(void *context, const char *path), void *context);

#endif
