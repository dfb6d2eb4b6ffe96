/* SPDX-License-Identifier: MIT */
/* Makes the lines of popular positions, and puts them into units. */
#include "pages/pages_build.h"

#include <stdlib.h>

/* The moves of a game from a popular position. */
typedef struct made_line {
    const uint8_t *ranks; /* numbers of the moves */
    size_t at;            /* their offset while lines are added */
    uint8_t length;
    bool ended;
    pages_game game;
} made_line;

typedef struct line_pass {
    pages_build *build;
    uint32_t from, to; /* popular positions whose lines are made: numbers from 0, `to` exclusive */
    bool first;        /* the first pass, in which sources of transposed positions are listed */
    made_line *lines;  /* of all these positions */
    uint32_t *ends;    /* for each position: the end of its lines so far */
    buffer ranks;
    /* the game: */
    uint32_t popular[WALK_PLIES + 1]; /* number of the last popular position up to a ply */
    bool rare[WALK_PLIES + 1];
    uint8_t rank[WALK_PLIES + 1]; /* of the move to a ply, if it is part of a line */
    /* the unit that is filled: */
    buffer unit;       /* its lines */
    buffer unit_sizes; /* u16 */
} line_pass;

/* ---- lines of games ---- */

/* Adds a popular position whose lines reach a transposed position. */
static void add_source(pages_stored *s, uint32_t popular)
{
    for (unsigned n = 0; n < s->source_count && n < PAGES_REFERENCES; n++)
        if (s->sources[n] == popular)
            return;
    if (s->source_count < PAGES_REFERENCES)
        s->sources[s->source_count] = popular;
    s->source_count = (uint8_t)(s->source_count < PAGES_REFERENCES ? s->source_count + 1 : PAGES_REFERENCES + 1);
}

/* Numbers the move to a ply. The first move of a line has no move before it: transpositions lead to its position. */
static stamma_error rank_move(line_pass *t, const pages_walk *w, unsigned ply)
{
    const unsigned last = t->rare[ply - 1] ? stamma_move_to(w->played[ply - 2]) : (unsigned)STAMMA_SQUARE_NONE;
    const unsigned rank = stamma_pages_rank(&t->build->order, &w->positions[ply - 1], w->played[ply - 1], last);
    t->rank[ply] = (uint8_t)rank;
    return rank < PAGES_RANKS ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

/* Examines the plies that differ from the game before. The position after the last ply of lines counts as popular. */
static stamma_error visit_plies(line_pass *t, const pages_walk *w)
{
    pages_build *b = t->build;
    const uint32_t populars = (uint32_t)build_popular_count(b);
    stamma_error error = STAMMA_OK;
    for (unsigned n = w->shared + 1; n <= w->length && error == STAMMA_OK; n++) {
        const uint32_t number = n <= w->deepest ? build_number(b, w->keys[n]) : 0;
        const bool popular = number > 0 && number <= populars;
        t->popular[n] = popular ? number - 1 : t->popular[n - 1];
        t->rare[n] = !popular && n <= w->deepest;
        if (number > populars && t->first)
            add_source(&build_stored(b)[number - 1], t->popular[n]);
        if (t->rare[n] || t->rare[n - 1])
            error = rank_move(t, w, n);
    }
    return error;
}

static stamma_error add_line(line_pass *t, const pages_walk *w, unsigned begin, unsigned end)
{
    const uint32_t popular = t->popular[begin];
    if (popular < t->from || popular >= t->to)
        return STAMMA_OK;
    made_line line = {.at = t->ranks.size, .length = (uint8_t)(end - begin), .ended = t->rare[end]};
    buffer_add(&t->ranks, t->rank + begin + 1, line.length);
    if (t->ranks.failed)
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_error error = stamma_pages_walk_game(w, &line.game);
    t->lines[t->ends[popular - t->from]++] = line;
    return error;
}

static stamma_error visit_game(void *context, pages_walk *w)
{
    line_pass *t = (line_pass *)context;
    stamma_error error = visit_plies(t, w);
    for (unsigned n = 1; n <= w->length && error == STAMMA_OK; n++) {
        unsigned end = n;
        if (!t->rare[n] || t->rare[n - 1])
            continue;
        while (end < w->length && t->rare[end])
            end++;
        error = add_line(t, w, n - 1, end);
    }
    return error;
}

/* ---- strings of lines ---- */

static int compare(const void *first, const void *second)
{
    const made_line *a = (const made_line *)first, *b = (const made_line *)second;
    const unsigned least = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->ranks, b->ranks, least);
    return order != 0               ? order
           : a->length != b->length ? (int)a->length - (int)b->length
                                    : (a->game.number > b->game.number) - (a->game.number < b->game.number);
}

