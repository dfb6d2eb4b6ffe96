/* SPDX-License-Identifier: MIT */
/* The state of reading a block, which can be moved between readers. */
#include "archive/reader.h"

bool stamma_block_slot_new(block_slot *b, const stamma_allocator *allocator)
{
    b->reader = (block_reader *)memory_allocate(allocator, sizeof *b->reader);
    b->bookmarks = (bookmarks *)memory_allocate(allocator, sizeof *b->bookmarks);
    b->groups = (kept_groups *)memory_allocate(allocator, sizeof *b->groups);
    b->payload = (buffer){.allocator = allocator};
    if (!b->reader || !b->bookmarks || !b->groups) {
        memory_release(allocator, b->reader);
        memory_release(allocator, b->bookmarks);
        memory_release(allocator, b->groups);
        b->reader = NULL;
        return false;
    }
    stamma_block_reader_init(b->reader, allocator);
    stamma_bookmarks_init(b->bookmarks, allocator);
    stamma_kept_groups_init(b->groups, allocator);
    return true;
}

void stamma_block_slot_release(block_slot *b, const stamma_allocator *allocator)
{
    if (!b->reader)
        return;
    stamma_block_reader_release(b->reader);
    stamma_bookmarks_release(b->bookmarks);
    stamma_kept_groups_clear(b->groups);
    stamma_buffer_release(&b->payload);
    memory_release(allocator, b->reader);
    memory_release(allocator, b->bookmarks);
    memory_release(allocator, b->groups);
    b->reader = NULL;
}

void stamma_reader_forget_block(stamma_archive_reader *r)
{
    stamma_game_batch_clear(&r->own_batch);
    r->batch = &r->own_batch;
    r->loaded = false;
    r->games_here = r->games_read = r->next_record = 0;
    r->bookmarks->count = 0;
    stamma_kept_groups_clear(r->groups);
}
