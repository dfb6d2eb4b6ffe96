/* SPDX-License-Identifier: MIT */
/* What differs between POSIX systems. */
#ifndef STAMMA_POSIX_SYSTEM_H
#define STAMMA_POSIX_SYSTEM_H

#include "system/system.h"

#include <signal.h>
#include <sys/stat.h>

/* Opens a file in a folder that never gets a name; returns -1 where there are none. */
int posix_open_nameless(const char *folder);
/* Returns the time of the last change. */
struct timespec posix_changed(const struct stat *status);
/* Asks for large pages for this memory. */
void posix_want_large_pages(void *memory, size_t size);

#endif
