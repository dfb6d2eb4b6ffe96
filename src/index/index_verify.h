/* SPDX-License-Identifier: MIT */
/* The comparison of an index file with its archive. Games are decoded from the archive, and the index is read with the
 * functions of searches. No data is shared with the writer of indexes. */
#ifndef STAMMA_INDEX_VERIFY_H
#define STAMMA_INDEX_VERIFY_H

#include "index/index.h"

typedef struct index_verifying {
    stamma_index_verify_options options;
    stamma_allocator allocator;
    stamma_archive *archive;
    index_file file;
    index_moves moves;
    const index_segment *segment; /* NULL: none in particular */
    uint64_t differences;
    buffer ranks;       /* uint32_t: for each record of the segment, its rank plus 1; 0: no rank */
    buffer openings, ecos; /* uint16_t: for each rank, the classes of its game; empty: the segment has none */
    stamma_stats stats;    /* of the games of the segment */
} index_verifying;

/* Reports a difference. `number` and `game` are 0 if there is none in particular. */
void stamma_index_differ(index_verifying *v, const char *part, uint64_t number, uint64_t game);
/* Returns whether all data that was read from the index since the last call was valid. Otherwise reports a
 * difference. */
bool stamma_index_was_valid(index_verifying *v, const char *part, uint64_t number, uint64_t game);

/* Each compares a part of a segment. Errors: NO_MEMORY. */

/* The trie, and the look-up of its nodes by their positions (index_verify_trie.c). */
stamma_error stamma_index_verify_trie(index_verifying *v);
/* The order of the ranks, and the lists of candidates and of the games of names (index_verify_lists.c). The moves of
 * the ranks must have been compared with the archive. */
stamma_error stamma_index_verify_lists(index_verifying *v);
/* The sums of nodes, and the statistics (index_verify_sums.c). */
stamma_error stamma_index_verify_sums(index_verifying *v);

#endif
