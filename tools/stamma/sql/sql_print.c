/* SPDX-License-Identifier: MIT */
/* Rows of a statement as an aligned table, CSV, TSV or JSON. */
#include "sql/sql.h"

#ifndef TOOL_NO_SQLITE

#include "games/game_views.h"

#include <sqlite3.h>

/* The first rows of a table determine the widths of its columns. */
enum { ROWS_MEASURED = 1000, COLUMN_MAX = 60 };

/* Writes a value as text for people. Blobs and texts are printed up to a NUL. */
static const char *text_of(sqlite3_stmt *s, int column, tables_text *space)
{
    space->size = 0;
    if (sqlite3_column_type(s, column) == SQLITE_FLOAT) {
        tables_text_put_real(space, sqlite3_column_double(s, column));
        return space->data ? space->data : "";
    }
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? text : "";
}

/* ---- CSV and TSV ---- */

static void put_head(sqlite3_stmt *s, tool_table *t)
{
    for (int i = 0; i < sqlite3_column_count(s); i++)
        tool_cell_string(t, sqlite3_column_name(s, i));
    tool_row_end(t);
}

static void put_cells(sqlite3_stmt *s, tool_table *t, tables_text *space)
{
    for (int i = 0; i < sqlite3_column_count(s); i++)
        tool_cell_string(t, text_of(s, i, space));
    tool_row_end(t);
}

/* ---- JSON ---- */

static void put_member(sqlite3_stmt *s, int column, tables_text *space)
{
    const char *name = sqlite3_column_name(s, column), *type = sqlite3_column_decltype(s, column);
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_NULL: tool_json_string(name, NULL); break;
    case SQLITE_INTEGER: tool_json_integer(name, sqlite3_column_int64(s, column)); break;
    case SQLITE_FLOAT: tool_json_raw(name, stamma_text_of(text_of(s, column, space))); break;
    default: {
        const char *text = (const char *)sqlite3_column_text(s, column);
        const stamma_text value = {text ? text : "", (size_t)sqlite3_column_bytes(s, column)};
        if (type && strcmp(type, "JSON TEXT") == 0) /* a list of an archive's table */
            tool_json_raw(name, value);
        else
            tool_json_text(name, value);
    }
    }
}

static void put_object(sqlite3_stmt *s, tables_text *space)
{
    tool_json_begin();
    tool_json_open(NULL, '{');
    for (int i = 0; i < sqlite3_column_count(s); i++)
        put_member(s, i, space);
    tool_json_close('}');
    tool_json_end();
}

/* ---- aligned tables ---- */

typedef struct sql_table {
    int columns;
    size_t *widths;
    bool *right;      /* numbers, which are aligned on the right */
    tables_text kept; /* cells of the rows that are measured, each followed by a NUL */
    size_t rows;
    bool printing; /* the widths are known */
    bool cut;      /* long cells are cut: the output is a terminal */
} sql_table;

/* Returns the number of characters of a UTF-8 text. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void put_blanks(size_t count)
{
    while (count-- > 0)
        tool_put_char(' ');
}

/* Puts a cell; control characters, which could change the terminal, are replaced. */
static void put_padded(const sql_table *t, int column, const char *text)
{
    const size_t width = width_of(text), room = t->widths[column];
    const bool last = column + 1 == t->columns, cut = t->cut && width > room;
    size_t shown = 0;
    if (t->right[column] && width < room)
        put_blanks(room - width);
    for (; *text; text++) {
        shown += ((unsigned char)*text & 0xC0) != 0x80;
        if (cut && shown == room) {
            tool_put_string("\xE2\x80\xA6");
            break;
        }
        tool_put_char((unsigned char)*text < 0x20 || *text == 0x7F ? ' ' : *text);
    }
    if (!t->right[column] && !last && width < room)
        put_blanks(room - width);
    tool_put_string(last ? "\n" : "  ");
}

static void measure(sql_table *t, int column, const char *text)
{
    size_t width = width_of(text);
    if (t->cut && width > COLUMN_MAX)
        width = COLUMN_MAX;
    if (width > t->widths[column])
        t->widths[column] = width;
}

/* Prints the name of each column and the rows kept so far. */
static void print_kept(sql_table *t, sqlite3_stmt *s)
{
    const char *cell = t->kept.data;
    for (int i = 0; i < t->columns; i++)
        put_padded(t, i, sqlite3_column_name(s, i));
    for (size_t row = 0; row < t->rows; row++)
        for (int i = 0; i < t->columns; i++) {
            put_padded(t, i, cell);
            cell += strlen(cell) + 1;
        }
    t->printing = true;
}

static void put_table_row(sql_table *t, sqlite3_stmt *s, tables_text *space)
{
    for (int i = 0; i < t->columns; i++) {
        const int type = sqlite3_column_type(s, i);
        const char *text = text_of(s, i, space);
        if (t->printing) {
            put_padded(t, i, text);
            continue;
        }
        t->right[i] |= type == SQLITE_INTEGER || type == SQLITE_FLOAT;
        measure(t, i, text);
        tables_text_add(&t->kept, text, strlen(text) + 1);
    }
    if (!t->printing && ++t->rows == ROWS_MEASURED)
        print_kept(t, s);
}

static bool open_table(sql_table *t, sqlite3_stmt *s)
{
    *t = (sql_table){.columns = sqlite3_column_count(s), .cut = tool_terminal_columns() > 0};
    t->widths = calloc((size_t)t->columns + 1, sizeof *t->widths);
    t->right = calloc((size_t)t->columns + 1, sizeof *t->right);
    for (int i = 0; i < t->columns && t->widths; i++)
        measure(t, i, sqlite3_column_name(s, i));
    return t->widths && t->right;
}

static void close_table(sql_table *t)
{
    free(t->widths);
    free(t->right);
    free(t->kept.data);
}

/* ---- statements ---- */

int sql_print_rows(sqlite3_stmt *s, sql_format format, bool csv_raw, uint64_t *rows)
{
    tool_table cells = {.tabs = format == SQL_TSV, .raw = csv_raw};
    tables_text space = {.data = NULL};
    sql_table table;
    int status = open_table(&table, s) ? sqlite3_step(s) : SQLITE_NOMEM;
    const bool has_rows = sqlite3_column_count(s) > 0;
    if (has_rows && (status == SQLITE_ROW || status == SQLITE_DONE) && (format == SQL_CSV || format == SQL_TSV))
        put_head(s, &cells);
    for (*rows = 0; status == SQLITE_ROW && tool_printed(); status = sqlite3_step(s)) {
        ++*rows;
        if (format == SQL_JSON)
            put_object(s, &space);
        else if (format == SQL_TABLE)
            put_table_row(&table, s, &space);
        else
            put_cells(s, &cells, &space);
    }
    if (format == SQL_TABLE && *rows > 0 && !table.printing && !table.kept.failed)
        print_kept(&table, s);
    if (table.kept.failed || space.failed)
        status = SQLITE_NOMEM;
    tool_put_flush();
    close_table(&table);
    free(space.data);
    return status;
}

#endif
