/* SPDX-License-Identifier: MIT */
/* The texts of a column of tag values, by index and by rank (clause 15.4). Reader and writer keep identical
 * dictionaries. */
#include "tags/tags.h"

void stamma_tag_dictionary_clear(tag_dictionary *d)
{
    d->rank_count = d->older.size = 0;
    d->count = 0;
}

/* Puts an index at the front. The entries before `rank`, whose place is free, move back by one. Most moves are short.
 */
static void put_first(tag_dictionary *d, size_t rank, uint32_t index)
{
    if (rank > 3)
        memmove(d->ranks + 1, d->ranks, rank * sizeof *d->ranks);
    else
        for (; rank > 0; rank--)
            d->ranks[rank] = d->ranks[rank - 1];
    d->ranks[0] = index;
}

static uint32_t push(tag_dictionary *d, uint32_t index)
{
    bool full = d->rank_count == RANKS_MAX;
    if (full)
        buffer_add(&d->older, &d->ranks[RANKS_MAX - 1], sizeof *d->ranks);
    if (d->older.failed)
        return 0;
    put_first(d, full ? RANKS_MAX - 1u : d->rank_count++, index);
    return index;
}

uint32_t stamma_tag_dictionary_find(tag_dictionary *d, bool indexed, uint32_t reference)
{
    if (indexed)
        return reference <= d->count ? reference : 0;
    if (reference <= RANKS_MAX) {
        if (reference > d->rank_count)
            return 0;
        put_first(d, reference - 1, d->ranks[reference - 1]);
        return d->ranks[0];
    }
    const uint32_t *older = (const uint32_t *)(const void *)d->older.data;
    size_t count = d->older.size / sizeof *older, back = reference - (size_t)RANKS_MAX;
    return back <= count ? push(d, older[count - back]) : 0;
}

uint32_t stamma_tag_dictionary_add(tag_dictionary *d, bool indexed)
{
    d->count++;
    return indexed ? d->count : push(d, d->count);
}
