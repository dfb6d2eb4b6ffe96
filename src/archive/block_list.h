/* SPDX-License-Identifier: MIT */
/* The blocks of an archive, in memory or not. */
#ifndef STAMMA_BLOCK_LIST_H
#define STAMMA_BLOCK_LIST_H

#include "archive/reader.h"

/* A block in memory, and its numbers from the commits. */
typedef struct found_block {
    const uint8_t *payload;
    size_t size;
    size_t head_size;
    uint64_t offset;     /* of the frame in the archive */
    uint64_t first_game; /* number of games before the block */
    uint64_t games;
    uint64_t text_size;
} found_block;

/* The blocks of an archive. All blocks before damage can be searched; the error is reported after them. */
typedef struct block_list {
    placed_block *places;
    size_t count;
    uint64_t games;      /* number of games according to the commits */
    stamma_error broken; /* error at offset broken_at; no block must be read from there on */
    uint64_t broken_at;
    stamma_error end; /* error after the last block */
    uint64_t end_at;
} block_list;

/* Lists the blocks of an archive. Errors: NO_ARCHIVE, UNSUPPORTED, NO_MEMORY, IO. */
stamma_error stamma_block_list_read(block_list *list, const stamma_bytes *bytes, const stamma_allocator *allocator);
/* The same, but if tables list the blocks, reads no frames and does not set list->end. */
stamma_error stamma_block_list_open(block_list *list, const stamma_bytes *bytes, const stamma_allocator *allocator);
void stamma_block_list_release(block_list *list, const stamma_allocator *allocator);

/* Returns the block that contains a game, numbered from 1 in the archive, or list->count if there is none. */
size_t stamma_block_list_find(const block_list *list, uint64_t game);
/* Finds a block. If the archive is not in memory, the block is read into `payload`, which must outlive *found.
 * Errors: CORRUPT if there is no block at this place or its head has changed; NO_MEMORY, IO. */
stamma_error stamma_block_find(const placed_block *place, const stamma_bytes *bytes, buffer *payload,
                               found_block *found);
/* The same, but reads only the head of the block. */
stamma_error stamma_block_find_head(const placed_block *place, const stamma_bytes *bytes, buffer *payload,
                                    found_block *found);

#endif
