/* Lists and finds the blocks of an archive in memory. */
#include "search/search_index.h"

/* ---- the list ---- */

/* Ignores damage: the reader itself records the first error. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

stamma_error stamma_block_list_read(block_list *list, const void *archive, size_t size,
                                    const stamma_allocator *allocator)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = allocator, .damage = pass_damage};
    stamma_archive_reader *r = NULL;
    stamma_error error = stamma_archive_reader_open_memory(archive, size, &options, &r);
    *list = (block_list){.places = NULL};
    if (error != STAMMA_OK)
        return error;
    r->damage = NULL; /* so that the reader ends with the first error */
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

size_t stamma_block_list_find(const block_list *list, uint64_t game)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const span *games = &list->places[middle].spans[SPAN_GAMES];
        if (game > games->begin + games->size)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && game > list->places[low].spans[SPAN_GAMES].begin ? low : list->count;
}
