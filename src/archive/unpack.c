/* SPDX-License-Identifier: MIT */
/* Unpacks a complete archive. The calling thread reads the blocks, and writes their text in order. The blocks are
 * decoded by the calling thread or by the executor. */
#include "archive/reader.h"

/* ---- the ring of jobs ---- */

static void init_job(void *job, const stamma_allocator *allocator)
{
    stamma_unpack_job_init((unpack_job *)job, allocator);
}

static void release_job(void *job)
{
    stamma_unpack_job_release((unpack_job *)job);
}

static const job_kind unpack_jobs = {sizeof(unpack_job), init_job, stamma_unpack_job_run, release_job};

stamma_error stamma_unpack_ring_open(job_ring *ring, const stamma_allocator *allocator, const stamma_executor *executor,
                                     uint64_t memory, const stop_check *stop)
{
    stamma_error error = stamma_job_ring_open(ring, &unpack_jobs, stamma_job_count(executor, memory, UNPACK_JOB_MEMORY),
                                              allocator, executor);
    for (size_t n = 0; n < ring->count; n++) {
        unpack_job *j = (unpack_job *)ring->jobs[n];
        j->block.plan.memory = block_memory_limit(memory);
        j->stop = j->ahead.stop = stop;
    }
    return error;
}

/* Releases the memory of a large block. */
static void empty_job(unpack_job *j, const stamma_allocator *allocator)
{
    const uint64_t memory = j->block.plan.memory;
    const stop_check *stop = j->stop;
    stamma_unpack_job_release(j);
    stamma_unpack_job_init(j, allocator);
    j->block.plan.memory = memory;
    j->stop = j->ahead.stop = stop;
}

unpack_job *stamma_unpack_ring_next(const job_ring *ring)
{
    unpack_job *j = (unpack_job *)stamma_job_ring_next(ring);
    if (j->is_large)
        empty_job(j, ring->allocator);
    j->is_large = false;
    return j;
}

size_t stamma_unpack_ring_room(const job_ring *ring)
{
    unpack_job *j = (unpack_job *)stamma_job_ring_next(ring);
    const uint8_t *begin = j->payload.data, *body = begin + j->frame.head_size;
    const uint64_t need =
        stamma_block_memory((cursor){begin, body, false}, (cursor){body, begin + j->payload.size, false});
    j->is_large = need > UNPACK_JOB_MEMORY;
    return j->is_large ? 0 : ring->count - 1;
}

/* If the block has lanes and another job is unused, that job reads half of the lanes. */
void stamma_unpack_ring_begin(job_ring *ring, unpack_work work)
{
    unpack_job *j = (unpack_job *)stamma_job_ring_next(ring);
    const cursor head = {j->payload.data, j->payload.data + j->frame.head_size, false};
    j->work = work;
    j->halved = false;
    if (work != UNPACK_CHECKS && !j->is_large && ring->under_way + 1 < ring->count && stamma_block_has_lanes(head))
        stamma_unpack_job_halve(j, (unpack_job *)ring->jobs[(ring->oldest + ring->under_way + 1) % ring->count]);
    bool halved = j->halved;
    stamma_job_ring_begin(ring);
    if (halved)
        stamma_job_ring_begin(ring);
}

static unpack_job *finish_oldest(job_ring *ring)
{
    return (unpack_job *)stamma_job_ring_finish(ring);
}

unpack_job *stamma_unpack_ring_finish(job_ring *ring)
{
    unpack_job *j = finish_oldest(ring);
    if (j->halved)
        stamma_unpack_job_join(j, finish_oldest(ring));
    return j;
}

/* ---- unpacking ---- */

/* Returns whether a block continues a game if and only if the previous block ended within a game (4.6). Returns true if
 * the end of the previous block is unknown. */
static bool joins(const stamma_archive_reader *r, const block_head *head)
{
    return r->piece == PIECE_UNKNOWN || head->continues == (r->piece == PIECE_OPEN);
}

/* Reports the result of the oldest job. */
static stamma_error report_job(stamma_archive_reader *r, unpack_job *j, stamma_error error)
{
    stamma_damage_kind kind = error == STAMMA_OK ? STAMMA_DAMAGE_NONE : STAMMA_DAMAGE_CONTENT;
    uint64_t game = j->in_game ? j->games : 0;
    if (error != STAMMA_OK) /* finds the columns that are damaged */
        (void)stamma_columns_check(&j->payload, &j->frame, &j->damaged, &j->search);
    if (j->damaged.size > 0)
        kind = STAMMA_DAMAGE_COLUMN;
    return stamma_reader_report_block(r, &j->frame, kind, error, &j->damaged, game);
}

