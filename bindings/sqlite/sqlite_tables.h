/* SPDX-License-Identifier: MIT */
/* The modules of the SQLite extension: stamma_games (also read_stamma), stamma_plies, stamma_positions, stamma_tree and
 * stamma_stats.
 *
 * Each module is a table-valued function, stamma_games('games.stamma'), and a virtual table:
 * CREATE VIRTUAL TABLE games USING stamma_games('games.stamma'). doc/reference/sql.md describes them. */
#ifndef STAMMA_SQLITE_TABLES_H
#define STAMMA_SQLITE_TABLES_H

#include "tables/sql_tables.h"

#ifdef SQLITE_CORE
#include <sqlite3.h>
#else
#include <sqlite3ext.h>
extern const sqlite3_api_routines *sqlite3_api;
#endif

/* How all tables of a connection read archives. */
typedef struct sqlite_config {
    stamma_executor executor; /* `threads` below 2: the calling thread */
    uint64_t memory;          /* limit in bytes; 0: 512 MiB */
    bool no_index;
    void *context;
    bool (*stop)(void *context); /* returns whether to end a scan; may be NULL */
} sqlite_config;

/* Registers all modules with a connection. `config` must outlive the connection. Returns SQLite's error code. */
int stamma_sqlite_register(sqlite3 *db, const sqlite_config *config);

/* ---- tables with the rows of archives (sqlite_module.c, sqlite_plan.c, sqlite_cursor.c) ---- */

/* Hidden columns, which are the parameters of the function. Only the table of games has all of them. */
typedef enum sqlite_hidden {
    HIDDEN_ARCHIVE,  /* of the function: names of archives; of a table: the archive of the row */
    HIDDEN_QUERY,    /* a query in JSON */
    HIDDEN_POSITION, /* a FEN: the game reaches this position */
    HIDDEN_PLAYER,   /* name of a player of either side */
    HIDDEN_FIND,     /* earlier name of the query */
    HIDDEN_FILENAME, /* the archive of the row, by the name that it has in DuckDB */
    HIDDEN_KINDS
} sqlite_hidden;

typedef struct sqlite_table {
    sqlite3_vtab base;
    const sqlite_config *config;
    stamma_table table;
    bool is_function;
    tables_archives archives; /* of a table */
    tables_columns columns;
    sqlite_hidden hidden[HIDDEN_KINDS];
    int hidden_count; /* the hidden columns are the first */
    size_t game;      /* indexes in `columns` of the number of the game and of the ply; SIZE_MAX: there is none */
    size_t ply;
} sqlite_table;

/* A constraint of a plan: "COLUMN OPERATOR LIST;" in idxStr, in the order of the arguments of xFilter. */
typedef struct sqlite_constraint {
    int column;
    int op;   /* tables_operator */
    int many; /* 1: a list of values */
} sqlite_constraint;

int stamma_sqlite_plan(sqlite3_vtab *table, sqlite3_index_info *info);

int stamma_sqlite_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor);
int stamma_sqlite_close(sqlite3_vtab_cursor *cursor);
int stamma_sqlite_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count, sqlite3_value **values);
int stamma_sqlite_next(sqlite3_vtab_cursor *cursor);
int stamma_sqlite_eof(sqlite3_vtab_cursor *cursor);
int stamma_sqlite_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);
int stamma_sqlite_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid);

/* Passes a value to SQLite. */
void stamma_sqlite_result(sqlite3_context *context, const tables_value *value);
/* Sets a message, and returns SQLite's error code. */
int stamma_sqlite_fail(sqlite3_vtab *table, const tables_fault *fault);
/* Opens the archives that are the arguments of CREATE VIRTUAL TABLE, from argv[3] on, without their quotes. */
bool stamma_sqlite_archives(tables_archives *archives, int argc, const char *const *argv, tables_fault *fault);

/* ---- trees and statistics (sqlite_answers.c) ---- */

int stamma_sqlite_register_answers(sqlite3 *db, const sqlite_config *config);

#endif
