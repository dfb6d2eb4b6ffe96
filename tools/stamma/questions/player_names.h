/* SPDX-License-Identifier: MIT */
/* Values with several names of players: "=Carlsen,M|=DrNykterstein" (doc/reference/search.md). */
#ifndef STAMMA_TOOL_PLAYER_NAMES_H
#define STAMMA_TOOL_PLAYER_NAMES_H

#include "games/persons.h"

/* Returns whether a text, which may be JSON, may have several names in a value. */
bool player_names_several(stamma_text text);
/* Moves the first name of *rest to the end of `name`. Returns false if *rest has no name. */
bool player_names_next(stamma_text *rest, tool_buffer *name);
/* Puts the name of a player for people: without the marks `=` and `@`, with the first name of a person; several names
 * with " + " between them. `persons` may be NULL. */
void player_names_label(const tool_persons *persons, const char *value, tool_buffer *label);

#endif
