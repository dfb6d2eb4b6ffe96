/* SPDX-License-Identifier: MIT */
/* Options that every function must reject. */
#include "invalid_options.h"

#include <stdlib.h>

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *resize(void *context, void *memory, size_t size)
{
    (void)context;
    return realloc(memory, size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

const stamma_allocator allocators[ALLOCATORS] = {
    {NULL, NULL, resize, release}, {NULL, allocate, NULL, release}, {NULL, allocate, resize, NULL}};

static void start(void *context, void (*work)(void *argument), void *argument)
{
    (void)context;
    work(argument);
}

static void wait(void *context, void *argument)
{
    (void)context;
    (void)argument;
}

const stamma_executor executors[EXECUTORS] = {{NULL, 2, NULL, wait}, {NULL, 2, start, NULL}};
