/* SPDX-License-Identifier: MIT */
/* An allocator that caches large blocks and returns them for later requests of the same size. Without it, the system
 * maps and clears every large block again, which takes longer than processing a small input. Blocks below 16 KiB
 * come from malloc. AddressSanitizer detects the same errors as with malloc: a block has the requested size, and is
 * poisoned while it is in the cache. */
#include "large_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "address_sanitizer.h"
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define POISON(block, size) ASAN_POISON_MEMORY_REGION(block, size)
#define UNPOISON(block, size) ASAN_UNPOISON_MEMORY_REGION(block, size)
#else
#define POISON(block, size) ((void)(block), (void)(size))
#define UNPOISON(block, size) ((void)(block), (void)(size))
#endif

enum { KEPT_MAX = 64, LIVE_MAX = 512 };
#define LARGE ((size_t)16 << 10)
#define KEPT_BYTES_MAX ((size_t)64 << 20)

typedef struct large_block {
    void *data;
    size_t size;
} large_block;

typedef struct block_list {
    large_block blocks[LIVE_MAX];
    size_t count;
    size_t bytes;
} block_list;

static block_list live, kept;

/* The number of live blocks for each hash of an address. Used to recognise quickly that an address is not a live
 * block. */
enum { LIKES = 4096 };
static uint16_t alike[LIKES];

static uint16_t *like(const void *data)
{
    return &alike[((uintptr_t)data >> 6) % LIKES];
}

static void add(block_list *list, large_block block)
{
    list->blocks[list->count++] = block;
    list->bytes += block.size;
}

static large_block remove_at(block_list *list, size_t at)
{
    large_block block = list->blocks[at];
    memmove(list->blocks + at, list->blocks + at + 1, (list->count - at - 1) * sizeof block);
    list->count--;
    list->bytes -= block.size;
    return block;
}

/* Returns the index of a block in the list, or list->count if there is none. Compares addresses, or sizes if `data` is
 * NULL. Searches from the newest to the oldest block. */
static size_t find(const block_list *list, const void *data, size_t size)
{
    for (size_t i = list->count; i-- > 0;)
        if (data ? list->blocks[i].data == data : list->blocks[i].size == size)
            return i;
    return list->count;
}

/* Returns the index of a live block. Returns live.count if `data` is NULL or not a live block. */
static size_t find_live(const void *data)
{
    return data && *like(data) > 0 ? find(&live, data, 0) : live.count;
}

static void drop_oldest(void)
{
    large_block block = remove_at(&kept, 0);
    UNPOISON(block.data, block.size);
    free(block.data);
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    if (size < LARGE || live.count == LIVE_MAX)
        return malloc(size);
    size_t at = find(&kept, NULL, size);
    large_block block = {NULL, size};
    if (at < kept.count)
        block = remove_at(&kept, at);
    else
        block.data = malloc(size);
    if (block.data) {
        UNPOISON(block.data, size);
        add(&live, block);
        ++*like(block.data);
    }
    return block.data;
}

static void release(void *context, void *data)
{
    (void)context;
    size_t at = find_live(data);
    if (at == live.count) {
        free(data);
        return;
    }
    large_block block = remove_at(&live, at);
    --*like(data);
    POISON(block.data, block.size);
    add(&kept, block);
    while (kept.count > KEPT_MAX || kept.bytes > KEPT_BYTES_MAX)
        drop_oldest();
}

static void *resize(void *context, void *data, size_t size)
{
    size_t at = find_live(data);
    if (at < live.count) {
        size_t old = live.blocks[at].size;
        void *moved = allocate(context, size);
        if (moved)
            memcpy(moved, data, old < size ? old : size);
        if (moved)
            release(context, data);
        return moved;
    }
    if (!data)
        return allocate(context, size);
    return realloc(data, size); /* a small block stays with malloc */
}

const stamma_allocator *large_blocks_kept(void)
{
    static const stamma_allocator allocator = {NULL, allocate, resize, release};
    return &allocator;
}
