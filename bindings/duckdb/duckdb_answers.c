/* SPDX-License-Identifier: MIT */
/* The functions stamma_tree and stamma_stats. */
#include "duckdb_tables.h"

#include <stdlib.h>
#include <string.h>

static const tables_answer_column *columns_of(bool is_tree, size_t *count)
{
    *count = is_tree ? TABLES_TREE_COLUMNS : TABLES_STATS_COLUMNS;
    return is_tree ? tables_tree_columns : tables_stats_columns;
}

static void release_rows(void *data)
{
    tables_rows_release(data);
    free(data);
}

static bool answer(duckdb_bind_info info, const tables_archives *archives, bool is_tree, const char *query,
                   tables_rows *rows, tables_fault *fault)
{
    stamma_position position;
    if (!is_tree)
        return tables_stats(archives, query, NULL, rows, fault);
    char *moves = stamma_duckdb_text(info, "moves"), *fen = stamma_duckdb_text(info, "fen");
    const bool right = tables_position(stamma_text_of(moves), fen, &position, fault) &&
                       tables_tree(archives, &position, query, NULL, rows, fault);
    duckdb_free(moves);
    duckdb_free(fen);
    return right;
}

static bool make_rows(duckdb_bind_info info, bool is_tree, tables_rows *rows, tables_fault *fault)
{
    tables_archives archives = {.list = NULL};
    tables_rules rules = {.count = 0};
    const char *query = NULL;
    const bool right = stamma_duckdb_archives(info, &archives, fault) &&
                       stamma_duckdb_rules(info, &rules, &query, fault) &&
                       answer(info, &archives, is_tree, query, rows, fault);
    tables_rules_release(&rules);
    tables_archives_close(&archives);
    return right;
}

static void bind(duckdb_bind_info info)
{
    const bool is_tree = duckdb_bind_get_extra_info(info) != NULL;
    tables_fault fault = {.no_memory = false};
    tables_rows *rows = calloc(1, sizeof *rows);
    if (!rows || !make_rows(info, is_tree, rows, &fault)) {
        duckdb_bind_set_error(info, rows ? fault.text : "out of memory");
        if (rows)
            release_rows(rows);
        return;
    }
    size_t count;
    const tables_answer_column *columns = columns_of(is_tree, &count);
    for (size_t i = 0; i < count; i++)
        stamma_duckdb_column(info, columns[i].name,
                             columns[i].kind == TABLES_TEXT   ? DUCKDB_TYPE_VARCHAR
                             : columns[i].kind == TABLES_REAL ? DUCKDB_TYPE_DOUBLE
                                                              : DUCKDB_TYPE_BIGINT);
    duckdb_bind_set_cardinality(info, rows->count, true);
    duckdb_bind_set_bind_data(info, rows, release_rows);
}

static void init(duckdb_init_info info)
{
    size_t *next = calloc(1, sizeof *next);
    if (!next)
        duckdb_init_set_error(info, "out of memory");
    else
        duckdb_init_set_init_data(info, next, free);
}

static void put_value(duckdb_vector vector, idx_t row, const tables_value *value)
{
    switch (value->kind) {
    case TABLES_TEXT: duckdb_vector_assign_string_element_len(vector, row, value->text.data, value->text.size); break;
    case TABLES_REAL: ((double *)duckdb_vector_get_data(vector))[row] = value->real; break;
    case TABLES_INTEGER: ((int64_t *)duckdb_vector_get_data(vector))[row] = value->integer; break;
    default:
        duckdb_vector_ensure_validity_writable(vector);
        duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
    }
}

static void read_rows(duckdb_function_info info, duckdb_data_chunk chunk)
{
    const tables_rows *rows = duckdb_function_get_bind_data(info);
    size_t *next = duckdb_function_get_init_data(info);
    const size_t left = rows->count - *next, most = (size_t)duckdb_vector_size(), count = left < most ? left : most;
    for (size_t i = 0; i < rows->columns; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
        for (size_t row = 0; row < count; row++)
            put_value(vector, row, &rows->values[(*next + row) * rows->columns + i]);
    }
    *next += count;
    duckdb_data_chunk_set_size(chunk, count);
}

static bool register_answer(duckdb_connection connection, const char *name, bool is_tree)
{
    static char tree_mark; /* only its address is used */
    duckdb_table_function function = stamma_duckdb_function(name);
    if (is_tree) {
        stamma_duckdb_named(function, "moves", DUCKDB_TYPE_VARCHAR);
        stamma_duckdb_named(function, "fen", DUCKDB_TYPE_VARCHAR);
    }
    duckdb_table_function_set_extra_info(function, is_tree ? &tree_mark : NULL, NULL);
    duckdb_table_function_set_bind(function, bind);
    duckdb_table_function_set_init(function, init);
    duckdb_table_function_set_function(function, read_rows);
    const bool right = duckdb_register_table_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_table_function(&function);
    return right;
}

bool stamma_duckdb_register_answers(duckdb_connection connection)
{
    return register_answer(connection, "stamma_tree", true) && register_answer(connection, "stamma_stats", false);
}
