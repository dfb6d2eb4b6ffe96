/* SPDX-License-Identifier: MIT */
/* Runs a target on an input and checks the work. */
#include "target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef COUNT_WORK
extern uint64_t work_count; /* work/count.c */
#else
static uint64_t work_count;
#endif

static size_t input_size;
static uint64_t allowed;
static struct {
    uint64_t blocks, allowed;
    size_t size;
} highest = {0, 1, 0};

void demand(bool law)
{
    if (!law)
        abort();
}

/* Prints the input that came closest to its limit. */
static void report_work(void)
{
    if (highest.blocks > 0)
        printf("work: at most %.1f %% of the limit: %" PRIu64 " of %" PRIu64 " blocks for an input of %zu bytes\n",
               100 * (double)highest.blocks / (double)highest.allowed, highest.blocks, highest.allowed, highest.size);
}

void limit_work(uint64_t blocks)
{
    uint64_t done = work_count;
    if ((double)done * (double)highest.allowed > (double)highest.blocks * (double)allowed) {
        highest.blocks = done;
        highest.allowed = allowed;
        highest.size = input_size;
    }
    if (done > allowed) {
        fputs("more work than the limit of this target\n", stderr);
        report_work();
        fflush(stdout);
        abort();
    }
    work_count = 0;
    allowed = blocks;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_registered;
    if (!is_registered)
        is_registered = atexit(report_work) == 0;
    input_size = size;
    work_count = 0;
    allowed = fuzz_limit.fixed + fuzz_limit.per_byte * size;
    fuzz_input(data, size);
    limit_work(UINT64_MAX);
    return 0;
}

void check_restored(const uint8_t *data, size_t size, void (*restore)(uint8_t *data, size_t size),
                    void (*check)(const uint8_t *data, size_t size))
{
    uint8_t *changed = malloc(size + 1);
    demand(changed != NULL);
    check(data, size);
    if (size > 0)
        memcpy(changed, data, size);
    restore(changed, size);
    if (size > 0 && memcmp(changed, data, size) != 0)
        check(changed, size);
    free(changed);
}
