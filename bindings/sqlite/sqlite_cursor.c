/* SPDX-License-Identifier: MIT */
/* Cursors of virtual tables: from the constraints of a plan to a scan, and its rows. */
#include "sqlite_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MAX = 1000, /* an IN list with more values does not become a rule */
    /* Joins look up one game after another. If the next game is at most this number of games later, continuing the scan
     * is faster than opening another one. */
    GAMES_AHEAD_MAX = 100,
    ROWS_OF_LOOK_UPS = 4096 /* rows that are decoded at once */
};

typedef struct sqlite_cursor {
    sqlite3_vtab_cursor base;
    tables_archives archives; /* the archives of a function */
    char *pattern;            /* the pattern that their names match */
    tables_scan *scan;
    bool any; /* there is a row */
    int64_t row;
    char *hidden[HIDDEN_KINDS]; /* values of the parameters; NULL: none */
    size_t *wanted;             /* column for each index in the scan */
    size_t wanted_count;
    size_t *place; /* index in the scan for each column; SIZE_MAX: not read */
    uint64_t game; /* the only game whose rows are returned; 0: all */
    bool reads_on; /* the scan continues after this game */
    bool ended;    /* the only row was returned, and is still the current row of the scan */
    char *plan;    /* of the continuing scan, and of the last look-up */
} sqlite_cursor;

static const sqlite_table *table_of(const sqlite_cursor *c)
{
    return (const sqlite_table *)c->base.pVtab;
}

static const tables_archives *archives_of(const sqlite_cursor *c)
{
    return table_of(c)->is_function ? &c->archives : &table_of(c)->archives;
}

int stamma_sqlite_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
    sqlite_cursor *c = sqlite3_malloc64(sizeof *c);
    const size_t columns = ((const sqlite_table *)table)->columns.count;
    if (!c)
        return SQLITE_NOMEM;
    *c = (sqlite_cursor){.wanted = calloc(columns + 2, sizeof *c->wanted),
                         .place = calloc(columns + 2, sizeof *c->place)};
    *cursor = &c->base;
    if (c->wanted && c->place)
        return SQLITE_OK;
    (void)stamma_sqlite_close(&c->base);
    return SQLITE_NOMEM;
}

static void close_scan(sqlite_cursor *c)
{
    tables_scan_close(c->scan);
    c->scan = NULL;
    c->any = false;
    c->row = 0;
}

static void forget_parameters(sqlite_cursor *c)
{
    for (int i = 0; i < HIDDEN_KINDS; i++) {
        free(c->hidden[i]);
        c->hidden[i] = NULL;
    }
}

int stamma_sqlite_close(sqlite3_vtab_cursor *cursor)
{
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    close_scan(c);
    forget_parameters(c);
    tables_archives_close(&c->archives);
    free(c->pattern);
    free(c->plan);
    free(c->wanted);
    free(c->place);
    sqlite3_free(c);
    return SQLITE_OK;
}

/* ---- constraints ---- */

typedef struct filter {
    tables_rules rules;
    uint64_t first, last;
    bool empty; /* no row satisfies the constraints */
} filter;

static tables_value value_of(sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return (tables_value){.kind = TABLES_INTEGER, .integer = sqlite3_value_int64(value)};
    case SQLITE_FLOAT: return (tables_value){.kind = TABLES_REAL, .real = sqlite3_value_double(value)};
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_value_text(value);
        const int size = sqlite3_value_bytes(value);
        return text ? (tables_value){.kind = TABLES_TEXT, .text = {text, (size_t)size}}
                    : (tables_value){.kind = TABLES_NULL};
    }
    default: return (tables_value){.kind = TABLES_NULL};
    }
}

/* Narrows the range of games. */
static void limit_games(filter *f, tables_operator op, const tables_value *value)
{
    const double number = value->kind == TABLES_INTEGER ? (double)value->integer : value->real;
    if ((value->kind != TABLES_INTEGER && value->kind != TABLES_REAL) || number > 9e15)
        return;
    if (op != TABLES_GREATER && number < 1) {
        f->empty = true;
        return;
    }
    if (op != TABLES_LESS && number >= 1 && (uint64_t)number > f->first)
        f->first = (uint64_t)number;
    const uint64_t most = number >= 1 ? (uint64_t)ceil(number) : 0;
    if (op != TABLES_GREATER && (f->last == 0 || most < f->last))
        f->last = most;
    f->empty |= f->last > 0 && f->last < f->first;
}

