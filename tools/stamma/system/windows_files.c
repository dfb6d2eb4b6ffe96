/* SPDX-License-Identifier: MIT */
/* Files of Windows. Other programs may read, rename and delete the files that this one has open. */
#include "system/windows_system.h"

#include <fcntl.h>
#include <io.h>

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, PIECE = 1 << 30 };

HANDLE windows_handle(int file)
{
    const intptr_t handle = _get_osfhandle(file);
    if (handle == -1 || handle == -2) {
        errno = EBADF;
        return INVALID_HANDLE_VALUE;
    }
    return (HANDLE)handle;
}

int windows_file_of(HANDLE handle)
{
    const int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (file < 0)
        (void)CloseHandle(handle);
    return file;
}

/* ---- opening ---- */

static DWORD access_of(unsigned how)
{
    if (how & SYSTEM_APPEND)
        return GENERIC_READ | FILE_APPEND_DATA | SYNCHRONIZE;
    return how & SYSTEM_TRUNCATE ? GENERIC_WRITE : how & SYSTEM_WRITE ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
}

/* Returns whether an open file has the properties that `how` requires; otherwise it sets errno. */
static bool is_wanted(HANDLE handle, unsigned how)
{
    BY_HANDLE_FILE_INFORMATION info;
    if (!(how & SYSTEM_NO_FOLLOW) || !GetFileInformationByHandle(handle, &info) ||
        !(info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return true;
    errno = ELOOP;
    return false;
}

int system_open(const char *path, unsigned how)
{
    wchar_t *wide = windows_path(path);
    if (!wide)
        return -1;
    const DWORD created = how & SYSTEM_NEW ? CREATE_NEW : OPEN_EXISTING;
    const DWORD flags = FILE_ATTRIBUTE_NORMAL | (how & SYSTEM_NO_FOLLOW ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    const HANDLE handle = CreateFileW(wide, access_of(how), SHARED, NULL, created, flags, NULL);
    const DWORD attributes = handle == INVALID_HANDLE_VALUE ? GetFileAttributesW(wide) : 0, error = GetLastError();
    free(wide);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)windows_fail_with(error);
        if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY)
            errno = EISDIR;
        return -1;
    }
    if (!is_wanted(handle, how)) {
        (void)CloseHandle(handle);
        return -1;
    }
    const int file = windows_file_of(handle);
    if (file >= 0 && how & SYSTEM_TRUNCATE && GetFileType(handle) == FILE_TYPE_DISK)
        (void)SetEndOfFile(handle);
    return file;
}

/* Creates a file with a random name. Its flags may delete it when it is closed. */
static int create(char *name, DWORD access, DWORD flags)
{
    enum { TRIES = 100 };
    HANDLE handle = INVALID_HANDLE_VALUE;
    for (int n = 0; n < TRIES && handle == INVALID_HANDLE_VALUE; n++) {
        windows_randomize(name);
        wchar_t *wide = windows_path(name);
        if (!wide)
            return -1;
        handle = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE | access, SHARED, NULL, CREATE_NEW, flags, NULL);
        const DWORD error = GetLastError();
        free(wide);
        if (handle == INVALID_HANDLE_VALUE && !windows_fail_with(error) && errno != EEXIST)
            return -1;
    }
    return handle == INVALID_HANDLE_VALUE ? -1 : windows_file_of(handle);
}

int system_open_unique(char *path)
{
    return create(path, 0, FILE_ATTRIBUTE_NORMAL);
}

