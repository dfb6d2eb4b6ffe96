/* SPDX-License-Identifier: MIT */
/* Keys that find exact positions in a block without replaying its openings or reading its games. Each node of the trie
 * of shared beginnings has a key. For the rest of the games, a list for each pawn structure contains the games that
 * reach the structure (posting lists of an inverted index). Making the keys replays all games once, so only kept
 * indexes have keys. */
#ifndef STAMMA_POSITION_KEYS_H
#define STAMMA_POSITION_KEYS_H

#include "codec/codec.h"
#include "entropy/prefix_column.h"

enum { OPENING_DEPTHS = 256 }; /* levels of a trie for which a board is kept */

typedef struct position_keys {
    bool ready;      /* false: there are no keys, and nothing can be concluded */
    unsigned shift;  /* right shift of a structure's key that yields the number of its list */
    buffer nodes;    /* uint32_t: placement_key of each node of the trie */
    buffer starts;   /* uint32_t: start of each list, and the end of the last list */
    buffer postings; /* uint16_t: records, ascending in each list; several structures share a list */
} position_keys;

void stamma_position_keys_init(position_keys *k, const stamma_allocator *allocator);
void stamma_position_keys_release(position_keys *k);

/* The games of a block. */
typedef struct keyed_games {
    const prefix_column *column;
    const uint8_t *stored; /* the column's stored bytes, as when it was opened */
    const uint8_t *wanted; /* per record; 0: the record is skipped */
    size_t records;        /* at most BLOCK_RECORDS_MAX */
} keyed_games;

/* Makes the keys. If codes cannot be played, or a beginning has OPENING_DEPTHS codes or more, the keys are not `ready`
 * afterwards. Returns NO_MEMORY on failure. */
stamma_error stamma_position_keys_make(position_keys *k, const keyed_games *games);

STAMMA_INLINE const uint32_t *position_keys_nodes(const position_keys *k)
{
    return (const uint32_t *)(const void *)k->nodes.data;
}
/* Returns the records that may reach a structure after their shared beginnings. No other record reaches it. */
const uint16_t *stamma_position_keys_list(const position_keys *k, uint32_t structure, size_t *count);

#endif
