/* The table of decisions of `stamma names`, read from a CSV file
 * (doc/names.md). */
#ifndef STAMMA_TOOL_NAME_TABLE_H
#define STAMMA_TOOL_NAME_TABLE_H

#include "shared/tool.h"

/* A decision that is applied. Texts are UTF-8. */
typedef struct tool_name_row {
    stamma_name_field field;
    stamma_text from, to;
    stamma_text id;                 /* of a player: only games with this FIDE id or none; empty:
                                       all games */
    bool only_id;                   /* only games with exactly this id; empty: only games without an
                                       id */
    stamma_text event, site, round; /* of a date; empty: all */
    size_t line;
} tool_name_row;

typedef struct tool_name_table {
    tool_name_row *rows; /* in the order of field and `from` */
    size_t count;
    char *text; /* memory of the texts */
} tool_name_table;

/* Values of a game that decide whether a row is for it. */
typedef struct tool_name_place {
    stamma_text id, event, site, round;
} tool_name_place;

/* Reads the rows that are to be applied. Returns false after a message. Release
 * with tool_name_table_close. */
bool tool_name_table_read(const char *path, tool_name_table *table);
void tool_name_table_close(tool_name_table *table);
/* Returns what replaces a value, which is UTF-8 without escapes, or the value
 * itself. */
stamma_text tool_name_table_find(const tool_name_table *table, stamma_name_field field, stamma_text value,
                                 const tool_name_place *place);
/* Returns the number of the first row with this field and `from`, or of the
 * first row after it. */
size_t tool_name_table_first(const tool_name_table *table, stamma_name_field field, stamma_text from);

/* Reads the next cell of a CSV file, which ends with `separator`, a line end or
 * the NUL at the end of the text. Removes its quotes in place. Stores the byte
 * that ends the cell. */
stamma_text tool_csv_cell(char **at, char separator, char *end, size_t *line);

/* Returns a tag's value as UTF-8 without escapes. The memory is `room`, or that
 * of the value if it needs no change. */
stamma_text tool_name_plain(stamma_text value, tool_buffer *room);

#endif
