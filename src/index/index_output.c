/* SPDX-License-Identifier: MIT */
/* Writes the parts of an index file: pages of segments, tables, the directory, and roots. */
#include "index/index_build.h"

void stamma_index_output_init(index_output *o, const stamma_allocator *allocator)
{
    memset(o, 0, sizeof *o);
    o->checks.allocator = o->directory.allocator = allocator;
}

void stamma_index_output_release(index_output *o)
{
    stamma_buffer_release(&o->checks);
    stamma_buffer_release(&o->directory);
}

/* Writes bytes that have no page, at the present offset. */
static void write_bytes(index_output *o, const void *bytes, size_t size)
{
    if (o->error == STAMMA_OK && size > 0 && !o->write_at(o->context, o->at, bytes, size))
        o->error = STAMMA_ERROR_IO;
    o->at += size;
}

static void flush_page(index_output *o)
{
    index_add_u32(&o->checks, stamma_check32(o->page, INDEX_PAGE));
    write_bytes(o, o->page, INDEX_PAGE);
    o->filled = 0;
}

void stamma_index_begin_segment(index_output *o)
{
    static const uint8_t zeros[INDEX_PAGE];
    write_bytes(o, zeros, (size_t)(-o->at % INDEX_PAGE));
    o->begin = o->at;
    o->checks.size = 0;
}

void stamma_index_put(index_output *o, const void *bytes, size_t size)
{
    const uint8_t *at = (const uint8_t *)bytes;
    while (size > 0) {
        size_t part = INDEX_PAGE - o->filled < size ? INDEX_PAGE - o->filled : size;
        memcpy(o->page + o->filled, at, part);
        o->filled += part;
        at += part;
        size -= part;
        if (o->filled == INDEX_PAGE)
            flush_page(o);
    }
}

void stamma_index_put_zeros(index_output *o, uint64_t end)
{
    static const uint8_t zeros[INDEX_PAGE];
    for (uint64_t at = o->at - o->begin + o->filled; at < end; at = o->at - o->begin + o->filled)
        stamma_index_put(o, zeros, end - at < INDEX_PAGE ? (size_t)(end - at) : INDEX_PAGE);
}

void stamma_index_put_header(index_output *o)
{
    uint8_t header[INDEX_PAGE] = {0};
    memcpy(header, stamma_index_magic, sizeof stamma_index_magic);
    store_u32(header + 8, INDEX_VERSION);
    write_bytes(o, header, sizeof header);
}

void stamma_index_keep_segment(index_output *o, const index_segment *s)
{
    index_add_u64(&o->directory, s->offset);
    index_add_u64(&o->directory, s->size);
    index_add_u64(&o->directory, s->table_size);
    index_add_u64(&o->directory, s->table_check);
}

void stamma_index_put_table(index_output *o, const index_segment *s, const uint8_t *sections, const buffer *blocks)
{
    buffer table = {.allocator = o->checks.allocator};
    index_segment placed = *s;
    index_add_u32(&table, s->blocks);
    index_add_u32(&table, s->section_count);
    for (size_t n = 0; n < INDEX_COUNTS; n++)
        index_add_u32(&table, s->counts[n]);
    buffer_add(&table, sections, (size_t)s->section_count * 16);
    buffer_add(&table, blocks->data, blocks->size);
    if (o->checks.size > 0)
        buffer_add(&table, o->checks.data, o->checks.size);
    if (table.failed || blocks->failed || o->checks.failed) {
        o->error = STAMMA_ERROR_NO_MEMORY;
    } else {
        placed.offset = o->begin;
        placed.table_size = table.size;
        placed.table_check = XXH64(table.data, table.size, 0);
        stamma_index_keep_segment(o, &placed);
        write_bytes(o, table.data, table.size);
    }
    stamma_buffer_release(&table);
}

void stamma_index_put_directory(index_output *o, index_root *root)
{
    if (o->directory.failed)
        o->error = STAMMA_ERROR_NO_MEMORY;
    if (o->error != STAMMA_OK)
        return;
    root->directory = o->at;
    root->directory_size = o->directory.size;
    const void *bytes = o->directory.size > 0 ? (const void *)o->directory.data : "";
    root->directory_check = XXH64(bytes, o->directory.size, 0);
    write_bytes(o, bytes, o->directory.size);
}

void stamma_index_put_root(index_output *o, const index_root *root, uint64_t offset)
{
    uint8_t bytes[INDEX_ROOT_SIZE] = {0};
    const uint64_t numbers[] = {root->number,    root->archive_size,   root->archive_check,
                                root->directory, root->directory_size, root->directory_check};
    memcpy(bytes, stamma_index_magic, sizeof stamma_index_magic);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        store_u64(bytes + 8 + 8 * n, numbers[n]);
    store_u32(bytes + INDEX_ROOT_SIZE - 4, stamma_check32(bytes, INDEX_ROOT_SIZE - 4));
    o->at = offset;
    write_bytes(o, bytes, sizeof bytes);
}

void stamma_index_output_sync(index_output *o)
{
    if (o->error == STAMMA_OK && o->sync && !o->sync(o->context))
        o->error = STAMMA_ERROR_IO;
}
