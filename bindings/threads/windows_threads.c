/* SPDX-License-Identifier: MIT */
/* Threads of Windows have no signals. */
#include "threads/system_threads.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

unsigned threads_cores(void)
{
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count < 1 ? 1 : (unsigned)count;
}

void threads_start_quiet(void (*start)(void *context), void *context)
{
    start(context);
}
