/* Conditions about names, with the decisions of a table of `stamma names`. */
#ifndef STAMMA_TOOL_CONDITION_NAMES_H
#define STAMMA_TOOL_CONDITION_NAMES_H

#include "shared/tool.h"

/* Copies conditions. The options --names are omitted, and each condition about a player, event or site becomes a query
 * that holds for all spellings that the tables list. Release both results, also after a failure. Returns false after a
 * message. */
bool condition_names_expand(const tool_values *values, tool_values *expanded, tool_buffer *text);

#endif
