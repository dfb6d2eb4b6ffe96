/* SPDX-License-Identifier: MIT */
/* Moves open blocks between a reader and the cache of its archive. */
#include "archive/handle.h"

/* Estimates the memory of opening the loaded block. */
static uint64_t memory_to_open(const stamma_archive_reader *r)
{
    const uint8_t *head = r->payload.data, *body = head + r->place.head_size;
    return stamma_block_memory((cursor){head, body, false}, (cursor){body, head + r->payload.size, false});
}

/* Returns whether a game of the loaded block may be requested again. */
static bool is_worth_keeping(const stamma_archive_reader *r)
{
    return r->archive && r->loaded && r->numbered && r->groups->count > 0;
}

/* Uses another slot for reading, and moves the loaded block to the cache if it is worth keeping. */
static void exchange(stamma_archive_reader *r, const block_slot *slot, cached_block *block)
{
    const bool kept = is_worth_keeping(r);
    *block = (cached_block){.slot = {r->block, r->bookmarks, r->groups, r->payload},
                            .location = {r->frame, r->place, r->head},
                            .parts = r->block->plan.parts,
                            .games_read = r->games_read};
    if (kept) {
        const uint64_t limit = r->archive->cache.limit;
        block->opened = r->opened > 0 ? r->opened : memory_to_open(r);
        block->memory = block->opened + stamma_bookmarks_memory(r->bookmarks);
        stamma_kept_groups_limit(r->groups, limit > block->memory ? limit - block->memory : 0);
        block->memory += r->groups->memory;
        stamma_block_reader_stop(r->block, NULL); /* its stop check belongs to a reader that may be closed earlier */
    }
    r->block = slot->reader;
    r->bookmarks = slot->bookmarks;
    r->groups = slot->groups;
    r->payload = slot->payload;
    r->batch = &r->own_batch;
    if (kept)
        stamma_block_cache_put(&r->archive->cache, block, r->of_blocks);
    else
        stamma_cached_block_release(block, r->of_blocks);
}

void stamma_reader_park(stamma_archive_reader *r)
{
    block_slot empty;
    if (!is_worth_keeping(r))
        return;
    cached_block *block = (cached_block *)memory_allocate(r->of_blocks, sizeof *block);
    if (!block || !stamma_block_slot_new(&empty, r->of_blocks)) {
        memory_release(r->of_blocks, block);
        return;
    }
    stamma_block_reader_select(empty.reader, r->block->plan.parts);
    exchange(r, &empty, block);
}

/* Returns whether the reader would read the same block at a place. */
static bool is_usable(const stamma_archive_reader *r, const cached_block *block, const placed_block *place)
{
    const block_location *l = &block->location;
    return stamma_reader_is_at(r, &l->frame, place) && stamma_reader_is_counted(&l->head, place) &&
           block->opened <= block_memory_limit(r->memory);
}

bool stamma_reader_unpark(stamma_archive_reader *r, size_t place, unsigned parts)
{
    cached_block *block =
        r->archive ? stamma_block_cache_take(&r->archive->cache, r->places[place].offset, parts) : NULL;
    if (!block)
        return false;
    if (!is_usable(r, block, &r->places[place])) {
        stamma_cached_block_release(block, r->of_blocks);
        return false;
    }
    const cached_block taken = *block;
    exchange(r, &taken.slot, block);
    stamma_game_batch_clear(r->batch);
    r->frame = taken.location.frame;
    r->place = taken.location.place;
    r->place.place = place;
    r->head = taken.location.head;
    r->games_read = taken.games_read;
    r->opened = taken.opened;
    r->games_here = r->next_record = 0;
    r->whole = false;
    stamma_block_reader_stop(r->block, r->stoppable ? &r->check : NULL);
    return true;
}
