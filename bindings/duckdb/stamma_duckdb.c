/* SPDX-License-Identifier: MIT */
/* The entry point of the DuckDB extension: LOAD 'stamma.duckdb_extension'. */
#include "duckdb_tables.h"

#include <string.h>

/* Makes `FROM 'games.stamma'` an abbreviation of read_stamma('games.stamma'). */
static void replace_scan(duckdb_replacement_scan_info info, const char *name, void *data)
{
    static const char ending[] = ".stamma";
    const size_t size = strlen(name);
    (void)data;
    if (size < sizeof ending - 1 || strcmp(name + size - (sizeof ending - 1), ending) != 0)
        return;
    duckdb_value path = duckdb_create_varchar(name);
    duckdb_replacement_scan_set_function_name(info, "read_stamma");
    duckdb_replacement_scan_add_parameter(info, path);
    duckdb_destroy_value(&path);
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    if (!stamma_duckdb_register_archives(connection) || !stamma_duckdb_register_answers(connection)) {
        access->set_error(info, "stamma: the functions could not be registered");
        return false;
    }
    duckdb_add_replacement_scan(*access->get_database(info), replace_scan, NULL, NULL);
    return true;
}
