/* SPDX-License-Identifier: MIT */
/* Functions for the SQL databases and `stamma export`: archives by name or pattern, their tables as rows of plain
 * values, and constraints of SQL as queries. Depends only on stamma.h.
 *
 * A function that fails returns false and writes a message in English into a tables_fault. */
#ifndef STAMMA_SQL_TABLES_H
#define STAMMA_SQL_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stamma.h"

enum { TABLES_FAULT_SIZE = 400 };

typedef struct tables_fault {
    bool no_memory;
    char text[TABLES_FAULT_SIZE]; /* "games.stamma: not a Stamma archive" */
} tables_fault;

/* Writes a message with printf's formats; a long one is cut. Returns false. */
bool tables_fail(tables_fault *fault, const char *format, ...);
bool tables_fail_memory(tables_fault *fault);

/* ---- text that grows (table_text.c) ---- */

typedef struct tables_text {
    char *data; /* ends with NUL unless it is NULL; release with free() */
    size_t size;
    size_t room;
    bool failed; /* memory was exhausted */
} tables_text;

void tables_text_add(tables_text *t, const char *bytes, size_t size);
void tables_text_put(tables_text *t, const char *string);
void tables_text_put_integer(tables_text *t, int64_t number);
/* Adds a text in quotes, with JSON's escapes. */
void tables_text_put_json(tables_text *t, stamma_text text);
/* Adds the shortest decimal number that is read as this number. */
void tables_text_put_real(tables_text *t, double number);

/* ---- archives (table_archives.c) ---- */

/* A file in memory. */
typedef struct tables_file {
    const uint8_t *bytes; /* NULL: there is none */
    size_t size;
    bool mapped;
} tables_file;

typedef struct tables_archive {
    char *path;
    tables_file file;
    tables_file index;       /* the index file next to the archive */
    stamma_archive *archive; /* opened with the index, and with the flags of the file next to the archive */
    stamma_flags *flags;
    stamma_error flags_error; /* why the flags cannot be used */
    uint64_t games;
} tables_archive;

typedef struct tables_archives {
    tables_archive *list;
    size_t count;
    bool no_index; /* set before tables_archives_add: index files are not used */
} tables_archives;

/* Opens the archives that a pattern of the shell ("*.stamma") matches, in the order of their names, or the archive with
 * this name, and adds them. Initialise *archives with zeros. */
bool tables_archives_add(tables_archives *archives, const char *pattern, tables_fault *fault);
void tables_archives_close(tables_archives *archives);
/* Returns false, after an error, if a query depends on flags of an archive that cannot be used. `query` may be NULL. */
bool tables_flags_fit(const tables_archive *archive, const stamma_query *query, tables_fault *fault);
uint64_t tables_archives_games(const tables_archives *archives);

/* ---- columns of a table (table_columns.c) ---- */

typedef struct tables_column {
    char *name;
    char *type; /* as in stamma_column */
    char *meaning;
    bool is_default;
    char *tag;   /* the tag whose values the column contains; NULL: another kind of column, or several tags */
    bool is_fen; /* the position of a ply */
    bool *has;   /* whether each archive has the column; NULL: all have it */
} tables_column;

typedef struct tables_columns {
    tables_column *list;
    size_t count;
} tables_columns;

/* Lists the columns of a table over all archives: first the columns that every archive has, then tags. Without
 * archives, lists only the columns that every archive has. */
bool tables_columns_list(tables_columns *columns, const tables_archives *archives, stamma_table table,
                         tables_fault *fault);
void tables_columns_release(tables_columns *columns);
/* Adds a column that every archive has, such as "tag:WhiteTeam", to the end of the list. Returns its index, or SIZE_MAX
 * if memory is exhausted. */
size_t tables_columns_add(tables_columns *columns, const char *name);
/* Returns the index of a column, or SIZE_MAX. */
size_t tables_columns_find(const tables_columns *columns, const char *name);

/* ---- values (table_values.c) ---- */

typedef enum tables_kind {
    TABLES_NULL,
    TABLES_INTEGER,
    TABLES_UNSIGNED,
    TABLES_REAL,
    TABLES_BOOL,
    TABLES_TEXT,
    TABLES_BYTES,
    TABLES_LIST /* `text` is JSON */
} tables_kind;

typedef struct tables_value {
    tables_kind kind;
    int64_t integer; /* also of UNSIGNED, converted, and BOOL */
    double real;
    stamma_text text; /* UTF-8 */
} tables_value;

/* Returns a value of an Arrow array. Texts that are not in the array, such as dates and lists, are appended to *space,
 * and are valid until *space changes. */
tables_value tables_value_of(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t row,
                             tables_text *space);

/* ---- scans (table_scan.c) ---- */

typedef struct tables_request {
    stamma_table table;
    const tables_columns *columns; /* of the archives */
    const size_t *wanted;          /* indexes of columns; at least one */
    size_t wanted_count;
    const char *query;   /* JSON; NULL: all games */
    uint64_t first_game; /* as in stamma_columns_options; of each archive */
    uint64_t last_game;
    const char *archive;             /* only the archive with this path; NULL: all */
    const stamma_executor *executor; /* NULL: the calling thread. Copied */
    uint64_t memory;
    uint32_t batch_rows;
    void *context;               /* of `stop` */
    bool (*stop)(void *context); /* as in stamma_columns_options; may be NULL */
} tables_request;

/* Reads the rows of a table of several archives, one archive after another. */
typedef struct tables_scan tables_scan;