static void put_rank(const pages_build *b, pages_writer *w, unsigned rank)
{
    stamma_pages_put(w, b->codes[rank], b->lengths[rank]);
}

/* Writes the moves from the initial position to a popular position. */
static stamma_error put_path(const pages_build *b, pages_writer *w, const pages_popular *popular)
{
    stamma_position p = stamma_position_start();
    unsigned last = STAMMA_SQUARE_NONE;
    stamma_pages_put(w, popular->length, PAGES_LENGTH_BITS);
    for (unsigned n = 0; n < popular->length; n++) {
        stamma_move move = STAMMA_MOVE_NULL;
        if (stamma_byte_decode(&p, b->paths.data[popular->path + n], &move) != STAMMA_OK)
            return STAMMA_ERROR_SELF_CHECK;
        const unsigned rank = stamma_pages_rank(&b->order, &p, move, last);
        if (rank >= PAGES_RANKS)
            return STAMMA_ERROR_UNSUPPORTED;
        put_rank(b, w, rank);
        last = stamma_move_to(move);
        stamma_position_make(&p, move, &p);
    }
    return STAMMA_OK;
}

/* Most lines end at the last ply of lines, which the length of the path determines. */
static void put_line(const pages_build *b, pages_writer *w, unsigned limit, const made_line *before,
                     const made_line *line)
{
    const bool usual = line->length == limit && !line->ended;
    unsigned shared = 0;
    while (before && shared < line->length && shared < before->length && before->ranks[shared] == line->ranks[shared])
        shared++;
    stamma_pages_put_ones(w, shared >> PAGES_SHARED_BITS, PAGES_LINE_MAX >> PAGES_SHARED_BITS);
    stamma_pages_put(w, shared & ((1u << PAGES_SHARED_BITS) - 1), PAGES_SHARED_BITS);
    stamma_pages_put(w, usual, 1);
    if (!usual)
        stamma_pages_put(w, line->length | (uint64_t)line->ended << PAGES_LENGTH_BITS, PAGES_LENGTH_BITS + 1);
    for (unsigned n = shared; n < line->length; n++)
        put_rank(b, w, line->ranks[n]);
    const index_example e = index_example_of(&line->game.facts, line->game.number, 0, 0);
    stamma_pages_put_game(w, &b->widths, &e);
}

