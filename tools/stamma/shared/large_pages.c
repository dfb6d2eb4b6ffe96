/* SPDX-License-Identifier: MIT */
/* An allocator for packing: malloc, with large blocks in large pages if the system has them. Without large pages, the
 * growing columns of a block cost thousands of page faults, a twelfth of the time of packing.
 *
 * A block that has become large gets four times its size: unused pages need no memory, and pages need not be moved,
 * which would cost more time than large pages save. */
#include "shared/tool.h"

/* The smallest block that uses a large page. */
#define LARGE_BLOCK (SYSTEM_PAGE_SIZE / 2)

/* Header before each block. */
typedef union head {
    size_t room; /* bytes after the header */
    max_align_t align;
} head;

static bool is_large(size_t room)
{
    return room >= LARGE_BLOCK;
}

static void *allocate_large(size_t room)
{
    if (room > SIZE_MAX / 2)
        return NULL;
    size_t size = (room + sizeof(head) + SYSTEM_PAGE_SIZE - 1) / SYSTEM_PAGE_SIZE * SYSTEM_PAGE_SIZE;
    head *h = system_pages(size);
    if (!h)
        return NULL;
    h->room = size - sizeof *h;
    return h + 1;
}

static void *allocate_small(void *old, size_t size)
{
    head *h = (head *)realloc(old, sizeof *h + size);
    if (!h)
        return NULL;
    h->room = size;
    return h + 1;
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return is_large(size) ? allocate_large(size) : allocate_small(NULL, size);
}

static void release(void *context, void *memory)
{
    (void)context;
    head *h = memory ? (head *)memory - 1 : NULL;
    if (h && is_large(h->room))
        system_pages_release(h, h->room + sizeof *h);
    else
        free(h);
}

static void *resize(void *context, void *memory, size_t size)
{
    if (!memory)
        return allocate(context, size);
    head *old = (head *)memory - 1;
    if (!is_large(old->room) && !is_large(size))
        return allocate_small(old, size);
    if (is_large(size) && size <= old->room)
        return memory;
    void *moved = is_large(size) ? allocate_large(size > SIZE_MAX / 4 ? size : 4 * size) : allocate(context, size);
    if (!moved)
        return NULL;
    memcpy(moved, memory, size < old->room ? size : old->room);
    release(context, memory);
    return moved;
}

const stamma_allocator tool_large_pages = {NULL, allocate, resize, release};
