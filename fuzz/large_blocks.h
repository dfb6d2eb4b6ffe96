/* SPDX-License-Identifier: MIT */
/* An allocator for fuzz targets that open and close many readers and writers (see large_blocks.c). */
#ifndef STAMMA_FUZZ_LARGE_BLOCKS_H
#define STAMMA_FUZZ_LARGE_BLOCKS_H

#include "stamma.h"

/* The allocator is static and lives until the program ends. */
const stamma_allocator *large_blocks_kept(void);

#endif
