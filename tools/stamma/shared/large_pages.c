/* SPDX-License-Identifier: MIT */
/* An allocator for packing: malloc, with large blocks in large pages if the system has them. Without large pages, the
 * growing columns of a block cost thousands of page faults, a twelfth of the time of packing.
 *
 * A block that has become large gets four times its size: unused pages need no memory, and pages need not be moved,
 * which would cost more time than large pages save. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for madvise */
#endif
#include "shared/tool.h"

#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Size of a large page in bytes, and the smallest block that uses one. */
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE_BLOCK (LARGE_PAGE / 2)

/* Header before each block. */
typedef union head {
    size_t room; /* bytes after the header */
    max_align_t align;
} head;

static bool is_large(size_t room)
{
    return room >= LARGE_BLOCK;
}

/* Maps memory that is aligned to a large page. Maps more than `size` and returns the ends to the system. Returns NULL
 * if no memory is available. */
static uint8_t *map_pages(size_t size)
{
    size_t more = size + LARGE_PAGE;
    uint8_t *all = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    size_t before = LARGE_PAGE - (uintptr_t)all % LARGE_PAGE;
    (void)munmap(all, before);
    (void)munmap(all + before + size, LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE /* without large pages, the memory consists of small pages */
    (void)madvise(all + before, size, MADV_HUGEPAGE);
#endif
    return all + before;
}

static void *allocate_large(size_t room)
{
    if (room > SIZE_MAX / 2)
        return NULL;
    size_t size = (room + sizeof(head) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    head *h = (head *)(void *)map_pages(size);
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
        (void)munmap(h, h->room + sizeof *h);
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

void tool_memory_return(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

const stamma_allocator tool_large_pages = {NULL, allocate, resize, release};
