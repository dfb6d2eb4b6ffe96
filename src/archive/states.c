/* SPDX-License-Identifier: MIT */
/* The states of an archive: its finished commits, from the last to the first. */
#include "archive/handle.h"

#include <xxhash.h>

enum {
    CHECKED_BYTES = 4096, /* bytes at the end of a state that identify it */
    END_MARK = 8          /* bytes of a commit that may have to be written again (7.4); the check omits them */
};

/* Stores the check of the bytes before the end mark of a state. */
static bool check_end(const stamma_bytes *bytes, uint64_t end, uint64_t *check)
{
    uint8_t tail[CHECKED_BYTES];
    const uint64_t size = end - END_MARK < CHECKED_BYTES ? end - END_MARK : CHECKED_BYTES;
    if (!bytes_copy(bytes, end - END_MARK - size, tail, (size_t)size))
        return false;
    *check = XXH64(tail, (size_t)size, 0);
    return true;
}

/* Stores the state of a finished commit. */
static stamma_error describe(const stamma_archive *a, const commit *c, stamma_archive_state *state)
{
    stamma_archive_state s = {.end = c->start,
                              .commit = c->offset,
                              .previous = c->previous,
                              .games = c->totals.games,
                              .text_size = c->totals.text_size};
    if (!check_end(&a->bytes, s.end, &s.check))
        return STAMMA_ERROR_IO;
    *state = s;
    return STAMMA_OK;
}

/* Reads the commit at an offset, without its places. Its member `start` receives its end. Errors: CORRUPT if there is
 * none; IO, NO_MEMORY. */
static stamma_error read_commit(const stamma_archive *a, uint64_t offset, buffer *payload, commit *c)
{
    uint8_t header[FRAME_HEADER_SIZE];
    frame f;
    if (offset > a->bytes.size || a->bytes.size - offset < sizeof header)
        return STAMMA_ERROR_CORRUPT;
    if (!bytes_copy(&a->bytes, offset, header, sizeof header))
        return STAMMA_ERROR_IO;
    const uint64_t at = offset + sizeof header;
    if (stamma_frame_read(header, &f) != STAMMA_OK || f.type != FRAME_COMMIT || f.head_size != f.size ||
        f.size > COMMIT_SIZE_MAX || f.size > a->bytes.size - at)
        return STAMMA_ERROR_CORRUPT;
    uint8_t *bytes = (uint8_t *)buffer_array(payload, (size_t)f.size, 1);
    if (!bytes)
        return STAMMA_ERROR_NO_MEMORY;
    if (!bytes_copy(&a->bytes, at, bytes, (size_t)f.size))
        return STAMMA_ERROR_IO;
    if (stamma_check32(bytes, (size_t)f.size) != f.head_check)
        return STAMMA_ERROR_CORRUPT;
    *c = (commit){.start = ARCHIVE_HEADER_SIZE};
    const stamma_error error = stamma_commit_read(bytes, (size_t)f.size, c, &a->allocator);
    memory_release(&a->allocator, c->places.places);
    c->places = (block_places){NULL, 0, 0};
    c->start = at + f.size;
    return error == STAMMA_OK && c->offset != offset ? STAMMA_ERROR_CORRUPT : error;
}

/* Ignores damage: only the commits matter. */
static void pass_damage(void *context, const stamma_archive_damage *damage)
{
    (void)context;
    (void)damage;
}

stamma_error stamma_archive_state_now(stamma_archive *a, stamma_archive_state *state)
{
    if (!a || !state)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const stamma_archive_reader_options options = {
        .size = sizeof options, .allocator = &a->allocator, .damage = pass_damage};
    stamma_archive_reader *r = NULL;
    stamma_error error = stamma_reader_open_bytes(&a->bytes, NULL, &options, &r);
    if (error != STAMMA_OK)
        return error;
    error = r->last.finished ? describe(a, &r->last, state) : STAMMA_ERROR_CORRUPT;
    stamma_archive_reader_close(r);
    return error;
}

stamma_error stamma_archive_state_before(stamma_archive *a, const stamma_archive_state *state,
                                         stamma_archive_state *before)
{
    if (!a || !state || !before)
        return STAMMA_ERROR_BAD_ARGUMENT;
    buffer payload = {.allocator = &a->allocator};
    commit c = {.finished = false};
    stamma_error error = STAMMA_OK;
    uint64_t limit = state->commit, offset = state->previous;
    while (error == STAMMA_OK && offset > 0 && !c.finished) {
        error = offset < limit ? read_commit(a, offset, &payload, &c) : STAMMA_ERROR_CORRUPT;
        if (error == STAMMA_OK && c.start > limit)
            error = STAMMA_ERROR_CORRUPT;
        limit = offset;
        offset = c.previous;
    }
    stamma_buffer_release(&payload);
    if (error == STAMMA_OK && c.finished)
        return describe(a, &c, before);
    if (error == STAMMA_OK)
        *before = (stamma_archive_state){.end = 0};
    return error;
}
