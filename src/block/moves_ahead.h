/* SPDX-License-Identifier: MIT */
/* The second half of the lanes of moves, read in parallel with the first (clause 17.2). */
#ifndef STAMMA_MOVES_AHEAD_H
#define STAMMA_MOVES_AHEAD_H

#include "block/block.h"

/* Returns whether a block's moves are in lanes, and reading half of them on another thread saves time. The head need
 * not be valid. */
bool stamma_block_has_lanes(cursor head);

typedef struct ahead_job {
    block_reader *block; /* reader to use, in its initial state */
    cursor head, body;   /* as for stamma_block_reader_open, of a block with lanes */
    buffer moves;
    const stop_check *stop; /* NULL: none */
    stamma_error error;
} ahead_job;

/* Reads the moves. `argument` is the job. */
void stamma_ahead_run(void *argument);
/* Returns whether the block reader has reached the second half of the lanes. The block must have lanes. */
STAMMA_INLINE bool block_turns(const block_reader *b)
{
    return b->state.next == b->columns.predicted[LINES_MAIN].second;
}
/* Passes the moves to `b`, which then has a cursor into them. After an error, `b` reads the moves itself. */
void stamma_ahead_give(const ahead_job *j, block_reader *b);

#endif
