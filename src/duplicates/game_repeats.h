/* SPDX-License-Identifier: MIT */
/* Games of an archive that may occur several times, by its index file. */
#ifndef STAMMA_GAME_REPEATS_H
#define STAMMA_GAME_REPEATS_H

#include "search/search_index.h"

/* Adds the number of each game that may be the same game as another to `numbers`, as uint64_t in any order. `moves`
 * reads moves of the index, which is marked if it is damaged. Errors: CORRUPT, NO_MEMORY; whether `numbers` failed must
 * be checked. */
stamma_error stamma_repeats_list(index_moves *moves, const stamma_allocator *allocator, buffer *numbers);

#endif
