/* SPDX-License-Identifier: MIT */
/* Replays the beginnings that a block's games share (clause 19) and finds where a position occurs or can be reached. */
#ifndef STAMMA_OPENING_WALK_H
#define STAMMA_OPENING_WALK_H

#include "search/position_keys.h"
#include "search/position_target.h"

/* A place in the trie: either the position itself, or a position from which it may be reached, where games leave the
 * trie. */
typedef struct walk_place {
    piece_board board;
    uint32_t node;
    uint32_t depth; /* plies */
    bool met;
} walk_place;

/* Place 0 means that the position cannot be reached. */
typedef struct opening_walk {
    const position_target *target;
    buffer places;  /* walk_place */
    buffer of_node; /* uint32_t per node: the place of games that leave the trie at this node */
    /* uint32_t per node: number of games with a compatible ending that leave the trie before this node */
    buffer fitting;
} opening_walk;

void stamma_opening_walk_init(opening_walk *w, const stamma_allocator *allocator);
void stamma_opening_walk_release(opening_walk *w);
/* Replays the trie of a column. `fits` has a byte for each record, nonzero if its ending is compatible; nodes without
 * such records below them are skipped. NULL: all records are compatible. Nodes below a place that meets the position
 * are not visited. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_opening_walk_run(opening_walk *w, const prefix_column *column, const uint8_t *fits, size_t records,
                                     const position_target *target);

/* Finds the target, which must not be a pattern, by the keys of the column's nodes, which must be ready. Place 1 is the
 * start of the games; it is not assigned to a node. Returns NO_MEMORY on failure. */
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
