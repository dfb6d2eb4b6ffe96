/* SPDX-License-Identifier: MIT */
/* The default allocator and the growing buffer. */
#include <stdlib.h>

#include "base/base.h"

static void *default_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void *default_resize(void *context, void *memory, size_t size)
{
    (void)context;
    return realloc(memory, size);
}

static void default_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

stamma_allocator stamma_allocator_or_default(const stamma_allocator *given)
{
    static const stamma_allocator standard = {NULL, default_allocate, default_resize, default_release};
    return given ? *given : standard;
}

bool stamma_buffer_grow(buffer *b, size_t more)
{
    size_t needed = size_add(b->size, more);
    size_t capacity = b->capacity < 64 ? 64 : size_add(b->capacity, b->capacity / 2);
    if (capacity < needed)
        capacity = needed;
    void *data = capacity == SIZE_MAX ? NULL : memory_resize(b->allocator, b->data, capacity);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = (uint8_t *)data;
    b->capacity = capacity;
    return true;
}

void stamma_buffer_release(buffer *b)
{
    memory_release(b->allocator, b->data);
    b->data = NULL;
    b->size = b->capacity = 0;
}

void stamma_buffer_trim(buffer *b)
{
    if (b->size == 0)
        stamma_buffer_release(b);
    if (b->size == b->capacity)
        return;
    void *data = memory_resize(b->allocator, b->data, b->size);
    if (!data)
        return;
    b->data = (uint8_t *)data;
    b->capacity = b->size;
}

void stamma_buffer_empty(buffer *b)
{
    enum { MEGABYTE = 1 << 20 };
    if (b->capacity > MEGABYTE && b->size < b->capacity / 4)
        stamma_buffer_release(b);
    b->size = 0;
}
