/* SPDX-License-Identifier: MIT */
/* Reads the option --format of `find`, `ls`, `tree`, `stats` and `sql`. */
#include "shared/tool.h"

static const char *const words[] = {"table", "json", "csv", "tsv", "pgn"};

bool tool_form_read(const char *command, const char *format, bool json, tool_form last, tool_form *form)
{
    *form = json ? TOOL_FORM_JSON : TOOL_FORM_TABLE;
    if (!format)
        return true;
    for (tool_form n = TOOL_FORM_TABLE; n <= last; n++)
        if (strcmp(format, words[n]) == 0) {
            *form = n;
            if (json && n != TOOL_FORM_JSON)
                tool_say(NULL, "--json and --format %s cannot be used together", format);
            return !json || n == TOOL_FORM_JSON;
        }
    tool_say(NULL, "%s has no format \"%s\"; the formats are table, json, csv%s", command, format,
             last == TOOL_FORM_PGN ? ", tsv and pgn" : " and tsv");
    return false;
}
