/* SPDX-License-Identifier: MIT */
/* Wrappers like those of foreign_library.c, for functions of the C library that clang's runtime does not intercept:
 * fstat, stat and lstat since glibc 2.33. */
#define _FILE_OFFSET_BITS 64 /* the command's calls are fstat64, stat64 and lstat64 */

#include <sanitizer/msan_interface.h>
#include <sys/stat.h>

int __real_fstat64(int fd, struct stat *status);
int __wrap_fstat64(int fd, struct stat *status);
int __real_stat64(const char *path, struct stat *status);
int __wrap_stat64(const char *path, struct stat *status);
int __real_lstat64(const char *path, struct stat *status);
int __wrap_lstat64(const char *path, struct stat *status);

int __wrap_fstat64(int fd, struct stat *status)
{
    int result = __real_fstat64(fd, status);
    __msan_unpoison(status, sizeof *status);
    return result;
}

int __wrap_stat64(const char *path, struct stat *status)
{
    int result = __real_stat64(path, status);
    __msan_unpoison(status, sizeof *status);
    return result;
}

int __wrap_lstat64(const char *path, struct stat *status)
{
    int result = __real_lstat64(path, status);
    __msan_unpoison(status, sizeof *status);
    return result;
}
