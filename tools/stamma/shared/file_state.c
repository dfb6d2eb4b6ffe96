/* SPDX-License-Identifier: MIT */
/* States of files, which show whether another process has changed a file, and locks. */
#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for locks of open files */
#endif
#else
#define _DEFAULT_SOURCE /* for flock */
#define _DARWIN_C_SOURCE
#endif
#include "shared/pending.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads the last bytes, which are compared only with the last bytes of files of the same size. */
static void read_end(int fd, tool_file_state *state)
{
    const off_t first = state->size > TOOL_STATE_END ? state->size - TOOL_STATE_END : 0;
    if (pread(fd, state->end, sizeof state->end, first) < 0)
        memset(state->end, 0, sizeof state->end);
}

bool tool_file_state_read(int fd, const char *path, tool_file_state *state)
{
    struct stat status;
    *state = (tool_file_state){.size = 0};
    if ((fd >= 0 ? fstat(fd, &status) : stat(path, &status)) != 0 || !S_ISREG(status.st_mode))
        return false;
    state->device = status.st_dev;
    state->inode = status.st_ino;
    state->size = status.st_size;
    state->changed = status.st_mtim;
    if (fd >= 0)
        read_end(fd, state);
    return true;
}

bool tool_file_state_same(const tool_file_state *a, const tool_file_state *b)
{
    return a->device == b->device && a->inode == b->inode;
}

bool tool_file_state_equal(const tool_file_state *a, const tool_file_state *b)
{
    return tool_file_state_same(a, b) && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec && memcmp(a->end, b->end, sizeof a->end) == 0;
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

/* Locks a file. A file that cannot be written gets two locks: one that writers respect, and one that other processes
 * like this one respect. */
static bool lock(int fd)
{
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR)
        return lock_range(fd, F_WRLCK);
    return lock_range(fd, F_RDLCK) && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

int tool_file_lock(const char *path, int fd)
{
    struct stat ours, named;
    if (!lock(fd))
        return 0;
    bool same =
        fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
    return same ? 1 : -1;
}
