/* Blocks that stay open beside the one that is read, with their bookmarks: who asks for games here and there asks for
 * others near them, most likely. */
#include "archive/reader.h"

/* More than the memory of a block whose records can be skipped: its text is in no buffer, and its moves are not
 * predicted. */
#define PARKED_MEMORY ((uint64_t)64 << 20)

/* Returns the maximum number of parked blocks, in addition to the block being read and the other memory of a reader. */
static size_t parked_most(const stamma_archive_reader *r)
{
    uint64_t blocks = (r->memory > 0 ? r->memory : ARCHIVE_MEMORY_DEFAULT) / PARKED_MEMORY;
    return blocks < 2 ? 0 : blocks - 2 < PARKED_MAX ? (size_t)blocks - 2 : PARKED_MAX;
}

bool stamma_block_slot_new(block_slot *b, const stamma_allocator *allocator)
{
    b->reader = (block_reader *)memory_allocate(allocator, sizeof *b->reader);
    b->bookmarks = (bookmarks *)memory_allocate(allocator, sizeof *b->bookmarks);
    b->payload = (buffer){.allocator = allocator};
    if (!b->reader || !b->bookmarks) {
        memory_release(allocator, b->reader);
        memory_release(allocator, b->bookmarks);
        b->reader = NULL;
        return false;
    }
    stamma_block_reader_init(b->reader, allocator);
    stamma_bookmarks_init(b->bookmarks, allocator);
    return true;
}

void stamma_block_slot_release(block_slot *b, const stamma_allocator *allocator)
{
    if (!b->reader)
        return;
    stamma_block_reader_release(b->reader);
    stamma_bookmarks_release(b->bookmarks);
    stamma_buffer_release(&b->payload);
    memory_release(allocator, b->reader);
    memory_release(allocator, b->bookmarks);
    b->reader = NULL;
}

/* Which place is taken first: one that is free, a new one, that of the block that was not wanted for longest. */
static uint64_t turn_of(const parked_block *p)
{
    return p->parked ? 1 + p->since : p->slot.reader ? 0 : 1;
}

/* A place for a block; NULL: there is no memory for one. */
static parked_block *place_for(stamma_archive_reader *r)
{
    size_t most = parked_most(r);
    parked_block *p = &r->parked[0];
    for (size_t n = 1; n < most; n++)
        if (turn_of(&r->parked[n]) < turn_of(p))
            p = &r->parked[n];
    return most > 0 && (p->slot.reader || stamma_block_slot_new(&p->slot, &r->allocator)) ? p : NULL;
}

/* Whether a game of the block that is read may be asked for again. */
static bool is_worth_it(const stamma_archive_reader *r)
{
    return r->loaded && r->numbered && r->bookmarks->count > 0;
}

/* Exchanges the block that is read and the one of a place. */
static void exchange(stamma_archive_reader *r, parked_block *p)
{
    const block_slot slot = p->slot;
    const block_location location = p->location;
    const unsigned parts = r->block->plan.parts;
    p->parked = is_worth_it(r);
    p->since = ++r->parked_count;
    p->slot = (block_slot){r->block, r->bookmarks, r->payload};
    p->location = (block_location){r->frame, r->place, r->head};
    r->block = slot.reader;
    r->bookmarks = slot.bookmarks;
    r->payload = slot.payload;
    r->frame = location.frame;
    r->place = location.place;
    r->head = location.head;
    stamma_block_reader_select(r->block, parts);
}

void stamma_reader_park(stamma_archive_reader *r)
{
    parked_block *p = is_worth_it(r) ? place_for(r) : NULL;
    if (p)
        exchange(r, p);
}

bool stamma_reader_unpark(stamma_archive_reader *r, size_t place, uint64_t number)
{
    for (size_t n = 0; n < PARKED_MAX; n++) {
        parked_block *p = &r->parked[n];
        if (!p->parked || p->location.place.place != place || !stamma_bookmarks_before(p->slot.bookmarks, number))
            continue;
        exchange(r, p);
        return true;
    }
    return false;
}

void stamma_reader_release_parked(stamma_archive_reader *r)
{
    for (size_t n = 0; n < PARKED_MAX; n++) {
        stamma_block_slot_release(&r->parked[n].slot, &r->allocator);
        r->parked[n].parked = false;
    }
}
