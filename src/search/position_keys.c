/* SPDX-License-Identifier: MIT */
/* Replays the openings and the games of a block, and sorts the resulting positions. */
#include "search/position_keys.h"

/* approximate postings per list, which is about the number of games searched unnecessarily for a position */
enum { LIST_SIZE = 8 };

void stamma_position_keys_init(position_keys *k, const stamma_allocator *allocator)
{
    memset(k, 0, sizeof *k);
    k->nodes.allocator = k->starts.allocator = k->postings.allocator = allocator;
}

void stamma_position_keys_release(position_keys *k)
{
    stamma_buffer_release(&k->nodes);
    stamma_buffer_release(&k->starts);
    stamma_buffer_release(&k->postings);
    k->ready = false;
}

/* ---- nodes ---- */

/* Visits the nodes in preorder with a board for each depth. */
static stamma_error make_nodes(position_keys *k, const prefix_column *column)
{
    const prefix_node *nodes = prefix_nodes(column);
    size_t count = prefix_node_count(column);
    piece_board boards[OPENING_DEPTHS];
    stamma_position start = stamma_position_start();
    uint32_t *keys = (uint32_t *)buffer_array(&k->nodes, count, sizeof *keys);
    if (!keys)
        return STAMMA_ERROR_NO_MEMORY;
    PIECE_GAME(set_up, &boards[0], &start);
    for (size_t n = 0; n < count; n++) {
        unsigned depth = nodes[n].depth;
        if (depth >= OPENING_DEPTHS)
            return STAMMA_ERROR_UNSUPPORTED;
        piece_board *b = &boards[depth];
        if (depth > 0) {
            *b = boards[depth - 1];
            if (piece_board_play(b, (depth - 1) & 1, &nodes[n].code, 1) != STAMMA_OK)
                return STAMMA_ERROR_CORRUPT;
        }
        keys[n] = placement_key(b->colors, b->types, depth & 1);
    }
    return STAMMA_OK;
}

/* ---- games ---- */

typedef struct posting {
    uint32_t structure;
    uint16_t record;
} posting;

typedef struct structure_maker {
    const keyed_games *games;
    piece_board start;
    prefix_reader codes;
    buffer keys;     /* uint32_t: keys of one game */
    buffer postings; /* posting: of all games */
} structure_maker;

static stamma_error play_game(structure_maker *m, size_t n, size_t *count)
{
    const prefix_column *c = m->games->column;
    const prefix_record *r = &prefix_records(c)[n];
    size_t shared = prefix_nodes(c)[r->node].depth;
    piece_board board = m->start;
    const uint8_t *codes;
    uint32_t *keys = (uint32_t *)buffer_array(&m->keys, (size_t)r->size + 1, sizeof *keys);
    stamma_error error = keys ? stamma_prefix_reader_codes(&m->codes, n, &codes) : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = piece_board_play(&board, STAMMA_WHITE, codes, shared);
    return error == STAMMA_OK ? PIECE_GAME(structures, &board, shared & 1, codes + shared, r->size, keys, count)
                              : error;
}

static stamma_error post_game(structure_maker *m, size_t n)
{
    size_t count = 0;
    stamma_error error = play_game(m, n, &count);
    const uint32_t *keys = (const uint32_t *)(const void *)m->keys.data;
    if (error == STAMMA_OK && !buffer_reserve(&m->postings, count * sizeof(posting)))
        error = STAMMA_ERROR_NO_MEMORY;
    for (size_t i = 0; i < count && error == STAMMA_OK; i++) {
        const posting p = {keys[i], (uint16_t)n};
        buffer_add(&m->postings, &p, sizeof p);
    }
    return error;
}

static stamma_error post_games(structure_maker *m)
{
    const keyed_games *g = m->games;
    stamma_position start = stamma_position_start();
    stamma_error error = STAMMA_OK;
    PIECE_GAME(set_up, &m->start, &start);
    stamma_prefix_reader_begin(&m->codes, g->column, g->stored);
    for (size_t n = 0; n < g->records && error == STAMMA_OK; n++)
        if (g->wanted[n])
            error = post_game(m, n);
    return error;
}

/* ---- lists ---- */

/* Sorts by list with a counting sort, which keeps the order of records. */
static stamma_error sort_postings(position_keys *k, const posting *postings, size_t count)
{
    unsigned bits = 1;
    while (bits < 24 && count >> bits > LIST_SIZE)
        bits++;
    k->shift = 32 - bits;
    size_t lists = (size_t)1 << bits;
    uint32_t *starts = (uint32_t *)buffer_array(&k->starts, lists + 1, sizeof *starts);
    uint16_t *sorted = (uint16_t *)buffer_array(&k->postings, count, sizeof *sorted);
    if (!starts || !sorted)
        return STAMMA_ERROR_NO_MEMORY;
    memset(starts, 0, (lists + 1) * sizeof *starts);
    for (size_t n = 0; n < count; n++)
        starts[postings[n].structure >> k->shift]++;
    for (size_t n = 1; n <= lists; n++)
        starts[n] += starts[n - 1];
    for (size_t n = count; n-- > 0;)
        sorted[--starts[postings[n].structure >> k->shift]] = postings[n].record;
    return STAMMA_OK;
}

stamma_error stamma_position_keys_make(position_keys *k, const keyed_games *games)
{
    const stamma_allocator *allocator = k->nodes.allocator;
    structure_maker m = {.games = games, .keys.allocator = allocator, .postings.allocator = allocator};
    stamma_prefix_reader_init(&m.codes, allocator);
    stamma_error error = make_nodes(k, games->column);
    if (error == STAMMA_OK)
        error = post_games(&m);
    if (error == STAMMA_OK)
        error = sort_postings(k, (const posting *)(const void *)m.postings.data, m.postings.size / sizeof(posting));
    k->ready = error == STAMMA_OK;
    stamma_prefix_reader_release(&m.codes);
    stamma_buffer_release(&m.keys);
    stamma_buffer_release(&m.postings);
    return error == STAMMA_ERROR_NO_MEMORY ? error : STAMMA_OK;
}

const uint16_t *stamma_position_keys_list(const position_keys *k, uint32_t structure, size_t *count)
{
    const uint32_t *starts = (const uint32_t *)(const void *)k->starts.data + (structure >> k->shift);
    *count = starts[1] - starts[0];
    return (const uint16_t *)(const void *)k->postings.data + starts[0];
}