/* Opens a scan. The archives and the columns must outlive it; the rest of the request is copied. */
bool tables_scan_open(const tables_archives *archives, const tables_request *request, tables_scan **scan,
                      tables_fault *fault);
void tables_scan_close(tables_scan *scan);
/* Reads the next row. *any is false at the end. */
bool tables_scan_next(tables_scan *scan, bool *any, tables_fault *fault);
/* Returns a value of the current row by its index in request->wanted. Valid until the next call. */
tables_value tables_scan_value(tables_scan *scan, size_t wanted);
/* Returns the index of the archive of the current row. */
size_t tables_scan_archive(const tables_scan *scan);

/* ---- record batches of several archives (table_stream.c) ---- */

/* Opens a stream of the record batches of a table of several archives, one after another; tags that an archive does not
 * have are null.
 *   options  its member `columns` is ignored; the query and the executor must outlive the stream
 *   wanted   indexes of columns, which are copied; at least one
 *   archive  index of the only archive; SIZE_MAX: all
 * The archives and columns must outlive the stream, whose get_last_error returns the complete message. */
bool tables_stream_open(const tables_archives *archives, const tables_columns *columns,
                        const stamma_columns_options *options, const size_t *wanted, size_t wanted_count,
                        size_t archive, struct ArrowArrayStream *stream, tables_fault *fault);
/* Returns the index of the archive of the last batch. */
size_t tables_stream_archive(const struct ArrowArrayStream *stream);

/* ---- constraints as queries (table_rules.c) ---- */

typedef enum tables_operator {
    TABLES_EQUAL,
    TABLES_LESS,    /* or equal */
    TABLES_GREATER, /* or equal */
    TABLES_LIKE,
    TABLES_GLOB
} tables_operator;

/* Which rows of games a constraint on a column can skip. */
typedef enum tables_use {
    TABLES_USE_NONE,
    TABLES_USE_NUMBER, /* a number of a game: the first and last game of the scan */
    TABLES_USE_RULE    /* a rule of the query */
} tables_use;

/* Returns how a constraint on a column can be used, whatever its value is. */
tables_use tables_use_of(stamma_table table, const tables_column *column, tables_operator op);
/* Returns the share of games that probably satisfy the constraint, which can be used. */
double tables_share(const tables_column *column, tables_operator op);

/* A query that is made of several conditions. Initialise with zeros. */
typedef struct tables_rules {
    tables_text text;
    size_t count;
    tables_text find; /* the query of the caller */
    bool exact;       /* a condition that the database does not test again */
} tables_rules;

/* Adds a condition for the constraint that the column has one of the values (or is above or below it, as `op` says).
 * The condition holds for all games that satisfy the constraint, and may hold for other games. Adds nothing if no
 * condition can express the constraint. */
void tables_rules_add(tables_rules *rules, const tables_column *column, tables_operator op, const tables_value *values,
                      size_t count);
/* Checks a query and sets it: the games must also match it. Its members "skip" and "limit" apply to each archive,
 * before the other conditions. */
bool tables_rules_find(tables_rules *rules, stamma_text json, tables_fault *fault);
/* Adds a rule by its name, such as "white-rating" or "white_rating", with a value in JSON, and checks it. */
bool tables_rules_add_named(tables_rules *rules, const char *name, const char *value, tables_fault *fault);
/* Checks a position and adds the rule that a game reaches it. */
bool tables_rules_add_position(tables_rules *rules, stamma_text fen, tables_fault *fault);
/* Adds the rule that a player has a name. */
void tables_rules_add_player(tables_rules *rules, stamma_text name);
/* Finishes the query, which is valid until the rules are released; NULL if there are no conditions. */
bool tables_rules_end(tables_rules *rules, const char **query, tables_fault *fault);
void tables_rules_release(tables_rules *rules);

/* ---- trees and statistics as rows (table_answers.c) ---- */

typedef struct tables_rows {
    tables_value *values; /* row by row */
    size_t columns;
    size_t count; /* of rows */
    size_t room;
    tables_text text; /* of the values */
} tables_rows;

/* Columns of the rows of tables_tree and tables_stats. */
typedef struct tables_answer_column {
    const char *name;
    tables_kind kind;
} tables_answer_column;
extern const tables_answer_column tables_tree_columns[], tables_stats_columns[];
enum { TABLES_TREE_COLUMNS = 12, TABLES_STATS_COLUMNS = 8 };

/* Reads the position after some moves ("e4 c5", which may be empty) from a FEN (NULL: the initial position). */
bool tables_position(stamma_text moves, const char *fen, stamma_position *position, tables_fault *fault);
/* Stores a row for each move played in a position, sorted by the number of games, most games first. `eco` and `opening`
 * describe the position after the move. `query` may be NULL. Initialise *rows with zeros. */
bool tables_tree(const tables_archives *archives, const stamma_position *position, const char *query,
                 const stamma_executor *executor, tables_rows *rows, tables_fault *fault);
/* Stores the rows of all tables of statistics; tables by side have a row for each side. */
bool tables_stats(const tables_archives *archives, const char *query, const stamma_executor *executor,
                  tables_rows *rows, tables_fault *fault);
void tables_rows_release(tables_rows *rows);

/* Returns a description of an error in an archive, such as "is damaged or cut short at byte 4711". May write it into
 * `space`. */
const char *tables_error_text(stamma_error error, stamma_place place, char space[TABLES_FAULT_SIZE]);

#endif
