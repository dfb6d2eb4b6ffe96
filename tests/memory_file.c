/* A file in memory that is written at its end and can be cut. */
#include "memory_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static bool file_write(void *context, const void *bytes, size_t size)
{
    memory_file *file = context;
    if (++file->calls == file->fail_at)
        return false;
    list_bytes(&file->bytes, bytes, size);
    file->written += size;
    if (file->check)
        file->check(file);
    return true;
}

static bool file_sync(void *context)
{
    memory_file *file = context;
    if (++file->calls == file->fail_at)
        return false;
    file->durable = file->bytes.size;
    return true;
}

stamma_output memory_file_output(memory_file *file)
{
    return (stamma_output){file, file_write, file_sync};
}

bool memory_file_cut(void *context, uint64_t size)
{
    memory_file *file = context;
    file->cuts++;
    if (++file->calls == file->fail_at)
        return false;
    assert_true(size <= file->bytes.size);
    file->bytes.size = file->durable = (size_t)size;
    return true;
}

memory_file memory_file_of(const void *bytes, size_t size)
{
    memory_file file = {.durable = size};
    list_bytes(&file.bytes, bytes, size);
    return file;
}
