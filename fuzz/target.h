/* SPDX-License-Identifier: MIT */
/* The interface between a fuzz target and the program that runs it. A target defines `fuzz_limit` and `fuzz_input`;
 * target.c defines the function that libFuzzer and replay.c call.
 *
 * The work that an input causes is limited. Work is counted in basic blocks of code from this repository, in builds
 * with COUNT_WORK=1 (`make fuzz`, and the sanitized tests), which also print the input that came closest to its limit.
 * Functions of other libraries do not count. */
#ifndef STAMMA_FUZZ_TARGET_H
#define STAMMA_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct work_limit {
    uint64_t fixed;    /* basic blocks for any input */
    uint64_t per_byte; /* additional basic blocks per byte of the input */
} work_limit;

extern const work_limit fuzz_limit;
void fuzz_input(const uint8_t *data, size_t size);

/* Aborts unless `law` is true. */
void demand(bool law);

/* Checks the work since the last call, then counts from 0 up to `blocks`. A target whose input causes several pieces of
 * work calls this between them. UINT64_MAX: the next piece of work is not limited. */
void limit_work(uint64_t blocks);

/* Calls `check` with an input, and again with a copy whose checksums `restore` has recomputed, unless all were right.
 */
void check_restored(const uint8_t *data, size_t size, void (*restore)(uint8_t *data, size_t size),
                    void (*check)(const uint8_t *data, size_t size));

#endif
