/* SPDX-License-Identifier: MIT */
/* Names, properties and folders of files of Windows. */
#include "system/windows_system.h"

#include <winternl.h>

#include <wchar.h>

/* Begin the names of replaced files that are still in use. */
#define OLD_NAME ".stamma-old-"

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* ---- properties ---- */

static struct timespec time_of(FILETIME time)
{
    enum { UNITS = 10000000 };                 /* a second */
    const int64_t epoch = 11644473600 * UNITS; /* from 1601 to 1970 */
    const int64_t units = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - epoch;
    return (struct timespec){.tv_sec = units / UNITS, .tv_nsec = (long)(units % UNITS * 100)};
}

/* Wine does not know the volume of a file that it inherits from a Unix program, or that was renamed while it is open.
 */
static bool status_without_volume(HANDLE handle, system_status *status)
{
    IO_STATUS_BLOCK block;
    LARGE_INTEGER size, index = {.QuadPart = 0};
    FILETIME changed;
    if (!GetFileSizeEx(handle, &size) || !GetFileTime(handle, NULL, NULL, &changed))
        return windows_fail();
    (void)NtQueryInformationFile(handle, &block, &index, sizeof index, FileInternalInformation);
    *status = (system_status){.kind = SYSTEM_REGULAR, .is_private = true, .file = (uint64_t)index.QuadPart};
    status->size = (uint64_t)size.QuadPart;
    status->changed = time_of(changed);
    return true;
}

static bool status_of_handle(HANDLE handle, system_status *status)
{
    BY_HANDLE_FILE_INFORMATION info;
    *status = (system_status){.kind = SYSTEM_OTHER};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return GetFileType(handle) != FILE_TYPE_UNKNOWN || GetLastError() == NO_ERROR || windows_fail();
    if (!GetFileInformationByHandle(handle, &info))
        return status_without_volume(handle, status);
    status->kind = info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? SYSTEM_LINK
                   : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY   ? SYSTEM_FOLDER
                                                                        : SYSTEM_REGULAR;
    status->is_private = info.nNumberOfLinks == 1;
    status->device = info.dwVolumeSerialNumber;
    status->file = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    status->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    status->changed = time_of(info.ftLastWriteTime);
    return true;
}

bool system_status_of(int file, system_status *status)
{
    const HANDLE handle = windows_handle(file);
    return handle != INVALID_HANDLE_VALUE && status_of_handle(handle, status);
}

/* Opens a file or folder to read its properties. */
static HANDLE open_properties(const char *path, DWORD flags)
{
    wchar_t *wide = windows_path(path);
    if (!wide)
        return INVALID_HANDLE_VALUE;
    const HANDLE handle =
        CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        (void)windows_fail();
    free(wide);
    return handle;
}

static bool read_status(const char *path, DWORD flags, system_status *status)
{
    const HANDLE handle = open_properties(path, flags);
    const bool right = handle != INVALID_HANDLE_VALUE && status_of_handle(handle, status);
    if (right && status->kind == SYSTEM_LINK && !flags) /* a file that the system keeps elsewhere */
        status->kind = SYSTEM_REGULAR;
    if (handle != INVALID_HANDLE_VALUE)
        (void)CloseHandle(handle);
    return right;
}

bool system_status_at(const char *path, system_status *status)
{
    return read_status(path, 0, status);
}

bool system_status_of_link(const char *path, system_status *status)
{
    return read_status(path, FILE_FLAG_OPEN_REPARSE_POINT, status);
}

bool system_same_file(const system_status *a, const system_status *b)
{
    return (a->device == b->device || a->device == 0 || b->device == 0) && a->file == b->file;
}

bool system_is_there(const char *path)
{
    system_status status;
    return system_status_at(path, &status);
}

bool system_exists(const char *path)
{
    return system_is_there(path) || errno != ENOENT;
}

bool system_may_read(const char *path)
{
    return system_is_there(path);
}

bool system_may_start(const char *path)
{
    return system_is_there(path);
}

/* New files get the permissions of their folder. */
bool system_set_permissions(int file, const char *path)
{
    (void)file;
    (void)path;
    return true;
}

/* ---- names ---- */

char *system_full_path(const char *path)
{
    const HANDLE handle = open_properties(path, 0);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    const DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, VOLUME_NAME_DOS);
    wchar_t *wide = malloc((size + 1) * sizeof *wide);
    char *full = NULL;
    if (wide && size > 0 && GetFinalPathNameByHandleW(handle, wide, size, VOLUME_NAME_DOS) > 0) {
        const bool share = wcsncmp(wide, L"\\\\?\\UNC\\", 8) == 0, prefixed = wcsncmp(wide, L"\\\\?\\", 4) == 0;
        wide[share ? 6 : 0] = share ? '\\' : wide[0];
        full = windows_narrow(wide + (share ? 6 : prefixed ? 4 : 0));
    } else {
        full = _strdup(path);
    }
    free(wide);
    (void)CloseHandle(handle);
    return full;
}

const char *system_base_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    return name;
}

bool system_delete(const char *path)
{
    wchar_t *wide = windows_path(path);
    const bool right = wide && (DeleteFileW(wide) || windows_fail());
    free(wide);
    return right;
}

