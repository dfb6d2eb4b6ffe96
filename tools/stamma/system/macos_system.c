/* SPDX-License-Identifier: MIT */
/* What macOS has in addition to POSIX, or in another way. */
#define _DARWIN_C_SOURCE 1
#include "system/posix_system.h"

#include <errno.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>

int posix_open_nameless(const char *folder)
{
    (void)folder;
    errno = ENOTSUP;
    return -1;
}

struct timespec posix_changed(const struct stat *status)
{
    return status->st_mtimespec;
}

/* The system chooses the size of pages. */
void posix_want_large_pages(void *memory, size_t size)
{
    (void)memory;
    (void)size;
}

/* The system's malloc returns large blocks. */
void system_memory_return(void) {}

uint64_t system_resident(void)
{
    struct mach_task_basic_info info;
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    const bool known = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &count) == KERN_SUCCESS;
    return known ? info.resident_size : 0;
}

const char *system_program(void)
{
    static char path[SYSTEM_PATH_SIZE];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
}

const char *system_browse_program(void)
{
    return "open";
}
