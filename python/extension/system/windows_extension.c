/* SPDX-License-Identifier: MIT */
#include "../ext_system.h"

#include <windows.h>

#include "threads/windows_threads.c"
#include "threads/worker_threads.c"

/* Files are read: a file that is mapped could not be replaced. */
void *ext_system_map(int descriptor, size_t *size)
{
    (void)descriptor;
    *size = 0;
    return NULL;
}

void ext_system_unmap(void *mapping, size_t size)
{
    (void)mapping;
    (void)size;
}

int64_t ext_system_milliseconds(void)
{
    return (int64_t)GetTickCount64();
}
