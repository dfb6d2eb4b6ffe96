/* SPDX-License-Identifier: MIT */
/* Copies the blocks of an archive into another archive. Blocks are independent. Therefore this decodes only the parts
 * that show whether the last game continues (clauses 1.4, 3.1 and 4.6). Frames of unknown type are not copied, because
 * they belong to a later format and may contain offsets in their file. */
#include "archive/writer.h"

/* Skips the events of all records (4.4). Returns the number of records, and stores the end of the last record. */
static uint64_t pass_records(cursor events, unsigned *last_end)
{
    uint64_t records = 0;
    while (cursor_left(&events) > 0) {
        unsigned kind = cursor_byte(&events) & 15u;
        if (event_ends_record(kind)) {
            *last_end = kind;
            records++;
        }
    }
    return records;
}

/* Checks that a block continues the game in which the previous block ends, if and only if there is one (4.6). Stores
 * whether this block ends within a game. */
static stamma_error check_pieces(stamma_archive_reader *r, unpack_job *j)
{
    column_entry e;
    const uint8_t *stored;
    buffer *events = &j->block.columns.plain[COLUMN_EVENTS];
    unsigned last_end = ITEM_END_OF_PIECE;
    if (r->piece != PIECE_UNKNOWN && r->head.continues != (r->piece == PIECE_OPEN))
        return STAMMA_ERROR_CORRUPT;
    r->piece = PIECE_UNKNOWN;
    if (!stamma_payload_find_column(&j->payload, r->place.head_size, COLUMN_EVENTS, &e, &stored))
        return STAMMA_ERROR_CORRUPT;
    stamma_error error = stamma_column_read(&j->block.columns.coder, &e, stored, events);
    if (error != STAMMA_OK)
        return error == STAMMA_ERROR_UNSUPPORTED ? STAMMA_OK : error;
    cursor in = buffer_cursor(events);
    if (pass_records(in, &last_end) != r->head.records)
        return STAMMA_ERROR_CORRUPT;
    r->piece = last_end == ITEM_END_OF_PIECE ? PIECE_OPEN : PIECE_CLOSED;
    return STAMMA_OK;
}

/* Checks the block that the reader has just reached. */
static stamma_error check_block(stamma_archive_reader *r, unpack_job *j)
{
    buffer payload = j->payload;
    j->payload = r->payload;
    r->payload = payload;
    j->frame = r->place;
    j->work = UNPACK_CHECKS;
    stamma_unpack_job_run(j);
    if (j->error == STAMMA_OK && j->search.size > 0) /* damaged search columns are not copied either */
        j->error = STAMMA_ERROR_CORRUPT;
    if (j->error == STAMMA_OK)
        j->error = check_pieces(r, j);
    return j->error == STAMMA_OK ? STAMMA_OK : reader_fail(r, r->place.offset, j->error);
}

/* Checks that no game is open at the end (4.6). A truncated archive is reported with the number of the game. */
static stamma_error check_end(stamma_archive_reader *r)
{
    stamma_error error = stamma_reader_end(r);
    if (error != STAMMA_OK && r->piece == PIECE_OPEN)
        r->error_game = r->games;
    return error;
}

static stamma_error copy_blocks(stamma_archive_reader *r, unpack_job *j, frame_writer *out, merged_bytes *copied)
{
    for (;;) {
        bool found;
        stamma_error error = stamma_reader_next_frame(r, &found);
        if (error == STAMMA_OK && found)
            error = check_block(r, j);
        if (error != STAMMA_OK || !found)
            return error == STAMMA_OK ? check_end(r) : error;
        const char *bytes = (const char *)j->payload.data;
        stamma_text head = {bytes, r->place.head_size}, body = {bytes + head.size, j->payload.size - head.size};
        stamma_frame_writer_add_block(out, head, body, &r->head.counts);
        if (out->error != STAMMA_OK)
            return out->error;
        copied->text += r->head.text_size;
        copied->moves += stamma_payload_moves_bytes(&j->payload, head.size);
        error = stamma_reader_progress(r, block_frame_end(&r->place, &j->payload));
        if (error != STAMMA_OK)
            return error;
    }
}

stamma_error stamma_merge_archive(stamma_archive_reader *r, frame_writer *out, merged_bytes *copied)
{
    stamma_error error = stamma_reader_scan_frames(r, 0);
    if (error == STAMMA_OK)
        error = stamma_reader_rewind(r);
    if (error != STAMMA_OK)
        return error;
    if (r->seekable && (r->broken != STAMMA_OK || r->flaw != STAMMA_OK))
        return reader_fail(r, r->broken != STAMMA_OK ? r->broken_at : r->flaw_at, STAMMA_ERROR_CORRUPT);
    unpack_job *j = (unpack_job *)memory_allocate(&r->allocator, sizeof *j);
    if (!j)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_unpack_job_init(j, r->of_blocks); /* payloads are exchanged with the reader's payload */
    error = copy_blocks(r, j, out, copied);
    stamma_unpack_job_release(j);
    memory_release(&r->allocator, j);
    return error;
}
