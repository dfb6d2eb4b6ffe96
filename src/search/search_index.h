/* SPDX-License-Identifier: MIT */
/* The list of an archive's blocks, and their indexes, which are kept for many searches. */
#ifndef STAMMA_SEARCH_INDEX_H
#define STAMMA_SEARCH_INDEX_H

#include <stdatomic.h>

#include "archive/handle.h"
#include "index/index.h"
#include "search/block_tags.h"

/* ---- search_index.c ---- */

/* The kept index of a block. Several indexes of archives can share it. */
typedef struct kept_block {
    stamma_allocator allocator;
    atomic_size_t users;
    uint64_t check; /* hash of the block's head, which contains checksums of all columns */
    size_t memory;
    block_index index;
    block_tags tags;
} kept_block;

/* The index of an archive: kept blocks, or an index file. */
typedef struct stamma_search_index {
    stamma_allocator allocator;
    block_list list;
    kept_block **blocks; /* NULL: the block is not kept */
    size_t kept;         /* number of blocks that are kept */
    uint64_t memory;
    bool partial;     /* a block exceeded the memory limit; no block after it is kept */
    index_file *file; /* an index file; then no block is kept. NULL: there is none */
} stamma_search_index;

kept_block *stamma_kept_block_new(const stamma_allocator *allocator);
/* Ends one use of the block, and releases the block after the last use. NULL is allowed. */
void stamma_kept_block_release(kept_block *k);

/* Keeps the blocks of an archive. `options` are complete. Errors as stamma_archive_keep_index. */
stamma_error stamma_search_index_make(stamma_archive *archive, const stamma_index_keep_options *options,
                                      stamma_search_index **index);
/* Opens the index file of an archive. Errors: as in stamma_index_state, and NO_MEMORY. */
stamma_error stamma_search_index_open(const stamma_bytes *archive, const stamma_bytes *file,
                                      const stamma_allocator *allocator, stamma_search_index **index);
void stamma_search_index_close(stamma_search_index *index);

#endif
