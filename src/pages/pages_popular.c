/* SPDX-License-Identifier: MIT */
/* Finds the popular positions, and what the numbers of moves and games need: weights, codes and widths. */
#include "pages/pages_build.h"

enum { SAMPLE_GAMES = 16384 };

/* ---- different beginnings ---- */

static stamma_error count_nodes(void *context, pages_walk *w)
{
    pages_build *b = (pages_build *)context;
    b->typed++;
    b->nodes += w->deepest > w->shared ? w->deepest - w->shared : 0;
    for (unsigned n = w->shared + 1; n <= w->deepest; n++)
        pages_filter_add(&b->filter, w->keys[n]);
    return STAMMA_OK;
}

/* ---- popular positions ---- */

/* The positions of a game, each with the first game that passed it. When another game leaves them, the games that
 * passed them are counted. */
typedef struct popular_pass {
    pages_build *build;
    pages_map map; /* number of games */
    uint32_t part, parts;
    unsigned length; /* last ply */
    uint32_t game;
    bool begun;
    uint64_t keys[WALK_PLIES];
    uint32_t first[WALK_PLIES];
    bool counts[WALK_PLIES]; /* in this part, and not a repetition */
} popular_pass;

static bool leave(popular_pass *t, unsigned shared, uint32_t game)
{
    for (; t->begun && t->length > shared; t->length--) {
        if (!t->counts[t->length])
            continue;
        uint64_t *count = stamma_pages_map_add(&t->map, t->keys[t->length]);
        if (!count)
            return false;
        *count += game - t->first[t->length];
    }
    return true;
}

static stamma_error count_positions(void *context, pages_walk *w)
{
    popular_pass *t = (popular_pass *)context;
    if (!leave(t, w->shared, w->number))
        return STAMMA_ERROR_NO_MEMORY;
    for (unsigned n = t->begun ? t->length + 1 : 0; n <= w->deepest; n++) {
        t->keys[n] = w->keys[n];
        t->first[n] = w->number;
        t->counts[n] = pages_is_in_part(w->keys[n], t->part, t->parts) && stamma_pages_walk_is_new(w, n);
        if (t->counts[n])
            pages_map_prefetch(&t->map, w->keys[n]);
    }
    t->length = w->deepest;
    t->begun = true;
    t->game = w->number;
    return STAMMA_OK;
}

/* Counts the games that still pass the positions of the last game. */
static bool leave_all(popular_pass *t)
{
    if (!t->begun || !leave(t, 0, t->game + 1))
        return !t->begun;
    uint64_t *count = t->counts[0] ? stamma_pages_map_add(&t->map, t->keys[0]) : NULL;
    if (count)
        *count += t->game;
    return count || !t->counts[0];
}

/* Adds the popular positions of a part to the map, without numbers. */
static bool take_popular(popular_pass *t)
{
    bool added = true;
    for (size_t n = 0; n < t->map.capacity && added; n++)
        if (t->map.keys[n] != 0 && t->map.values[n] >= t->build->options.min_games)
            added = stamma_pages_map_add(&t->build->map, t->map.keys[n]) != NULL;
    return added;
}

static stamma_error find_part(pages_build *b, uint32_t part, uint32_t parts)
{
    popular_pass *t = (popular_pass *)memory_allocate(b->allocator, sizeof *t);
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t, 0, sizeof *t);
    t->build = b;
    t->part = part;
    t->parts = parts;
    stamma_pages_map_init(&t->map, b->allocator);
    stamma_error error = stamma_pages_walk(b, 1, false, count_positions, t);
    if (error == STAMMA_OK && !(leave_all(t) && take_popular(t)))
        error = STAMMA_ERROR_NO_MEMORY;
    stamma_pages_map_release(&t->map);
    memory_release(b->allocator, t);
    return error;
}

/* ---- positions outside lines ---- */

