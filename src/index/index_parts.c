/* SPDX-License-Identifier: MIT */
/* Work on a segment that is done in parts, in parallel, and the sort of numbers. */
#include "index/index_build.h"

typedef struct part_job {
    void (*run)(void *context, size_t part);
    void *context;
    size_t part;
} part_job;

static void init_part(void *job, const stamma_allocator *allocator)
{
    (void)allocator;
    *(part_job *)job = (part_job){.part = 0};
}

static void run_part(void *job)
{
    const part_job *j = (const part_job *)job;
    j->run(j->context, j->part);
}

static void release_part(void *job)
{
    (void)job;
}

stamma_error stamma_index_run_parts(const stamma_allocator *allocator, const stamma_executor *executor, size_t parts,
                                    void (*run)(void *context, size_t part), void *context)
{
    static const job_kind kind = {sizeof(part_job), init_part, run_part, release_part};
    job_ring ring;
    const size_t jobs = stamma_job_count(executor, STAMMA_NO_LIMIT, 1);
    stamma_error error = stamma_job_ring_open(&ring, &kind, jobs, allocator, executor);
    for (size_t n = 0; n < parts && error == STAMMA_OK; n++) {
        if (ring.under_way == ring.count)
            (void)stamma_job_ring_finish(&ring);
        *(part_job *)stamma_job_ring_next(&ring) = (part_job){run, context, n};
        stamma_job_ring_begin(&ring);
    }
    stamma_job_ring_close(&ring);
    return error;
}

void stamma_index_sort(uint64_t *numbers, uint64_t *spare, size_t count, unsigned low, unsigned bits)
{
    enum { DIGIT = 11, DIGITS = 1 << DIGIT };
    uint64_t *from = numbers, *to = spare;
    for (unsigned done = 0; done < bits; done += DIGIT) {
        size_t starts[DIGITS] = {0}, sum = 0;
        unsigned shift = low + done;
        uint64_t mask = bits - done < DIGIT ? (UINT64_C(1) << (bits - done)) - 1 : DIGITS - 1;
        for (size_t n = 0; n < count; n++)
            starts[from[n] >> shift & mask]++;
        for (size_t n = 0; n < DIGITS; n++) {
            size_t here = starts[n];
            starts[n] = sum;
            sum += here;
        }
        for (size_t n = 0; n < count; n++)
            to[starts[from[n] >> shift & mask]++] = from[n];
        uint64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != numbers && count > 0)
        memcpy(numbers, from, count * sizeof *numbers);
}