/* Adds a rule with all values of an IN list. */
static void add_many(filter *f, const tables_column *column, sqlite3_value *list)
{
#if SQLITE_VERSION_NUMBER >= 3038000
    tables_value *values = malloc(VALUES_MAX * sizeof *values);
    sqlite3_value *value = NULL;
    tables_text copies = {.data = NULL};
    size_t count = 0;
    int status = values ? sqlite3_vtab_in_first(list, &value) : SQLITE_NOMEM;
    for (; status == SQLITE_OK && value && count < VALUES_MAX; status = sqlite3_vtab_in_next(list, &value)) {
        values[count] = value_of(value);
        if (values[count].kind == TABLES_TEXT) { /* the text is valid until the next value */
            values[count].integer = (int64_t)copies.size;
            tables_text_add(&copies, values[count].text.data, values[count].text.size);
        }
        count++;
    }
    for (size_t i = 0; i < count && copies.data; i++)
        if (values[i].kind == TABLES_TEXT)
            values[i].text.data = copies.data + values[i].integer;
    if (status == SQLITE_DONE && !copies.failed)
        tables_rules_add(&f->rules, column, TABLES_EQUAL, values, count);
    free(copies.data);
    free(values);
#else
    (void)f;
    (void)column;
    (void)list;
#endif
}

static char *copy_value(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    char *copied = text ? malloc(strlen(text) + 1) : NULL;
    if (copied)
        (void)strcpy(copied, text);
    return copied;
}

static bool apply_hidden(sqlite_cursor *c, filter *f, sqlite_hidden kind, sqlite3_value *value, tables_fault *fault)
{
    char *text = copy_value(value);
    kind = kind == HIDDEN_FILENAME ? HIDDEN_ARCHIVE : kind; /* of a table: SQLite tests both again */
    free(c->hidden[kind]);
    c->hidden[kind] = text;
    if (!text) { /* NULL is equal to nothing */
        f->empty = true;
        return true;
    }
    switch (kind) {
    case HIDDEN_QUERY:
    case HIDDEN_FIND: return tables_rules_find(&f->rules, stamma_text_of(text), fault);
    case HIDDEN_POSITION: return tables_rules_add_position(&f->rules, stamma_text_of(text), fault);
    case HIDDEN_PLAYER:
        if (*text == '\0')
            return tables_fail(fault, "the name of a player is empty");
        tables_rules_add_player(&f->rules, stamma_text_of(text));
        return true;
    case HIDDEN_ARCHIVE:
    case HIDDEN_FILENAME:
    case HIDDEN_KINDS: break;
    }
    return true;
}

static bool apply(sqlite_cursor *c, filter *f, const sqlite_constraint *k, sqlite3_value *value, tables_fault *fault)
{
    const sqlite_table *t = table_of(c);
    if (k->column < t->hidden_count)
        return apply_hidden(c, f, t->hidden[k->column], value, fault);
    const tables_column *column = &t->columns.list[k->column - t->hidden_count];
    const tables_operator op = (tables_operator)k->op;
    if (k->many) {
        add_many(f, column, value);
        return true;
    }
    const tables_value v = value_of(value);
    if (tables_use_of(t->table, column, op) == TABLES_USE_NUMBER)
        limit_games(f, op, &v);
    else
        tables_rules_add(&f->rules, column, op, &v, 1);
    return true;
}

static bool apply_all(sqlite_cursor *c, filter *f, const char *text, int count, sqlite3_value **values,
                      tables_fault *fault)
{
    for (int i = 0; i < count; i++) {
        sqlite_constraint k = {0, 0, 0};
        char *end = NULL;
        k.column = (int)strtol(text, &end, 10);
        k.op = (int)strtol(end, &end, 10);
        k.many = (int)strtol(end, &end, 10);
        if (!apply(c, f, &k, values[i], fault))
            return false;
        text = end + 1;
    }
    return true;
}

/* ---- scans ---- */

static void want(sqlite_cursor *c, size_t column)
{
    if (column == SIZE_MAX || c->place[column] != SIZE_MAX)
        return;
    c->place[column] = c->wanted_count;
    c->wanted[c->wanted_count++] = column;
}

