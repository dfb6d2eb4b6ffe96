/* SPDX-License-Identifier: MIT */
/* Finds the rare positions that the lines of one popular position do not answer: lines of several popular positions
 * reach them, or games reach them after the plies of lines, in two lines, or from another position than the initial
 * one. */
#include "pages/pages_build.h"

/* The value of a rare position: the number of the popular position before it, and marks. */
#define TRANSPOSED (UINT64_C(1) << 32)
#define COMPLETE (UINT64_C(1) << 33)

typedef struct transposed_pass {
    pages_build *build;
    pages_map map;
    uint32_t part, parts;
    uint32_t popular[WALK_PLIES]; /* number of the last popular position up to a ply ... */
    unsigned start[WALK_PLIES];   /* ... and its ply */
} transposed_pass;

/* Returns whether the game reaches a position in an earlier line. */
static bool is_in_earlier_line(const transposed_pass *t, const pages_walk *w, unsigned ply)
{
    for (unsigned n = 0; n < t->start[ply]; n++)
        if (w->keys[n] == w->keys[ply])
            return true;
    return false;
}

static bool add_rare(transposed_pass *t, const pages_walk *w, unsigned ply)
{
    if (!pages_is_in_part(w->keys[ply], t->part, t->parts))
        return true;
    uint64_t *value = stamma_pages_map_add(&t->map, w->keys[ply]);
    if (!value)
        return false;
    if (*value == 0)
        *value = t->popular[ply];
    else if ((uint32_t)*value != t->popular[ply])
        *value |= TRANSPOSED;
    if (!stamma_pages_walk_is_new(w, ply) && is_in_earlier_line(t, w, ply))
        *value |= COMPLETE;
    return true;
}

static stamma_error visit_line(void *context, pages_walk *w)
{
    transposed_pass *t = (transposed_pass *)context;
    bool added = true;
    for (unsigned n = w->shared + 1; n <= w->deepest; n++)
        pages_map_prefetch(&t->map, w->keys[n]);
    for (unsigned n = w->shared + 1; n <= w->deepest && added; n++) {
        const uint32_t number = build_number(t->build, w->keys[n]);
        t->popular[n] = number > 0 ? number : t->popular[n - 1];
        t->start[n] = number > 0 ? n : t->start[n - 1];
        added = number > 0 || add_rare(t, w, n);
    }
    return added ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}

/* ---- positions outside lines ---- */

static void mark_late(const transposed_pass *t)
{
    const uint64_t *keys = (const uint64_t *)(const void *)t->build->late.data;
    for (size_t n = 0; n < t->build->late.size / sizeof *keys; n++) {
        uint64_t *value = pages_is_in_part(keys[n], t->part, t->parts) ? stamma_pages_map_find(&t->map, keys[n]) : NULL;
        if (value)
            *value |= COMPLETE;
    }
}

/* ---- parts ---- */

static stamma_error take_marked(const transposed_pass *t, buffer *found)
{
    for (size_t n = 0; n < t->map.capacity; n++) {
        const uint64_t value = t->map.keys[n] != 0 ? t->map.values[n] : 0;
        const pages_stored s = {.key = t->map.keys[n], .complete = (value & COMPLETE) != 0};
        if ((value & (TRANSPOSED | COMPLETE)) != 0)
            buffer_add(found, &s, sizeof s);
    }
    return found->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static stamma_error find_part(pages_build *b, uint32_t part, uint32_t parts, buffer *found)
{
    transposed_pass *t = (transposed_pass *)memory_allocate(b->allocator, sizeof *t);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t, 0, sizeof *t);
    t->build = b;
    t->part = part;
    t->parts = parts;
    t->popular[0] = 1; /* the initial position, which all these games reach first */
    stamma_pages_map_init(&t->map, b->allocator);
    stamma_error error = stamma_pages_walk(b, 1, false, visit_line, t);
    mark_late(t);
    if (error == STAMMA_OK)
        error = take_marked(t, found);
    stamma_pages_map_release(&t->map);
    memory_release(b->allocator, t);
    return error;
}

/* Numbers the positions after the popular ones. */
static stamma_error number_found(pages_build *b, const buffer *found)
{
    const pages_stored *all = (const pages_stored *)(const void *)found->data;
    for (size_t n = 0; n < found->size / sizeof *all; n++) {
        uint64_t *number = stamma_pages_map_add(&b->map, all[n].key);
        buffer_add(&b->stored, &all[n], sizeof all[n]);
        if (!number || b->stored.failed)
            return STAMMA_ERROR_NO_MEMORY;
        *number = build_stored_count(b);
    }
    return STAMMA_OK;
}

stamma_error stamma_pages_find_transposed(pages_build *b)
{
    enum { TABLE_BYTES = 48 }; /* of a key in a map that grows */
    const uint32_t parts = stamma_pages_parts(b, b->nodes, TABLE_BYTES);
    buffer found = {.allocator = b->allocator};
    stamma_error error = STAMMA_OK;
    for (uint32_t part = 0; part < parts && error == STAMMA_OK && build_popular_count(b) > 0; part++)
        error = find_part(b, part, parts, &found);
    if (error == STAMMA_OK)
        error = number_found(b, &found);
    stamma_buffer_release(&b->late);
    stamma_buffer_release(&found);
    return error;
}
