/* SPDX-License-Identifier: MIT */
/* Commands that treat archives as tables: sql and export. They share the tables of bindings/tables with the extensions
 * of SQLite and DuckDB. */
#ifndef STAMMA_TOOL_SQL_H
#define STAMMA_TOOL_SQL_H

#include "shared/tool.h"
#include "tables/sql_tables.h"

/* ---- rows of a statement on standard output (sql_print.c) ---- */

typedef enum sql_format { SQL_TABLE, SQL_CSV, SQL_TSV, SQL_JSON } sql_format;

struct sqlite3_stmt;

/* Prints the rows of a statement, and returns SQLite's last error code. *rows receives their number. */
int sql_print_rows(struct sqlite3_stmt *statement, sql_format format, bool csv_raw, uint64_t *rows);

/* ---- a stream of record batches in a file (export_csv.c, export_arrow.c, export_parquet.c) ---- */

typedef struct export_file {
    struct ArrowArrayStream *stream;
    tool_output *output;
    bool csv_raw;
    bool quiet;
    uint64_t rows; /* written */
    bool reported; /* the number of rows was reported */
} export_file;

/* Writes all batches. Returns false after a message. */
bool export_csv(export_file *file);
/* Writes a file in Arrow's IPC format (.arrow, also called Feather 2). */
bool export_arrow(export_file *file);
/* Writes a Parquet file with a library of Python, in another process. */
bool export_parquet(export_file *file);
/* The same in the schema of Lichess/standard-chess-games. The batches have its tags as columns "tag:NAME"
 * (`lichess_columns` in command_export.c), and "text". */
bool export_lichess(export_file *file);
/* Writes the batches to `out` in the streaming format of Arrow IPC, or with `is_file` in the file format. `write`
 * returns false if it failed. Returns false, without a message, if `write` failed. */
bool export_ipc(export_file *file, bool is_file, bool (*write)(void *context, const void *bytes, size_t size),
                void *context);
/* Reports the error of the stream. Returns false. */
bool export_fail(const export_file *file);
/* Returns whether this program can write Arrow IPC. Prints a message if not. */
bool export_has_ipc(void);

/* ---- games as PGN (export_pgn.c) ---- */

typedef struct export_pgn_options {
    const char *tags; /* names separated by commas; NULL: all */
    unsigned strip;
    tool_output *output;
} export_pgn_options;

struct answer_search;

/* Writes the games of a search in PGN export format. Returns false after a message. */
bool export_pgn(struct answer_search *search, char **paths, size_t count, const export_pgn_options *options);

/* Prints a report about `fault`. Returns false. */
static inline bool sql_say(const tables_fault *fault)
{
    tool_say(NULL, "%s", fault->text);
    return false;
}

#endif
