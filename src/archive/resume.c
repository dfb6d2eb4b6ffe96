/* SPDX-License-Identifier: MIT */
/* Resumes an interrupted writer: the bytes that it left are kept as long as they equal the new bytes. */
#include "archive/writer.h"

void stamma_resumption_open(resumption *k, stamma_archive_reader *reader, const commit_mark *from,
                            const stamma_output *output, bool (*cut)(void *context, uint64_t size))
{
    stamma_unpack_job_init(&k->check, reader->of_blocks); /* its payload is exchanged with the reader's payload */
    k->check.work = UNPACK_CHECKS;
    k->output = *output;
    k->cut = cut;
    k->from = k->at = from->commit.start;
    k->end = 0;
    k->differs = k->failed = false;
    k->reader = reader;
    reader->next_place = from->places;
    reader->place_count = reader->left.places;
}

void stamma_resumption_close(resumption *k)
{
    if (k->cut) /* the resumption was opened */
        stamma_unpack_job_release(&k->check);
}

bool stamma_resumption_end(resumption *k)
{
    if (!k->reader)
        return true;
    k->reader = NULL;
    k->differs = k->at > k->from && k->at < k->end;
    return !k->differs && k->cut(k->output.context, k->at < k->end ? k->end : k->at);
}

/* ---- bytes ---- */

/* Returns whether the file contains these bytes at k->at. Sets k->failed if the file cannot be read. */
static bool holds(resumption *k, const uint8_t *bytes, size_t size)
{
    const archive_input *input = &k->reader->input;
    uint8_t there[4096];
    k->failed = !input->seek(input->context, k->at);
    while (size > 0 && !k->failed) {
        ptrdiff_t got = input->read(input->context, there, size < sizeof there ? size : sizeof there);
        k->failed = got < 0 || (size_t)got > size;
        if (k->failed || got == 0 || memcmp(there, bytes, (size_t)got) != 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return !k->failed;
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    resumption *k = (resumption *)context;
    if (k->reader && holds(k, (const uint8_t *)bytes, size)) {
        k->at += size;
        return true;
    }
    return !k->failed && stamma_resumption_end(k) && k->output.write(k->output.context, bytes, size);
}

static bool sync_callback(void *context)
{
    const resumption *k = (const resumption *)context;
    return k->reader || !k->output.sync || k->output.sync(k->output.context);
}

stamma_output stamma_resumption_output(resumption *k)
{
    return (stamma_output){k, write_callback, sync_callback};
}

/* ---- blocks ---- */

/* Reads the next block if it directly follows the equal bytes, and checks its columns. */
static stamma_error read_block(resumption *k, bool *found)
{
    stamma_archive_reader *r = k->reader;
    *found = false;
    if (r->next_place == r->place_count || r->places[r->next_place].offset != k->at)
        return STAMMA_OK;
    stamma_error error = stamma_reader_next_frame(r, found);
    if (error != STAMMA_OK)
        return error;
    buffer payload = k->check.payload;
    k->check.payload = r->payload;
    r->payload = payload;
    k->check.frame = r->place;
    stamma_unpack_job_run(&k->check);
    return k->check.error;
}

/* Returns whether a writer of the level may have made the block. A block with move codes may be of any level, but
 * packing it again is faster than determining its level. */
static bool is_of_level(const resumption *k)
{
    const buffer *payload = &k->check.payload;
    return k->at < k->end || stamma_payload_level(payload, k->check.frame.head_size, k->level) == k->level;
}

/* Returns whether the block has exactly the search columns that the writer makes, undamaged. */
static bool is_searched(const resumption *k)
{
    column_entry e;
    const uint8_t *stored;
    const buffer *payload = &k->check.payload;
    size_t head_size = k->check.frame.head_size, found = 0;
    for (unsigned id = COLUMN_SIGNATURES; id <= COLUMN_FACTS; id++)
        found += stamma_payload_find_column(payload, head_size, id, &e, &stored);
    return k->check.search.size == 0 && (k->at < k->end || found == (k->no_search_columns ? 0 : 2));
}

stamma_error stamma_resumption_take(resumption *k, stamma_text text, bool continues, resumed_block *block, bool *taken)
{
    const block_head *head = &k->reader->head;
    bool found;
    stamma_error error = read_block(k, &found);
    *taken = error == STAMMA_OK && found && head->text_size == text.size && head->continues == continues &&
             head->text_check == XXH64(text.data, text.size, 0) && is_of_level(k) && is_searched(k);
    if (error == STAMMA_OK && found && k->check.search.size > 0)
        error = STAMMA_ERROR_CORRUPT;
    const bool committed = k->at < k->end; /* nothing may be appended after a damaged block of the archive */
    if (error == STAMMA_ERROR_IO || error == STAMMA_ERROR_NO_MEMORY || (error == STAMMA_ERROR_CORRUPT && committed))
        return error;
    if (!*taken)
        return stamma_resumption_end(k) ? STAMMA_OK : STAMMA_ERROR_IO;
    block->counts = head->counts;
    block->counts.moves_bytes = stamma_payload_moves_bytes(&k->check.payload, k->check.frame.head_size);
    block->frame = k->reader->frame;
    k->at += FRAME_HEADER_SIZE + block->frame.size;
    return STAMMA_OK;
}
