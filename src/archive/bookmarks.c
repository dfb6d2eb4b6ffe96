/* SPDX-License-Identifier: MIT */
/* Bookmarks: places in an open block to which a reader can return, so that records on the way to a game are skipped
 * only once. */
#include "archive/reader.h"

void stamma_bookmarks_init(bookmarks *m, const stamma_allocator *allocator)
{
    memset(m, 0, sizeof *m);
    for (size_t n = 0; n < BOOKMARKS_MAX; n++)
        m->list[n].state.allocator = allocator;
}

void stamma_bookmarks_release(bookmarks *m)
{
    for (size_t n = 0; n < BOOKMARKS_MAX; n++)
        stamma_buffer_release(&m->list[n].state);
}

/* Returns the number of records between two bookmarks, a number of complete groups. A block has at most BOOKMARKS_MAX
 * bookmarks before its end. */
static uint64_t distance_of(const block_reader *b)
{
    uint64_t groups = b->head.records / b->head.group / BOOKMARKS_MAX + 1, records = groups * b->head.group;
    return records > BOOKMARK_RECORDS ? records : BOOKMARK_RECORDS;
}

uint64_t stamma_bookmarks_distance(const bookmarks *m, const block_reader *b)
{
    uint64_t distance = distance_of(b), into = b->state.next % distance;
    bool there = m->count > 0 && m->list[m->count - 1].record >= b->state.next;
    return into > 0 || there ? distance - into : 0;
}

size_t stamma_bookmarks_memory(const bookmarks *m)
{
    size_t size = 0;
    for (size_t n = 0; n < BOOKMARKS_MAX; n++)
        size = size_add(size, m->list[n].state.capacity);
    return size;
}

void stamma_bookmarks_add(bookmarks *m, block_reader *b, uint64_t games)
{
    bookmark *added = &m->list[m->count];
    kept_state k = {&added->state, 0, false};
    if (!stamma_block_reader_can_keep(b))
        return;
    added->record = b->state.next;
    added->games = games;
    added->state.size = 0;
    added->state.failed = false;
    stamma_block_reader_keep(b, &k);
    m->count += !added->state.failed;
    if (stamma_bookmarks_memory(m) <= BOOKMARKS_MEMORY)
        return;
    m->count = (size_t)(added - m->list);
    for (size_t n = m->count; n < BOOKMARKS_MAX; n++)
        stamma_buffer_release(&m->list[n].state);
}

bookmark *stamma_bookmarks_before(bookmarks *m, uint64_t record)
{
    for (size_t n = m->count; n-- > 0;)
        if (m->list[n].record <= record)
            return &m->list[n];
    return NULL;
}

void stamma_bookmark_return(bookmark *m, block_reader *b)
{
    kept_state k = {&m->state, 0, true};
    stamma_block_reader_keep(b, &k);
}
