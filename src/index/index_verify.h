/* The comparison of an index file with its archive. Games are decoded from the archive, and the claims of the index are
 * read as searches read them. No data is shared with the writer of indexes. */
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
    buffer ranks;       /* uint32_t: of each record of the segment, 1 more than its rank; 0: none */
    stamma_stats stats; /* of the games of the segment */
} index_verifying;

/* Reports a difference. `number` and `game` are 0 if there is none in particular. */
void stamma_index_differ(index_verifying *v, const char *part, uint64_t number, uint64_t game);
/* Returns whether the index was valid as far as it was read since the last call. Otherwise reports a difference. */
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
