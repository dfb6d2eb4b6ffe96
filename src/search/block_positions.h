/* SPDX-License-Identifier: MIT */
/* Finds a position in all games of a block that begin in the initial position. Most games are not decoded: their shared
 * beginnings are searched, and their final material excludes many of them. */
#ifndef STAMMA_BLOCK_POSITIONS_H
#define STAMMA_BLOCK_POSITIONS_H

#include "search/block_index.h"
#include "search/opening_walk.h"

/* The first occurrence of the position in a game. */
typedef struct position_hit {
    size_t record;
    uint32_t ply;
    const uint8_t *next; /* if requested: the code of the move played in the position; NULL if the game ends there */
} position_hit;

typedef struct position_search {
    const position_target *target;
    bool wants_next;
    const uint8_t *wanted; /* uint8_t per record, 0: the record is skipped; NULL: no record is skipped */
    void *context;
    void (*hit)(void *context, const position_hit *hit); /* called in the order of the records */
    opening_walk walk;
    prefix_reader codes;
    buffer fits; /* uint8_t per record: whether its final material is compatible with the position */
    /* uint8_t per node below a node where the position is reached: the code of the move from the position towards this
     * node */
    buffer branches;
} position_search;

void stamma_position_search_init(position_search *s, const stamma_allocator *allocator);
void stamma_position_search_release(position_search *s);
/* Searches a block whose index has beginnings. `payload` is the block's payload. Records that do not begin in the
 * initial position are skipped. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_position_search_run(position_search *s, const block_index *x, const uint8_t *payload);

#endif
