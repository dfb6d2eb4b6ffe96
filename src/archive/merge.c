/* Copying the blocks of one archive into another: they do not need one another, so none is decoded (clauses 1.4
 * and 3.1). Other frames stay behind: they are of a later format, and speak of the file that they stand in. */
#include "archive/reader.h"

/* The stored size of the moves column, from a head that is known to be right. */
static uint64_t measure_moves(const buffer *payload, size_t head_size)
{
    cursor in = {payload->data, payload->data + head_size, false};
    block_head head;
    uint64_t moves = 0;
    if (stamma_block_read_head(&in, &head) != STAMMA_OK)
        return 0;
    for (uint64_t i = 0; i < head.columns; i++) {
        column_entry e;
        if (!stamma_column_read_entry(&in, &e))
            break;
        moves += e.id == COLUMN_MOVES ? e.stored_size : 0;
    }
    return moves;
}

/* Checks the block that the reader has just met. An archive's first block goes on with no game (4.6). */
static stamma_error check_block(stamma_archive_reader *r, unpack_job *j, bool first)
{
    buffer payload = j->payload;
    j->payload = r->payload;
    r->payload = payload;
    j->frame = r->place;
    j->work = UNPACK_CHECKS;
    stamma_unpack_job_run(j);
    if (j->error == STAMMA_OK && first && r->head.continues)
        j->error = STAMMA_ERROR_CORRUPT;
    return j->error == STAMMA_OK ? STAMMA_OK : stamma_reader_fail(r, r->place.offset, j->error);
}

static stamma_error copy_blocks(stamma_archive_reader *r, unpack_job *j, frame_writer *out, uint64_t *moves_bytes)
{
    for (bool first = true;; first = false) {
        bool found;
        stamma_error error = stamma_reader_next_frame(r, &found);
        if (error == STAMMA_OK && found)
            error = check_block(r, j, first);
        if (error != STAMMA_OK || !found)
            return error;
        const char *bytes = (const char *)j->payload.data;
        stamma_text head = {bytes, r->place.head_size}, body = {bytes + head.size, j->payload.size - head.size};
        stamma_frame_writer_add_block(out, head, body, &r->head.counts);
        if (out->error != STAMMA_OK)
            return out->error;
        *moves_bytes += measure_moves(&j->payload, head.size);
    }
}

stamma_error stamma_merge_archive(stamma_archive_reader *r, frame_writer *out, uint64_t *moves_bytes)
{
    if (r->moved)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (r->seekable && !r->last.finished)
        return stamma_reader_fail(r, r->last.start, STAMMA_ERROR_CORRUPT);
    r->moved = true;
    unpack_job *j = (unpack_job *)memory_allocate(&r->allocator, sizeof *j);
    if (!j)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_unpack_job_init(j, &r->allocator);
    stamma_error error = copy_blocks(r, j, out, moves_bytes);
    stamma_unpack_job_release(j);
    memory_release(&r->allocator, j);
    return error;
}
