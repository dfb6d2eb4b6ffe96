/* SPDX-License-Identifier: MIT */
/* Files of tables on Windows. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "paths/windows_paths.h"
#include "tables/table_files.h"

static bool fail(void)
{
    windows_set_errno(GetLastError());
    return false;
}

/* Maps an open file. An empty file cannot be mapped. */
static bool map(HANDLE handle, tables_file *file)
{
    LARGE_INTEGER size;
    if (!GetFileSizeEx(handle, &size))
        return fail();
    file->mapped = size.QuadPart > 0;
    if (!file->mapped)
        return (file->bytes = malloc(1)) != NULL;
    const HANDLE mapping = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    file->bytes = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
    file->size = (size_t)size.QuadPart;
    const bool right = file->bytes || fail();
    if (mapping)
        (void)CloseHandle(mapping);
    return right;
}

bool table_file_load(const char *path, tables_file *file)
{
    wchar_t *wide = windows_path(path);
    *file = (tables_file){.bytes = NULL};
    if (!wide)
        return false;
    const HANDLE handle = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      OPEN_EXISTING, 0, NULL);
    const bool right = handle != INVALID_HANDLE_VALUE ? map(handle, file) : fail();
    free(wide);
    if (handle != INVALID_HANDLE_VALUE)
        (void)CloseHandle(handle);
    return right;
}

void table_file_unload(const tables_file *file)
{
    if (file->mapped)
        (void)UnmapViewOfFile(file->bytes);
    else
        free((void *)(uintptr_t)file->bytes);
}

bool table_file_is_pattern(const char *text)
{
    return strpbrk(text, "*?") != NULL; /* no name has these characters */
}

/* ---- patterns ---- */

typedef struct names {
    char **list;
    size_t count;
} names;

/* Adds the path of a file in the folder of the pattern. */
static bool add(names *n, const char *pattern, const wchar_t *file)
{
    const char *slash = strrchr(pattern, '/'), *other = strrchr(pattern, '\\');
    const char *last = !slash || (other && other > slash) ? other : slash;
    const size_t folder = last ? (size_t)(last - pattern) + 1 : 0;
    char *name = windows_narrow(file), **more = realloc(n->list, (n->count + 1) * sizeof *more);
    char *path = name && more ? malloc(folder + strlen(name) + 1) : NULL;
    n->list = more ? more : n->list;
    if (path) {
        memcpy(path, pattern, folder);
        (void)strcpy(path + folder, name);
        n->list[n->count++] = path;
    }
    free(name);
    return path != NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Finds the files of a pattern. Returns false with errno set. */
static bool find(names *n, const char *pattern)
{
    WIN32_FIND_DATAW found;
    wchar_t *wide = windows_path(pattern);
    const HANDLE search = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
    bool right = search != INVALID_HANDLE_VALUE || fail();
    free(wide);
    while (right && search != INVALID_HANDLE_VALUE) {
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) && found.cFileName[0] != '.')
            right = add(n, pattern, found.cFileName);
        if (!FindNextFileW(search, &found))
            break;
    }
    if (search != INVALID_HANDLE_VALUE)
        (void)FindClose(search);
    if (right && n->count == 0)
        errno = ENOENT;
    return right && n->count > 0;
}

bool table_file_each(const char *pattern, bool (*visit)(void *context, const char *path), void *context)
{
    names n = {.list = NULL};
    bool right = find(&n, pattern);
    if (n.count > 1)
        qsort(n.list, n.count, sizeof *n.list, compare);
    for (size_t i = 0; i < n.count && right; i++)
        right = visit(context, n.list[i]);
    for (size_t i = 0; i < n.count; i++)
        free(n.list[i]);
    free(n.list);
    return right;
}
