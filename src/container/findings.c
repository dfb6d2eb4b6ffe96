/* SPDX-License-Identifier: MIT */
/* Finds the blocks, games and bytes of text that damage to an archive affects. Their numbers are read from the heads of
 * blocks if these can be read, otherwise from the commits. */
#include "container/container.h"

const char *stamma_damage_text(stamma_damage_kind kind)
{
    switch (kind) {
    case STAMMA_DAMAGE_NONE: return "no damage";
    case STAMMA_DAMAGE_HEADER: return "damaged header of the file";
    case STAMMA_DAMAGE_FRAME: return "no frame that can be read";
    case STAMMA_DAMAGE_HEAD: return "damaged head of a block";
    case STAMMA_DAMAGE_COLUMN: return "damaged column";
    case STAMMA_DAMAGE_CONTENT: return "a block that does not decode to what was packed";
    case STAMMA_DAMAGE_COMMIT: return "damaged commit";
    case STAMMA_DAMAGE_END: return "the archive is cut short";
    case STAMMA_DAMAGE_TAIL: return "bytes after the archive's end, which no finished commit counts";
    case STAMMA_DAMAGE_END_MARK: return "damaged end of a commit; all that it counts is there";
    case STAMMA_DAMAGE_ORDER: return "a frame out of its order";
    case STAMMA_DAMAGE_SEARCH: return "damaged search column";
    case STAMMA_DAMAGE_TABLE: return "damaged table of blocks";
    case STAMMA_DAMAGE_SOURCE: return "damaged record of an input file";
    }
    return "unknown damage";
}

/* ---- the list ---- */

static bool make_room(findings *all)
{
    if (all->end < all->capacity)
        return true;
    size_t capacity = all->capacity < 32 ? 32 : all->capacity * 2;
    void *resized = memory_resize(all->allocator, all->list, size_multiply(capacity, sizeof *all->list));
    if (!resized)
        return false;
    all->list = (finding *)resized;
    all->capacity = capacity;
    return true;
}

finding *stamma_findings_add(findings *all, uint64_t offset, uint64_t end)
{
    if (!make_room(all))
        return NULL;
    finding *f = &all->list[all->end++];
    *f = (finding){.offset = offset, .end = end, .columns.allocator = all->allocator};
    for (unsigned s = 0; s < SPANS; s++)
        f->spans[s].known = true;
    return f;
}

void stamma_findings_drop(findings *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        stamma_buffer_release(&all->list[all->begin + i].columns);
    all->begin += count;
    if (all->begin < all->end && all->begin < all->capacity / 2)
        return;
    size_t left = all->end - all->begin;
    if (left > 0)
        memmove(all->list, all->list + all->begin, left * sizeof *all->list);
    all->located -= all->begin;
    all->end = left;
    all->begin = 0;
}

void stamma_findings_release(findings *all)
{
    for (size_t i = all->begin; i < all->end; i++)
        stamma_buffer_release(&all->list[i].columns);
    memory_release(all->allocator, all->list);
}

/* ---- sizes from commits ---- */

static void set_sizes(finding *f, uint64_t games, uint64_t bytes)
{
    f->spans[SPAN_GAMES] = (span){.size = games, .known = true};
    f->spans[SPAN_BYTES] = (span){.size = bytes, .known = true};
    if (f->block) {
        f->head.counts.games = games;
        f->head.counts.text_size = bytes;
    }
}

/* Returns whether the commit lists all blocks of a finding. Sums their games and bytes of text. */
static bool sum_listed(const finding *f, const commit *c, uint64_t *games, uint64_t *bytes)
{
    uint64_t first = c->blocks - c->places.count, count = f->spans[SPAN_BLOCKS].size;
    *games = *bytes = 0;
    if (!f->spans[SPAN_BLOCKS].known || f->number < first || f->number + count > c->blocks)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const block_place *place = &c->places.places[(size_t)(f->number - first + i)];
        *games += place->games;
        *bytes += place->text_size;
    }
    return true;
}

static bool agrees(const finding *f, uint64_t games, uint64_t bytes)
{
    return !f->block || !f->spans[SPAN_GAMES].known ||
           (f->spans[SPAN_GAMES].size == games && f->spans[SPAN_BYTES].size == bytes);
}

bool stamma_findings_learn(findings *all, const commit *c)
{
    uint64_t games, bytes;
    for (size_t i = all->located; i < all->end; i++)
        if (sum_listed(&all->list[i], c, &games, &bytes) && !agrees(&all->list[i], games, bytes))
            return false;
    for (size_t i = all->located; i < all->end; i++)
        if (sum_listed(&all->list[i], c, &games, &bytes) && all->list[i].spans[SPAN_BLOCKS].size > 0)
            set_sizes(&all->list[i], games, bytes);
    return true;
}

/* ---- numbers ---- */

/* Numbers findings from the first on, as long as their sizes are known. If `after` is known, numbers the other findings
 * from the last one back, as long as their sizes are known. The numbers of the remaining findings are between these. */
static void locate(findings *all, unsigned s, const uint64_t *after)
{
    uint64_t low = all->before[s], high = after ? *after : UINT64_MAX;
    size_t first = all->located, last = all->end;
    for (; !all->adrift[s] && first < last && all->list[first].spans[s].known; first++) {
        span *x = &all->list[first].spans[s];
        x->begin = low;
        x->end = low += x->size;
    }
    for (; after && last > first && all->list[last - 1].spans[s].known; last--) {
        span *x = &all->list[last - 1].spans[s];
        if (high < low || high - low < x->size)
            break;
        x->end = high;
        x->begin = high -= x->size;
    }
    uint64_t least = low;
    for (size_t i = first; i < last; i++) {
        span *x = &all->list[i].spans[s];
        bool none = x->known && x->size == 0;
        x->begin = low;
        x->end = none ? low : high < low ? UINT64_MAX : high;
        least += x->known ? x->size : 0;
    }
    all->adrift[s] = !after && (all->adrift[s] || first < last);
    all->before[s] = after ? *after : least;
}

void stamma_findings_locate(findings *all, const uint64_t after[SPANS])
{
    for (unsigned s = 0; s < SPANS; s++)
        locate(all, s, after ? &after[s] : NULL);
    all->located = all->end;
}
