/* An allocator for targets that open and close many readers and writers: see large_blocks.c. */
#ifndef STAMMA_FUZZ_LARGE_BLOCKS_H
#define STAMMA_FUZZ_LARGE_BLOCKS_H

#include "stamma.h"

/* Lives as long as the program does. */
const stamma_allocator *large_blocks_kept(void);

#endif
