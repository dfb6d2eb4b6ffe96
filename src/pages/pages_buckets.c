/* SPDX-License-Identifier: MIT */
/* Makes the buckets: the sums of all stored positions, in parts of their keys, and the places of lines. */
#include "pages/pages_build.h"

#include <stdlib.h>

/* A pass over all games for the positions whose keys are in a range. */
typedef struct sum_pass {
    pages_build *build;
    uint32_t part, parts;
    pages_sums *sums;
    size_t count;
    uint32_t *numbers;   /* for each stored position: its number in `sums`, from 1; 0: none */
    pages_filter filter; /* keys of these positions */
    uint32_t game;       /* games that were visited */
    pages_game facts;
    bool read; /* `facts` are those of the game */
    const pages_walk *walk;
    uint32_t plies[WALK_PLIES]; /* number in `sums` of the position of each ply */
} sum_pass;

/* ---- games ---- */

static uint32_t find_sums(const sum_pass *t, uint64_t key)
{
    const uint32_t number = build_number(t->build, key);
    return number > 0 ? t->numbers[number - 1] : 0;
}

/* Adds the game to a position, unless it was added at an earlier ply. */
static stamma_error add_to(sum_pass *t, uint32_t number, const stamma_position *p, const stamma_move *move)
{
    pages_sums *s = &t->sums[number - 1];
    stamma_error error = STAMMA_OK;
    if (s->last_game == t->game)
        return STAMMA_OK;
    s->last_game = t->game;
    if (!t->read)
        error = stamma_pages_walk_game(t->walk, &t->facts);
    t->read = true;
    return error == STAMMA_OK ? stamma_pages_sums_add(t->build, s, p, move, &t->facts) : error;
}

static stamma_error visit(void *context, const stamma_position *p, uint64_t key, const stamma_move *move)
{
    sum_pass *t = (sum_pass *)context;
    const uint32_t number = pages_filter_has(&t->filter, key) ? find_sums(t, key) : 0;
    return number > 0 ? add_to(t, number, p, move) : STAMMA_OK;
}

static stamma_error visit_game(void *context, pages_walk *w)
{
    sum_pass *t = (sum_pass *)context;
    stamma_error error = STAMMA_OK;
    t->game++;
    t->read = false;
    t->walk = w;
    for (unsigned n = w->shared + 1; n <= w->deepest; n++)
        t->plies[n] = pages_filter_has(&t->filter, w->keys[n]) ? find_sums(t, w->keys[n]) : 0;
    for (unsigned n = 0; n <= w->deepest && error == STAMMA_OK; n++)
        if (t->plies[n] > 0)
            error = add_to(t, t->plies[n], &w->positions[n], n < w->length ? &w->played[n] : NULL);
    return error == STAMMA_OK ? stamma_pages_walk_rest(w, visit, t) : error;
}

static stamma_error begin_other(void *context, const pages_game *game)
{
    sum_pass *t = (sum_pass *)context;
    t->game++;
    t->facts = *game;
    t->read = true;
    return STAMMA_OK;
}

/* ---- parts ---- */

/* Parts are ranges of keys, in the order of buckets. */
static bool is_in_range(const sum_pass *t, uint64_t key)
{
    return (uint32_t)((key >> 32) * t->parts >> 32) == t->part;
}

/* Sets the numbers of the positions of the part. */
static bool open_sums(sum_pass *t)
{
    const pages_stored *stored = build_stored(t->build);
    const size_t all = build_stored_count(t->build);
    t->count = 0;
    for (size_t n = 0; n < all; n++)
        t->numbers[n] = stored[n].complete && is_in_range(t, stored[n].key) ? (uint32_t)++t->count : 0;
    t->sums = (pages_sums *)memory_allocate(t->build->allocator, size_multiply(t->count + 1, sizeof *t->sums));
    for (size_t n = 0; n < all && t->sums; n++)
        if (t->numbers[n] > 0)
            t->sums[t->numbers[n] - 1] = (pages_sums){.stored = (uint32_t)n, .moves.allocator = t->build->allocator};
    if (!t->sums || !stamma_pages_filter_open(&t->filter, t->count, t->build->allocator))
        return false;
    for (size_t n = 0; n < all; n++)
        if (t->numbers[n] > 0)
            pages_filter_add(&t->filter, stored[n].key);
    return true;
}

