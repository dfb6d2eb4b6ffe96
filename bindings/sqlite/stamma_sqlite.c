/* SPDX-License-Identifier: MIT */
/* The entry point of the loadable extension: SELECT load_extension('stamma_sqlite') or .load stamma_sqlite. */
#include "sqlite_tables.h"

SQLITE_EXTENSION_INIT1

/* SQLite derives this name from the name of the file. */
STAMMA_API int sqlite3_stammasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

int sqlite3_stammasqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    static const sqlite_config config = {.no_index = false};
    (void)message;
    SQLITE_EXTENSION_INIT2(api);
    return stamma_sqlite_register(db, &config);
}
