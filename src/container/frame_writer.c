/* SPDX-License-Identifier: MIT */
/* Writes frames one after another, and the commits between them (clauses 2 and 7). */
#include "container/container.h"

static void write_out(frame_writer *w, const void *bytes, size_t size)
{
    if (w->error == STAMMA_OK && size > 0 && !w->output.write(w->output.context, bytes, size))
        w->error = STAMMA_ERROR_IO;
    w->at += size;
}

static void sync_output(frame_writer *w)
{
    if (w->error == STAMMA_OK && w->output.sync && !w->output.sync(w->output.context))
        w->error = STAMMA_ERROR_IO;
}

/* Writes the header of a frame that follows w->commit.blocks blocks. */
static void write_frame_header(frame_writer *w, unsigned type, stamma_text head, uint32_t check, uint64_t size)
{
    uint8_t header[FRAME_HEADER_SIZE];
    frame f = {.type = (uint8_t)type,
               .flags = type == FRAME_TABLE || type == FRAME_SOURCE ? 0 : FRAME_MANDATORY,
               .id = w->commit.id,
               .size = size,
               .head_size = (uint32_t)head.size,
               .head_check = check,
               .number = (uint32_t)w->commit.blocks};
    stamma_frame_write(&f, header);
    write_out(w, header, sizeof header);
}

void stamma_frame_writer_begin(frame_writer *w, const stamma_output *output, const stamma_allocator *allocator)
{
    uint8_t header[ARCHIVE_HEADER_SIZE];
    memset(w, 0, sizeof *w);
    w->allocator = w->payload.allocator = w->table.allocator = allocator;
    w->output = *output;
    stamma_archive_header_write(header);
    write_out(w, header, sizeof header);
    w->commit.start = w->at;
}

void stamma_frame_writer_follow(frame_writer *w, const commit *last, const block_table *table,
                                const stamma_output *output, const stamma_allocator *allocator)
{
    memset(w, 0, sizeof *w);
    w->allocator = w->payload.allocator = w->table.allocator = allocator;
    w->output = *output;
    w->at = last->start;
    w->commit = (commit){
        .previous = last->offset, .totals = last->totals, .blocks = last->blocks, .id = last->id, .start = last->start};
    if (!stamma_table_copy(&w->table, table, last->blocks, last->offset))
        w->error = STAMMA_ERROR_NO_MEMORY;
}

void stamma_frame_writer_release(frame_writer *w)
{
    if (!w->allocator) /* the writer has not begun */
        return;
    stamma_buffer_release(&w->payload);
    stamma_table_release(&w->table);
    memory_release(w->allocator, w->commit.places.places);
}

/* Lists and counts a block whose frame begins at w->at. The first block's head determines the archive's id (2.1). */
static bool note_block(frame_writer *w, uint32_t head_check, uint64_t size, const stamma_archive_counts *counts)
{
    block_place place = {w->at, counts->games, counts->text_size};
    table_entry entry = {w->at, size, counts->games, counts->text_size};
    if (w->error == STAMMA_OK &&
        (!stamma_places_add(&w->commit.places, place, w->allocator) || !stamma_table_add(&w->table, entry)))
        w->error = STAMMA_ERROR_NO_MEMORY;
    if (w->error != STAMMA_OK)
        return false;
    if (w->commit.blocks == 0)
        w->commit.id = (uint16_t)head_check;
    stamma_counts_add(&w->commit.totals, counts);
    return true;
}

static void count_block(frame_writer *w)
{
    const block_places *since = &w->commit.places;
    uint64_t text = 0;
    w->commit.blocks++;
    for (size_t n = 0; n < since->count && since->count < COMMIT_INTERVAL; n++)
        text += since->places[n].text_size;
    if (since->count >= COMMIT_INTERVAL || text >= COMMIT_TEXT)
        stamma_frame_writer_commit(w, false);
}

void stamma_frame_writer_keep_block(frame_writer *w, const frame *kept, const stamma_archive_counts *counts)
{
    if (!note_block(w, kept->head_check, kept->size, counts))
        return;
    w->at += FRAME_HEADER_SIZE + kept->size;
    count_block(w);
}

void stamma_frame_writer_add_block(frame_writer *w, stamma_text head, stamma_text body,
                                   const stamma_archive_counts *counts)
{
    uint32_t check = stamma_check32(head.data, head.size);
    if (!note_block(w, check, (uint64_t)head.size + body.size, counts))
        return;
    write_frame_header(w, FRAME_BLOCK, head, check, (uint64_t)head.size + body.size);
    write_out(w, head.data, head.size);
    write_out(w, body.data, body.size);
    count_block(w);
}

/* Writes a frame whose payload is w->payload. The payload is a head only. */
static void write_optional(frame_writer *w, unsigned type)
{
    if (w->error == STAMMA_OK && w->payload.failed)
        w->error = STAMMA_ERROR_NO_MEMORY;
    if (w->error != STAMMA_OK)
        return;
    stamma_text payload = {(const char *)w->payload.data, w->payload.size};
    write_frame_header(w, type, payload, stamma_check32(payload.data, payload.size), payload.size);
    write_out(w, payload.data, payload.size);
}

/* Writes a table of blocks (7.5), unless the list of blocks is incomplete because the archive was damaged. */
static void write_table(frame_writer *w)
{
    if (w->table.count != w->commit.blocks || !stamma_table_is_due(&w->table))
        return;
    w->payload.size = 0;
    stamma_table_write(&w->table, w->at, &w->payload);
    write_optional(w, FRAME_TABLE);
}

void stamma_frame_writer_add_source(frame_writer *w, const stamma_archive_source *source)
{
    w->payload.size = 0;
    stamma_source_write(source, &w->payload);
    write_optional(w, FRAME_SOURCE);
}

/* The last bytes make the commit valid (7.2). Everything before them must be durable before they are written. */
void stamma_frame_writer_commit(frame_writer *w, bool finished)
{
    if (finished && w->error == STAMMA_OK)
        write_table(w);
    w->commit.finished = finished;
    w->commit.offset = w->at;
    w->payload.size = 0;
    stamma_commit_write(&w->commit, &w->payload);
    if (w->error == STAMMA_OK && w->payload.failed)
        w->error = STAMMA_ERROR_NO_MEMORY;
    if (w->error != STAMMA_OK)
        return;
    stamma_text payload = {(const char *)w->payload.data, w->payload.size};
    size_t most = payload.size - sizeof stamma_commit_magic;
    write_frame_header(w, FRAME_COMMIT, payload, stamma_check32(payload.data, payload.size), payload.size);
    write_out(w, payload.data, most);
    sync_output(w);
    write_out(w, payload.data + most, payload.size - most);
    sync_output(w);
    w->commit.previous = w->commit.offset;
    w->commit.start = w->at;
    w->commit.places.count = 0;
}
