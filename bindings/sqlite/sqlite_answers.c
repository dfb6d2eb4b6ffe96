/* SPDX-License-Identifier: MIT */
/* The modules stamma_tree and stamma_stats: the moves played in a position, and statistics of games. */
#include "sqlite_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters, which are the first columns. */
typedef enum parameter {
    PARAMETER_ARCHIVE,
    PARAMETER_MOVES,
    PARAMETER_FEN,
    PARAMETER_QUERY,
    PARAMETER_FIND,
    PARAMETERS
} parameter;

/* `find` is an earlier name of `query`. */
static const char *const parameter_names[PARAMETERS] = {"archive", "moves", "fen", "query", "find"};

typedef struct answer_kind {
    const char *module;
    bool is_tree;
    const tables_answer_column *columns;
    int column_count;
} answer_kind;

static const answer_kind kinds[] = {
    {"stamma_tree", true, tables_tree_columns, TABLES_TREE_COLUMNS},
    {"stamma_stats", false, tables_stats_columns, TABLES_STATS_COLUMNS},
};

typedef struct answer_module {
    const sqlite_config *config;
    const answer_kind *kind;
} answer_module;

typedef struct answer_table {
    sqlite3_vtab base;
    answer_module module;
    bool is_function;
    tables_archives archives;
    parameter parameters[PARAMETERS];
    int parameter_count;
} answer_table;

typedef struct answer_cursor {
    sqlite3_vtab_cursor base;
    tables_rows rows;
    size_t row;
    char *values[PARAMETERS];
} answer_cursor;

/* ---- tables ---- */

static int disconnect(sqlite3_vtab *table)
{
    answer_table *t = (answer_table *)table;
    tables_archives_close(&t->archives);
    sqlite3_free(t);
    return SQLITE_OK;
}

static const char *type_of(tables_kind kind)
{
    return kind == TABLES_TEXT ? "TEXT" : kind == TABLES_REAL ? "REAL" : "INTEGER";
}

static int declare(sqlite3 *db, const answer_table *t)
{
    tables_text out = {.data = NULL};
    tables_text_put(&out, "CREATE TABLE x(");
    for (int i = 0; i < t->parameter_count; i++) {
        tables_text_put(&out, parameter_names[t->parameters[i]]);
        tables_text_put(&out, " HIDDEN, ");
    }
    for (int i = 0; i < t->module.kind->column_count; i++) {
        tables_text_put(&out, t->module.kind->columns[i].name);
        tables_text_put(&out, " ");
        tables_text_put(&out, type_of(t->module.kind->columns[i].kind));
        tables_text_put(&out, i + 1 < t->module.kind->column_count ? ", " : ")");
    }
    const int status = out.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, out.data);
    free(out.data);
    return status;
}

static void choose_parameters(answer_table *t)
{
    if (t->is_function)
        t->parameters[t->parameter_count++] = PARAMETER_ARCHIVE;
    if (t->module.kind->is_tree) {
        t->parameters[t->parameter_count++] = PARAMETER_MOVES;
        t->parameters[t->parameter_count++] = PARAMETER_FEN;
    }
    t->parameters[t->parameter_count++] = PARAMETER_QUERY;
    t->parameters[t->parameter_count++] = PARAMETER_FIND;
}

static int connect_any(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
    tables_fault fault = {.no_memory = false};
    answer_table *t = sqlite3_malloc64(sizeof *t);
    if (!t)
        return SQLITE_NOMEM;
    *t = (answer_table){.module = *(const answer_module *)data,
                        .is_function = argc <= 3 && strcmp(argv[0], argv[2]) == 0};
    t->archives.no_index = t->module.config->no_index;
    choose_parameters(t);
    int status = SQLITE_OK;
    if (!t->is_function && !stamma_sqlite_archives(&t->archives, argc, argv, &fault)) {
        status = fault.no_memory ? SQLITE_NOMEM : SQLITE_ERROR;
        *message = fault.no_memory ? NULL : sqlite3_mprintf("%s", fault.text);
    }
    if (status == SQLITE_OK)
        status = declare(db, t);
    if (status == SQLITE_OK)
        *table = &t->base;
    else
        (void)disconnect(&t->base);
    return status;
}

/* Plans a scan. The parameters become arguments of xFilter, in the order of the bits of idxNum. */
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    const answer_table *t = (const answer_table *)table;
    int found[PARAMETERS] = {-1, -1, -1, -1, -1}, arguments = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        const int column = info->aConstraint[i].iColumn;
        /* LIMIT and OFFSET are constraints on column 0. */
        if (column < 0 || column >= t->parameter_count || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
        found[t->parameters[column]] = i;
    }
    if (t->is_function && found[PARAMETER_ARCHIVE] < 0)
        return SQLITE_CONSTRAINT;
    for (int p = 0; p < PARAMETERS; p++)
        if (found[p] >= 0) {
            info->aConstraintUsage[found[p]].argvIndex = ++arguments;
            info->aConstraintUsage[found[p]].omit = 1;
            info->idxNum |= 1 << p;
        }
    const double games = t->is_function ? 100000 : (double)tables_archives_games(&t->archives);
    info->estimatedCost = 1000 + games * (t->module.kind->is_tree ? 1 : 10);
    info->estimatedRows = t->module.kind->is_tree ? 30 : 5000;
    return SQLITE_OK;
}

