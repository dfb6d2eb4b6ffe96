/* SPDX-License-Identifier: MIT */
/* Processes blocks in parallel: the threads of an executor run the jobs of a ring. Results are used in the order of the
 * blocks. */
#include "archive/reader.h"

stamma_error stamma_job_ring_open(job_ring *ring, const job_kind *kind, size_t count, const stamma_allocator *allocator,
                                  const stamma_executor *executor)
{
    *ring = (job_ring){.allocator = allocator, .executor = executor, .kind = kind};
    ring->jobs = (void **)memory_allocate(allocator, size_multiply(count, sizeof *ring->jobs));
    ring->started = (bool *)memory_allocate(allocator, count);
    for (; ring->jobs && ring->started && ring->count < count; ring->count++) {
        void *job = memory_allocate(allocator, kind->size);
        if (!job)
            return STAMMA_ERROR_NO_MEMORY;
        kind->init(job, allocator);
        ring->jobs[ring->count] = job;
        ring->started[ring->count] = false;
    }
    return ring->jobs && ring->started ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

static void wait_for(job_ring *ring, size_t job)
{
    if (ring->started[job])
        ring->executor->wait(ring->executor->context, ring->jobs[job]);
    ring->started[job] = false;
}

void stamma_job_ring_close(job_ring *ring)
{
    if (!ring->allocator)
        return;
    for (size_t i = 0; i < ring->count; i++) {
        wait_for(ring, i);
        ring->kind->release(ring->jobs[i]);
        memory_release(ring->allocator, ring->jobs[i]);
    }
    memory_release(ring->allocator, ring->jobs);
    memory_release(ring->allocator, ring->started);
}

static size_t next_place(const job_ring *ring)
{
    return (ring->oldest + ring->under_way) % ring->count;
}

void *stamma_job_ring_next(const job_ring *ring)
{
    return ring->jobs[next_place(ring)];
}

void stamma_job_ring_begin(job_ring *ring)
{
    size_t place = next_place(ring);
    ring->started[place] = ring->count > 1;
    ring->under_way++;
    if (ring->count > 1)
        ring->executor->start(ring->executor->context, ring->kind->run, ring->jobs[place]);
    else
        ring->kind->run(ring->jobs[place]);
}

void *stamma_job_ring_finish(job_ring *ring)
{
    size_t place = ring->oldest;
    wait_for(ring, place);
    ring->oldest = (place + 1) % ring->count;
    ring->under_way--;
    return ring->jobs[place];
}
