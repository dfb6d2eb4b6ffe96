/* SPDX-License-Identifier: MIT */
/* Lists and finds the blocks of an archive, in memory or not. */
#include "archive/block_list.h"

/* ---- the list ---- */

/* Ignores damage: the reader itself records the first error. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

static stamma_error read_list(block_list *list, const stamma_bytes *bytes, const stamma_allocator *allocator,
                              bool to_end)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = allocator, .damage = pass_damage};
    stamma_archive_reader *r = NULL;
    stamma_error error = stamma_reader_open_bytes(bytes, NULL, &options, &r);
    *list = (block_list){.places = NULL};
    if (error != STAMMA_OK)
        return error;
    r->damage = NULL; /* so that the reader ends with the first error */
    list->broken = r->broken;
    list->broken_at = r->broken_at;
    if (to_end) {
        list->end = stamma_reader_end(r);
        list->end_at = r->error_at;
    }
    list->games = r->scan.found_all.all.games;
    list->places = r->places;
    list->count = r->place_count;
    r->places = NULL;
    r->place_count = r->place_capacity = 0;
    stamma_archive_reader_close(r);
    return STAMMA_OK;
}

stamma_error stamma_block_list_read(block_list *list, const stamma_bytes *bytes, const stamma_allocator *allocator)
{
    return read_list(list, bytes, allocator, true);
}

stamma_error stamma_block_list_open(block_list *list, const stamma_bytes *bytes, const stamma_allocator *allocator)
{
    return read_list(list, bytes, allocator, false);
}

void stamma_block_list_release(block_list *list, const stamma_allocator *allocator)
{
    memory_release(allocator, list->places);
    list->places = NULL;
}

/* ---- a block ---- */

/* Reads `size` bytes at an offset, and appends them to `to`. Returns CORRUPT if there are fewer bytes. */
static stamma_error read_bytes(const stamma_bytes *bytes, uint64_t offset, uint64_t size, buffer *to)
{
    if (offset > bytes->size || size > bytes->size - offset)
        return STAMMA_ERROR_CORRUPT;
    if (!buffer_reserve(to, (size_t)size))
        return STAMMA_ERROR_NO_MEMORY;
    if (size > 0 && !bytes_copy(bytes, offset, to->data + to->size, (size_t)size))
        return STAMMA_ERROR_IO;
    to->size += (size_t)size;
    return STAMMA_OK;
}

/* Reads a frame: its header, then as many bytes as the header says, or only the head. */
static stamma_error read_frame(const stamma_bytes *bytes, uint64_t offset, bool only_head, buffer *to)
{
    frame f;
    to->size = 0;
    stamma_error error = read_bytes(bytes, offset, FRAME_HEADER_SIZE, to);
    if (error == STAMMA_OK)
        error = stamma_frame_read(to->data, &f);
    if (error != STAMMA_OK)
        return error;
    return read_bytes(bytes, offset + FRAME_HEADER_SIZE, only_head ? f.head_size : f.size, to);
}

/* Sets *frame_bytes to the bytes of a frame, and *room to the largest number of bytes that the frame may have. */
static stamma_error find_frame(const stamma_bytes *bytes, uint64_t offset, bool only_head, buffer *payload,
                               const uint8_t **frame_bytes, size_t *room)
{
    if (!bytes->memory) {
        stamma_error error = read_frame(bytes, offset, only_head, payload);
        *frame_bytes = payload->data;
        *room = payload->size;
        return error;
    }
    if (offset > bytes->size || bytes->size - offset < FRAME_HEADER_SIZE)
        return STAMMA_ERROR_CORRUPT;
    *frame_bytes = (const uint8_t *)bytes->memory + offset;
    *room = (size_t)(bytes->size - offset);
    return STAMMA_OK;
}

static stamma_error find_block(const placed_block *place, const stamma_bytes *bytes, bool only_head, buffer *payload,
                               found_block *found)
{
    frame f;
    const uint8_t *header = NULL;
    size_t room = 0;
    stamma_error error = find_frame(bytes, place->offset, only_head, payload, &header, &room);
    if (error == STAMMA_OK)
        error = stamma_frame_read(header, &f);
    if (error != STAMMA_OK)
        return error;
    const uint8_t *body = header + FRAME_HEADER_SIZE;
    const uint64_t needed = only_head ? f.head_size : f.size;
    if (f.type != FRAME_BLOCK || needed > room - FRAME_HEADER_SIZE || stamma_check32(body, f.head_size) != f.head_check)
        return STAMMA_ERROR_CORRUPT;
    *found = (found_block){.payload = body,
                           .size = (size_t)f.size,
                           .head_size = f.head_size,
                           .offset = place->offset,
                           .first_game = place->spans[SPAN_GAMES].begin,
                           .games = place->spans[SPAN_GAMES].size,
                           .text_size = place->spans[SPAN_BYTES].size};
    return STAMMA_OK;
}

stamma_error stamma_block_find(const placed_block *place, const stamma_bytes *bytes, buffer *payload,
                               found_block *found)
{
    return find_block(place, bytes, false, payload, found);
}

stamma_error stamma_block_find_head(const placed_block *place, const stamma_bytes *bytes, buffer *payload,
                                    found_block *found)
{
    return find_block(place, bytes, true, payload, found);
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
