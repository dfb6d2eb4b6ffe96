/* What the files of `stamma find` share. */
#ifndef STAMMA_FIND_H
#define STAMMA_FIND_H

#include "games/game_views.h"

/* A game that was found. */
typedef struct found_game {
    size_t archive; /* which, from 0 */
    uint64_t number;
    const uint32_t *plies;
    size_t ply_count;
} found_game;

/* ---- the archives that are searched (find_source.c) ---- */

/* One of them. It is open as long as games of it may be asked for. */
typedef struct find_source {
    tool_mapped file;
    stamma_archive_reader *reader; /* NULL until games are read */
    unsigned parts;                /* that it was asked for last */
    tool_walk walk;
} find_source;

bool find_source_open(const char *path, find_source *source);
void find_source_close(find_source *source);
/* Lets go of what reading its games takes, until another is read. */
void find_source_rest(find_source *source);
/* Calls `visit` with `parts` of a game, and with its further pieces. False where it cannot be read, which is told, or
 * the visitor gave false. */
bool find_source_read(find_source *source, uint64_t number, unsigned parts,
                      bool (*visit)(void *context, const stamma_archive_game *game), void *context);
/* Says why an archive could not be searched, and where. */
void find_source_fail(const find_source *source, stamma_error error, stamma_place place);

/* ---- what becomes of the games found (find_output.c) ---- */

typedef enum find_form {
    FIND_ROWS,
    FIND_COUNT,
    FIND_JSON,
    FIND_CSV,
    FIND_TSV,
    FIND_PGN,
    FIND_MATCHES,
    FIND_NUMBERS,
    FIND_WDL,
    FIND_ARCHIVE,
    FIND_NOTHING
} find_form;

typedef struct find_output {
    find_form form;
    bool json;               /* WDL as an object */
    bool several;            /* archives: each game is named by its archive, too */
    const char *fields;      /* of JSON and tables */
    char other_fields[1024]; /* those but match */
    unsigned parts;          /* of games, where they are read at all */
    uint64_t count;          /* games so far */
    uint64_t results[4];     /* unfinished, won by White, by Black, drawn */
    bool line_open;          /* the last game's text did not end its line */
    bool failed;             /* which was told */
    size_t fitted;           /* rows are, for this archive, from 1 */
    const found_game *now;   /* the game that is being put out, */
    const char *archive;     /* and its archive's name */
    tool_rows rows;
    tool_table table;
    tool_variations variations;
    tool_output *output;           /* NULL: standard output */
    stamma_archive_writer *writer; /* of ARCHIVE */
    stamma_archive_counts counts;  /* of what it wrote */
} find_output;

/* Whether games are read for it, or their numbers and plies are enough. */
bool find_output_reads(const find_output *o);
/* Sets `parts`. False where the fields are none, which is told. */
bool find_output_choose(find_output *o);
/* What stands before the first game. */
bool find_output_begin(find_output *o, const stamma_archive_writer_options *writing);
/* A game of which nothing needs to be read. */
void find_output_number(find_output *o, const found_game *found, const char *archive);
/* A game, or a further piece of it; false where no more can be put out. */
bool find_output_game(find_output *o, const found_game *found, const char *archive, const stamma_archive_game *game);
/* What stands behind the last. */
bool find_output_end(find_output *o);
void find_output_close(find_output *o);

/* ---- games in another order (find_sort.c) ---- */

enum { FIND_SORT_KEYS = 4 };

/* A key that games are sorted by: the name of a tag, "number" or "plies". */
typedef struct find_order {
    char tag[64];
    bool descending;
} find_order;

typedef struct find_list {
    struct find_entry *entries;
    size_t count, room;
    uint32_t *plies;
    size_t ply_count, ply_room;
    struct find_piece *pieces;
    size_t piece_count, piece_room;
    find_order keys[FIND_SORT_KEYS];
    size_t key_count;
} find_list;

/* Whether games can be sorted so; says what is wrong. */
bool find_sort_check(const char *sort);
/* `sort` has keys separated by commas, the most important one first; a dash before a key sorts in descending order. */
void find_list_open(find_list *list, const char *sort);
/* Adds a game. False where that fails, which is told. */
bool find_list_add(find_list *list, const found_game *found, find_source *source);
void find_list_sort(find_list *list);
/* Puts out the games from `offset` on, at most `limit`. */
bool find_list_put(find_list *list, uint64_t offset, uint64_t limit, find_source *sources, find_output *output);
void find_list_close(find_list *list);

/* ---- conditions of searches (conditions.c) ---- */

/* tool_options_read with the options of conditions behind those of the usage, 32 at most; they note their values in
 * `values`. */
bool tool_conditions_read(const tool_usage *usage, tool_values *values, int argc, char **argv, int *operands,
                          int *status);
/* The query that they are together, to be closed; NULL where there are none. False where something is wrong with them,
 * which is told with its place. */
bool tool_conditions_parse(const tool_values *values, stamma_query **query);
/* Takes --fen and --moves out of them: the position that they give, the initial one without. False as above. */
bool tool_conditions_position(tool_values *values, stamma_position *position);

#endif
