/* SPDX-License-Identifier: MIT */
/* Virtual tables of games, plies and positions: their columns. */
#include "sqlite_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct module_data {
    const sqlite_config *config;
    stamma_table table;
} module_data;

static const char *const hidden_names[HIDDEN_KINDS] = {"archive", "query", "position", "player", "find", "filename"};

int stamma_sqlite_fail(sqlite3_vtab *table, const tables_fault *fault)
{
    if (fault->no_memory)
        return SQLITE_NOMEM;
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", fault->text);
    return SQLITE_ERROR;
}

/* Copies an argument of CREATE VIRTUAL TABLE without its quotes. */
static char *unquote(const char *argument)
{
    const char quote = argument[0];
    const bool quoted = quote == '\'' || quote == '"';
    char *text = malloc(strlen(argument) + 1), *out = text;
    if (!text)
        return NULL;
    for (const char *in = argument + quoted; *in; in++) {
        if (quoted && *in == quote && *++in != quote)
            break;
        *out++ = *in;
    }
    *out = '\0';
    return text;
}

bool stamma_sqlite_archives(tables_archives *archives, int argc, const char *const *argv, tables_fault *fault)
{
    for (int i = 3; i < argc; i++) {
        char *pattern = unquote(argv[i]);
        const bool right = pattern ? tables_archives_add(archives, pattern, fault) : tables_fail_memory(fault);
        free(pattern);
        if (!right)
            return false;
    }
    return argc > 3 || tables_fail(fault, "the name of an archive is missing: USING %.60s('games.stamma')", argv[0]);
}

/* ---- the declaration ---- */

/* Returns SQLite's type of a column. */
static const char *type_of(const tables_column *c)
{
    if (strstr(c->type, "list"))
        return "JSON TEXT";
    if (strstr(c->type, "utf8") || strstr(c->type, "date"))
        return "TEXT";
    if (strstr(c->type, "float") || strstr(c->type, "double"))
        return "REAL";
    return strstr(c->type, "binary") ? "BLOB" : "INTEGER";
}

static void put_name(tables_text *out, const char *name)
{
    tables_text_put(out, "\"");
    for (; *name; name++)
        tables_text_put(out, *name == '"' ? "\"\"" : (const char[2]){*name, '\0'});
    tables_text_put(out, "\" ");
}

static int declare(sqlite3 *db, const sqlite_table *t)
{
    tables_text out = {.data = NULL};
    tables_text_put(&out, "CREATE TABLE x(");
    for (int i = 0; i < t->hidden_count; i++) {
        put_name(&out, hidden_names[t->hidden[i]]);
        tables_text_put(&out, "HIDDEN, ");
    }
    for (size_t i = 0; i < t->columns.count; i++) {
        put_name(&out, t->columns.list[i].name);
        tables_text_put(&out, type_of(&t->columns.list[i]));
        if (!t->columns.list[i].is_default)
            tables_text_put(&out, " HIDDEN");
        tables_text_put(&out, i + 1 < t->columns.count ? ", " : ")");
    }
    const int status = out.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, out.data);
    free(out.data);
    return status;
}

/* Chooses the hidden columns. The first are the parameters of a function in parentheses. */
static void choose_hidden(sqlite_table *t)
{
    const bool games = t->table == STAMMA_TABLE_GAMES;
    if (t->is_function)
        t->hidden[t->hidden_count++] = HIDDEN_ARCHIVE;
    t->hidden[t->hidden_count++] = HIDDEN_QUERY;
    if (games) {
        t->hidden[t->hidden_count++] = HIDDEN_POSITION;
        t->hidden[t->hidden_count++] = HIDDEN_PLAYER;
    }
    t->hidden[t->hidden_count++] = HIDDEN_FIND;
    if (!t->is_function)
        t->hidden[t->hidden_count++] = HIDDEN_ARCHIVE;
    t->hidden[t->hidden_count++] = HIDDEN_FILENAME;
}

/* ---- connections ---- */

static int disconnect(sqlite3_vtab *table)
{
    sqlite_table *t = (sqlite_table *)table;
    tables_columns_release(&t->columns);
    tables_archives_close(&t->archives);
    sqlite3_free(t);
    return SQLITE_OK;
}

/* Opens the archives and lists the columns. */
static bool fill(sqlite_table *t, int argc, const char *const *argv, tables_fault *fault)
{
    const bool is_function = t->is_function;
    t->archives.no_index = t->config->no_index;
    if (!is_function && !stamma_sqlite_archives(&t->archives, argc, argv, fault))
        return false;
    choose_hidden(t);
    if (!tables_columns_list(&t->columns, is_function ? NULL : &t->archives, t->table, fault))
        return false;
    t->game = tables_columns_find(&t->columns, t->table == STAMMA_TABLE_GAMES ? "number" : "game");
    t->ply = tables_columns_find(&t->columns, "ply");
    return true;
}

static int connect(sqlite3 *db, const module_data *data, bool is_function, int argc, const char *const *argv,
                   sqlite3_vtab **table, char **message)
{
    tables_fault fault = {.no_memory = false};
    sqlite_table *t = sqlite3_malloc64(sizeof *t);
    if (!t)
        return SQLITE_NOMEM;
    *t = (sqlite_table){.config = data->config, .table = data->table, .is_function = is_function};
    int status = SQLITE_OK;
    if (!fill(t, argc, argv, &fault)) {
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

/* SQLite requires that this function is both xCreate and xConnect of a module that is also a function. The function's
 * table has the name of the module. */
static int connect_any(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
    return connect(db, data, argc <= 3 && strcmp(argv[0], argv[2]) == 0, argc, argv, table, message);
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = connect_any,
    .xConnect = connect_any,
    .xBestIndex = stamma_sqlite_plan,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = stamma_sqlite_open,
    .xClose = stamma_sqlite_close,
    .xFilter = stamma_sqlite_filter,
    .xNext = stamma_sqlite_next,
    .xEof = stamma_sqlite_eof,
    .xColumn = stamma_sqlite_column,
    .xRowid = stamma_sqlite_rowid,
};

int stamma_sqlite_register(sqlite3 *db, const sqlite_config *config)
{
    static const struct {
        const char *name;
        stamma_table table;
    } modules[] = {
        {"stamma_games", STAMMA_TABLE_GAMES},
        {"read_stamma", STAMMA_TABLE_GAMES}, /* its name in DuckDB */
        {"stamma_plies", STAMMA_TABLE_PLIES},
        {"stamma_positions", STAMMA_TABLE_POSITIONS},
    };
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        module_data *data = sqlite3_malloc64(sizeof *data);
        if (!data)
            return SQLITE_NOMEM;
        *data = (module_data){config, modules[i].table};
        const int status = sqlite3_create_module_v2(db, modules[i].name, &module, data, sqlite3_free);
        if (status != SQLITE_OK)
            return status;
    }
    return stamma_sqlite_register_answers(db, config);
}
