/* Finds the blocks of an archive that lies in memory. */
#include "search/search_index.h"

/* ---- memory as an input ---- */

static ptrdiff_t read_bytes(void *context, void *bytes, size_t size)
{
    memory_bytes *m = (memory_bytes *)context;
    size_t left = m->size - m->at;
    if (size > left)
        size = left;
    if (size > 0)
        memcpy(bytes, m->bytes + m->at, size);
    m->at += size;
    return (ptrdiff_t)size;
}

static bool seek_bytes(void *context, uint64_t offset)
{
    memory_bytes *m = (memory_bytes *)context;
    m->at = offset < m->size ? (size_t)offset : m->size;
    return true;
}

stamma_input stamma_memory_input(memory_bytes *bytes)
{
    return (stamma_input){bytes, read_bytes, seek_bytes};
}

/* ---- the list ---- */

/* The reader notes the first of it itself. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

stamma_error stamma_block_list_read(block_list *list, const void *archive, size_t size,
                                    const stamma_allocator *allocator)
{
    memory_bytes bytes = {(const uint8_t *)archive, size, 0};
    const stamma_input input = stamma_memory_input(&bytes);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = allocator, .damage = pass_damage};
    stamma_archive_reader *r = NULL;
    stamma_error error = stamma_archive_reader_open(&input, &options, &r);
    *list = (block_list){.places = NULL};
    if (error != STAMMA_OK)
        return error;
    r->damage = NULL; /* as one that ends where damage is */
    list->broken = r->broken;
    list->broken_at = r->broken_at;
    list->end = stamma_reader_end(r);
    list->end_at = r->error_at;
    list->places = r->places;
    list->count = r->place_count;
    r->places = NULL;
    r->place_count = r->place_capacity = 0;
    stamma_archive_reader_close(r);
    return STAMMA_OK;
}

void stamma_block_list_release(block_list *list, const stamma_allocator *allocator)
{
    memory_release(allocator, list->places);
    list->places = NULL;
}

stamma_error stamma_block_find(const placed_block *place, const void *archive, size_t size, found_block *found)
{
    frame f;
    if (place->offset > size || size - place->offset < FRAME_HEADER_SIZE)
        return STAMMA_ERROR_CORRUPT;
    const uint8_t *payload = (const uint8_t *)archive + place->offset + FRAME_HEADER_SIZE;
    size_t room = size - (size_t)place->offset - FRAME_HEADER_SIZE;
    stamma_error error = stamma_frame_read(payload - FRAME_HEADER_SIZE, &f);
    if (error != STAMMA_OK)
        return error;
    if (f.type != FRAME_BLOCK || f.size > room || f.head_size > f.size ||
        stamma_check32(payload, f.head_size) != f.head_check)
        return STAMMA_ERROR_CORRUPT;
    *found = (found_block){.payload = payload,
                           .size = (size_t)f.size,
                           .head_size = f.head_size,
                           .offset = place->offset,
                           .first_game = place->spans[SPAN_GAMES].begin,
                           .games = place->spans[SPAN_GAMES].size,
                           .text_size = place->spans[SPAN_BYTES].size};
    return STAMMA_OK;
}
