/* SPDX-License-Identifier: MIT */
/* Files of POSIX systems. */
#define _GNU_SOURCE /* for locks of open files */
#define _DARWIN_C_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "system/posix_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* If a standard file is closed, the next opened file would get its descriptor and receive printed text. Therefore
 * closed files are opened on /dev/null in a mode that makes their use fail. */
void system_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (int fd = SYSTEM_INPUT; fd <= SYSTEM_ERRORS; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == SYSTEM_INPUT ? O_WRONLY : O_RDONLY);
}

bool system_utc(time_t time, struct tm *utc)
{
    return gmtime_r(&time, utc) != NULL;
}

/* ---- opening ---- */

int system_open(const char *path, unsigned how)
{
    int flags = O_CLOEXEC;
    flags |= how & SYSTEM_TRUNCATE ? O_WRONLY | O_TRUNC : how & SYSTEM_WRITE ? O_RDWR : O_RDONLY;
    flags |= how & SYSTEM_NEW ? O_CREAT | O_EXCL : 0;
    flags |= how & SYSTEM_APPEND ? O_APPEND : 0;
    flags |= how & SYSTEM_NO_WAIT ? O_NONBLOCK : 0;
    flags |= how & SYSTEM_NO_FOLLOW ? O_NOFOLLOW : 0;
    return open(path, flags, 0600);
}

int system_open_unique(char *path)
{
    const int fd = mkstemp(path);
    if (fd >= 0)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

int system_open_unnamed(const char *folder)
{
    char name[SYSTEM_PATH_SIZE];
    const int size = snprintf(name, sizeof name, "%s/.stamma-XXXXXX", folder);
    if (size < 0 || (size_t)size >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = posix_open_nameless(folder);
    if (fd >= 0)
        return fd;
    fd = system_open_unique(name);
    if (fd >= 0)
        (void)unlink(name);
    return fd;
}

char *system_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return strdup(folder && *folder ? folder : "/tmp");
}

FILE *system_temporary(void)
{
    char *folder = system_temporary_folder();
    const int fd = folder ? system_open_unnamed(folder) : -1;
    free(folder);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (fd >= 0 && !file)
        (void)close(fd);
    return file;
}

FILE *system_stream(const char *path)
{
    return fopen(path, "rb");
}

int system_number_of(FILE *stream)
{
    return fileno(stream);
}

bool system_close(int file)
{
    return close(file) == 0;
}

/* ---- reading and writing ---- */

ptrdiff_t system_read(int file, void *bytes, size_t size)
{
    ssize_t count;
    do
        count = read(file, bytes, size);
    while (count < 0 && errno == EINTR);
    return count;
}

ptrdiff_t system_read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    ssize_t count;
    do
        count = pread(file, bytes, size, (off_t)offset);
    while (count < 0 && errno == EINTR);
    return count;
}

bool system_write(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t count = write(file, at, size);
        if (count < 0 && errno != EINTR)
            return false;
        at += count < 0 ? 0 : count;
        size -= count < 0 ? 0 : (size_t)count;
    }
    return true;
}

bool system_write_at(int file, const void *bytes, size_t size, uint64_t offset)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t count = pwrite(file, at, size, (off_t)offset);
        if (count < 0 && errno != EINTR)
            return false;
        at += count < 0 ? 0 : count;
        offset += count < 0 ? 0 : (uint64_t)count;
        size -= count < 0 ? 0 : (size_t)count;
    }
    return true;
}

bool system_seek(int file, uint64_t offset)
{
    return lseek(file, (off_t)offset, SEEK_SET) >= 0;
}

bool system_seek_end(int file)
{
    return lseek(file, 0, SEEK_END) >= 0;
}

int64_t system_place_of(int file)
{
    return lseek(file, 0, SEEK_CUR);
}

bool system_truncate(int file, uint64_t size)
{
    return ftruncate(file, (off_t)size) == 0;
}

bool system_sync(int file)
{
    return fsync(file) == 0;
}

/* This requires a sync of the directory. */
void system_sync_name(const char *path)
{
    char folder[SYSTEM_PATH_SIZE];
    const int size = (int)(system_base_name(path) - path);
    (void)snprintf(folder, sizeof folder, "%.*s", size > 0 ? size : 1, size > 0 ? path : ".");
    const int fd = open(folder, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

bool system_redirect(int file, int to)
{
    return dup2(file, to) >= 0;
}

/* A descriptor may refer to a regular file, but that file is written in place. Everything below /proc is treated as a
 * descriptor. */
bool system_is_descriptor(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0;
}

/* Opening /dev/stdout would write from the start of the file. */
bool system_is_standard_output(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0;
}

/* ---- locks ---- */

/* Returns false if another process has the lock. Locks of open files are preferred, because the process may read and
 * close the file elsewhere. They exclude the other kind, too. */
static bool lock_range(int fd, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
#ifdef F_OFD_SETLK
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return true;
    if (errno != EINVAL)
        return errno != EACCES && errno != EAGAIN;
#endif
    return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
}

/* A file that cannot be written gets two locks: one that writers respect, and one that other processes like this one
 * respect. */
bool system_lock(int file)
{
    if ((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR)
        return lock_range(file, F_WRLCK);
    return lock_range(file, F_RDLCK) && (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}
