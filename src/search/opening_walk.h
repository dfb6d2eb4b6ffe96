/* The beginnings that a block's games share (clause 18), walked as chess towards a position. */
#ifndef STAMMA_OPENING_WALK_H
#define STAMMA_OPENING_WALK_H

#include "search/position_keys.h"
#include "search/position_target.h"

/* What the walk comes to: the position itself, or one that it may follow, where games leave the shared beginnings. */
typedef struct walk_place {
    piece_board board;
    uint32_t node;
    uint32_t depth; /* plies */
    bool met;
} walk_place;

/* Place 0 is nowhere: the position does not come behind it. */
typedef struct opening_walk {
    const position_target *target;
    buffer places;  /* walk_place */
    buffer of_node; /* uint32_t: for each node the place of games that leave the shared beginnings there */
    buffer fitting; /* uint32_t: for each node how many games whose endings fit leave them before it */
} opening_walk;

void stamma_opening_walk_init(opening_walk *w, const stamma_allocator *allocator);
void stamma_opening_walk_release(opening_walk *w);
/* Walks the trie of a column. Nodes below which no record fits, a byte for each that is not 0 where it does, are passed
 * over; NULL: all do. Where the position is met, what is below it is not looked at. CORRUPT, NO_MEMORY. */
stamma_error stamma_opening_walk_run(opening_walk *w, const prefix_column *column, const uint8_t *fits, size_t records,
                                     const position_target *target);

/* The same by keys of a column's nodes, which are ready: of a target that is no pattern it finds where it is met. Place
 * 1 is where games begin, and no node's but the root's if that meets it. */
stamma_error stamma_opening_walk_look_up(opening_walk *w, const prefix_column *column, const position_keys *keys,
                                         const position_target *target);

STAMMA_INLINE const walk_place *walk_places(const opening_walk *w)
{
    return (const walk_place *)(const void *)w->places.data;
}
STAMMA_INLINE size_t walk_place_count(const opening_walk *w)
{
    return w->places.size / sizeof(walk_place);
}
STAMMA_INLINE const walk_place *walk_place_of(const opening_walk *w, uint32_t node)
{
    return walk_places(w) + ((const uint32_t *)(const void *)w->of_node.data)[node];
}

#endif
