/* SPDX-License-Identifier: MIT */
/* Conditions about names, with the decisions of a table of `stamma names` and with persons. */
#ifndef STAMMA_TOOL_CONDITION_NAMES_H
#define STAMMA_TOOL_CONDITION_NAMES_H

#include "games/name_table.h"
#include "games/persons.h"

/* What names in conditions mean. */
typedef struct condition_names {
    const tool_name_table *table; /* NULL: none */
    const tool_persons *persons;  /* NULL: none */
    char problem[320];            /* why a condition is invalid; empty: a message was printed */
} condition_names;

/* Returns whether JSON may contain a person, "@ID", or several names in a value. */
bool condition_names_expands(stamma_text json);
/* Returns whether names in a condition must be looked up: a person, or several names in a value. */
bool condition_names_meant(const tool_value *value);
/* Copies conditions. The options --names and --persons are omitted. Each condition about a player, event or site
 * becomes a query that holds for all spellings that the table lists. Each person becomes a query for the names of the
 * person, and several names in a value become a query for any of them. Release both results, also after a failure.
 * Returns false after a message. */
bool condition_names_expand(const tool_values *values, tool_values *expanded, tool_buffer *text);
/* Puts a query whose rules about names hold for all spellings. *any: whether there are other spellings. If not, or if
 * the query is invalid, do not use the output. Returns false with the problem. */
bool query_names_expand(condition_names *names, stamma_text json, tool_buffer *out, bool *any);

/* Private: shared by condition_names.c and query_names.c. Keys and values are JSON; keys have quotes. */

/* Returns whether a rule is about a name. */
bool condition_names_has(stamma_text key);
/* Puts a condition that holds for all spellings of a name. *any is set if there are some. Returns false with the
 * problem. */
bool condition_names_put(condition_names *names, stamma_text key, stamma_text value, tool_buffer *text, bool *any);

#endif
