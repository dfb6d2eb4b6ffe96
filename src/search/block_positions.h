/* One position in all games of a block that begin in the initial position, without reading them: by the beginnings that
 * they share, and by how they end. */
#ifndef STAMMA_BLOCK_POSITIONS_H
#define STAMMA_BLOCK_POSITIONS_H

#include "search/block_index.h"
#include "search/opening_walk.h"

/* The first time that a game comes to the position. */
typedef struct position_hit {
    size_t record;
    uint32_t ply;
    const piece_board *board; /* there */
    const uint8_t *next; /* the code of the move played from there, NULL where the game ends. Only where asked for */
} position_hit;

typedef struct position_search {
    const position_target *target;
    bool wants_next;
    const uint8_t *wanted; /* by record: 0: it is passed over; NULL: none is */
    void *context;
    bool (*hit)(void *context, const position_hit *hit); /* in the order of the records; false: no memory */
    opening_walk walk;
    prefix_reader codes;
    buffer fits; /* uint8_t: whether the record's ending does */
    buffer
        branches; /* uint8_t: for each node below one where the position is met, the code that leads there from that */
} position_search;

void stamma_position_search_init(position_search *s, const stamma_allocator *allocator);
void stamma_position_search_release(position_search *s);
/* Searches a block whose index has beginnings, and whose payload this is. Records that are set up are passed over.
 * CORRUPT, NO_MEMORY. */
stamma_error stamma_position_search_run(position_search *s, const block_index *x, const uint8_t *payload);

#endif