/* Chooses the columns that the statement uses, and the columns that determine the number of a row. */
static void choose_columns(sqlite_cursor *c, unsigned long long used)
{
    const sqlite_table *t = table_of(c);
    c->wanted_count = 0;
    for (size_t i = 0; i < t->columns.count; i++)
        c->place[i] = SIZE_MAX;
    for (size_t i = 0; i < t->columns.count; i++) {
        const size_t column = i + (size_t)t->hidden_count;
        if (used >> (column < 63 ? column : 63) & 1)
            want(c, i);
    }
    want(c, t->game);
    want(c, t->ply);
    if (c->wanted_count == 0)
        want(c, 0);
}

/* Opens the archives of a function, unless the last scan has opened the same archives. */
static bool open_archives(sqlite_cursor *c, tables_fault *fault)
{
    const char *pattern = c->hidden[HIDDEN_ARCHIVE];
    if (!table_of(c)->is_function || !pattern || (c->pattern && strcmp(pattern, c->pattern) == 0))
        return true;
    close_scan(c);
    free(c->plan);
    tables_archives_close(&c->archives);
    free(c->pattern);
    c->pattern = c->plan = NULL;
    c->archives.no_index = table_of(c)->config->no_index;
    if (!tables_archives_add(&c->archives, pattern, fault))
        return false;
    c->pattern = malloc(strlen(pattern) + 1);
    if (!c->pattern)
        return tables_fail_memory(fault);
    (void)strcpy(c->pattern, pattern);
    return true;
}

static bool open_scan(sqlite_cursor *c, filter *f, tables_fault *fault)
{
    const sqlite_table *t = table_of(c);
    const bool threads = t->config->executor.threads > 1;
    const char *query;
    if (!tables_rules_end(&f->rules, &query, fault))
        return false;
    const tables_request request = {
        .table = t->table,
        .columns = &t->columns,
        .wanted = c->wanted,
        .wanted_count = c->wanted_count,
        .query = query,
        .first_game = f->first,
        .last_game = f->last,
        .archive = t->is_function ? NULL : c->hidden[HIDDEN_ARCHIVE],
        .executor = threads && c->game == 0 ? &t->config->executor : NULL,
        .batch_rows = c->game > 0 ? ROWS_OF_LOOK_UPS : 0,
        .memory = t->config->memory,
        .context = t->config->context,
        .stop = t->config->stop,
    };
    return tables_scan_open(archives_of(c), &request, &c->scan, fault) && tables_scan_next(c->scan, &c->any, fault);
}

/* ---- look-ups of single games ---- */

static uint64_t number_in(sqlite_cursor *c, size_t column)
{
    const size_t place = column < SIZE_MAX ? c->place[column] : SIZE_MAX;
    return place < SIZE_MAX ? (uint64_t)tables_scan_value(c->scan, place).integer : 0;
}

/* Moves to the first row of the game, or of a later game. */
static bool skip_to_game(sqlite_cursor *c, tables_fault *fault)
{
    while (c->any && number_in(c, table_of(c)->game) < c->game)
        if (!tables_scan_next(c->scan, &c->any, fault))
            return false;
    return true;
}

/* Opens a scan of the requested game; with `reads_on`, the scan continues after this game. */
static bool open_look_up(sqlite_cursor *c, filter *f, bool reads_on, tables_fault *fault)
{
    close_scan(c);
    c->reads_on = reads_on;
    if (reads_on)
        f->last = 0;
    return open_scan(c, f, fault);
}

/* Finds the only requested game. `last` is the game of the last look-up with the same plan; 0: none. */
static bool look_up(sqlite_cursor *c, filter *f, uint64_t last, tables_fault *fault)
{
    const bool is_near = last > 0 && c->game > last && c->game - last <= GAMES_AHEAD_MAX;
    if (f->rules.exact || f->rules.find.data || archives_of(c)->count != 1)
        return open_look_up(c, f, false, fault);
    tables_rules_release(&f->rules); /* SQLite tests the rules; the game is read in any case */
    if (c->any && c->game == last && table_of(c)->table == STAMMA_TABLE_GAMES)
        return true; /* its row is still the current one */
    if (c->any && c->reads_on && is_near)
        return skip_to_game(c, fault);
    return open_look_up(c, f, is_near, fault);
}

