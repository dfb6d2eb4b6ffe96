/* SPDX-License-Identifier: MIT */
/* Checks the last blocks of an archive before an append, so that no blocks are written after damaged blocks. */
#include "archive/reader.h"

/* Reads a block's payload. *head_size is 0 if the frame or the head is damaged. */
static stamma_error read_payload(frame_reader *in, const placed_block *p, buffer *payload, size_t *head_size)
{
    frame f;
    frame_state state = FRAME_NONE;
    bool whole = false;
    *head_size = 0;
    stamma_error error = stamma_frame_reader_go(in, p->offset);
    if (error == STAMMA_OK)
        error = stamma_frame_reader_next(in, &f, &state);
    if (error == STAMMA_OK && state == FRAME_GOOD)
        error = stamma_frame_reader_payload(in, f.size, payload, &whole);
    if (error == STAMMA_OK && whole && stamma_check32(payload->data, f.head_size) == f.head_check)
        *head_size = f.head_size;
    return error;
}

/* Reports a damaged block. */
static void report(const stamma_archive_reader *r, const placed_block *p, stamma_damage_kind kind)
{
    const span *games = &p->spans[SPAN_GAMES], *bytes = &p->spans[SPAN_BYTES];
    const stamma_archive_damage d = {.kind = kind,
                                     .error = STAMMA_ERROR_CORRUPT,
                                     .offset = p->offset,
                                     .size = p->end - p->offset,
                                     .frame = p->frame,
                                     .first_block = p->number + 1,
                                     .last_block = p->number + 1,
                                     .first_game = games->size > 0 ? games->begin + 1 : 0,
                                     .last_game = games->size > 0 ? games->end : 0,
                                     .text_offset = bytes->begin,
                                     .text_size = bytes->size};
    if (r->damage)
        r->damage(r->context, &d);
}

/* Compares the checksums of a block. CORRUPT, IO, NO_MEMORY. */
static stamma_error check_block(const stamma_archive_reader *r, frame_reader *in, const placed_block *p,
                                buffer *payload)
{
    buffer damaged = {.allocator = &r->allocator}, search = damaged;
    block_frame place = {.offset = p->offset};
    stamma_error error = read_payload(in, p, payload, &place.head_size);
    if (error != STAMMA_OK)
        return error;
    const bool headless = place.head_size == 0;
    error = headless ? STAMMA_ERROR_CORRUPT : stamma_columns_check(payload, &place, &damaged, &search);
    const bool searched = error == STAMMA_OK && search.size > 0;
    if (searched)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_ERROR_CORRUPT)
        report(r, p, headless ? STAMMA_DAMAGE_HEAD : searched ? STAMMA_DAMAGE_SEARCH : STAMMA_DAMAGE_COLUMN);
    stamma_buffer_release(&damaged);
    stamma_buffer_release(&search);
    return error;
}

stamma_error stamma_reader_check_last_blocks(const stamma_archive_reader *r)
{
    frame_reader in;
    buffer payload = {.allocator = &r->allocator};
    stamma_error error = stamma_frame_reader_open(&in, &r->input, &r->allocator), first = STAMMA_OK;
    size_t n = r->place_count;
    while (n > 0 && r->places[n - 1].offset > r->last.previous)
        n--;
    for (; n < r->place_count && r->places[n].offset < r->last.offset && error == STAMMA_OK; n++) {
        error = check_block(r, &in, &r->places[n], &payload);
        first = error == STAMMA_ERROR_CORRUPT ? error : first;
        error = error == STAMMA_ERROR_CORRUPT ? STAMMA_OK : error;
    }
    stamma_buffer_release(&payload);
    stamma_frame_reader_release(&in);
    return error == STAMMA_OK ? first : error;
}
