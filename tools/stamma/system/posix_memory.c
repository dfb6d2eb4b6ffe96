/* SPDX-License-Identifier: MIT */
/* Mapped files and memory of POSIX systems. */
#define _GNU_SOURCE /* for madvise */
#define _DARWIN_C_SOURCE 1
#define _FILE_OFFSET_BITS 64
#include "system/posix_system.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const void *system_map(int file, size_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void system_unmap(const void *bytes, size_t size)
{
    (void)munmap((void *)(uintptr_t)bytes, size);
}

size_t system_map_forget(const void *bytes, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = size / page * page;
    (void)madvise((void *)(uintptr_t)bytes, whole, MADV_DONTNEED);
    return whole;
}

/* Maps more than `size` and returns the ends to the system, so that the memory is aligned to a large page. */
void *system_pages(size_t size)
{
    const size_t more = size + SYSTEM_PAGE_SIZE;
    uint8_t *all = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const size_t before = SYSTEM_PAGE_SIZE - (uintptr_t)all % SYSTEM_PAGE_SIZE;
    (void)munmap(all, before);
    (void)munmap(all + before + size, SYSTEM_PAGE_SIZE - before);
    posix_want_large_pages(all + before, size);
    return all + before;
}

void system_pages_release(void *memory, size_t size)
{
    (void)munmap(memory, size);
}

/* ---- text ---- */

bool system_text_open(system_text *text)
{
    *text = (system_text){.stream = NULL};
    text->stream = open_memstream(&text->text, &text->size);
    return text->stream != NULL;
}

bool system_text_close(system_text *text)
{
    const bool failed = ferror(text->stream) != 0;
    if (fclose(text->stream) == 0 && !failed && text->text) /* NULL if glibc had no memory for the last byte */
        return true;
    free(text->text);
    text->text = NULL;
    return false;
}
