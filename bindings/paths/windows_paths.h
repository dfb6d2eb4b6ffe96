/* SPDX-License-Identifier: MIT */
/* Texts and paths of Windows, which has UTF-16. The command and the tables have UTF-8. */
#ifndef STAMMA_WINDOWS_PATHS_H
#define STAMMA_WINDOWS_PATHS_H

#include <wchar.h>

/* Convert texts, which are released with free(). Return NULL if memory is exhausted. */
wchar_t *windows_wide(const char *text);
char *windows_narrow(const wchar_t *text);
/* Converts a path. A long path becomes absolute and begins with "\\?\", which has no limit of 260 characters. Returns
 * NULL with errno set. */
wchar_t *windows_path(const char *path);
/* Sets errno to the meaning of an error of Windows. */
void windows_set_errno(unsigned long error);

#endif
