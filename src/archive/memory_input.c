/* Reads an archive that is in memory. */
#include "archive/reader.h"

static ptrdiff_t read_bytes(void *context, void *bytes, size_t size)
{
    memory_bytes *m = (memory_bytes *)context;
    size_t left = m->size - m->at;
    if (size > left)
        size = left;
    if (size > 0)
        memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static bool seek_bytes(void *context, uint64_t offset)
{
    memory_bytes *m = (memory_bytes *)context;
    m->at = offset < m->size ? (size_t)offset : m->size;
    return true;
}

static bool give_size(void *context, uint64_t *size)
{
    *size = ((const memory_bytes *)context)->size;
    return true;
}

stamma_input stamma_memory_input(memory_bytes *bytes)
{
    return (stamma_input){bytes, read_bytes, seek_bytes, give_size};
}
