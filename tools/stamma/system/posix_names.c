/* SPDX-License-Identifier: MIT */
/* Names, properties and folders of files of POSIX systems. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "system/posix_system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- properties ---- */

static bool set_status(const struct stat *status, system_status *out)
{
    out->kind = S_ISREG(status->st_mode)   ? SYSTEM_REGULAR
                : S_ISDIR(status->st_mode) ? SYSTEM_FOLDER
                : S_ISLNK(status->st_mode) ? SYSTEM_LINK
                                           : SYSTEM_OTHER;
    out->is_private = status->st_nlink == 1 && status->st_uid == geteuid();
    out->device = (uint64_t)status->st_dev;
    out->file = (uint64_t)status->st_ino;
    out->size = status->st_size > 0 ? (uint64_t)status->st_size : 0;
    out->changed = posix_changed(status);
    return true;
}

bool system_status_of(int file, system_status *status)
{
    struct stat found;
    return fstat(file, &found) == 0 && set_status(&found, status);
}

bool system_status_at(const char *path, system_status *status)
{
    struct stat found;
    return stat(path, &found) == 0 && set_status(&found, status);
}

bool system_status_of_link(const char *path, system_status *status)
{
    struct stat found;
    return lstat(path, &found) == 0 && set_status(&found, status);
}

bool system_same_file(const system_status *a, const system_status *b)
{
    return a->device == b->device && a->file == b->file;
}

bool system_exists(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 || errno != ENOENT;
}

bool system_is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

bool system_may_read(const char *path)
{
    return access(path, R_OK) == 0;
}

bool system_may_start(const char *path)
{
    return access(path, X_OK) == 0;
}

bool system_set_permissions(int file, const char *path)
{
    struct stat found;
    if (path && stat(path, &found) == 0)
        return fchmod(file, found.st_mode & 0777) == 0;
    const mode_t mask = umask(0);
    (void)umask(mask);
    return fchmod(file, 0666 & ~mask) == 0;
}

/* ---- names ---- */

char *system_full_path(const char *path)
{
    return realpath(path, NULL);
}

const char *system_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool system_delete(const char *path)
{
    return unlink(path) == 0;
}

bool system_replace(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

/* Renames a file where hard links are not available. No other file is replaced: an empty file with the new name
 * excludes other processes. */
static bool move_new(const char *from, const char *to)
{
    const int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    (void)close(fd);
    if (rename(from, to) == 0)
        return true;
    const int error = errno;
    (void)unlink(to);
    errno = error;
    return false;
}

bool system_place(const char *from, const char *to, bool *stays)
{
    *stays = false;
    if (link(from, to) != 0)
        return errno != EEXIST && move_new(from, to);
    *stays = unlink(from) != 0;
    return true;
}

/* ---- folders ---- */

bool system_folder_each(const char *folder, bool (*visit)(void *context, const char *name), void *context)
{
    const struct dirent *entry;
    bool goes_on = true;
    DIR *open = opendir(folder);
    if (!open)
        return false;
    for (errno = 0; goes_on && (entry = readdir(open)) != NULL; errno = 0)
        goes_on = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || visit(context, entry->d_name);
    const int error = goes_on ? errno : 0;
    (void)closedir(open);
    errno = error;
    return error == 0;
}

bool system_folder_make(const char *path)
{
    return mkdir(path, 0700) == 0;
}

bool system_folder_make_shared(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool system_folder_make_unique(char *path)
{
    return mkdtemp(path) != NULL;
}

bool system_folder_delete(const char *path)
{
    return rmdir(path) == 0;
}
