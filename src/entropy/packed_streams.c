/* SPDX-License-Identifier: MIT */
/* Packs several streams of bytes in one stream: their sizes, then each packed stream (doc/format/block_columns.md,
 * clause 14.1). */
#include "entropy/entropy.h"

stamma_error stamma_streams_pack(byte_packer *coder, const buffer *streams, const int *efforts, size_t count,
                                 buffer *body)
{
    buffer sizes = {.allocator = body->allocator}, packed = {.allocator = body->allocator};
    stamma_error error = STAMMA_OK;
    stamma_buffer_add_varint(&sizes, count);
    for (size_t i = 0; i < count && error == STAMMA_OK; i++) {
        uint8_t codec;
        size_t begin = packed.size;
        stamma_buffer_add_varint(&sizes, streams[i].size);
        if (efforts[i] == EFFORT_NONE || streams[i].size == 0)
            buffer_add(&packed, streams[i].data, streams[i].size);
        else
            error = stamma_bytes_pack(coder, efforts[i], &streams[i], &packed, &codec);
        stamma_buffer_add_varint(&sizes, packed.size - begin);
    }
    buffer_add(body, sizes.data, sizes.size);
    buffer_add(body, packed.data, packed.size);
    if (sizes.failed || packed.failed || body->failed)
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_buffer_release(&sizes);
    stamma_buffer_release(&packed);
    return error;
}

stamma_error stamma_streams_unpack(byte_packer *coder, cursor stored, size_t room, buffer *streams, size_t *sizes,
                                   size_t *count)
{
    cursor head = stored;
    uint64_t found = stamma_cursor_varint(&head);
    cursor body = head;
    if (head.failed || found > *count)
        return STAMMA_ERROR_CORRUPT;
    *count = (size_t)found;
    for (uint64_t i = 0; i < 2 * found; i++)
        stamma_cursor_varint(&body);
    for (uint64_t i = 0; i < found; i++) {
        uint64_t plain = stamma_cursor_varint(&head), size = stamma_cursor_varint(&head);
        const uint8_t *bytes = cursor_take(&body, size);
        if (!bytes || head.failed || plain > room || size > plain)
            return STAMMA_ERROR_CORRUPT;
        room -= (size_t)plain;
        if (sizes)
            sizes[i] = (size_t)size;
        stamma_error error = stamma_bytes_unpack(coder, plain == size ? CODEC_STORED : CODEC_PACKED, bytes,
                                                 (size_t)size, (size_t)plain, &streams[i]);
        if (error != STAMMA_OK)
            return error;
    }
    return cursor_left(&body) == 0 ? STAMMA_OK : STAMMA_ERROR_CORRUPT;
}
