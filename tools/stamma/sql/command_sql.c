/* SPDX-License-Identifier: MIT */
/* stamma sql: answers questions in SQL. */
#include "sql/sql.h"

#ifdef TOOL_NO_SQLITE

int tool_sql(int argc, char **argv)
{
    const tool_usage usage = {
        "sql", "ARCHIVE... [SQL]", "Not available: built without SQLite (libsqlite3-dev).", NULL, 0, 0, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    tool_say(NULL, "sql is not available: this program was built without SQLite (libsqlite3-dev)");
    return TOOL_ERROR;
}

#else

#include "sqlite/sqlite_tables.h"
#include "threads/worker_threads.h"

#include <stdatomic.h>

static const char about[] =
    "Answers questions in SQL about the games of archives. The tables are games (a row for each\n"
    "game), plies (a row for each ply) and positions (the form in which models are trained);\n"
    "tree('e4 c5') has the moves played in a position, and stats the statistics of `stamma\n"
    "stats`. doc/reference/sql.md describes them. The SQL is that of SQLite. Conditions on players, tags,\n"
    "ratings, dates, results and ECO codes skip games without decoding them.\n\n"
    "  stamma sql games.stamma \"SELECT white, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC LIMIT 5\"\n"
    "  stamma sql *.stamma --format csv \"SELECT * FROM tree('e4 c5 Nf3')\"\n"
    "  stamma sql games.stamma \"SELECT number, moves FROM games('{\\\"player\\\": \\\"Tal\\\"}')\"\n\n"
    "Statements cannot write files unless --write is given. Temporary tables are possible.\n"
    "Without SQL, statements are read from standard input, with a prompt on a terminal. The exit\n"
    "status is 1 if the statements returned no rows.";

typedef struct sql_command {
    sqlite3 *db;
    sqlite_config config;
    sql_format format;
    bool csv_raw;
    uint64_t rows;
    bool any_rows; /* a statement could return rows */
    bool prompting;
    bool write;   /* statements may write files */
    bool refused; /* the last statement would have written a file */
} sql_command;

/* ---- files ---- */

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sqlite3_stricmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Returns whether a pragma neither writes a file nor changes the folder of files. Without a value, pragmas only report.
 * */
static bool is_harmless(const char *pragma, const char *value)
{
    static const char *const harmless[] = {
        "automatic_index",  "cache_size",    "case_sensitive_like", "collation_list", "database_list",
        "foreign_key_list", "function_list", "index_info",          "index_list",     "index_xinfo",
        "integrity_check",  "module_list",   "pragma_list",         "quick_check",    "recursive_triggers",
        "table_info",       "table_list",    "table_xinfo",         "temp_store",     "threads"};
    return !value || is_one_of(pragma, harmless, sizeof harmless / sizeof *harmless);
}

/* Returns whether SQLite may compile an action (sqlite3_set_authorizer). The databases `main` and `temp` are in memory
 * or in temporary files. Other files are written only by ATTACH, which VACUUM also uses, and by these functions. */
static bool may_compile(int action, const char *first, const char *second)
{
    static const char *const functions[] = {"load_extension", "writefile", "edit", "fts3_tokenizer"};
    switch (action) {
    case SQLITE_ATTACH: return first && (strcmp(first, ":memory:") == 0 || !*first);
    case SQLITE_FUNCTION: return !second || !is_one_of(second, functions, sizeof functions / sizeof *functions);
    case SQLITE_PRAGMA: return is_harmless(first, second);
    default: return true;
    }
}

static int authorize(void *context, int action, const char *first, const char *second, const char *database,
                     const char *trigger)
{
    sql_command *c = context;
    (void)database;
    (void)trigger;
    if (may_compile(action, first, second))
        return SQLITE_OK;
    c->refused = true;
    return SQLITE_DENY;
}

static bool forbid_files(sql_command *c)
{
    return c->write || (sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
                        sqlite3_set_authorizer(c->db, authorize, c) == SQLITE_OK);
}

/* ---- statements ---- */

/* Reports SQLite's last error. If it has none, memory is exhausted. */
static int say_error(sql_command *c)
{
    if (c->refused) {
        c->refused = false;
        tool_say(NULL, "this statement may write files (ATTACH, VACUUM INTO, some PRAGMAs): it needs --write");
        return TOOL_ERROR;
    }
    const bool known = sqlite3_errcode(c->db) != SQLITE_OK && sqlite3_errcode(c->db) != SQLITE_ROW;
    tool_say(NULL, "%s", known ? sqlite3_errmsg(c->db) : stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    return TOOL_ERROR;
}

static int run_statement(sql_command *c, sqlite3_stmt *statement)
{
    uint64_t rows = 0;
    const int status = sql_print_rows(statement, c->format, c->csv_raw, &rows);
    c->any_rows |= sqlite3_column_count(statement) > 0;
    c->rows += rows;
    if (!tool_printed())
        return TOOL_ERROR;
    return status == SQLITE_DONE ? TOOL_DONE : say_error(c);
}

/* Runs statements up to the first that fails. */
static int run_text(sql_command *c, const char *sql)
{
    int status = TOOL_DONE;
    while (*sql && status == TOOL_DONE) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(c->db, sql, -1, &statement, &sql) != SQLITE_OK)
            return say_error(c);
        if (statement)
            status = run_statement(c, statement);
        (void)sqlite3_finalize(statement);
    }
    return status;
}

/* ---- statements from standard input ---- */

static sqlite3 *interrupted_db;
static atomic_bool interrupted;

static void interrupt(void)
{
    interrupted = true;
    sqlite3_interrupt(interrupted_db);
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted;
}

static const char help[] = "Statements end with a semicolon. Tables: games, plies, positions, tree('moves'), stats.\n"
                           "PRAGMA table_info(games); lists the columns of a table. .quit ends the program.\n";

