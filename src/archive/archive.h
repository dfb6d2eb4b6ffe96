/* SPDX-License-Identifier: MIT */
/* The archive room: whole archives, from bytes to commits and back: writer, reader, appending, merging and resuming.
 * The contents of a block are in the block room, frames and commits in the container room, damage in the salvage room.
 *
 *   writing:  bytes -> (record room) records -> (pack_job.c) blocks -> (writer.c) frames of the container room
 *   reading:  frames -> (reader_scan.c, reader_tables.c) list of blocks -> (reader.c) games, (unpack.c) text
 *
 * reader.h declares the reader, block_list.h blocks by their places, and writer.h writing. */
#ifndef STAMMA_ARCHIVE_H
#define STAMMA_ARCHIVE_H

#include "block/block.h"
#include "block/moves_ahead.h"

/* ---- memory, options and jobs (executor.c) ---- */

/* Memory of one job in bytes: the maximum measured (tests/slow/command_memory.sh, bench/archive_memory.sh), rounded up.
 * Packing needs the most memory for text that consists only of words and numbers. Unpacking needs the most for a
 * sequence of games of many kinds, because buffers keep their largest size, and finished texts wait for the texts
 * before them. */
#define PACK_JOB_MEMORY ((uint64_t)124 << 20)
/* Additional memory if both halves of the lanes of moves are coded, and decoded, in parallel. */
#define PACK_LANES_MEMORY (((uint64_t)32 << 20) + 2 * sizeof(adaptive))
/* Includes the adaptive model, because a reader does not know the levels of later blocks. */
#define UNPACK_JOB_MEMORY (((uint64_t)112 << 20) + sizeof(adaptive))

/* Returns the limit of the memory of one block for the caller's total limit: for 0 and STAMMA_NO_LIMIT the default
 * limit, so that a hostile block never makes the library allocate as much as it declares. */
STAMMA_INLINE uint64_t block_memory_limit(uint64_t memory)
{
    memory = memory == 0 || memory == STAMMA_NO_LIMIT ? MEMORY_DEFAULT : memory;
    return memory < UNPACK_JOB_MEMORY ? UNPACK_JOB_MEMORY : memory;
}

/* Reads options like stamma_options_read. Also returns BAD_ARGUMENT if the allocator or the executor in them is
 * invalid; both may be NULL. */
stamma_error stamma_archive_options_read(const void *given, void *options, size_t size,
                                         const stamma_allocator *const *allocator,
                                         const stamma_executor *const *executor);
/* Returns the number of jobs that may run at once: one more than the executor's threads, limited by memory; 1 without
 * an executor. */
size_t stamma_job_count(const stamma_executor *executor, uint64_t memory, uint64_t job_memory);

/* ---- jobs in a ring, started and finished in the order of the blocks (job_ring.c) ---- */

/* The type of the jobs of a ring. */
typedef struct job_kind {
    size_t size;
    void (*init)(void *job, const stamma_allocator *allocator);
    void (*run)(void *job);
    void (*release)(void *job);
} job_kind;

typedef struct job_ring {
    const stamma_allocator *allocator; /* NULL: the ring is not open */
    const stamma_executor *executor;
    const job_kind *kind;
    void **jobs;
    bool *started; /* for each job: it was passed to the executor and not waited for */
    size_t count;
    size_t oldest;
    size_t under_way;
} job_ring;

/* Opens a ring of `count` jobs. A single job runs on the calling thread; otherwise the executor must live as long as
 * the ring. NO_MEMORY. The ring can be closed even after an error; closing waits for running jobs. */
stamma_error stamma_job_ring_open(job_ring *ring, const job_kind *kind, size_t count, const stamma_allocator *allocator,
                                  const stamma_executor *executor);
void stamma_job_ring_close(job_ring *ring);
/* Returns the job to start next, if not all are running. */
void *stamma_job_ring_next(const job_ring *ring);
void stamma_job_ring_begin(job_ring *ring);
/* Waits for the oldest job. The job is valid until the ring is used again. */
void *stamma_job_ring_finish(job_ring *ring);

/* ---- from the frame of a block to its text (unpack_job.c) ---- */

typedef struct block_frame {
    uint64_t offset; /* in the file */
    size_t head_size;
    uint64_t first_game; /* number of games before the block */
    size_t place;        /* in the reader's list, if there is one */
} block_frame;

/* Returns the end of a block's frame. */
STAMMA_INLINE uint64_t block_frame_end(const block_frame *f, const buffer *payload)
{
    return f->offset + FRAME_HEADER_SIZE + payload->size;
}

typedef enum unpack_work {
    UNPACK_TEXT,   /* the text, compared with the checksum of the head */
    UNPACK_CHECKS, /* only the checksums of the columns */
    UNPACK_BOTH,
    UNPACK_AHEAD /* the second half of the lanes, for the previous job */
} unpack_work;

typedef struct unpack_job {
    block_frame frame;
    buffer payload;
    unpack_work work;
    bool after_loss;             /* the previous block is lost */
    bool is_large;               /* needs more than UNPACK_JOB_MEMORY, and therefore runs by itself */
    bool halved;                 /* stops after the first half of the lanes; the next job reads the second */
    ahead_job ahead;             /* for UNPACK_AHEAD */
    const stop_check *stop;      /* NULL: none */
    const stamma_output *output; /* for UNPACK_TEXT: receives the text in pieces; NULL: the text is kept */
    stamma_error error;
    buffer text;     /* text of all records before an error, if it is kept; otherwise text not yet passed to `output` */
    size_t hashed;   /* bytes of `text` that were hashed */
    uint64_t passed; /* bytes of the block that were hashed */
    XXH64_state_t hash;
    XXH64_state_t group_hash;
    uint64_t games; /* games up to the end or the error */
    bool in_game;   /* the error is in the last of them: its record does not decode */
    buffer damaged; /* damaged_column, unless the work is UNPACK_TEXT */
    buffer search;  /* the same for search columns, which do not damage the games */
    block_reader block;
    search_columns columns; /* for UNPACK_BOTH: the search columns */
    bool differs[2];        /* whether the search columns contradict the games: signatures, facts */
} unpack_job;

void stamma_unpack_job_init(unpack_job *j, const stamma_allocator *allocator);
void stamma_unpack_job_release(unpack_job *j);
/* Checks a block's head and its stored columns, including unknown columns (3.2, 3.3). Adds damaged columns to
 * `damaged`, and damaged search columns, which are not an error, to `search`. CORRUPT, NO_MEMORY. */
stamma_error stamma_columns_check(const buffer *payload, const block_frame *place, buffer *damaged, buffer *search);
/* Runs the work on the payload. `argument` is the job. */
void stamma_unpack_job_run(void *argument);
/* Returns the kind of damage of the block. */
STAMMA_INLINE stamma_damage_kind unpack_job_damage(const unpack_job *j)
{
    if (j->error == STAMMA_OK)
        return j->search.size > 0 ? STAMMA_DAMAGE_SEARCH : STAMMA_DAMAGE_NONE;
    return j->damaged.size > 0 ? STAMMA_DAMAGE_COLUMN : STAMMA_DAMAGE_CONTENT;
}
/* Splits a job: `ahead` reads the second half of the lanes for `j`. Both must then run. */
void stamma_unpack_job_halve(unpack_job *j, unpack_job *ahead);
/* Completes a split job after both have run. */
void stamma_unpack_job_join(unpack_job *j, const unpack_job *ahead);

#endif
