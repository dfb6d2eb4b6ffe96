/* SPDX-License-Identifier: MIT */
/* What Linux has in addition to POSIX. The file also compiles on other systems with its names. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "system/posix_system.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Before Linux 3.11, and in some file systems, there are no files without a name. */
int posix_open_nameless(const char *folder)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    (void)folder;
    return -1;
#endif
}

struct timespec posix_changed(const struct stat *status)
{
    return status->st_mtim;
}

/* Without large pages, the memory consists of small pages. */
void posix_want_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}

void system_memory_return(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

uint64_t system_resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    const bool known = file && fscanf(file, "%*u %lu", &pages) == 1;
    if (file)
        (void)fclose(file);
    return known ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

const char *system_program(void)
{
    static const char program[] = "/proc/self/exe"; /* also after its file was replaced */
    return access(program, X_OK) == 0 ? program : NULL;
}

const char *system_browse_program(void)
{
    return "xdg-open";
}