/* Stores the plan. Returns whether the last call stored the same plan. */
static bool is_same_plan(sqlite_cursor *c, const char *text)
{
    if (c->plan && strcmp(c->plan, text) == 0)
        return true;
    free(c->plan);
    c->plan = malloc(strlen(text) + 1);
    if (c->plan)
        (void)strcpy(c->plan, text);
    return false;
}

static bool scan(sqlite_cursor *c, filter *f, const char *text, tables_fault *fault)
{
    const uint64_t last = is_same_plan(c, text) ? c->game : 0;
    c->ended = false;
    c->game = !f->empty && f->first > 0 && f->first == f->last ? f->first : 0;
    if (c->game > 0)
        return look_up(c, f, last, fault);
    close_scan(c);
    return f->empty || open_scan(c, f, fault);
}

int stamma_sqlite_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count, sqlite3_value **values)
{
    (void)number;
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    tables_fault fault = {.no_memory = false};
    filter f = {.first = 0};
    char *end = NULL;
    forget_parameters(c);
    choose_columns(c, strtoull(text, &end, 16));
    const bool right =
        apply_all(c, &f, end + 1, count, values, &fault) && open_archives(c, &fault) && scan(c, &f, text, &fault);
    tables_rules_release(&f.rules);
    return right ? SQLITE_OK : stamma_sqlite_fail(cursor->pVtab, &fault);
}

int stamma_sqlite_next(sqlite3_vtab_cursor *cursor)
{
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    tables_fault fault = {.no_memory = false};
    c->row++;
    c->ended = c->game > 0 && table_of(c)->table == STAMMA_TABLE_GAMES && archives_of(c)->count == 1;
    if (c->ended)
        return SQLITE_OK;
    return tables_scan_next(c->scan, &c->any, &fault) ? SQLITE_OK : stamma_sqlite_fail(cursor->pVtab, &fault);
}

int stamma_sqlite_eof(sqlite3_vtab_cursor *cursor)
{
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    return !c->any || c->ended || (c->game > 0 && c->reads_on && number_in(c, table_of(c)->game) != c->game);
}

/* ---- values ---- */

void stamma_sqlite_result(sqlite3_context *context, const tables_value *value)
{
    switch (value->kind) {
    case TABLES_NULL: sqlite3_result_null(context); break;
    case TABLES_INTEGER:
    case TABLES_UNSIGNED:
    case TABLES_BOOL: sqlite3_result_int64(context, value->integer); break;
    case TABLES_REAL: sqlite3_result_double(context, value->real); break;
    case TABLES_TEXT:
    case TABLES_LIST:
        sqlite3_result_text64(context, value->text.data, value->text.size, SQLITE_TRANSIENT, SQLITE_UTF8);
        if (value->kind == TABLES_LIST)
            sqlite3_result_subtype(context, 'J'); /* as SQLite's JSON functions mark their results */
        break;
    case TABLES_BYTES: sqlite3_result_blob64(context, value->text.data, value->text.size, SQLITE_TRANSIENT); break;
    }
}

static void result_string(sqlite3_context *context, const char *string)
{
    if (string)
        sqlite3_result_text(context, string, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_null(context);
}

int stamma_sqlite_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    const sqlite_table *t = table_of(c);
    if (column < t->hidden_count) {
        const sqlite_hidden kind = t->hidden[column];
        const bool is_path = kind == HIDDEN_ARCHIVE || kind == HIDDEN_FILENAME;
        result_string(context, is_path ? archives_of(c)->list[tables_scan_archive(c->scan)].path : c->hidden[kind]);
        return SQLITE_OK;
    }
    const size_t place = c->place[column - t->hidden_count];
    const tables_value value =
        place < SIZE_MAX ? tables_scan_value(c->scan, place) : (tables_value){.kind = TABLES_NULL};
    stamma_sqlite_result(context, &value);
    return SQLITE_OK;
}

/* Returns the number of a row, which is the same in each scan: 10 bits of the archive, 33 of the game, 20 of the ply.
 * */
int stamma_sqlite_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    sqlite_cursor *c = (sqlite_cursor *)cursor;
    const sqlite_table *t = table_of(c);
    const uint64_t archive = tables_scan_archive(c->scan) & 0x3FF, game = number_in(c, t->game) & 0x1FFFFFFFF;
    *rowid = (sqlite3_int64)(archive << 53 | game << 20 | (number_in(c, t->ply) & 0xFFFFF));
    if (t->game == SIZE_MAX)
        *rowid = c->row;
    return SQLITE_OK;
}
