/* What is found wrong with an archive, and which blocks, games and bytes of text it concerns: blocks whose heads can be
 * read are counted, and the commits tell of the others. */
#include "archive/frames.h"

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

/* ---- what commits tell ---- */

static bool is_lost(const finding *f)
{
    return !f->block && !f->spans[SPAN_BLOCKS].known;
}

static void set_spans(finding *f, uint64_t blocks, uint64_t games, uint64_t bytes)
{
    const uint64_t sizes[SPANS] = {blocks, games, bytes};
    for (unsigned s = 0; s < SPANS; s++) {
        f->spans[s].size = sizes[s];
        f->spans[s].known = true;
    }
}

/* Goes through blocks and lost bytes together with the list; with `set` takes what it says. Whether they fit. */
static bool walk_list(findings *all, const commit *c, bool set)
{
    size_t next = 0;
    for (size_t i = all->located; i < all->end; i++) {
        finding *f = &all->list[i];
        uint64_t games = 0, bytes = 0;
        size_t first = next;
        if ((!f->block && !is_lost(f)) || f->offset < c->previous)
            continue;
        uint64_t end = f->block ? f->offset + 1 : f->end; /* of where places may be */
        for (; next < c->places.count && c->places.places[next].offset < end; next++) {
            if (c->places.places[next].offset < f->offset)
                return false;
            games += c->places.places[next].games;
            bytes += c->places.places[next].text_size;
        }
        if (f->block && next != first + 1)
            return false;
        if (set)
            set_spans(f, next - first, games, bytes);
    }
    return next == c->places.count;
}

void stamma_findings_learn(findings *all, const commit *c)
{
    if (walk_list(all, c, false))
        (void)walk_list(all, c, true);
}

/* ---- numbers ---- */

/* Numbers forwards as far as sizes are known; then backwards, where it is known what stands before the end. What is
 * left lies somewhere in between. */
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
