/* SPDX-License-Identifier: MIT */
/* Texts, paths and errors of Windows. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "paths/windows_paths.h"

/* ---- errors ---- */

void windows_set_errno(unsigned long error)
{
    static const struct {
        DWORD error;
        int meaning;
    } meanings[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_NOT_READY, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_DELETE_PENDING, EBUSY},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_DISK_QUOTA_EXCEEDED, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
        {ERROR_NOT_SUPPORTED, ENOTSUP},
        {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_INVALID_FUNCTION, EINVAL},
    };
    errno = EIO;
    for (size_t n = 0; n < sizeof meanings / sizeof *meanings; n++)
        if (meanings[n].error == error)
            errno = meanings[n].meaning;
}

/* ---- texts ---- */

wchar_t *windows_wide(const char *text)
{
    const int size = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = malloc(((size_t)size + 1) * sizeof *wide);
    if (wide)
        (void)MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, size);
    return wide;
}

char *windows_narrow(const wchar_t *text)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *narrow = malloc((size_t)size + 1);
    if (narrow)
        (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, size, NULL, NULL);
    return narrow;
}

/* Returns the absolute form of a path with the prefix that allows any length. A share, "\\server\share", has another
 * prefix. Releases the path. */
static wchar_t *lengthen(wchar_t *path, DWORD size)
{
    static const wchar_t plain[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
    wchar_t *full = malloc((size + 1) * sizeof *full), *all = malloc((size + 16) * sizeof *all);
    if (full && all && GetFullPathNameW(path, size, full, NULL) > 0) {
        const bool shared = full[0] == '\\' && full[1] == '\\' && full[2] != '?' && full[2] != '.';
        const bool ready = full[0] == '\\' && !shared;
        (void)wcscpy(all, ready ? L"" : shared ? share : plain);
        (void)wcscat(all, full + (shared ? 2 : 0));
    } else {
        free(all);
        all = NULL;
        errno = ENOMEM;
    }
    free(full);
    free(path);
    return all;
}

wchar_t *windows_path(const char *path)
{
    enum { SHORT = 230 }; /* the limit is 260, or 248 for folders, and the command may add to a name */
    wchar_t *wide = windows_wide(strcmp(path, "/dev/null") == 0 ? "NUL" : path);
    if (!wide)
        return NULL;
    const DWORD size = *wide ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;
    return size > SHORT ? lengthen(wide, size) : wide;
}
