/* SPDX-License-Identifier: MIT */
/* Reads the lines that begin at a popular position, and finds a position in them. The input is not trusted. */
#include <limits.h>
#include "pages/pages.h"

/* The moves of a line, and the positions between them. */
typedef struct line_reader {
    const stamma_pages *x;
    pages_reader bits;
    const stamma_position *target;
    unsigned length; /* number of moves */
    unsigned limit;  /* usual number of moves */
    unsigned hit;    /* first ply with the target; UINT_MAX: none */
    stamma_move moves[PAGES_LINE_MAX + 1];
    stamma_position positions[PAGES_LINE_MAX + 1];
} line_reader;

/* Reads moves from ply `from` to ply `to`. */
static bool read_moves(line_reader *l, unsigned from, unsigned to)
{
    for (unsigned n = from; n < to; n++) {
        const unsigned rank = stamma_pages_get_rank(&l->bits, l->x->table);
        const unsigned last = n > 0 ? stamma_move_to(l->moves[n - 1]) : (unsigned)STAMMA_SQUARE_NONE;
        if (l->bits.failed || !stamma_pages_move(&l->x->order, &l->positions[n], rank, last, &l->moves[n]))
            return false;
        stamma_position_make(&l->positions[n], l->moves[n], &l->positions[n + 1]);
        if (l->hit > n && stamma_position_equal(&l->positions[n + 1], l->target))
            l->hit = n + 1;
    }
    return true;
}

/* Plays the moves from the initial position to the position in which the lines begin. */
static bool read_path(line_reader *l)
{
    const unsigned length = (unsigned)stamma_pages_get(&l->bits, PAGES_LENGTH_BITS);
    l->positions[0] = stamma_position_start();
    l->hit = 0;
    if (!read_moves(l, 0, length))
        return false;
    l->limit = length <= l->x->plies ? l->x->plies + 1 - length : 0;
    l->positions[0] = l->positions[length];
    l->hit = UINT_MAX;
    return true;
}

/* Adds the game of a line if the line reaches the target. */
static bool add_game(line_reader *l, bool ended, index_example *game, index_sums *sums, bool *found)
{
    uint8_t code = 0;
    const unsigned last = ended ? l->length : l->length - 1;
    if (l->hit > last)
        return true;
    if (l->hit < l->length && stamma_byte_encode(l->target, l->moves[l->hit], &code) != STAMMA_OK)
        return false;
    game->code = l->hit < l->length ? code : INDEX_NO_MOVE;
    stamma_index_sums_add(sums, &game->facts, game);
    *found = true;
    return true;
}

static bool read_line(line_reader *l, index_sums *sums, bool *found)
{
    unsigned shared = stamma_pages_get_ones(&l->bits, PAGES_LINE_MAX >> PAGES_SHARED_BITS) << PAGES_SHARED_BITS;
    shared |= (unsigned)stamma_pages_get(&l->bits, PAGES_SHARED_BITS);
    const bool usual = stamma_pages_get(&l->bits, 1) > 0;
    const unsigned length = usual ? l->limit : (unsigned)stamma_pages_get(&l->bits, PAGES_LENGTH_BITS);
    const bool ended = !usual && stamma_pages_get(&l->bits, 1) > 0;
    index_example game;
    if (shared > l->length || shared > length || length > PAGES_LINE_MAX || length == 0)
        return false;
    l->hit = l->hit <= shared ? l->hit : UINT_MAX;
    l->length = length;
    return read_moves(l, shared, l->length) && stamma_pages_get_game(&l->bits, &l->x->widths, l->x->games, &game) &&
           add_game(l, ended, &game, sums, found);
}

static bool read_all(line_reader *l, const stamma_position *from, index_sums *sums, bool *found)
{
    bool right = read_path(l) && (!from || stamma_position_equal(from, &l->positions[0]));
    const unsigned lines = (unsigned)stamma_pages_get(&l->bits, PAGES_LINES_BITS);
    right = right && lines > 0;
    for (unsigned n = 0; n < lines && right; n++)
        right = read_line(l, sums, found);
    return right && !l->bits.failed && (l->bits.bit + 7) / 8 == l->bits.size;
}

/* Finds the lines with an index in their unit: u8 count, u16 sizes, and the lines. */
static bool find_lines(const pages_place *place, const uint8_t *bytes, size_t size, pages_reader *bits)
{
    cursor c = {bytes, bytes + size, false};
    const unsigned count = cursor_byte(&c);
    const uint8_t *sizes = cursor_take(&c, 2 * (uint64_t)count);
    if (!sizes || place->index >= count)
        return false;
    for (unsigned n = 0; n < place->index; n++)
        (void)cursor_take(&c, load_u16(sizes + 2 * (size_t)n));
    *bits = (pages_reader){.size = load_u16(sizes + 2 * (size_t)place->index)};
    bits->bytes = cursor_take(&c, bits->size);
    return !c.failed;
}

stamma_error stamma_pages_read_lines(stamma_pages *x, const pages_place *place, const stamma_position *from,
                                     const stamma_position *target, index_sums *sums, bool *found)
{
    const size_t size = (size_t)place->span * PAGES_HEADER;
    const uint8_t *bytes;
    buffer room = {.allocator = &x->allocator};
    if (place->unit >= x->units || place->span > x->units - place->unit)
        return stamma_pages_fail(x);
    line_reader *l = (line_reader *)memory_allocate(&x->allocator, sizeof *l);
    if (!l)
        return STAMMA_ERROR_NO_MEMORY;
    memset(l, 0, sizeof *l);
    l->x = x;
    l->target = target;
    stamma_error error = stamma_pages_bytes(x, x->units_at + (uint64_t)place->unit * PAGES_HEADER, size, &room, &bytes);
    if (error == STAMMA_OK &&
        (!find_lines(place, bytes, size - PAGES_CHECK, &l->bits) || !read_all(l, from, sums, found)))
        error = stamma_pages_fail(x);
    memory_release(&x->allocator, l);
    stamma_buffer_release(&room);
    return error;
}
