/* SPDX-License-Identifier: MIT */
/* What differs between systems: system/posix_extension.c or system/windows_extension.c, which the build selects. They
 * also contain the worker threads: a source distribution has these in the folder of the library. */
#ifndef STAMMA_EXT_SYSTEM_H
#define STAMMA_EXT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps a file into memory for reading. The descriptor may then be closed. Returns NULL if that is impossible; the file
 * must then be read. */
void *ext_system_map(int descriptor, size_t *size);
void ext_system_unmap(void *mapping, size_t size);
/* Returns milliseconds of a clock that is never set. */
int64_t ext_system_milliseconds(void);

#endif