static void show_prompt(const sql_command *c, bool continues)
{
    if (!c->prompting)
        return;
    tool_put_string(continues ? "   ...> " : "stamma> ");
    tool_put_flush();
    (void)fflush(stdout);
}

/* Executes a command of the prompt. Returns false if the line is not one. Sets *end. */
static bool is_prompt_command(const char *line, bool *end)
{
    *end = strncmp(line, ".quit", 5) == 0 || strncmp(line, ".exit", 5) == 0;
    if (!*end && line[0] == '.')
        tool_put_string(help);
    return line[0] == '.';
}

static int read_statements(sql_command *c)
{
    char line[4096];
    tables_text sql = {.data = NULL};
    int status = TOOL_DONE;
    bool end = false;
    for (show_prompt(c, false); !end && !sql.failed && fgets(line, sizeof line, stdin); show_prompt(c, sql.size > 0)) {
        if (c->prompting && sql.size == 0 && is_prompt_command(line, &end))
            continue;
        tables_text_put(&sql, line);
        if (sql.failed || !sqlite3_complete(sql.data))
            continue;
        interrupted = false;
        status = run_text(c, sql.data);
        sql.size = 0;
        if (status != TOOL_DONE && !c->prompting)
            break;
    }
    if (c->prompting && !end)
        tool_put_char('\n');
    if (sql.size > 0 && status == TOOL_DONE && !sql.failed)
        status = run_text(c, sql.data);
    if (sql.failed) {
        (void)tool_fail_memory(NULL);
        status = TOOL_ERROR;
    }
    free(sql.data);
    return c->prompting ? TOOL_DONE : status;
}

static void catch_interrupts(sql_command *c)
{
    interrupted_db = c->db;
    c->config.stop = is_interrupted;
    system_catch_interrupts(interrupt);
}

/* ---- tables ---- */

/* Makes a table of all archives. */
static int create_table(sql_command *c, const char *name, char **archives, int count)
{
    sqlite3_str *sql = sqlite3_str_new(c->db);
    sqlite3_str_appendf(sql, "CREATE VIRTUAL TABLE temp.%s USING stamma_%s(", name, name);
    for (int i = 0; i < count; i++)
        sqlite3_str_appendf(sql, "%s%Q", i > 0 ? "," : "", archives[i]);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    const int status = text ? sqlite3_exec(c->db, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return status == SQLITE_OK ? TOOL_DONE : say_error(c);
}

static int create_tables(sql_command *c, char **archives, int count)
{
    static const char *const names[] = {"games", "plies", "positions", "tree", "stats"};
    if (sqlite3_open(":memory:", &c->db) != SQLITE_OK)
        return say_error(c);
    if (stamma_sqlite_register(c->db, &c->config) != SQLITE_OK)
        return say_error(c);
    int status = TOOL_DONE;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == TOOL_DONE; i++)
        status = create_table(c, names[i], archives, count);
    return status == TOOL_DONE && !forbid_files(c) ? say_error(c) : status;
}

/* ---- the command ---- */

/* Returns whether the last operand is SQL: it has a blank, and is not the name of a file. */
static bool is_sql(const char *operand)
{
    return strpbrk(operand, " \t\n;") && !system_is_there(operand);
}

static bool read_format(const char *name, sql_format *format)
{
    static const sql_format formats[] = {[TOOL_FORM_TABLE] = SQL_TABLE,
                                         [TOOL_FORM_JSON] = SQL_JSON,
                                         [TOOL_FORM_CSV] = SQL_CSV,
                                         [TOOL_FORM_TSV] = SQL_TSV};
    tool_form form;
    if (!tool_form_read("sql", name, false, TOOL_FORM_TSV, &form))
        return false;
    *format = formats[form];
    return true;
}

static int run(sql_command *c, char **operands, int count)
{
    const bool has_sql = is_sql(operands[count - 1]);
    const int archives = count - has_sql;
    if (archives == 0) {
        tool_say(NULL, "sql: the name of an archive is missing");
        return TOOL_ERROR;
    }
    c->prompting = !has_sql && system_is_terminal(SYSTEM_INPUT);
    int status = create_tables(c, operands, archives);
    if (status == TOOL_DONE && c->prompting)
        catch_interrupts(c);
    if (status == TOOL_DONE)
        status = has_sql ? run_text(c, operands[count - 1]) : read_statements(c);
    return status == TOOL_DONE && c->any_rows && c->rows == 0 && !c->prompting ? TOOL_NOTHING : status;
}

int tool_sql(int argc, char **argv)
{
    sql_command c = {.format = SQL_TABLE};
    const char *format = "table";
    uint64_t threads = 0;
    c.config.memory = TOOL_MEMORY;
    const tool_option options[] = {
        {.name = "format",
         .value = "FORMAT",
         .help = "table (the default), csv, tsv, or json: an object for each row, one\na line",
         .text = &format},
        {.name = "csv-raw",
         .help = "with csv: no apostrophe before text that a spreadsheet would read as\na formula",
         .flag = &c.csv_raw},
        {.name = "write", .help = "statements may write files: ATTACH, VACUUM INTO", .flag = &c.write},
        {TOOL_OPTION_THREADS, .number = &threads},
        {TOOL_OPTION_MEMORY, .size = &c.config.memory},
        {TOOL_OPTION_NO_INDEX, .flag = &c.config.no_index},
    };
    const tool_usage usage = {"sql", "ARCHIVE... [SQL]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!read_format(format, &c.format))
        return TOOL_ERROR;
    worker_threads *pool = worker_threads_open(threads, &c.config.executor);
    status = run(&c, argv, operands);
    (void)sqlite3_close(c.db);
    worker_threads_close(pool);
    return status;
}

#endif
