/* SPDX-License-Identifier: MIT */
/* Conditions about names, with the decisions of a table of `stamma names`. */
#ifndef STAMMA_TOOL_CONDITION_NAMES_H
#define STAMMA_TOOL_CONDITION_NAMES_H

#include "games/name_table.h"

/* Copies conditions. The options --names are omitted, and each condition about a player, event or site becomes a query
 * that holds for all spellings that the tables list. Release both results, also after a failure. Returns false after a
 * message. */
bool condition_names_expand(const tool_values *values, tool_values *expanded, tool_buffer *text);

/* Private: shared by condition_names.c and query_names.c. Keys and values are JSON; keys have quotes. */

/* Returns whether a rule is about a name. */
bool condition_names_has(stamma_text key);
/* Puts a condition that holds for all spellings of a name. *any is set if the table has some. Returns false after a
 * message. */
bool condition_names_put(const tool_name_table *table, stamma_text key, stamma_text value, tool_buffer *text,
                         bool *any);
/* Puts a query whose rules about names hold for all spellings. *any: whether the table contains other spellings. If it
 * does not, or if the query is invalid, do not use the output. Returns false after a message. */
bool query_names_expand(const tool_name_table *table, stamma_text json, tool_buffer *out, bool *any);

#endif