static stamma_error write_lines(line_pass *t, const pages_popular *popular, made_line *lines, uint32_t count,
                                buffer *out)
{
    pages_writer w = {.out = out};
    out->size = 0;
    for (uint32_t n = 0; n < count; n++)
        lines[n].ranks = t->ranks.data + lines[n].at;
    qsort(lines, count, sizeof *lines, compare);
    const stamma_error error = put_path(t->build, &w, popular);
    stamma_pages_put(&w, count, PAGES_LINES_BITS);
    for (uint32_t n = 0; n < count; n++)
        put_line(t->build, &w, t->build->options.plies + 1 - popular->length, n > 0 ? &lines[n - 1] : NULL, &lines[n]);
    stamma_pages_put_end(&w);
    return error == STAMMA_OK && out->failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- units ---- */

enum { UNIT_HEAD = 1 }; /* the number of positions */

/* Returns the size of a unit with lines of this size. */
static size_t unit_size(size_t positions, size_t bytes)
{
    return UNIT_HEAD + 2 * positions + bytes + PAGES_CHECK;
}

static size_t unit_count(const line_pass *t)
{
    return t->unit_sizes.size / 2;
}

/* Writes the lines that were put into the unit. */
static void end_unit(line_pass *t)
{
    buffer *out = &t->build->units;
    const size_t begin = out->size, size = unit_size(unit_count(t), t->unit.size);
    const size_t whole = (size + PAGES_HEADER - 1) / PAGES_HEADER * PAGES_HEADER;
    uint8_t check[PAGES_CHECK];
    if (unit_count(t) == 0 || !buffer_reserve(out, whole))
        return;
    buffer_add_byte(out, (uint8_t)unit_count(t));
    buffer_add(out, t->unit_sizes.data, t->unit_sizes.size);
    buffer_add(out, t->unit.data, t->unit.size);
    memset(out->data + out->size, 0, whole - size);
    out->size += whole - size;
    store_u32(check, stamma_check32(out->data + begin, whole - PAGES_CHECK));
    buffer_add(out, check, sizeof check);
    t->unit.size = t->unit_sizes.size = 0;
}

/* Puts the lines of a position into the unit, or into the next. Lines that are too large are not stored: the position
 * then has no lines, and the archive answers rare positions after it. */
static void put_unit(line_pass *t, pages_popular *popular, const buffer *lines)
{
    uint8_t size[2];
    if (lines->size > UINT16_MAX || unit_size(1, lines->size) > PAGES_SPAN_MAX * PAGES_HEADER)
        return;
    if (unit_size(unit_count(t) + 1, t->unit.size + lines->size) > PAGES_HEADER || unit_count(t) == PAGES_PLACE_MAX)
        end_unit(t);
    const size_t span = (unit_size(unit_count(t) + 1, t->unit.size + lines->size) + PAGES_HEADER - 1) / PAGES_HEADER;
    popular->place =
        (pages_place){(uint32_t)(t->build->units.size / PAGES_HEADER), (uint8_t)span, (uint8_t)unit_count(t)};
    store_u16(size, (uint16_t)lines->size);
    buffer_add(&t->unit_sizes, size, sizeof size);
    buffer_add(&t->unit, lines->data, lines->size);
    if (span > 1)
        end_unit(t);
}

/* ---- passes ---- */

static stamma_error write_all(line_pass *t)
{
    pages_popular *popular = build_popular(t->build);
    buffer out = {.allocator = t->build->allocator};
    stamma_error error = STAMMA_OK;
    uint32_t begin = 0;
    for (uint32_t n = t->from; n < t->to && error == STAMMA_OK; n++) {
        const uint32_t end = t->ends[n - t->from];
        if (end > begin && end - begin <= UINT16_MAX) {
            error = write_lines(t, &popular[n], t->lines + begin, end - begin, &out);
            if (error == STAMMA_OK)
                put_unit(t, &popular[n], &out);
        }
        begin = end;
    }
    stamma_buffer_release(&out);
    const bool failed = t->unit.failed || t->unit_sizes.failed || t->build->units.failed;
    return error == STAMMA_OK && failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* Makes the lines of the positions from `from` to `to`. */
static stamma_error make_part(line_pass *t, uint32_t lines)
{
    pages_build *b = t->build;
    t->lines = (made_line *)memory_allocate(b->allocator, size_multiply((size_t)lines + 1, sizeof *t->lines));
    t->ends = (uint32_t *)memory_allocate(b->allocator, ((size_t)(t->to - t->from) + 1) * sizeof *t->ends);
    stamma_error error = t->lines && t->ends ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    for (uint32_t n = t->from, end = 0; n < t->to && error == STAMMA_OK; n++) {
        t->ends[n - t->from] = end;
        end += build_popular(b)[n].lines;
    }
    t->ranks.size = 0;
    if (error == STAMMA_OK)
        error = stamma_pages_walk(b, 1, false, visit_game, t);
    if (error == STAMMA_OK)
        error = write_all(t);
    memory_release(b->allocator, t->lines);
    memory_release(b->allocator, t->ends);
    return error;
}

stamma_error stamma_pages_make_lines(pages_build *b)
{
    enum { LINE_BYTES = sizeof(made_line) + 24 }; /* with its moves */
    const uint32_t populars = (uint32_t)build_popular_count(b);
    const uint64_t most = b->options.memory / LINE_BYTES;
    line_pass *t = (line_pass *)memory_allocate(b->allocator, sizeof *t);
    stamma_error error = STAMMA_OK;
    if (!t)
        return STAMMA_ERROR_NO_MEMORY;
    memset(t, 0, sizeof *t);
    t->build = b;
    t->first = true;
    t->ranks.allocator = t->unit.allocator = t->unit_sizes.allocator = b->allocator;
    while (t->to < populars && error == STAMMA_OK) {
        uint64_t lines = build_popular(b)[t->to].lines;
        for (t->from = t->to++; t->to < populars && lines + build_popular(b)[t->to].lines <= most; t->to++)
            lines += build_popular(b)[t->to].lines;
        error = lines < UINT32_MAX ? make_part(t, (uint32_t)lines) : STAMMA_ERROR_LIMIT;
        t->first = false;
    }
    end_unit(t);
    stamma_buffer_release(&t->ranks);
    stamma_buffer_release(&t->unit);
    stamma_buffer_release(&t->unit_sizes);
    memory_release(b->allocator, t);
    return error == STAMMA_OK && b->units.failed ? STAMMA_ERROR_NO_MEMORY : error;
}