/* ---- cursors ---- */

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
    (void)table;
    answer_cursor *c = sqlite3_malloc64(sizeof *c);
    if (!c)
        return SQLITE_NOMEM;
    *c = (answer_cursor){.row = 0};
    *cursor = &c->base;
    return SQLITE_OK;
}

static void reset(answer_cursor *c)
{
    tables_rows_release(&c->rows);
    for (int i = 0; i < PARAMETERS; i++) {
        free(c->values[i]);
        c->values[i] = NULL;
    }
    c->row = 0;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    reset((answer_cursor *)cursor);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static bool read_parameters(answer_cursor *c, int set, sqlite3_value **values, tables_fault *fault)
{
    for (int p = 0; p < PARAMETERS; p++) {
        const char *text = set >> p & 1 ? (const char *)sqlite3_value_text(*values++) : NULL;
        c->values[p] = text ? malloc(strlen(text) + 1) : NULL;
        if (text && !c->values[p])
            return tables_fail_memory(fault);
        if (text)
            (void)strcpy(c->values[p], text);
    }
    return true;
}

static bool answer(answer_cursor *c, const tables_archives *archives, tables_fault *fault)
{
    const answer_table *t = (const answer_table *)c->base.pVtab;
    const stamma_executor *executor = t->module.config->executor.threads > 1 ? &t->module.config->executor : NULL;
    const char *query = c->values[PARAMETER_QUERY] ? c->values[PARAMETER_QUERY] : c->values[PARAMETER_FIND];
    stamma_position position;
    if (!t->module.kind->is_tree)
        return tables_stats(archives, query, executor, &c->rows, fault);
    return tables_position(stamma_text_of(c->values[PARAMETER_MOVES]), c->values[PARAMETER_FEN], &position, fault) &&
           tables_tree(archives, &position, query, executor, &c->rows, fault);
}

static bool answer_function(answer_cursor *c, tables_fault *fault)
{
    const answer_table *t = (const answer_table *)c->base.pVtab;
    tables_archives archives = {.no_index = t->module.config->no_index};
    const char *pattern = c->values[PARAMETER_ARCHIVE];
    const bool right = pattern ? tables_archives_add(&archives, pattern, fault) && answer(c, &archives, fault)
                               : tables_fail(fault, "the name of an archive is NULL");
    tables_archives_close(&archives);
    return right;
}

static int filter(sqlite3_vtab_cursor *cursor, int set, const char *text, int count, sqlite3_value **values)
{
    (void)text;
    (void)count;
    answer_cursor *c = (answer_cursor *)cursor;
    const answer_table *t = (const answer_table *)cursor->pVtab;
    tables_fault fault = {.no_memory = false};
    reset(c);
    const bool right = read_parameters(c, set, values, &fault) &&
                       (t->is_function ? answer_function(c, &fault) : answer(c, &t->archives, &fault));
    return right ? SQLITE_OK : stamma_sqlite_fail(cursor->pVtab, &fault);
}

static int next(sqlite3_vtab_cursor *cursor)
{
    ((answer_cursor *)cursor)->row++;
    return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *cursor)
{
    const answer_cursor *c = (const answer_cursor *)cursor;
    return c->row >= c->rows.count;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number)
{
    const answer_cursor *c = (const answer_cursor *)cursor;
    const answer_table *t = (const answer_table *)cursor->pVtab;
    const int own = number - t->parameter_count;
    if (own >= 0)
        stamma_sqlite_result(context, &c->rows.values[c->row * c->rows.columns + (size_t)own]);
    else if (c->values[t->parameters[number]])
        sqlite3_result_text(context, c->values[t->parameters[number]], -1, SQLITE_TRANSIENT);
    return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number)
{
    *number = (sqlite3_int64)((const answer_cursor *)cursor)->row + 1;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = connect_any,
    .xConnect = connect_any,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
};

int stamma_sqlite_register_answers(sqlite3 *db, const sqlite_config *config)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        answer_module *data = sqlite3_malloc64(sizeof *data);
        if (!data)
            return SQLITE_NOMEM;
        *data = (answer_module){config, &kinds[i]};
        const int status = sqlite3_create_module_v2(db, kinds[i].module, &module, data, sqlite3_free);
        if (status != SQLITE_OK)
            return status;
    }
    return SQLITE_OK;
}
