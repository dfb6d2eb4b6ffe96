/* Unpacking all of an archive: blocks are read by the thread that calls, decoded here or by the executor, and their
 * text is written in order. */
#include "archive/reader.h"

/* ---- the ring of jobs ---- */

stamma_error stamma_unpack_ring_open(unpack_ring *ring, const stamma_allocator *allocator,
                                     const stamma_executor *executor, uint64_t memory)
{
    size_t count = stamma_job_count(executor, memory, UNPACK_JOB_MEMORY);
    *ring = (unpack_ring){.allocator = allocator, .executor = executor};
    ring->jobs = (unpack_job **)memory_allocate(allocator, size_multiply(count, sizeof *ring->jobs));
    for (; ring->jobs && ring->count < count; ring->count++) {
        unpack_job *j = (unpack_job *)memory_allocate(allocator, sizeof *j);
        if (!j)
            return STAMMA_ERROR_NO_MEMORY;
        stamma_unpack_job_init(j, allocator);
        ring->jobs[ring->count] = j;
    }
    return ring->jobs ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static void wait_for(const unpack_ring *ring, unpack_job *j)
{
    if (j->started)
        ring->executor->wait(ring->executor->context, j);
    j->started = false;
}

void stamma_unpack_ring_close(unpack_ring *ring)
{
    for (size_t i = 0; i < ring->count; i++) {
        wait_for(ring, ring->jobs[i]);
        stamma_unpack_job_release(ring->jobs[i]);
        memory_release(ring->allocator, ring->jobs[i]);
    }
    memory_release(ring->allocator, ring->jobs);
}

unpack_job *stamma_unpack_ring_next(const unpack_ring *ring)
{
    return ring->jobs[(ring->oldest + ring->under_way) % ring->count];
}

void stamma_unpack_ring_begin(unpack_ring *ring, unpack_work work)
{
    unpack_job *j = stamma_unpack_ring_next(ring);
    j->work = work;
    j->started = ring->count > 1;
    ring->under_way++;
    if (j->started)
        ring->executor->start(ring->executor->context, stamma_unpack_job_run, j);
    else
        stamma_unpack_job_run(j);
}

unpack_job *stamma_unpack_ring_finish(unpack_ring *ring)
{
    unpack_job *j = ring->jobs[ring->oldest];
    wait_for(ring, j);
    ring->oldest = (ring->oldest + 1) % ring->count;
    ring->under_way--;
    return j;
}

/* ---- unpacking ---- */

/* Whether a block begins as the one before it ended (4.6), as far as that is known. */
static bool joins(const stamma_archive_reader *r, const block_head *head)
{
    return r->piece == PIECE_UNKNOWN || head->continues == (r->piece == PIECE_OPEN);
}

/* Tells of what the oldest job did. */
static stamma_error tell_job(stamma_archive_reader *r, unpack_job *j, stamma_error error)
{
    stamma_damage_kind kind = error == STAMMA_OK ? STAMMA_DAMAGE_NONE : STAMMA_DAMAGE_CONTENT;
    uint64_t game = j->in_game ? j->games : 0;
    if (error != STAMMA_OK) /* is it in the columns? */
        (void)stamma_columns_check(&j->payload, &j->frame, &j->damaged);
    if (j->damaged.size > 0)
        kind = STAMMA_DAMAGE_COLUMN;
    return stamma_reader_tell_block(r, &j->frame, kind, error, &j->damaged, game);
}

/* Writes what the oldest job kept: where it failed, what stands before the error. */
static stamma_error write_block(stamma_archive_reader *r, unpack_ring *ring, const stamma_output *output)
{
    unpack_job *j = stamma_unpack_ring_finish(ring);
    if (j->after_loss)
        r->piece = PIECE_UNKNOWN;
    bool fits = joins(r, &j->block.head);
    stamma_error error = j->error == STAMMA_OK && !fits ? STAMMA_ERROR_CORRUPT : j->error;
    r->piece = error != STAMMA_OK ? PIECE_UNKNOWN : j->block.last_kind == ITEM_END_OF_PIECE ? PIECE_OPEN : PIECE_CLOSED;
    if (fits && j->text.size > 0 && !output->write(output->context, j->text.data, j->text.size))
        error = STAMMA_ERROR_IO;
    if (error != STAMMA_OK && !stamma_reader_goes_on(r, error)) {
        (void)stamma_reader_fail(r, j->frame.offset, error);
        r->error_game = j->in_game ? j->frame.first_game + j->games : 0;
        return error;
    }
    error = tell_job(r, j, error);
    return error == STAMMA_OK ? stamma_reader_progress(r, block_frame_end(&j->frame, &j->payload)) : error;
}

/* Begins the job of the block whose frame was read, which writes its text itself where it is the only one: then the
 * text need not be kept. */
static void begin_job(stamma_archive_reader *r, unpack_ring *ring, const stamma_output *output, bool after_loss)
{
    unpack_job *j = stamma_unpack_ring_next(ring);
    buffer payload = r->payload;
    r->payload = j->payload;
    j->payload = payload;
    j->frame = r->place;
    j->after_loss = after_loss;
    j->output = ring->count == 1 && (after_loss || joins(r, &r->head)) ? output : NULL;
    stamma_unpack_ring_begin(ring, UNPACK_TEXT);
}

/* Reads the next block's frame and begins its job. */
static stamma_error begin_block(stamma_archive_reader *r, unpack_ring *ring, const stamma_output *output, bool *found)
{
    for (bool lost = false;; lost = true) {
        uint64_t number = r->next_number;
        stamma_error error = stamma_reader_next_frame(r, found);
        if (error == STAMMA_OK && *found)
            begin_job(r, ring, output, lost || r->next_number != number + 1);
        if (!stamma_reader_goes_on(r, error))
            return error;
        error = stamma_reader_tell_block(r, &r->place, STAMMA_DAMAGE_HEAD, error, NULL, 0);
        if (error != STAMMA_OK)
            return error;
    }
}

static stamma_error write_blocks(stamma_archive_reader *r, unpack_ring *ring, const stamma_output *output, size_t left)
{
    stamma_error error = STAMMA_OK;
    while (ring->under_way > left && error == STAMMA_OK)
        error = write_block(r, ring, output);
    return error;
}

/* What stands before an error is written first, and errors are told in the order of the blocks. */
static stamma_error unpack(stamma_archive_reader *r, unpack_ring *ring, const stamma_output *output)
{
    stamma_error error = STAMMA_OK, last = STAMMA_OK;
    bool found = true;
    while (found && last == STAMMA_OK && error == STAMMA_OK) {
        last = begin_block(r, ring, output, &found);
        error = write_blocks(r, ring, output, ring->count - 1);
    }
    uint64_t offset = r->error_at;
    if (error == STAMMA_OK)
        error = write_blocks(r, ring, output, 0);
    if (error != STAMMA_OK)
        return error;
    return last != STAMMA_OK ? stamma_reader_fail(r, offset, last) : stamma_reader_end(r);
}

stamma_error stamma_archive_reader_unpack(stamma_archive_reader *r, const stamma_output *output)
{
    if (!r || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_reader_rewind(r);
    if (error != STAMMA_OK)
        return error;
    unpack_ring ring;
    r->deferred = true;
    error = stamma_unpack_ring_open(&ring, &r->allocator, &r->executor, r->memory);
    if (error == STAMMA_OK)
        error = unpack(r, &ring, output);
    stamma_unpack_ring_close(&ring);
    return error;
}