int system_open_unnamed(const char *folder)
{
    char name[SYSTEM_PATH_SIZE];
    const int size = snprintf(name, sizeof name, "%s/.stamma-XXXXXX", folder);
    if (size < 0 || (size_t)size >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return create(name, DELETE, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
}

char *system_temporary_folder(void)
{
    wchar_t path[MAX_PATH + 1];
    const char *chosen = getenv("TMPDIR");
    char *usual = !chosen && GetTempPathW(MAX_PATH + 1, path) > 0 ? windows_narrow(path) : NULL;
    return usual ? usual : _strdup(chosen ? chosen : ".");
}

FILE *system_temporary(void)
{
    char *folder = system_temporary_folder();
    const int file = folder ? system_open_unnamed(folder) : -1;
    FILE *stream = file >= 0 ? _fdopen(file, "w+b") : NULL;
    if (file >= 0 && !stream)
        (void)_close(file);
    free(folder);
    return stream;
}

FILE *system_stream(const char *path)
{
    const int file = system_open(path, SYSTEM_READ);
    FILE *stream = file >= 0 ? _fdopen(file, "rb") : NULL;
    if (file >= 0 && !stream)
        (void)_close(file);
    return stream;
}

int system_number_of(FILE *stream)
{
    return _fileno(stream);
}

bool system_close(int file)
{
    return _close(file) == 0;
}

/* ---- reading and writing ---- */

static DWORD piece_of(size_t size)
{
    return size < PIECE ? (DWORD)size : PIECE;
}

/* Returns the number of bytes that were read, or -1. The end of a file or of a pipe is an error of Windows. */
static ptrdiff_t read_result(bool right, DWORD got)
{
    const DWORD error = right ? 0 : GetLastError();
    if (right || error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE)
        return right ? (ptrdiff_t)got : 0;
    (void)windows_fail_with(error);
    return -1;
}

ptrdiff_t system_read(int file, void *bytes, size_t size)
{
    DWORD got = 0;
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    return read_result(ReadFile(handle, bytes, piece_of(size), &got, NULL), got);
}

/* The system moves the current place, too. The lock lets several threads read. */
ptrdiff_t system_read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    static SRWLOCK lock = SRWLOCK_INIT;
    const LARGE_INTEGER none = {.QuadPart = 0};
    LARGE_INTEGER place;
    DWORD got = 0;
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    AcquireSRWLockExclusive(&lock);
    const bool placed = SetFilePointerEx(handle, none, &place, FILE_CURRENT);
    const ptrdiff_t result = read_result(ReadFile(handle, bytes, piece_of(size), &got, &at), got);
    if (placed)
        (void)SetFilePointerEx(handle, place, NULL, FILE_BEGIN);
    ReleaseSRWLockExclusive(&lock);
    return result;
}

/* Writes all bytes, from an offset if `at` is not NULL. */
static bool write_all(int file, const char *bytes, size_t size, OVERLAPPED *at)
{
    const HANDLE handle = windows_handle(file);
    uint64_t offset = at ? at->Offset | (uint64_t)at->OffsetHigh << 32 : 0;
    while (size > 0 && handle != INVALID_HANDLE_VALUE) {
        DWORD count = 0;
        if (!WriteFile(handle, bytes, piece_of(size), &count, at)) {
            (void)windows_fail();
            if (file == SYSTEM_OUTPUT)
                system_output_failed(errno);
            return false;
        }
        if (count == 0) { /* a pipe is full */
            errno = EAGAIN;
            return false;
        }
        bytes += count;
        size -= count;
        offset += count;
        if (at)
            *at = (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    }
    return handle != INVALID_HANDLE_VALUE;
}

bool system_write(int file, const void *bytes, size_t size)
{
    return write_all(file, bytes, size, NULL);
}

bool system_write_at(int file, const void *bytes, size_t size, uint64_t offset)
{
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    return write_all(file, bytes, size, &at);
}

/* ---- places ---- */

static int64_t move(int file, int64_t by, DWORD from)
{
    const LARGE_INTEGER distance = {.QuadPart = by};
    LARGE_INTEGER place = {.QuadPart = -1};
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        errno = ESPIPE;
        return -1;
    }
    if (!SetFilePointerEx(handle, distance, &place, from))
        (void)windows_fail();
    return place.QuadPart;
}

bool system_seek(int file, uint64_t offset)
{
    return move(file, (int64_t)offset, FILE_BEGIN) >= 0;
}

bool system_seek_end(int file)
{
    return move(file, 0, FILE_END) >= 0;
}

int64_t system_place_of(int file)
{
    return move(file, 0, FILE_CURRENT);
}

bool system_truncate(int file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile = {.QuadPart = (int64_t)size}};
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end) || windows_fail();
}

bool system_sync(int file)
{
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    return GetFileType(handle) != FILE_TYPE_DISK || FlushFileBuffers(handle) || windows_fail();
}

/* The file system makes names durable in their order. */
void system_sync_name(const char *path)
{
    (void)path;
}

bool system_redirect(int file, int to)
{
    (void)fflush(to == SYSTEM_OUTPUT ? stdout : stderr);
    return _dup2(file, to) == 0 && _setmode(to, _O_BINARY) >= 0;
}

bool system_is_descriptor(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 || strcmp(path, "/dev/stdin") == 0;
}

bool system_is_standard_output(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0;
}

/* ---- locks ---- */

/* Locks a byte that no file has: a lock of Windows also prevents reading. A second lock of the same file would fail. */
bool system_lock(int file)
{
    OVERLAPPED at = {.OffsetHigh = 0x40000000};
    const HANDLE handle = windows_handle(file);
    if (handle == INVALID_HANDLE_VALUE)
        return true;
    (void)UnlockFileEx(handle, 0, 1, 0, &at);
    return LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at) ||
           (GetLastError() != ERROR_LOCK_VIOLATION && GetLastError() != ERROR_IO_PENDING);
}
