/* SPDX-License-Identifier: MIT */
/* Files of tables on POSIX systems. */
#define _XOPEN_SOURCE 700 /* for glob, mmap and open */
#define _FILE_OFFSET_BITS 64
#include "tables/table_files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool table_file_load(const char *path, tables_file *file)
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

void table_file_unload(const tables_file *file)
{
    void *memory = (void *)(uintptr_t)file->bytes;
    if (file->mapped)
        (void)munmap(memory, file->size);
    else
        free(memory);
}

bool table_file_is_pattern(const char *text)
{
    struct stat status;
    return strpbrk(text, "*?[") != NULL && stat(text, &status) != 0;
}

bool table_file_each(const char *pattern, bool (*visit)(void *context, const char *path), void *context)
{
    glob_t found = {.gl_pathc = 0};
    const int status = glob(pattern, 0, NULL, &found);
    bool right = status == 0;
    if (status)
        errno = status == GLOB_NOSPACE ? ENOMEM : ENOENT;
    for (size_t i = 0; right && i < found.gl_pathc; i++)
        right = visit(context, found.gl_pathv[i]);
    globfree(&found);
    return right;
}
