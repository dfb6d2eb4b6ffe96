/* SPDX-License-Identifier: MIT */
/* Reads the bytes of an archive from a given offset. */
#include "archive/reader.h"

static ptrdiff_t read_bytes(void *context, void *bytes, size_t size)
{
    bytes_input *b = (bytes_input *)context;
    const uint64_t left = b->bytes.size - b->at;
    const size_t part = size < left ? size : (size_t)left;
    if (part == 0)
        return 0;
    if (!bytes_copy(&b->bytes, b->at, bytes, part))
        return -1;
    b->at += part;
    return (ptrdiff_t)part;
}

static bool seek_bytes(void *context, uint64_t offset)
{
    bytes_input *b = (bytes_input *)context;
    b->at = offset < b->bytes.size ? offset : b->bytes.size;
    return true;
}

static bool count_bytes(void *context, uint64_t *size)
{
    *size = ((const bytes_input *)context)->bytes.size;
    return true;
}

archive_input stamma_bytes_input(bytes_input *bytes)
{
    bytes->at = 0;
    return (archive_input){bytes, read_bytes, seek_bytes, count_bytes};
}
