/* SPDX-License-Identifier: MIT */
/* Archives in memory, by name or pattern, with the index files next to them. */
#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* for glob, mmap and open */
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include "sql_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <fcntl.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

const char *tables_error_text(stamma_error error, stamma_place place, char space[TABLES_FAULT_SIZE])
{
    switch (error) {
    case STAMMA_ERROR_NO_ARCHIVE: return "not a Stamma archive";
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

/* Reads a file to its end. Returns NULL with errno set. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 0, used = 0;
    uint8_t *bytes = NULL;
    for (;;) {
        if (used == room) {
            room = room ? room * 2 : 1 << 16;
            uint8_t *more = realloc(bytes, room);
            if (!more)
                break;
            bytes = more;
        }
        const size_t got = fread(bytes + used, 1, room - used, file);
        if (got == 0)
            break;
        used += got;
    }
    const bool failed = !feof(file);
    const int cause = errno;
    (void)fclose(file);
    if (failed) {
        free(bytes);
        errno = cause;
        return NULL;
    }
    *size = used;
    return bytes;
}

#ifdef _WIN32
/* Returns false with errno set. */
static bool load(const char *path, tables_file *file)
{
    *file = (tables_file){.bytes = NULL};
    file->bytes = read_file(path, &file->size);
    return file->bytes != NULL;
}

static void unload(const tables_file *file)
{
    free((void *)(uintptr_t)file->bytes);
}
#else
/* Maps a regular file. Returns NULL if that is impossible; *is_folder is then set for a directory. */
static const uint8_t *map(const char *path, size_t *size, bool *is_folder)
{
    struct stat status;
    void *bytes = MAP_FAILED;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    const bool known = fstat(fd, &status) == 0;
    *is_folder = known && S_ISDIR(status.st_mode);
    if (known && S_ISREG(status.st_mode) && status.st_size > 0 && (uint64_t)status.st_size <= SIZE_MAX)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    *size = bytes == MAP_FAILED ? 0 : (size_t)status.st_size;
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* Returns false with errno set. */
static bool load(const char *path, tables_file *file)
{
    bool is_folder = false;
    *file = (tables_file){.bytes = NULL};
    file->bytes = map(path, &file->size, &is_folder);
    file->mapped = file->bytes != NULL;
    if (is_folder)
        errno = EISDIR;
    else if (!file->mapped)
        file->bytes = read_file(path, &file->size);
    return file->bytes != NULL;
}

static void unload(const tables_file *file)
{
    void *memory = (void *)(uintptr_t)file->bytes;
    if (file->mapped)
        (void)munmap(memory, file->size);
    else
        free(memory);
}
#endif

/* ---- one archive ---- */

/* Loads the index file next to the archive, if there is one. */
static void load_index(tables_archive *a)
{
    tables_text path = {.data = NULL};
    tables_text_put(&path, a->path);
    tables_text_put(&path, ".index");
    if (!path.failed)
        (void)load(path.data, &a->index);
    free(path.data);
}

/* Uses the flags of the file next to the archive, if there is one. */
static void load_flags(tables_archive *a)
{
    tables_file file = {.bytes = NULL};
    tables_text path = {.data = NULL};
    tables_text_put(&path, a->path);
    tables_text_put(&path, ".flags");
    if (!path.failed && load(path.data, &file)) {
        const stamma_text text = {(const char *)file.bytes, file.size};
        a->flags_error = stamma_flags_read(a->archive, text, &a->flags);
        (void)stamma_archive_use_flags(a->archive, a->flags);
        unload(&file);
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
    unload(&a->index);
    unload(&a->file);
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
    if (!load(path, &a->file))
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

#ifdef _WIN32
bool tables_archives_add(tables_archives *archives, const char *pattern, tables_fault *fault)
{
    return add(archives, pattern, fault);
}
#else
static bool add_matching(tables_archives *archives, const char *pattern, tables_fault *fault)
{
    glob_t found = {.gl_pathc = 0};
    const int status = glob(pattern, 0, NULL, &found);
    bool right = status == 0;
    if (status == GLOB_NOSPACE)
        right = tables_fail_memory(fault);
    else if (status)
        right = tables_fail(fault, "%.300s: no file matches", pattern);
    for (size_t i = 0; right && i < found.gl_pathc; i++)
        right = add(archives, found.gl_pathv[i], fault);
    globfree(&found);
    return right;
}

bool tables_archives_add(tables_archives *archives, const char *pattern, tables_fault *fault)
{
    struct stat status;
    const bool is_pattern = strpbrk(pattern, "*?[") != NULL && stat(pattern, &status) != 0;
    return is_pattern ? add_matching(archives, pattern, fault) : add(archives, pattern, fault);
}
#endif

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