static stamma_error add_late(void *context, const stamma_position *p, uint64_t key, const stamma_move *move)
{
    pages_build *b = (pages_build *)context;
    (void)p;
    (void)move;
    if (pages_filter_has(&b->filter, key) && build_number(b, key) == 0)
        buffer_add(&b->late, &key, sizeof key);
    return b->late.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

static stamma_error begin_other(void *context, const pages_game *game)
{
    (void)context;
    (void)game;
    return STAMMA_OK;
}

/* ---- numbers of popular positions, and the moves to them ---- */

static stamma_error add_popular(pages_build *b, const pages_walk *w, unsigned ply, uint64_t *number)
{
    const pages_popular added = {.path = (uint32_t)b->paths.size, .length = (uint8_t)ply};
    const pages_stored stored = {.key = w->keys[ply], .complete = true};
    if (b->paths.size > UINT32_MAX - WALK_PLIES)
        return STAMMA_ERROR_LIMIT;
    buffer_add(&b->paths, w->codes, ply);
    buffer_add(&b->popular, &added, sizeof added);
    buffer_add(&b->stored, &stored, sizeof stored);
    *number = build_popular_count(b);
    return b->paths.failed || b->popular.failed || b->stored.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Numbers the positions that the game is the first to reach, and counts the lines. */
static stamma_error number_positions(void *context, pages_walk *w)
{
    pages_build *b = (pages_build *)context;
    stamma_error error = STAMMA_OK;
    uint32_t before = 0; /* the popular position before the ply; 0: a rare one */
    for (unsigned n = 0; n <= w->deepest && error == STAMMA_OK; n++) {
        uint64_t *number = stamma_pages_map_find(&b->map, w->keys[n]);
        if (number && *number == 0)
            error = add_popular(b, w, n, number);
        if (!number && before > 0) {
            build_popular(b)[before - 1].lines++;
            b->lines++;
            b->departures += n - 1;
        }
        before = number ? (uint32_t)*number : 0;
    }
    return error == STAMMA_OK ? stamma_pages_walk_rest(w, add_late, b) : error;
}

/* ---- weights and codes ---- */

typedef struct sample {
    pages_build *build;
    uint64_t played[PAGES_WEIGHTS], available[PAGES_WEIGHTS];
    uint32_t ranks[PREFIX_SYMBOLS];
} sample;

/* Returns whether the move to a ply is part of a line. */
static bool is_in_line(const pages_build *b, const pages_walk *w, unsigned ply)
{
    return build_number(b, w->keys[ply]) == 0 || build_number(b, w->keys[ply - 1]) == 0;
}

static stamma_error sample_classes(void *context, pages_walk *w)
{
    sample *s = (sample *)context;
    for (unsigned n = 1; n <= w->length; n++) {
        stamma_move moves[STAMMA_MOVES_MAX];
        if (!is_in_line(s->build, w, n) || w->played[n - 1] == STAMMA_MOVE_NULL)
            continue;
        const stamma_position *p = &w->positions[n - 1];
        const unsigned last = n > 1 ? stamma_move_to(w->played[n - 2]) : (unsigned)STAMMA_SQUARE_NONE;
        const size_t count = stamma_legal_moves(p, moves);
        for (size_t k = 0; k < count; k++)
            s->available[stamma_pages_class(p, moves[k], last)]++;
        s->played[stamma_pages_class(p, w->played[n - 1], last)]++;
    }
    return STAMMA_OK;
}

static stamma_error sample_ranks(void *context, pages_walk *w)
{
    sample *s = (sample *)context;
    for (unsigned n = 1; n <= w->length; n++) {
        const unsigned last = n > 1 ? stamma_move_to(w->played[n - 2]) : (unsigned)STAMMA_SQUARE_NONE;
        if (!is_in_line(s->build, w, n))
            continue;
        const unsigned rank = stamma_pages_rank(&s->build->order, &w->positions[n - 1], w->played[n - 1], last);
        s->ranks[rank < PREFIX_SYMBOLS ? rank : 0]++;
    }
    return STAMMA_OK;
}

static stamma_error make_codes(pages_build *b)
{
    const uint32_t step = (uint32_t)(b->typed / SAMPLE_GAMES + 1);
    sample *s = (sample *)memory_allocate(b->allocator, sizeof *s);
    if (!s)
        return STAMMA_ERROR_NO_MEMORY;
    memset(s, 0, sizeof *s);
    s->build = b;
    stamma_error error = stamma_pages_walk(b, step, false, sample_classes, s);
    for (size_t n = 0; n < PAGES_WEIGHTS; n++)
        b->order.weights[n] = stamma_pages_weight(s->played[n], s->available[n]);
    for (size_t n = 0; n < PREFIX_SYMBOLS; n++)
        s->ranks[n] = 1; /* every number has a code */
    if (error == STAMMA_OK)
        error = stamma_pages_walk(b, step, false, sample_ranks, s);
    stamma_prefix_lengths(s->ranks, b->lengths);
    if (error == STAMMA_OK && !stamma_prefix_codes(b->lengths, b->codes))
        error = STAMMA_ERROR_SELF_CHECK;
    memory_release(b->allocator, s);
    return error;
}

/* ---- widths ---- */

/* The limits of the values of games. */
typedef struct limits {
    unsigned rating, first_month, last_month, kinds[2];
    uint64_t rated, ratings; /* games with both ratings, and the sum of both */
} limits;

static void add_limits(limits *l, const index_facts *f)
{
    const unsigned month = f->month == SEARCH_ODD_MONTH ? 0 : f->month;
    const bool rated = f->rating[0] > 0 && f->rating[1] > 0;
    l->rated += rated;
    l->ratings += rated ? (unsigned)f->rating[0] + f->rating[1] : 0;
    const unsigned kind = f->speed | (unsigned)f->mode << PAGES_SPEED_BITS;
    for (unsigned color = 0; color < 2; color++)
        l->rating = f->rating[color] > l->rating ? f->rating[color] : l->rating;
    if (month > 0) {
        l->first_month = l->first_month == 0 || month < l->first_month ? month : l->first_month;
        l->last_month = month > l->last_month ? month : l->last_month;
    }
    l->kinds[0] = kind < l->kinds[0] ? kind : l->kinds[0];
    l->kinds[1] = kind > l->kinds[1] ? kind : l->kinds[1];
}

static stamma_error find_widths(pages_build *b)
{
    limits l = {.kinds = {UINT8_MAX, 0}};
    for (size_t n = 0; n < b->file->segment_count; n++) {
        const index_segment *s = &b->file->segments[n];
        for (uint32_t rank = 0; rank < s->counts[COUNT_GAMES]; rank++) {
            index_facts facts;
            if (!stamma_index_facts(b->file, s, rank, &facts, NULL))
                return STAMMA_ERROR_CORRUPT;
            add_limits(&l, &facts);
        }
    }
    const bool one_kind = l.kinds[0] >= l.kinds[1];
    b->widths = (pages_widths){.number = (uint8_t)bits_for(b->file->games),
                               .rating = (uint8_t)bits_for(l.rating + 1u),
                               .month = (uint8_t)bits_for(l.last_month > 0 ? l.last_month - l.first_month + 2u : 1),
                               .kind = one_kind ? 0 : PAGES_KIND_BITS,
                               .only_kind = (uint8_t)(one_kind ? l.kinds[1] : 0),
                               .first_month = (uint16_t)l.first_month,
                               .last_month = (uint16_t)l.last_month,
                               .mean = (uint16_t)(l.rated > 0 ? l.ratings / (2 * l.rated) : 0)};
    return STAMMA_OK;
}

stamma_error stamma_pages_find_popular(pages_build *b)
{
    enum { TABLE_BYTES = 48 /* of a key in a map that grows */, TYPICAL = 20 /* positions of a game in its lines */ };
    stamma_error error = find_widths(b);
    if (error == STAMMA_OK && !stamma_pages_filter_open(&b->filter, b->file->games * TYPICAL, b->allocator))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = stamma_pages_walk(b, 1, false, count_nodes, b);
    const uint32_t parts = stamma_pages_parts(b, b->nodes, TABLE_BYTES);
    b->total = (4 + 2 * (uint64_t)parts) * b->typed;
    for (uint32_t part = 0; part < parts && error == STAMMA_OK; part++)
        error = find_part(b, part, parts);
    if (error == STAMMA_OK)
        error = stamma_pages_walk(b, 1, true, number_positions, b);
    if (error == STAMMA_OK)
        error = stamma_pages_other_games(b, begin_other, add_late, b);
    memory_release(b->allocator, b->filter.bits);
    b->filter.bits = NULL;
    return error == STAMMA_OK ? make_codes(b) : error;
}
