/* The list of an archive's blocks, and their indexes, which are kept for many searches. */
#ifndef STAMMA_SEARCH_INDEX_H
#define STAMMA_SEARCH_INDEX_H

#include <stdatomic.h>

#include "archive/block_list.h"
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

struct stamma_search_index {
    stamma_allocator allocator;
    size_t size;    /* of the archive */
    uint64_t check; /* hash of its last bytes, which belong to a commit */
    block_list list;
    kept_block **blocks; /* NULL: nothing is kept of the block */
    size_t kept;         /* number of blocks that are kept */
    uint64_t memory;
    bool partial;     /* a block exceeded the memory limit; no block after it is kept */
    index_file *file; /* an index file; nothing is kept of blocks. NULL: there is none */
};

/* Sets the source of a search. Returns BAD_ARGUMENT if there is no archive, if there are two, if the input cannot seek,
 * or if the index is not of this archive. */
stamma_error stamma_search_source_open(archive_bytes *source, const void *archive, size_t size,
                                       const stamma_search_options *options);

kept_block *stamma_kept_block_new(const stamma_allocator *allocator);
/* Drops one use of the block, and releases it after the last. NULL is allowed. */
void stamma_kept_block_release(kept_block *k);
/* Returns whether the index belongs to an archive. */
bool stamma_search_index_is_of(const stamma_search_index *index, const void *archive, size_t size);

#endif
