/* SPDX-License-Identifier: MIT */
/* What the files for Windows share. The API of Windows has UTF-16; the command has UTF-8. */
#ifndef STAMMA_WINDOWS_SYSTEM_H
#define STAMMA_WINDOWS_SYSTEM_H

#define UNICODE
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "paths/windows_paths.h"
#include "system/system.h"

/* ---- texts and errors (windows_text.c) ---- */

/* Sets errno to the meaning of an error of Windows. Returns false. */
bool windows_fail_with(DWORD error);
/* The same with the last error. */
bool windows_fail(void);
/* Replaces the last six characters of a name by random letters. */
void windows_randomize(char *name);

/* ---- files (windows_files.c) ---- */

/* Returns the handle of a file, or INVALID_HANDLE_VALUE with errno set. */
HANDLE windows_handle(int file);
/* Returns the file of a handle, which is closed on failure. */
int windows_file_of(HANDLE handle);

#endif
