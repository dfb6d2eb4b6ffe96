/* SPDX-License-Identifier: MIT */
/* A file as a block of memory, for searches, which read it at many places and from several threads. */
#include "shared/tool.h"

/* Returns false if the file cannot be mapped. */
static bool map(tool_file *file, tool_mapped *mapped)
{
    if (!file->regular || file->base > 0 || file->size == 0 || file->size > SIZE_MAX)
        return false;
    mapped->bytes = system_map(file->fd, (size_t)file->size);
    mapped->size = mapped->bytes ? (size_t)file->size : 0;
    return mapped->bytes != NULL;
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
    mapped->forgotten += system_map_forget(mapped->bytes + mapped->forgotten, (size_t)(end - mapped->forgotten));
}

void tool_mapped_close(tool_mapped *mapped)
{
    if (mapped->mapped)
        system_unmap(mapped->bytes, mapped->size);
    else
        free((void *)(uintptr_t)mapped->bytes);
    mapped->bytes = NULL;
}

stamma_bytes tool_mapped_bytes(const tool_mapped *mapped)
{
    return stamma_bytes_of(mapped->bytes, mapped->size);
}