static void close_sums(sum_pass *t)
{
    for (size_t n = 0; n < t->count && t->sums; n++)
        stamma_buffer_release(&t->sums[n].moves);
    memory_release(t->build->allocator, t->sums);
    memory_release(t->build->allocator, t->filter.bits);
    t->sums = NULL;
    t->filter.bits = NULL;
}

/* Writes the places of the lines that reach a transposed position. */
static void put_references(const pages_build *b, const pages_stored *s, buffer *out)
{
    pages_writer w = {.out = out};
    buffer_add_byte(out, s->source_count);
    for (unsigned n = 0; n < s->source_count; n++)
        stamma_pages_put_place(&w, &b->widths, &build_popular(b)[s->sources[n]].place);
    stamma_pages_put_end(&w);
}

/* Writes a position with its moves and games. */
static stamma_error put_position(sum_pass *t, size_t stored, buffer *body, buffer *out)
{
    const pages_build *b = t->build;
    const pages_popular *popular = stored < build_popular_count(b) ? &build_popular(b)[stored] : NULL;
    body->size = 0;
    const bool lines = popular && popular->place.span > 0;
    pages_writer w = {.out = body};
    buffer_add_byte(body, lines ? PAGES_WITH_LINES : popular ? PAGES_WITHOUT_LINES : PAGES_OTHER);
    if (lines)
        stamma_pages_put_place(&w, &b->widths, &popular->place);
    stamma_pages_put_end(&w);
    const stamma_error error = stamma_pages_sums_write(b, &t->sums[t->numbers[stored] - 1], body);
    stamma_buffer_add_varint(out, body->size + PAGES_REFERENCES + 1);
    buffer_add(out, body->data, body->size);
    return error;
}

/* Writes the entries of a part. */
static stamma_error put_part(sum_pass *t, buffer *bodies, buffer *entries)
{
    const pages_stored *stored = build_stored(t->build);
    buffer body = {.allocator = t->build->allocator};
    stamma_error error = STAMMA_OK;
    for (size_t n = 0; n < build_stored_count(t->build) && error == STAMMA_OK; n++) {
        pages_body entry = {.key = stored[n].key, .at = bodies->size};
        if (!is_in_range(t, stored[n].key))
            continue;
        if (stored[n].complete)
            error = put_position(t, n, &body, bodies);
        else
            put_references(t->build, &stored[n], bodies);
        entry.size = bodies->size - entry.at;
        buffer_add(entries, &entry, sizeof entry);
    }
    const bool failed = body.failed || bodies->failed || entries->failed;
    stamma_buffer_release(&body);
    return error == STAMMA_OK && failed ? STAMMA_ERROR_NO_MEMORY : error;
}

static stamma_error make_part(sum_pass *t, buffer *bodies, buffer *entries)
{
    stamma_error error = open_sums(t) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK) {
        t->game = 0;
        t->plies[0] = find_sums(t, build_stored(t->build)[0].key);
        error = stamma_pages_walk(t->build, 1, true, visit_game, t);
    }
    if (error == STAMMA_OK)
        error = stamma_pages_other_games(t->build, begin_other, visit, t);
    if (error == STAMMA_OK)
        error = put_part(t, bodies, entries);
    close_sums(t);
    return error;
}

/* A transposed position of too many lines, or of lines that are not stored, is stored like a popular one. Returns the
 * number of positions that are. */
static uint64_t complete_positions(pages_build *b)
{
    pages_stored *stored = build_stored(b);
    uint64_t complete = 0;
    for (size_t n = 0; n < build_stored_count(b); n++) {
        stored[n].complete |= stored[n].source_count > PAGES_REFERENCES;
        for (unsigned k = 0; k < stored[n].source_count && !stored[n].complete; k++)
            stored[n].complete |= build_popular(b)[stored[n].sources[k]].place.span == 0;
        complete += stored[n].complete;
    }
    return complete;
}

/* ---- buckets ---- */

static int compare(const void *first, const void *second)
{
    const uint64_t a = ((const pages_body *)first)->key, b = ((const pages_body *)second)->key;
    return (a > b) - (a < b);
}

/* Orders positions by their bucket, and in a bucket by the low bits of their keys. */
static int compare_low(const void *first, const void *second)
{
    const uint64_t a = ((const pages_body *)first)->key & PAGES_KEY_MASK,
                   b = ((const pages_body *)second)->key & PAGES_KEY_MASK;
    return (a > b) - (a < b);
}

