/* SPDX-License-Identifier: MIT */
/* Sources: the files that were packed, with their SHA-256 (clause 7.6). */
#include "container/container.h"

bool stamma_source_is_valid(const stamma_archive_source *s)
{
    return s->name.size <= SOURCE_NAME_MAX && (s->name.size == 0 || !memchr(s->name.data, 0, s->name.size));
}

void stamma_source_write(const stamma_archive_source *s, buffer *out)
{
    stamma_buffer_add_varint(out, s->text_offset);
    stamma_buffer_add_varint(out, s->text_size);
    buffer_add(out, s->sha256, sizeof s->sha256);
    stamma_buffer_add_varint(out, s->time);
    buffer_add(out, s->name.data, s->name.size);
    buffer_add_byte(out, 0);
}

bool stamma_source_read(const uint8_t *payload, size_t size, stamma_archive_source *s)
{
    cursor in = {payload, payload + size, false};
    s->text_offset = stamma_cursor_varint(&in);
    s->text_size = stamma_cursor_varint(&in);
    const uint8_t *hash = cursor_take(&in, sizeof s->sha256);
    s->time = stamma_cursor_varint(&in);
    if (in.failed || cursor_left(&in) == 0 || payload[size - 1] != 0)
        return false;
    memcpy(s->sha256, hash, sizeof s->sha256);
    s->name = (stamma_text){(const char *)payload + (size - cursor_left(&in)), cursor_left(&in) - 1};
    return stamma_source_is_valid(s) && s->text_size <= UINT64_MAX - s->text_offset;
}
