/* SPDX-License-Identifier: MIT */
/* The data of a block that a search reads before the block's games: the beginnings and the endings of games. */
#ifndef STAMMA_BLOCK_INDEX_H
#define STAMMA_BLOCK_INDEX_H

#include "archive/block_list.h"
#include "block/search_columns.h"
#include "search/position_keys.h"

/* Marks of a record. */
enum {
    RECORD_IS_GAME = 1,   /* it begins a game: it is neither a continuation nor the text after the last game */
    RECORD_IS_SET_UP = 2, /* it has or may have a FEN tag, so its start may not be the initial position */
    RECORD_HAS_TAGS = 4   /* it has tags outside its roster */
};

/* The index of a block. After opening it does not change, and several threads may read it. */
typedef struct block_index {
    const stamma_allocator *allocator;
    bool without_moves; /* set by the caller: beginnings and search columns are not needed */
    byte_packer coder;
    block_head head;
    size_t records;
    bool has_beginnings; /* the main lines are stored as codes with shared beginnings: */
    prefix_column beginnings;
    size_t moves_at; /* offset of the moves column in the payload */
    search_columns columns;
    position_keys keys; /* only in an index that is kept */
    buffer plies;       /* uint32_t: number of moves of each record's main line */
    buffer marks;       /* uint8_t: RECORD_... of each record */
    buffer unpacked[COLUMN_IDS];
} block_index;

void stamma_block_index_init(block_index *x, const stamma_allocator *allocator);
void stamma_block_index_release(block_index *x);
/* Releases the memory that is only needed for opening. */
void stamma_block_index_trim(block_index *x);
/* Returns the size of the index in bytes. */
size_t stamma_block_index_memory(const block_index *x);
/* Opens the index of a block. The index does not keep pointers into the block. Returns CORRUPT if the block is invalid
 * or differs from the commits; UNSUPPORTED; NO_MEMORY. */
stamma_error stamma_block_index_open(block_index *x, const found_block *at);

/* Makes keys of the positions of all games that begin in the initial position. Returns NO_MEMORY on failure. */
stamma_error stamma_block_index_make_keys(block_index *x, const found_block *at);

/* Returns the number of a record's game in the block, counted from 1. */
uint64_t stamma_block_index_game(const block_index *x, size_t record);
/* Returns the record of a game by its number, which must be one of the head's games. Returns x->records if the block's
 * records contradict the head. */
size_t stamma_block_index_record(const block_index *x, uint64_t game);

/* Returns whether a record is a game that begins in the initial position. */
STAMMA_INLINE bool block_index_from_start(const block_index *x, size_t record)
{
    return (x->marks.data[record] & (RECORD_IS_GAME | RECORD_IS_SET_UP)) == RECORD_IS_GAME;
}
STAMMA_INLINE const uint32_t *block_index_plies(const block_index *x)
{
    return (const uint32_t *)(const void *)x->plies.data;
}

#endif
