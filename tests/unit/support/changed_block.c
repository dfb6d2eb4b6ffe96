/* SPDX-License-Identifier: MIT */
/* A block whose columns can be changed. */
#include "changed_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FILE_HEADER = 16 };

static void take_column(changed_block *f, byte_packer *coder, cursor *directory, cursor *body)
{
    block_column *c = &f->columns[f->count++];
    assert_true(f->count <= COLUMNS_IN_BLOCK);
    assert_true(stamma_column_read_entry(directory, &c->entry));
    const uint8_t *stored = cursor_take(body, c->entry.stored_size);
    assert_non_null(stored);
    c->bytes.allocator = &f->allocator;
    if (c->entry.codec == CODEC_PACKED) {
        assert_int_equal(stamma_column_read(coder, &c->entry, stored, &c->bytes), STAMMA_OK);
        c->entry.codec = CODEC_STORED;
    } else {
        buffer_add(&c->bytes, stored, (size_t)c->entry.stored_size);
    }
}

/* Reads the columns of the first block of an archive. */
static void take_block(changed_block *f, const listing *archive)
{
    const uint8_t *header = (const uint8_t *)archive->text + FILE_HEADER, *payload = header + FRAME_HEADER_SIZE;
    byte_packer coder = {.partial = false};
    block_head head;
    frame block;
    assert_int_equal(stamma_frame_read(header, &block), STAMMA_OK);
    cursor in = {payload, payload + block.head_size, false}, body = {in.end, payload + block.size, false};
    assert_int_equal(stamma_block_read_head(&in, &head), STAMMA_OK);
    f->counts_size = (size_t)(in.at - payload) - 1; /* fewer than 128 columns */
    memcpy(f->counts, payload, f->counts_size);
    for (uint64_t n = 0; n < head.columns; n++)
        take_column(f, &coder, &in, &body);
    stamma_byte_packer_release(&coder);
}

void make_payload(changed_block *f)
{
    buffer *payload = &f->job.payload;
    uint64_t count = 0;
    f->directory.size = payload->size = 0;
    for (size_t n = 0; n < f->count; n++) {
        const block_column *c = &f->columns[n];
        const bool stored = c->entry.codec == CODEC_STORED;
        const size_t begin = f->directory.size;
        if (c->bytes.size == 0)
            continue;
        stamma_column_write_entry(c->entry.id, c->entry.codec, c->entry.name,
                                  stored ? c->bytes.size : (size_t)c->entry.plain_size, c->bytes.data, c->bytes.size,
                                  &f->directory);
        f->directory.data[begin + 2] = c->entry.flags;
        count++;
    }
    buffer_add(payload, f->counts, f->counts_size);
    stamma_buffer_add_varint(payload, count);
    buffer_add(payload, f->directory.data, f->directory.size);
    f->job.frame.head_size = payload->size;
    for (size_t n = 0; n < f->count; n++)
        buffer_add(payload, f->columns[n].bytes.data, f->columns[n].bytes.size);
}

changed_block *new_changed_block(int level, listing text)
{
    changed_block *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->allocator = stamma_allocator_or_default(NULL);
    f->text = text;
    f->directory.allocator = &f->allocator;
    stamma_unpack_job_init(&f->job, &f->allocator);
    stamma_block_reader_init(&f->reader, &f->allocator);
    listing archive = pack_at(level, text.text, text.size, NULL);
    take_block(f, &archive);
    for (size_t n = 0; n < f->count; n++) /* names are in the archive */
        if (f->columns[n].entry.name.size > 0) {
            char *name = malloc(f->columns[n].entry.name.size);
            assert_non_null(name);
            memcpy(name, f->columns[n].entry.name.data, f->columns[n].entry.name.size);
            f->columns[n].entry.name.data = name;
        }
    free(archive.text);
    make_payload(f);
    return f;
}

void release_changed_block(changed_block *f)
{
    for (size_t n = 0; n < f->count; n++) {
        if (f->columns[n].entry.name.size > 0)
            free((void *)(uintptr_t)f->columns[n].entry.name.data);
        stamma_buffer_release(&f->columns[n].bytes);
    }
    stamma_buffer_release(&f->directory);
    stamma_unpack_job_release(&f->job);
    stamma_block_reader_release(&f->reader);
    free(f->text.text);
    free(f);
}

block_column *find_column(changed_block *f, unsigned id)
{
    for (size_t n = 0; n < f->count; n++)
        if (f->columns[n].entry.id == id)
            return &f->columns[n];
    fail_msg("no column %u", id);
    return NULL;
}

void insert_bytes(changed_block *f, unsigned id, const void *bytes, size_t size)
{
    buffer *to = &find_column(f, id)->bytes;
    assert_true(buffer_reserve(to, size));
    memmove(to->data + size, to->data, to->size);
    memcpy(to->data, bytes, size);
    to->size += size;
}

void remove_bytes(changed_block *f, unsigned id, size_t size)
{
    buffer *from = &find_column(f, id)->bytes;
    from->size -= size;
    memmove(from->data, from->data + size, from->size);
}
