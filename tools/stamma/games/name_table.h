/* SPDX-License-Identifier: MIT */
/* The table of decisions of `stamma names`, read from a CSV file
 * (doc/reference/names.md). */
#ifndef STAMMA_TOOL_NAME_TABLE_H
#define STAMMA_TOOL_NAME_TABLE_H

#include "shared/tool.h"

/* A decision that is applied. Texts are UTF-8. */
typedef struct tool_name_row {
    stamma_name_kind field;
    stamma_text from, to;
    stamma_text id;                 /* of a player: only games with this FIDE id or none; empty:
                                       all games */
    bool only_id;                   /* only games with exactly this id; empty: only games without an
                                       id */
    stamma_text event, site, round; /* of a date; empty: all */
    stamma_text fide, title;        /* of a player; empty: unknown */
    size_t line;
} tool_name_row;

typedef struct tool_name_table {
    tool_name_row *rows; /* in the order of field and `from` */
    size_t count;
    tool_name_row *stays; /* players whose names stay, in the order of `from` */
    size_t stay_count;
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
/* Reports an error in a line of a table. Returns false. */
bool tool_name_table_fail(const char *path, size_t line, const char *message);
/* Returns the replacement of a value, which is UTF-8 without escapes, or the value itself. */
stamma_text tool_name_table_find(const tool_name_table *table, stamma_name_kind field, stamma_text value,
                                 const tool_name_place *place);
/* Returns the row of a player's name, or the row of the name that replaces it, with what the table says about the
 * player; NULL: nothing. */
const tool_name_row *tool_name_table_player(const tool_name_table *table, stamma_text name,
                                            const tool_name_place *place);
/* Returns the number of the first row with this field and `from`, or of the
 * first row after it. */
size_t tool_name_table_first(const tool_name_table *table, stamma_name_kind field, stamma_text from);

/* ---- tags of games (game_names.c) ---- */

enum { TOOL_NAME_TAGS = 6 };

typedef struct tool_name_tag {
    const char *tag, *id; /* `id`: the tag with the FIDE id; NULL: none */
    stamma_name_kind field;
} tool_name_tag;
extern const tool_name_tag tool_name_tags[TOOL_NAME_TAGS];

/* Returns the FIDE id that belongs to one of the tags, or an empty text. */
stamma_text tool_name_id(const stamma_archive_game *game, size_t tag);
/* Stores the values of a game's tags, which are UTF-8 without escapes, and their replacements. Values of missing tags
 * have no data. `fields`: the sum of 1 << STAMMA_NAME_... of the fields that are replaced. `rooms`: TOOL_NAME_TAGS
 * buffers, whose `failed` shows that memory is exhausted. */
void tool_name_values(const tool_name_table *table, unsigned fields, const stamma_archive_game *game,
                      tool_buffer *rooms, stamma_text *before, stamma_text *after);

/* A table, and memory for the tags of a game. */
typedef struct tool_game_names {
    tool_name_table table;
    tool_buffer rooms[2 * TOOL_NAME_TAGS];
    tool_buffer tags;
} tool_game_names;

/* Replaces the tags of a game, whose text is unchanged. The tags are valid until the next call. Returns false after a
 * message. */
bool tool_game_rename(tool_game_names *names, stamma_archive_game *game);
void tool_game_names_close(tool_game_names *names);

/* ---- CSV ---- */

/* Reads the next cell of a CSV file, which ends with `separator`, a line end or
 * the NUL at the end of the text. Removes its quotes in place. Stores the byte
 * that ends the cell. */
stamma_text tool_csv_cell(char **at, char separator, char *end, size_t *line);

/* Returns a tag's value as UTF-8 without escapes. The result is in `room`, or is the value itself if it needs no
 * change. */
stamma_text tool_name_plain(stamma_text value, tool_buffer *room);

#endif
