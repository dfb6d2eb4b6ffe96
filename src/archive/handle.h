/* SPDX-License-Identifier: MIT */
/* An open archive, which readers, searches and streams share: its bytes, its list of blocks, and a cache of blocks. */
#ifndef STAMMA_HANDLE_H
#define STAMMA_HANDLE_H

#include <stdatomic.h>

#include "archive/block_list.h"
#include "archive/reader.h"

/* ---- short critical sections of several threads (short_lock.c) ---- */

typedef struct short_lock {
    atomic_flag taken;
} short_lock;

/* Waits by spinning: a holder only moves pointers and numbers. */
void stamma_short_lock(short_lock *lock);
void stamma_short_unlock(short_lock *lock);

/* ---- the cache of blocks (block_cache.c) ---- */

/* An open block. Its owner is either the cache or a reader. */
typedef struct cached_block {
    block_slot slot;
    block_location location;
    unsigned parts;      /* for which the block was opened, STAMMA_GAME_... */
    uint64_t games_read; /* in the block, before the place of its reader */
    uint64_t opened;     /* memory that opening the block needed */
    uint64_t memory;     /* `opened` and the memory of its bookmarks and kept groups */
    struct cached_block *next; /* the block that was used before this block */
} cached_block;

typedef struct block_cache {
    short_lock lock;
    uint64_t limit; /* in bytes */
    uint64_t memory;
    cached_block *first; /* used last */
} block_cache;

void stamma_block_cache_init(block_cache *cache, uint64_t limit);
void stamma_block_cache_release(block_cache *cache, const stamma_allocator *allocator);
/* Removes the block with the frame at an offset, opened for these parts, and returns it; NULL if it is not there. */
cached_block *stamma_block_cache_take(block_cache *cache, uint64_t offset, unsigned parts);
/* Adds a block, and releases those that were not used for longest until the limit is kept. A block that needs more than
 * the limit is released. */
void stamma_block_cache_put(block_cache *cache, cached_block *block, const stamma_allocator *allocator);
void stamma_cached_block_release(cached_block *block, const stamma_allocator *allocator);

/* ---- the handle ---- */

/* A list of blocks that is created at its first use. */
typedef struct lazy_list {
    block_list list;
    atomic_bool made;
} lazy_list;

struct stamma_search_index;

struct stamma_archive {
    stamma_allocator allocator;
    stamma_executor executor;
    uint64_t memory; /* limit of a call; never 0 */
    stamma_bytes bytes;
    bool skip_damage;
    bool no_search_columns; /* for tests: searches test every game, without an index; the results are the same */
    lazy_list lists[2]; /* the second with `end`, for which the headers of all frames are read */
    short_lock lock;    /* of the lists */
    block_cache cache;
    const stamma_flags *flags; /* NULL: games have no flags */
    /* of room `search`, which opens and closes archives */
    _Atomic(struct stamma_search_index *) index; /* NULL: not set; set at most once */
    stamma_error index_error; /* why the index file is not used */
    bool index_given;
    stamma_bytes index_bytes; /* the index file */
};

/* Initialises a handle and reads the header. Errors as stamma_archive_open; the handle must be released. */
stamma_error stamma_handle_open(stamma_archive *a, const stamma_bytes *bytes, const stamma_archive_options *options);
void stamma_handle_release(stamma_archive *a);
/* Sets *list to the blocks of the archive; `to_end`: with the error after the last block. Errors: as
 * stamma_block_list_read. */
stamma_error stamma_handle_list(stamma_archive *a, bool to_end, const block_list **list);

/* Returns the index that searches use; NULL: none. */
STAMMA_INLINE const struct stamma_search_index *handle_index(const stamma_archive *a)
{
    return a->no_search_columns ? NULL : atomic_load_explicit(&a->index, memory_order_acquire);
}
/* Fills in the executor and the memory limit of a call that does not replace them. */
STAMMA_INLINE void handle_defaults(const stamma_archive *a, const stamma_executor **executor, uint64_t *memory)
{
    if (!*executor)
        *executor = &a->executor;
    if (*memory == 0)
        *memory = a->memory;
}

#endif
