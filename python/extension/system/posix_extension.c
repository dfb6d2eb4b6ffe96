/* SPDX-License-Identifier: MIT */
#include "../ext_system.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "threads/posix_threads.c"
#include "threads/worker_threads.c"

void *ext_system_map(int descriptor, size_t *size)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
        (uint64_t)status.st_size > SIZE_MAX)
        return NULL;
    *size = (size_t)status.st_size;
    void *mapping = mmap(NULL, *size, PROT_READ, MAP_SHARED, descriptor, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}

void ext_system_unmap(void *mapping, size_t size)
{
    (void)munmap(mapping, size);
}

int64_t ext_system_milliseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
