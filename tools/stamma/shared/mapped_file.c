/* SPDX-License-Identifier: MIT */
/* A file as a block of memory, for searches, which read it at many places and from several threads. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise */
#endif
#include "shared/tool.h"

#include <sys/mman.h>
#include <unistd.h>

/* Returns false if the file cannot be mapped. */
static bool map(tool_file *file, tool_mapped *mapped)
{
    if (!file->regular || file->base > 0 || file->size == 0 || file->size > SIZE_MAX)
        return false;
    void *bytes = mmap(NULL, (size_t)file->size, PROT_READ, MAP_PRIVATE, file->fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    mapped->bytes = bytes;
    mapped->size = (size_t)file->size;
    return true;
}

bool tool_mapped_open(const char *path, tool_mapped *mapped)
{
    tool_file file;
    if (!tool_file_open(path, &file))
        return false;
    *mapped = (tool_mapped){.name = file.name};
    mapped->mapped = map(&file, mapped);
    if (!mapped->mapped)
        mapped->bytes = (uint8_t *)tool_file_read_all(&file, &mapped->size);
    tool_file_close(&file);
    return mapped->bytes != NULL;
}

/* If another thread still reads these pages, the system loads them again. */
void tool_mapped_forget(tool_mapped *mapped, uint64_t end)
{
    enum { FORGET_LEAST = 1 << 25 }; /* fewer calls cost less; the memory limit always allows this many bytes */
    if (!mapped->mapped || end > mapped->size || end - mapped->forgotten < FORGET_LEAST)
        return;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (size_t)(end - mapped->forgotten) / page * page;
    (void)madvise((void *)(uintptr_t)(mapped->bytes + mapped->forgotten), size, MADV_DONTNEED);
    mapped->forgotten += size;
}

void tool_mapped_close(tool_mapped *mapped)
{
    void *bytes = (void *)(uintptr_t)mapped->bytes;
    if (mapped->mapped)
        (void)munmap(bytes, mapped->size);
    else
        free(bytes);
    mapped->bytes = NULL;
}

stamma_bytes tool_mapped_bytes(const tool_mapped *mapped)
{
    return stamma_bytes_of(mapped->bytes, mapped->size);
}
