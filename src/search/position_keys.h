/* Keys by which exact positions are found in a block without walking its openings or looking at its games: those of all
 * positions that games share at their beginnings, and lists of the games that come to a pawn structure behind these
 * (posting lists of an inverted index). They are made by playing all games once, so an index has them that is kept. */
#ifndef STAMMA_POSITION_KEYS_H
#define STAMMA_POSITION_KEYS_H

#include "codec/codec.h"
#include "entropy/prefix_column.h"

enum { OPENING_DEPTHS = 256 }; /* of a trie: so many boards are kept on the way to a node */

typedef struct position_keys {
    bool ready;      /* else there are none, and nothing is said of any game */
    unsigned shift;  /* of a structure's key to the number of its list */
    buffer nodes;    /* uint32_t: placement_key of each node of the trie */
    buffer starts;   /* uint32_t: where each list begins, and behind the last its end */
    buffer postings; /* uint16_t: records, ascending in each list; several structures share one */
} position_keys;

void stamma_position_keys_init(position_keys *k, const stamma_allocator *allocator);
void stamma_position_keys_release(position_keys *k);

/* Games of a block. */
typedef struct keyed_games {
    const prefix_column *column;
    const uint8_t *stored; /* as it was opened */
    const uint8_t *wanted; /* for each record: 0: it is passed over */
    size_t records;        /* BLOCK_RECORDS_MAX at most */
} keyed_games;

/* Where codes cannot be played, or a beginning has OPENING_DEPTHS of them, it is not `ready` afterwards. NO_MEMORY. */
stamma_error stamma_position_keys_make(position_keys *k, const keyed_games *games);

STAMMA_INLINE const uint32_t *position_keys_nodes(const position_keys *k)
{
    return (const uint32_t *)(const void *)k->nodes.data;
}
/* The records that may come to a structure behind the beginnings that they share; no other does. */
const uint16_t *stamma_position_keys_list(const position_keys *k, uint32_t structure, size_t *count);

#endif
