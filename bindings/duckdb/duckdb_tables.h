/* SPDX-License-Identifier: MIT */
/* The table functions of the DuckDB extension: read_stamma, stamma_plies, stamma_positions, stamma_tree and
 * stamma_stats. doc/reference/sql.md describes them. */
#ifndef STAMMA_DUCKDB_TABLES_H
#define STAMMA_DUCKDB_TABLES_H

#include "tables/sql_tables.h"

/* The oldest version of the API that has all functions used here. scripts/duckdb_footer contains the same version, and
 * scripts/setup fetches its headers. */
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#define DUCKDB_EXTENSION_NAME stamma
#include <duckdb_extension.h>

extern duckdb_ext_api_v1 duckdb_ext_api;

/* Registers the functions. Each returns whether that succeeded. */
bool stamma_duckdb_register_archives(duckdb_connection connection);
bool stamma_duckdb_register_answers(duckdb_connection connection);

/* ---- parameters (duckdb_parameters.c) ---- */

/* Returns a function with the parameters of all functions: archives, conditions and a query. The caller destroys it. */
duckdb_table_function stamma_duckdb_function(const char *name);
/* Opens the archives that the first parameter names: a name, a pattern, or a list of these. */
bool stamma_duckdb_archives(duckdb_bind_info info, tables_archives *archives, tables_fault *fault);
/* Makes a query of the conditions and the query that were passed. *query is valid until the rules are released, and
 * NULL if there are no conditions. */
bool stamma_duckdb_rules(duckdb_bind_info info, tables_rules *rules, const char **query, tables_fault *fault);
/* Returns a parameter by its name; NULL if it was not passed. Release with duckdb_free. */
char *stamma_duckdb_text(duckdb_bind_info info, const char *name);
/* Stores a parameter that is a whole number. Returns false if it was not passed. */
bool stamma_duckdb_number(duckdb_bind_info info, const char *name, int64_t *number);
/* Adds a parameter with a name. */
void stamma_duckdb_named(duckdb_table_function function, const char *name, duckdb_type type);
/* Adds a column of a simple type to the result. */
void stamma_duckdb_column(duckdb_bind_info info, const char *name, duckdb_type type);

/* ---- Arrow arrays as vectors (duckdb_vectors.c) ---- */

/* Returns DuckDB's type for a column. The caller destroys it. */
duckdb_logical_type stamma_duckdb_type(const struct ArrowSchema *schema);
/* Copies `count` rows of an array, from row `first`, to a vector, from its row `at`. Returns false if memory is
 * exhausted. */
bool stamma_duckdb_copy(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t first, int64_t count,
                        duckdb_vector vector, idx_t at);

#endif
