/* SPDX-License-Identifier: MIT */
/* Writing the file of persons from the names of games. */
#ifndef STAMMA_TOOL_PERSON_WRITE_H
#define STAMMA_TOOL_PERSON_WRITE_H

#include "games/name_table.h"
#include "games/persons.h"

/* Adds the players of games that have a FIDE id or several spellings to a file of persons. What the file already has
 * stays. `names`: after stamma_names_find. `table`: decisions to use instead of those of `names`; NULL: none. Returns
 * false after a message. */
bool person_write(const char *path, const stamma_names *names, const tool_name_table *table, bool quiet);

#endif