static uint32_t bucket_of(uint64_t key, uint32_t buckets)
{
    return (uint32_t)((key >> 32) * buckets >> 32);
}

/* Appends a bucket. Returns false if it is too large, or if two of its keys are equal in their low bits. */
static bool put_bucket(pages_build *b, pages_body *entries, size_t count, const uint8_t *bodies)
{
    const size_t begin = b->buckets.size;
    uint8_t number[4], key[8];
    bool right = count <= UINT16_MAX;
    if (count > 0)
        qsort(entries, count, sizeof *entries, compare_low);
    store_u16(number, (uint16_t)count);
    buffer_add(&b->buckets, number, 2);
    for (size_t n = 0; n < count; n++) {
        store_u64(key, entries[n].key);
        buffer_add(&b->buckets, key, PAGES_KEY_SIZE);
        right &= n == 0 || compare_low(&entries[n - 1], &entries[n]) < 0;
    }
    for (size_t n = 0; n < count; n++)
        buffer_add(&b->buckets, bodies + entries[n].at, entries[n].size);
    if (b->buckets.failed)
        return true;
    store_u32(number, stamma_check32(b->buckets.data + begin, b->buckets.size - begin));
    buffer_add(&b->buckets, number, sizeof number);
    store_u16(number, (uint16_t)(b->buckets.size - begin));
    buffer_add(&b->sizes, number, 2);
    return right && b->buckets.size - begin <= PAGES_BUCKET_MAX;
}

/* Cuts entries, which are sorted by their keys, into this number of buckets. */
static bool cut(pages_build *b, pages_body *entries, size_t count, const uint8_t *bodies, uint32_t buckets)
{
    size_t begin = 0;
    bool right = true;
    b->buckets.size = b->sizes.size = 0;
    for (uint32_t n = 0; n < buckets && right; n++) {
        size_t end = begin;
        while (end < count && bucket_of(entries[end].key, buckets) == n)
            end++;
        right = put_bucket(b, entries + begin, end - begin, bodies);
        begin = end;
    }
    return right;
}

stamma_error stamma_pages_cut_buckets(pages_build *b, pages_body *entries, size_t count, const buffer *bodies)
{
    uint64_t buckets = (bodies->size + PAGES_KEY_SIZE * (uint64_t)count) / PAGES_BUCKET + 1;
    bool right = false;
    for (; buckets <= PAGES_BUCKETS_MAX && !right; buckets *= 2) {
        if (count > 0)
            qsort(entries, count, sizeof *entries, compare);
        right = cut(b, entries, count, bodies->data, (uint32_t)buckets);
    }
    b->positions = (uint32_t)count;
    if (b->buckets.failed || b->sizes.failed)
        return STAMMA_ERROR_NO_MEMORY;
    return right ? STAMMA_OK : STAMMA_ERROR_LIMIT;
}

static void set_place_widths(pages_build *b)
{
    unsigned most = 0;
    for (size_t n = 0; n < build_popular_count(b); n++)
        most = build_popular(b)[n].place.index > most ? build_popular(b)[n].place.index : most;
    b->widths.unit = (uint8_t)bits_for(b->units.size / PAGES_HEADER);
    b->widths.index = (uint8_t)bits_for(most + 1u);
}

stamma_error stamma_pages_make_buckets(pages_build *b)
{
    enum { SUM_BYTES = 2048 }; /* of a position that is stored completely, while it is made */
    sum_pass *t = (sum_pass *)memory_allocate(b->allocator, sizeof *t);
    buffer bodies = {.allocator = b->allocator}, entries = {.allocator = b->allocator};
    const size_t all = build_stored_count(b);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t, 0, sizeof *t);
    t->build = b;
    t->parts = stamma_pages_parts(b, complete_positions(b), SUM_BYTES);
    t->numbers = (uint32_t *)memory_allocate(b->allocator, size_multiply(all + 1, sizeof *t->numbers));
    set_place_widths(b);
    stamma_error error = t->numbers ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (; t->part < t->parts && error == STAMMA_OK && all > 0; t->part++)
        error = make_part(t, &bodies, &entries);
    if (error == STAMMA_OK)
        error =
            stamma_pages_cut_buckets(b, (pages_body *)(void *)entries.data, entries.size / sizeof(pages_body), &bodies);
    memory_release(b->allocator, t->numbers);
    memory_release(b->allocator, t);
    stamma_buffer_release(&bodies);
    stamma_buffer_release(&entries);
    return error;
}
