/* Lists and finds the blocks of an archive, in memory or read from an input. */
#include "archive/block_list.h"

/* ---- the source ---- */

stamma_error stamma_archive_bytes_reader(const archive_bytes *source, const stamma_archive_reader_options *options,
                                         stamma_archive_reader **reader)
{
    if (!source->input)
        return stamma_archive_reader_open_memory(source->bytes, source->size, options, reader);
    if (!source->input->seek(source->input->context, 0))
        return STAMMA_ERROR_IO;
    return stamma_archive_reader_open(source->input, options, reader);
}

/* ---- the list ---- */

/* Ignores damage: the reader itself records the first error. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

static stamma_error read_list(block_list *list, const archive_bytes *source, const stamma_allocator *allocator,
                              bool to_end)
{
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = allocator, .damage = pass_damage};
    stamma_archive_reader *r = NULL;
    stamma_error error = stamma_archive_bytes_reader(source, &options, &r);
    *list = (block_list){.places = NULL};
    if (error != STAMMA_OK)
        return error;
    if (!r->seekable) { /* the input could seek before */
        stamma_archive_reader_close(r);
        return STAMMA_ERROR_IO;
    }
    r->damage = NULL; /* so that the reader ends with the first error */
    list->broken = r->broken;
    list->broken_at = r->broken_at;
    if (to_end) {
        list->end = stamma_reader_end(r);
        list->end_at = r->error_at;
    }
    list->places = r->places;
    list->count = r->place_count;
    r->places = NULL;
    r->place_count = r->place_capacity = 0;
    stamma_archive_reader_close(r);
    return STAMMA_OK;
}

stamma_error stamma_block_list_read(block_list *list, const archive_bytes *source, const stamma_allocator *allocator)
{
    return read_list(list, source, allocator, true);
}

stamma_error stamma_block_list_open(block_list *list, const archive_bytes *source, const stamma_allocator *allocator)
{
    return read_list(list, source, allocator, false);
}

void stamma_block_list_release(block_list *list, const stamma_allocator *allocator)
{
    memory_release(allocator, list->places);
    list->places = NULL;
}

/* ---- a block ---- */

/* Reads the next `size` bytes of an input in steps, so that an invalid size needs no more memory than there are bytes.
 */
static stamma_error read_bytes(const stamma_input *input, uint64_t size, buffer *bytes)
{
    enum { STEP = 1 << 20 };
    for (uint64_t left = size; left > 0;) {
        size_t step = left < STEP ? (size_t)left : STEP;
        if (!buffer_reserve(bytes, step))
            return STAMMA_ERROR_NO_MEMORY;
        ptrdiff_t got = input->read(input->context, bytes->data + bytes->size, step);
        if (got < 0 || (size_t)got > step)
            return STAMMA_ERROR_IO;
        if (got == 0)
            return STAMMA_ERROR_CORRUPT;
        bytes->size += (size_t)got;
        left -= (size_t)got;
    }
    return STAMMA_OK;
}

/* Reads a frame: its header, then as many bytes as the header says, or only the head. */
static stamma_error read_frame(const stamma_input *input, uint64_t offset, bool only_head, buffer *bytes)
{
    frame f;
    bytes->size = 0;
    if (!input->seek(input->context, offset))
        return STAMMA_ERROR_IO;
    stamma_error error = read_bytes(input, FRAME_HEADER_SIZE, bytes);
    if (error == STAMMA_OK)
        error = stamma_frame_read(bytes->data, &f);
    return error == STAMMA_OK ? read_bytes(input, only_head ? f.head_size : f.size, bytes) : error;
}

/* Sets *frame_bytes and *room to the bytes of a frame and to how many there are at most. */
static stamma_error find_frame(const archive_bytes *source, uint64_t offset, bool only_head, buffer *payload,
                               const uint8_t **frame_bytes, size_t *room)
{
    if (source->input) {
        stamma_error error = read_frame(source->input, offset, only_head, payload);
        *frame_bytes = payload->data;
        *room = payload->size;
        return error;
    }
    if (offset > source->size || source->size - offset < FRAME_HEADER_SIZE)
        return STAMMA_ERROR_CORRUPT;
    *frame_bytes = (const uint8_t *)source->bytes + offset;
    *room = source->size - (size_t)offset;
    return STAMMA_OK;
}

static stamma_error find_block(const placed_block *place, const archive_bytes *source, bool only_head, buffer *payload,
                               found_block *found)
{
    frame f;
    const uint8_t *header = NULL;
    size_t room = 0;
    stamma_error error = find_frame(source, place->offset, only_head, payload, &header, &room);
    if (error == STAMMA_OK)
        error = stamma_frame_read(header, &f);
    if (error != STAMMA_OK)
        return error;
    const uint8_t *bytes = header + FRAME_HEADER_SIZE;
    const uint64_t needed = only_head ? f.head_size : f.size;
    if (f.type != FRAME_BLOCK || needed > room - FRAME_HEADER_SIZE ||
        stamma_check32(bytes, f.head_size) != f.head_check)
        return STAMMA_ERROR_CORRUPT;
    *found = (found_block){.payload = bytes,
                           .size = (size_t)f.size,
                           .head_size = f.head_size,
                           .offset = place->offset,
                           .first_game = place->spans[SPAN_GAMES].begin,
                           .games = place->spans[SPAN_GAMES].size,
                           .text_size = place->spans[SPAN_BYTES].size};
    return STAMMA_OK;
}

stamma_error stamma_block_find(const placed_block *place, const archive_bytes *source, buffer *payload,
                               found_block *found)
{
    return find_block(place, source, false, payload, found);
}

stamma_error stamma_block_find_head(const placed_block *place, const archive_bytes *source, buffer *payload,
                                    found_block *found)
{
    return find_block(place, source, true, payload, found);
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
