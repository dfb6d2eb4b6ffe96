/* The blocks of an archive, found once, and their indexes, kept for many searches. */
#ifndef STAMMA_SEARCH_INDEX_H
#define STAMMA_SEARCH_INDEX_H

#include <stdatomic.h>

#include "archive/reader.h"
#include "search/block_tags.h"

/* ---- block_list.c ---- */

/* The blocks of an archive. What stands before damage can be searched; that the rest cannot is told behind it. */
typedef struct block_list {
    placed_block *places;
    size_t count;
    stamma_error broken; /* none is to be read from this offset on */
    uint64_t broken_at;
    stamma_error end; /* what is wrong when all of them are through */
    uint64_t end_at;
} block_list;

/* NO_ARCHIVE, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_block_list_read(block_list *list, const void *archive, size_t size,
                                    const stamma_allocator *allocator);
void stamma_block_list_release(block_list *list, const stamma_allocator *allocator);

/* The block that a game is in, numbered from 1 in the archive; list->count where it is in none. */
size_t stamma_block_list_find(const block_list *list, uint64_t game);
/* CORRUPT where no block's frame stands there, or its head is not what it was. */
stamma_error stamma_block_find(const placed_block *place, const void *archive, size_t size, found_block *found);

/* ---- search_index.c ---- */

/* What is kept of a block, by all indexes that have it. */
typedef struct kept_block {
    stamma_allocator allocator;
    atomic_size_t users;
    uint64_t check; /* of the block's head, which has checks of all columns */
    size_t memory;
    block_index index;
    block_tags tags;
} kept_block;

struct stamma_search_index {
    stamma_allocator allocator;
    size_t size;    /* of the archive, */
    uint64_t check; /* and of its last bytes, which are those of a commit */
    block_list list;
    kept_block **blocks; /* NULL: nothing is kept of it */
    size_t kept;         /* so many of them are there */
    uint64_t memory;
};

kept_block *stamma_kept_block_new(const stamma_allocator *allocator);
/* NULL is fine. */
void stamma_kept_block_release(kept_block *k);
/* The record of a block's game, numbered from 1; SIZE_MAX where there is none. */
/* Whether the index is that of an archive. */
bool stamma_search_index_is_of(const stamma_search_index *index, const void *archive, size_t size);

#endif
