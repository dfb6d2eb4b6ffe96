/* What a search reads of a block before any game of it: where its games begin and how they end. */
#ifndef STAMMA_BLOCK_INDEX_H
#define STAMMA_BLOCK_INDEX_H

#include "archive/archive.h"
#include "archive/search_columns.h"
#include "search/position_keys.h"

/* A block in memory, and what commits say of it. */
typedef struct found_block {
    const uint8_t *payload;
    size_t size;
    size_t head_size;
    uint64_t offset;     /* of the frame in the archive */
    uint64_t first_game; /* games before it */
    uint64_t games;
    uint64_t text_size;
} found_block;

/* A record as a search sees it. */
enum {
    RECORD_IS_GAME = 1,   /* it does not continue a game, nor is it what stands behind the last one */
    RECORD_IS_SET_UP = 2, /* it has a FEN tag, or may have one, so that it may begin elsewhere */
    RECORD_HAS_TAGS = 4   /* outside its roster */
};

/* Once it is open it stays as it is, and several threads may look at it. */
typedef struct block_index {
    const stamma_allocator *allocator;
    bool without_moves; /* the caller's: neither beginnings nor search columns are wanted */
    byte_packer coder;
    block_head head;
    size_t records;
    bool has_beginnings; /* main lines are codes with shared beginnings: */
    prefix_column beginnings;
    size_t moves_at; /* where these stand in the payload */
    search_columns columns;
    position_keys keys; /* of an index that is kept */
    buffer plies;       /* uint32_t: moves of each record's main line */
    buffer marks;       /* uint8_t: RECORD_ */
    buffer unpacked[COLUMN_IDS];
} block_index;

void stamma_block_index_init(block_index *x, const stamma_allocator *allocator);
void stamma_block_index_release(block_index *x);
/* Gives back what only opening needs. */
void stamma_block_index_trim(block_index *x);
/* How many bytes it takes. */
size_t stamma_block_index_memory(const block_index *x);
/* Reads a block, of which nothing is kept. CORRUPT, also where it is not what commits say; UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_block_index_open(block_index *x, const found_block *at);

/* Makes keys of the positions of games that begin in the initial one. NO_MEMORY. */
stamma_error stamma_block_index_make_keys(block_index *x, const found_block *at);

/* The number of a record's game in the block, from 1. */
uint64_t stamma_block_index_game(const block_index *x, size_t record);
/* The other way round: x->records where there is no such game. */
size_t stamma_block_index_record(const block_index *x, uint64_t game);

/* Whether a record is a game that begins in the initial position. */
STAMMA_INLINE bool block_index_from_start(const block_index *x, size_t record)
{
    return (x->marks.data[record] & (RECORD_IS_GAME | RECORD_IS_SET_UP)) == RECORD_IS_GAME;
}
STAMMA_INLINE const uint32_t *block_index_plies(const block_index *x)
{
    return (const uint32_t *)(const void *)x->plies.data;
}

#endif