/* Moves a file over another as POSIX systems do, also if the other is open. Windows 10 and later can do that. */
static bool move_over(const wchar_t *from, const wchar_t *to)
{
    enum { RENAME_EX = 22, REPLACE = 1, POSIX = 2 };
    struct {
        DWORD flags;
        HANDLE root;
        DWORD size; /* of the name in bytes */
        wchar_t name[1];
    } * info;
    const size_t size = wcslen(to) * sizeof *to;
    const HANDLE handle = CreateFileW(from, DELETE | SYNCHRONIZE, SHARED, NULL, OPEN_EXISTING, 0, NULL);
    info = handle == INVALID_HANDLE_VALUE ? NULL : calloc(1, sizeof *info + size);
    bool right = info != NULL;
    if (info) {
        info->flags = REPLACE | POSIX;
        info->size = (DWORD)size;
        memcpy(info->name, to, size);
        right = SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)RENAME_EX, info,
                                           (DWORD)(sizeof *info + size));
    }
    free(info);
    if (handle != INVALID_HANDLE_VALUE)
        (void)CloseHandle(handle);
    return right;
}

/* Returns a path in the folder of another path, or NULL. */
static wchar_t *beside(const char *path, const char *name)
{
    char text[SYSTEM_PATH_SIZE];
    const int folder = (int)(system_base_name(path) - path);
    const int size = snprintf(text, sizeof text, "%.*s%s", folder, path, name);
    return size > 0 && (size_t)size < sizeof text ? windows_path(text) : NULL;
}

/* Deletes files that earlier calls of move_aside have left, because other programs had mapped them. */
static void delete_old(const char *path)
{
    WIN32_FIND_DATAW found;
    wchar_t *pattern = beside(path, OLD_NAME "??????");
    const HANDLE search = pattern ? FindFirstFileW(pattern, &found) : INVALID_HANDLE_VALUE;
    free(pattern);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        char *name = windows_narrow(found.cFileName);
        wchar_t *old = name ? beside(path, name) : NULL;
        if (old)
            (void)DeleteFileW(old);
        free(old);
        free(name);
    } while (FindNextFileW(search, &found));
    (void)FindClose(search);
}

/* Renames the replaced file first, and deletes it: other programs may have it open. A file that another program has
 * mapped cannot be deleted before that program ends: the next replacement in the folder deletes it. */
static bool move_aside(const char *from, const char *to)
{
    char aside[] = OLD_NAME "XXXXXX";
    windows_randomize(aside);
    wchar_t *old = beside(to, aside), *name = windows_path(to), *new = windows_path(from);
    bool right = old && name && new &&MoveFileExW(name, old, 0);
    if (right && !MoveFileExW(new, name, 0)) {
        (void)MoveFileExW(old, name, 0);
        right = false;
    }
    if (right)
        (void)DeleteFileW(old);
    free(old);
    free(name);
    free(new);
    return right;
}

/* Other programs, such as virus scanners, may have a file open for a moment. */
bool system_replace(const char *from, const char *to)
{
    enum { TRIES = 5, PAUSE = 20 };
    wchar_t *old = windows_path(from), *new = windows_path(to);
    bool right = false;
    delete_old(to);
    for (int n = 0; old && new && !right &&n < TRIES; n++) {
        if (n > 0)
            Sleep(PAUSE);
        right = move_over(old, new) || MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) || move_aside(from, to) ||
                windows_fail();
    }
    free(old);
    free(new);
    return right;
}

bool system_place(const char *from, const char *to, bool *stays)
{
    wchar_t *old = windows_path(from), *new = windows_path(to);
    const bool right = old && new && (MoveFileExW(old, new, 0) || windows_fail());
    *stays = false;
    free(old);
    free(new);
    return right;
}

/* ---- folders ---- */

/* Visits the names that a search finds. */
static void visit_all(HANDLE search, WIN32_FIND_DATAW *found, bool (*visit)(void *context, const char *name),
                      void *context)
{
    bool goes_on = true;
    do {
        char *name = windows_narrow(found->cFileName);
        if (name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            goes_on = visit(context, name);
        free(name);
    } while (goes_on && FindNextFileW(search, found));
}

bool system_folder_each(const char *folder, bool (*visit)(void *context, const char *name), void *context)
{
    WIN32_FIND_DATAW found;
    char pattern[SYSTEM_PATH_SIZE];
    if (snprintf(pattern, sizeof pattern, "%s/*", folder) >= (int)sizeof pattern) {
        errno = ENAMETOOLONG;
        return false;
    }
    wchar_t *wide = windows_path(pattern);
    const HANDLE search = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
    const DWORD error = wide ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY;
    free(wide);
    if (search == INVALID_HANDLE_VALUE)
        return windows_fail_with(error);
    visit_all(search, &found, visit, context);
    (void)FindClose(search);
    return true;
}

bool system_folder_make(const char *path)
{
    wchar_t *wide = windows_path(path);
    const bool right = wide && (CreateDirectoryW(wide, NULL) || windows_fail());
    free(wide);
    return right;
}

bool system_folder_make_shared(const char *path)
{
    return system_folder_make(path);
}

bool system_folder_make_unique(char *path)
{
    enum { TRIES = 100 };
    bool right = false;
    errno = EEXIST;
    for (int n = 0; n < TRIES && !right && errno == EEXIST; n++) {
        windows_randomize(path);
        right = system_folder_make(path);
    }
    return right;
}

bool system_folder_delete(const char *path)
{
    wchar_t *wide = windows_path(path);
    const bool right = wide && (RemoveDirectoryW(wide) || windows_fail());
    free(wide);
    return right;
}
