/* SPDX-License-Identifier: MIT */
/* A cache of open blocks that readers have left, because callers that read single games often read neighbouring games
 * next. */
#include "archive/handle.h"

void stamma_block_cache_init(block_cache *cache, uint64_t limit)
{
    memset(cache, 0, sizeof *cache);
    atomic_flag_clear(&cache->lock.taken);
    cache->limit = limit;
}

void stamma_cached_block_release(cached_block *block, const stamma_allocator *allocator)
{
    if (!block)
        return;
    stamma_block_slot_release(&block->slot, allocator);
    memory_release(allocator, block);
}

void stamma_block_cache_release(block_cache *cache, const stamma_allocator *allocator)
{
    for (cached_block *block = cache->first, *next; block; block = next) {
        next = block->next;
        stamma_cached_block_release(block, allocator);
    }
    cache->first = NULL;
}

cached_block *stamma_block_cache_take(block_cache *cache, uint64_t offset, unsigned parts)
{
    cached_block *found = NULL;
    stamma_short_lock(&cache->lock);
    for (cached_block **at = &cache->first; *at && !found; at = &(*at)->next) {
        if ((*at)->location.place.offset != offset || (*at)->parts != parts)
            continue;
        found = *at;
        *at = found->next;
        cache->memory -= found->memory;
        break;
    }
    stamma_short_unlock(&cache->lock);
    return found;
}

/* Unlinks the least recently used blocks that exceed the limit. Returns a list of them. */
static cached_block *unlink_excess(block_cache *cache)
{
    uint64_t memory = 0;
    cached_block **at = &cache->first;
    while (*at && (*at)->memory <= cache->limit - memory) {
        memory += (*at)->memory;
        at = &(*at)->next;
    }
    cached_block *excess = *at;
    *at = NULL;
    cache->memory = memory;
    return excess;
}

void stamma_block_cache_put(block_cache *cache, cached_block *block, const stamma_allocator *allocator)
{
    if (block->memory > cache->limit) {
        stamma_cached_block_release(block, allocator);
        return;
    }
    stamma_short_lock(&cache->lock);
    block->next = cache->first;
    cache->first = block;
    cache->memory += block->memory;
    cached_block *excess = cache->memory > cache->limit ? unlink_excess(cache) : NULL;
    stamma_short_unlock(&cache->lock);
    for (cached_block *next; excess; excess = next) {
        next = excess->next;
        stamma_cached_block_release(excess, allocator);
    }
}
