/* SPDX-License-Identifier: MIT */
/* Archives in memory, by name or pattern, with the index files next to them. */
#include "tables/table_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tables_error_text(stamma_error error, stamma_place place, char space[TABLES_FAULT_SIZE])
{
    switch (error) {
    case STAMMA_ERROR_NO_ARCHIVE: return "not a Stamma archive; 'stamma pack' makes one from PGN";
    case STAMMA_ERROR_CORRUPT:
        (void)snprintf(space, TABLES_FAULT_SIZE, "the archive is damaged or cut short at byte %" PRIu64, place.offset);
        return space;
    case STAMMA_ERROR_UNSUPPORTED: return "this version (" STAMMA_VERSION ") cannot read this archive";
    case STAMMA_ERROR_LIMIT: return "a block needs more memory than the limit";
    case STAMMA_ERROR_CANCELLED: return "interrupted";
    default: return stamma_error_text(error);
    }
}

/* ---- files in memory ---- */

/* ---- one archive ---- */

/* Loads the index file next to the archive, if there is one. */
static void load_index(tables_archive *a)
{
    tables_text path = {.data = NULL};
    tables_text_put(&path, a->path);
    tables_text_put(&path, ".index");
    if (!path.failed)
        (void)table_file_load(path.data, &a->index);
    free(path.data);
}

/* Uses the flags of the file next to the archive, if there is one. */
static void load_flags(tables_archive *a)
{
    tables_file file = {.bytes = NULL};
    tables_text path = {.data = NULL};
    tables_text_put(&path, a->path);
    tables_text_put(&path, ".flags");
    if (!path.failed && table_file_load(path.data, &file)) {
        const stamma_text text = {(const char *)file.bytes, file.size};
        a->flags_error = stamma_flags_read(a->archive, text, &a->flags);
        (void)stamma_archive_use_flags(a->archive, a->flags);
        table_file_unload(&file);
    }
    free(path.data);
}

bool tables_flags_fit(const tables_archive *a, const stamma_query *query, tables_fault *fault)
{
    return !a->flags_error || !stamma_query_uses_flags(query) ||
           tables_fail(fault, "%.300s.flags: does not fit the archive", a->path);
}

static void close_archive(tables_archive *a)
{
    stamma_archive_close(a->archive);
    stamma_flags_close(a->flags);
    table_file_unload(&a->index);
    table_file_unload(&a->file);
    free(a->path);
}

/* Opens the archive. Does not use an index file of another archive. Scans report damaged places. */
static stamma_error open_handle(tables_archive *a)
{
    const stamma_bytes bytes = stamma_bytes_of(a->file.bytes, a->file.size);
    const stamma_bytes index = stamma_bytes_of(a->index.bytes, a->index.size);
    const stamma_archive_options options = {.size = sizeof options, .index = a->index.bytes ? &index : NULL};
    const stamma_error error = stamma_archive_open(&bytes, &options, &a->archive);
    return error ? error : stamma_archive_games(a->archive, &a->games);
}

/* Fails if the archive has a later format, with a message that names the version that reads it. */
static bool can_read(const tables_archive *a, tables_fault *fault)
{
    unsigned major, minor;
    return stamma_archive_format(a->file.bytes, a->file.size, &major, &minor) != STAMMA_ERROR_UNSUPPORTED ||
           tables_fail(fault,
                       "%.300s: this version (" STAMMA_VERSION
                       ") cannot read this archive of format %u.%u, which needs Stamma %u or later",
                       a->path, major, minor, major);
}

static bool open_archive(tables_archive *a, const char *path, bool no_index, tables_fault *fault)
{
    char space[TABLES_FAULT_SIZE];
    const size_t size = strlen(path) + 1;
    *a = (tables_archive){.path = malloc(size)};
    if (!a->path)
        return tables_fail_memory(fault);
    memcpy(a->path, path, size);
    if (!table_file_load(path, &a->file))
        return tables_fail(fault, "%.300s: %s", path, strerror(errno));
    if (!can_read(a, fault))
        return false;
    if (!no_index)
        load_index(a);
    const stamma_error error = open_handle(a);
    if (!error)
        load_flags(a);
    return !error ||
           tables_fail(fault, "%.300s: %s", path, tables_error_text(error, (stamma_place){.offset = 0}, space));
}

/* ---- all archives ---- */

static bool add(tables_archives *archives, const char *path, tables_fault *fault)
{
    tables_archive *list = realloc(archives->list, (archives->count + 1) * sizeof *list);
    if (!list)
        return tables_fail_memory(fault);
    archives->list = list;
    if (open_archive(&list[archives->count], path, archives->no_index, fault)) {
        archives->count++;
        return true;
    }
    close_archive(&list[archives->count]);
    return false;
}

/* The archives that a pattern names. */
typedef struct adding {
    tables_archives *archives;
    tables_fault *fault;
    bool any; /* a file matches */
} adding;

static bool add_one(void *context, const char *path)
{
    adding *a = context;
    a->any = true;
    return add(a->archives, path, a->fault);
}

bool tables_archives_add(tables_archives *archives, const char *pattern, tables_fault *fault)
{
    adding a = {archives, fault, false};
    if (!table_file_is_pattern(pattern))
        return add(archives, pattern, fault);
    if (table_file_each(pattern, add_one, &a))
        return true;
    if (a.any)
        return false;
    return errno == ENOMEM ? tables_fail_memory(fault) : tables_fail(fault, "%.300s: no file matches", pattern);
}

void tables_archives_close(tables_archives *archives)
{
    for (size_t i = 0; i < archives->count; i++)
        close_archive(&archives->list[i]);
    free(archives->list);
    *archives = (tables_archives){.list = NULL};
}

uint64_t tables_archives_games(const tables_archives *archives)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < archives->count; i++)
        sum += archives->list[i].games;
    return sum;
}
