/* SPDX-License-Identifier: MIT */
/* Commits: the totals of an archive, and the list of blocks since the previous commit (clause 7). */
#include "container/container.h"

const uint8_t stamma_commit_magic[8] = {'S', 't', 'E', 'n', 'd', 'C', 'm', 't'};

bool stamma_places_add(block_places *list, block_place place, const stamma_allocator *allocator)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity < 16 ? 16 : list->capacity * 2;
        void *resized = memory_resize(allocator, list->places, size_multiply(capacity, sizeof place));
        if (!resized)
            return false;
        list->places = (block_place *)resized;
        list->capacity = capacity;
    }
    list->places[list->count++] = place;
    return true;
}

void stamma_counts_add(stamma_archive_counts *sum, const stamma_archive_counts *more)
{
    sum->games += more->games;
    sum->plies += more->plies;
    sum->variation_plies += more->variation_plies;
    sum->text_size += more->text_size;
    sum->games_verbatim += more->games_verbatim;
    sum->games_partly_verbatim += more->games_partly_verbatim;
    sum->games_corrected += more->games_corrected;
    sum->verbatim_bytes += more->verbatim_bytes;
}

void stamma_counts_subtract(stamma_archive_counts *sum, const stamma_archive_counts *less)
{
    sum->games -= less->games;
    sum->plies -= less->plies;
    sum->variation_plies -= less->variation_plies;
    sum->text_size -= less->text_size;
    sum->games_verbatim -= less->games_verbatim;
    sum->games_partly_verbatim -= less->games_partly_verbatim;
    sum->games_corrected -= less->games_corrected;
    sum->verbatim_bytes -= less->verbatim_bytes;
}

bool stamma_counts_equal(const stamma_archive_counts *a, const stamma_archive_counts *b)
{
    return a->games == b->games && a->plies == b->plies && a->variation_plies == b->variation_plies &&
           a->text_size == b->text_size && a->games_verbatim == b->games_verbatim &&
           a->games_partly_verbatim == b->games_partly_verbatim && a->games_corrected == b->games_corrected &&
           a->verbatim_bytes == b->verbatim_bytes;
}

enum { TOTALS = 9 };

void stamma_commit_write(const commit *c, buffer *out)
{
    uint8_t eight[8];
    const stamma_archive_counts *t = &c->totals;
    const uint64_t totals[TOTALS] = {t->games,           t->plies,          t->variation_plies,
                                     t->text_size,       t->games_verbatim, t->games_partly_verbatim,
                                     t->games_corrected, t->verbatim_bytes, c->blocks};
    store_u64(eight, c->previous);
    buffer_add(out, eight, 8);
    buffer_add_byte(out, c->finished);
    for (unsigned i = 0; i < TOTALS; i++)
        stamma_buffer_add_varint(out, totals[i]);
    stamma_buffer_add_varint(out, c->places.count);
    uint64_t last = c->start;
    for (size_t i = 0; i < c->places.count; i++) {
        const block_place *p = &c->places.places[i];
        stamma_buffer_add_varint(out, p->offset - last);
        stamma_buffer_add_varint(out, p->games);
        stamma_buffer_add_varint(out, p->text_size);
        last = p->offset;
    }
    store_u64(eight, c->offset);
    buffer_add(out, eight, 8);
    buffer_add(out, stamma_commit_magic, 8);
}

static void read_totals(cursor *in, commit *c)
{
    uint64_t totals[TOTALS];
    for (unsigned i = 0; i < TOTALS; i++)
        totals[i] = stamma_cursor_varint(in);
    c->totals = (stamma_archive_counts){.games = totals[0],
                                        .plies = totals[1],
                                        .variation_plies = totals[2],
                                        .text_size = totals[3],
                                        .games_verbatim = totals[4],
                                        .games_partly_verbatim = totals[5],
                                        .games_corrected = totals[6],
                                        .verbatim_bytes = totals[7]};
    c->blocks = totals[8];
}

stamma_error stamma_commit_read(const uint8_t *payload, size_t size, commit *c, const stamma_allocator *allocator)
{
    cursor in = {payload, payload + size, false};
    const uint8_t *previous = cursor_take(&in, 8);
    uint8_t flags = cursor_byte(&in);
    if (!previous || flags > 1)
        return STAMMA_ERROR_CORRUPT;
    c->places.count = 0;
    c->previous = load_u64(previous);
    c->finished = flags;
    read_totals(&in, c);
    uint64_t count = stamma_cursor_varint(&in), last = c->start;
    if (count > COMMIT_BLOCKS_MAX)
        return STAMMA_ERROR_CORRUPT;
    for (; count > 0 && !in.failed; count--) {
        block_place p;
        p.offset = last += stamma_cursor_varint(&in);
        p.games = stamma_cursor_varint(&in);
        p.text_size = stamma_cursor_varint(&in);
        if (!in.failed && !stamma_places_add(&c->places, p, allocator))
            return STAMMA_ERROR_NO_MEMORY;
    }
    const uint8_t *end = cursor_take(&in, 16);
    if (!end || cursor_left(&in) != 0 || memcmp(end + 8, stamma_commit_magic, 8) != 0)
        return STAMMA_ERROR_CORRUPT;
    c->offset = load_u64(end);
    return STAMMA_OK;
}
