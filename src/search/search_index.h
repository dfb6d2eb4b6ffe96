/* The list of an archive's blocks, and their indexes, which are kept for many searches. */
#ifndef STAMMA_SEARCH_INDEX_H
#define STAMMA_SEARCH_INDEX_H

#include <stdatomic.h>

#include "archive/reader.h"
#include "search/block_tags.h"

/* ---- block_list.c ---- */

/* An archive in memory, or one that is read from a seekable input. */
typedef struct search_source {
    const void *bytes;
    size_t size;
    const stamma_input *input; /* NULL: the archive is in memory */
} search_source;

/* Sets the source of a search. Returns BAD_ARGUMENT if there is no archive, if there are two, if the input cannot seek,
 * or if the index is not of this archive. */
stamma_error stamma_search_source_open(search_source *source, const void *archive, size_t size,
                                       const stamma_search_options *options);
stamma_error stamma_search_source_reader(const search_source *source, const stamma_archive_reader_options *options,
                                         stamma_archive_reader **reader);

/* The blocks of an archive. All blocks before damage can be searched; the error is reported after them. */
typedef struct block_list {
    placed_block *places;
    size_t count;
    stamma_error broken; /* error from offset broken_at on, where no block must be read */
    uint64_t broken_at;
    stamma_error end; /* error after the last block */
    uint64_t end_at;
} block_list;

/* Lists the blocks of an archive. Errors: NO_ARCHIVE, UNSUPPORTED, NO_MEMORY, IO. */
stamma_error stamma_block_list_read(block_list *list, const search_source *source, const stamma_allocator *allocator);
void stamma_block_list_release(block_list *list, const stamma_allocator *allocator);

/* Returns the block that contains a game, numbered from 1 in the archive, or list->count if there is none. */
size_t stamma_block_list_find(const block_list *list, uint64_t game);
/* Finds a block. If the archive is read from an input, the block is read into `payload`, which must outlive *found.
 * Errors: CORRUPT if there is no block at this place or its head has changed; NO_MEMORY, IO. */
stamma_error stamma_block_find(const placed_block *place, const search_source *source, buffer *payload,
                               found_block *found);

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
};

kept_block *stamma_kept_block_new(const stamma_allocator *allocator);
/* Drops one use of the block, and releases it after the last. NULL is allowed. */
void stamma_kept_block_release(kept_block *k);
/* Returns whether the index belongs to an archive. */
bool stamma_search_index_is_of(const stamma_search_index *index, const void *archive, size_t size);

#endif
