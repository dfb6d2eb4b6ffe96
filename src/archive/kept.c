/* What an interrupted writer left, for the one that goes on with it: as long as the same comes again it is kept. */
#include "archive/reader.h"

void stamma_kept_open(kept_archive *k, stamma_archive_reader *reader, const milestone *from,
                      const stamma_output *output, bool (*cut)(void *context, uint64_t size))
{
    stamma_unpack_job_init(&k->check, &reader->allocator); /* whose payloads it takes */
    k->check.work = UNPACK_CHECKS;
    k->output = *output;
    k->cut = cut;
    k->from = k->at = from->commit.start;
    k->end = 0;
    k->differs = false;
    k->reader = reader;
    reader->next_place = from->places;
    reader->place_count = reader->left.places;
}

void stamma_kept_close(kept_archive *k)
{
    if (k->cut) /* it was opened */
        stamma_unpack_job_release(&k->check);
}

bool stamma_kept_end(kept_archive *k)
{
    if (!k->reader)
        return true;
    k->reader = NULL;
    k->differs = k->at > k->from && k->at < k->end;
    return !k->differs && k->cut(k->output.context, k->at < k->end ? k->end : k->at);
}

/* ---- bytes ---- */

/* Whether the file holds these bytes at k->at. */
static bool holds(const kept_archive *k, const uint8_t *bytes, size_t size)
{
    const stamma_input *input = &k->reader->input;
    uint8_t there[4096];
    if (!input->seek(input->context, k->at))
        return false;
    while (size > 0) {
        ptrdiff_t got = input->read(input->context, there, size < sizeof there ? size : sizeof there);
        if (got <= 0 || (size_t)got > size || memcmp(there, bytes, (size_t)got) != 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

static bool write_callback(void *context, const void *bytes, size_t size)
{
    kept_archive *k = (kept_archive *)context;
    if (k->reader && holds(k, (const uint8_t *)bytes, size)) {
        k->at += size;
        return true;
    }
    return stamma_kept_end(k) && k->output.write(k->output.context, bytes, size);
}

static bool sync_callback(void *context)
{
    const kept_archive *k = (const kept_archive *)context;
    return k->reader || !k->output.sync || k->output.sync(k->output.context);
}

stamma_output stamma_kept_output(kept_archive *k)
{
    return (stamma_output){k, write_callback, sync_callback};
}

/* ---- blocks ---- */

/* Reads the next block if it stands right behind what is the same, and sees whether its columns are whole. */
static stamma_error read_block(kept_archive *k, bool *found)
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

stamma_error stamma_kept_take(kept_archive *k, stamma_text text, bool continues, kept_block *block, bool *taken)
{
    const block_head *head = &k->reader->head;
    bool found;
    stamma_error error = read_block(k, &found);
    *taken = error == STAMMA_OK && found && head->text_size == text.size && head->continues == continues &&
             head->text_check == XXH64(text.data, text.size, 0);
    if (error == STAMMA_ERROR_IO || error == STAMMA_ERROR_NO_MEMORY)
        return error;
    if (!*taken)
        return stamma_kept_end(k) ? STAMMA_OK : STAMMA_ERROR_IO;
    block->counts = head->counts;
    block->counts.moves_bytes = stamma_payload_moves_bytes(&k->check.payload, k->check.frame.head_size);
    block->frame = k->reader->frame;
    k->at += FRAME_HEADER_SIZE + block->frame.size;
    return STAMMA_OK;
}