/* Writes the text of the oldest job; after an error, the text before the error. */
static stamma_error write_block(stamma_archive_reader *r, job_ring *ring, const stamma_output *output)
{
    unpack_job *j = stamma_unpack_ring_finish(ring);
    if (j->after_loss)
        r->piece = PIECE_UNKNOWN;
    bool fits = joins(r, &j->block.head);
    stamma_error error = j->error == STAMMA_OK && !fits ? STAMMA_ERROR_CORRUPT : j->error;
    bool open = j->block.state.last_kind == ITEM_END_OF_PIECE;
    r->piece = error != STAMMA_OK ? PIECE_UNKNOWN : open ? PIECE_OPEN : PIECE_CLOSED;
    if (fits && j->text.size > 0 && !output->write(output->context, j->text.data, j->text.size))
        error = STAMMA_ERROR_IO;
    if (error != STAMMA_OK && !stamma_reader_continues(r, error)) {
        (void)reader_fail(r, j->frame.offset, error);
        r->error_game = j->in_game ? j->frame.first_game + j->games : 0;
        return error;
    }
    error = report_job(r, j, error);
    return error == STAMMA_OK ? stamma_reader_progress(r, block_frame_end(&j->frame, &j->payload)) : error;
}

static stamma_error write_blocks(stamma_archive_reader *r, job_ring *ring, const stamma_output *output, size_t left)
{
    stamma_error error = STAMMA_OK;
    while (ring->under_way > left && error == STAMMA_OK)
        error = write_block(r, ring, output);
    return error;
}

/* Begins the job of the block whose frame was read. If the ring has only this job, the job writes its text itself, so
 * that the text need not be kept. Sets *room to the number of jobs that may run at the same time as this job. */
static stamma_error begin_job(stamma_archive_reader *r, job_ring *ring, const stamma_output *output, bool after_loss,
                              size_t *room)
{
    unpack_job *j = stamma_unpack_ring_next(ring);
    buffer payload = r->payload;
    r->payload = j->payload;
    j->payload = payload;
    j->frame = r->place;
    j->after_loss = after_loss;
    j->output = ring->count == 1 && (after_loss || joins(r, &r->head)) ? output : NULL;
    *room = stamma_unpack_ring_room(ring);
    stamma_error error = write_blocks(r, ring, output, *room);
    if (error == STAMMA_OK)
        stamma_unpack_ring_begin(ring, UNPACK_TEXT);
    return error;
}

/* Reads the next block's frame and begins its job. A block whose head is damaged is reported after the blocks before
 * it. *earlier receives an error of the blocks before it. */
static stamma_error begin_block(stamma_archive_reader *r, job_ring *ring, const stamma_output *output, bool *found,
                                size_t *room, stamma_error *earlier)
{
    for (bool lost = false; *earlier == STAMMA_OK; lost = true) {
        uint64_t number = r->next_number;
        stamma_error error = stamma_reader_next_frame(r, found);
        if (error == STAMMA_OK && *found)
            *earlier = begin_job(r, ring, output, lost || r->next_number != number + 1, room);
        if (!stamma_reader_continues(r, error))
            return error;
        *earlier = write_blocks(r, ring, output, 0);
        if (*earlier == STAMMA_OK)
            *earlier = stamma_reader_report_block(r, &r->place, STAMMA_DAMAGE_HEAD, error, NULL, 0);
    }
    return STAMMA_OK;
}

/* Unpacks all blocks. Text before an error is written first, and errors are reported in the order of the blocks. */
static stamma_error unpack(stamma_archive_reader *r, job_ring *ring, const stamma_output *output)
{
    stamma_error error = STAMMA_OK, last = STAMMA_OK;
    bool found = true;
    size_t room = ring->count - 1;
    while (found && last == STAMMA_OK && error == STAMMA_OK) {
        last = begin_block(r, ring, output, &found, &room, &error);
        if (error == STAMMA_OK)
            error = write_blocks(r, ring, output, room);
    }
    uint64_t offset = r->error_at;
    if (error == STAMMA_OK)
        error = write_blocks(r, ring, output, 0);
    if (error != STAMMA_OK)
        return error;
    return last != STAMMA_OK ? reader_fail(r, offset, last) : stamma_reader_end(r);
}

stamma_error stamma_archive_reader_unpack(stamma_archive_reader *r, const stamma_output *output)
{
    if (!r || !output_is_given(output))
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_error error = stamma_reader_rewind(r);
    if (error != STAMMA_OK)
        return error;
    job_ring ring;
    const stop_check check = {r->stop, r->context};
    r->deferred = true;
    error = stamma_unpack_ring_open(&ring, r->of_blocks, &r->executor, r->memory, r->stop ? &check : NULL);
    if (error == STAMMA_OK)
        error = unpack(r, &ring, output);
    stamma_job_ring_close(&ring);
    return error;
}
