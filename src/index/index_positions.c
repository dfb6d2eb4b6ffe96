/* SPDX-License-Identifier: MIT */
/* Finds the games that reach a position: looks up nodes of the trie, and plays the moves of the games in lists of
 * candidates. */
#include <limits.h>
#include "index/index.h"

#include <stdlib.h>

enum { POSITIONS_AT_ONCE = 64 }; /* number of positions between two checks of whether to stop */

void stamma_index_hunt_init(index_hunt *h, const stamma_allocator *allocator)
{
    *h = (index_hunt){.places.allocator = allocator, .strays.allocator = allocator};
}

void stamma_index_hunt_release(index_hunt *h)
{
    stamma_buffer_release(&h->places);
    stamma_buffer_release(&h->strays);
}

static uint32_t key_of(const board_goal *goal, unsigned level)
{
    return index_key(goal->exact.by_color, goal->exact.by_type, goal->exact.side, level);
}

static void set_up_start(piece_board *board)
{
    const stamma_position start = stamma_position_start();
    PIECE_GAME(set_up, board, &start);
}

/* ---- nodes ---- */

/* Plays the moves to a node and tests the position. */
static stamma_error test_node(index_hunt *h, const index_segment *s, uint32_t node, unsigned *depth, bool *met)
{
    uint8_t codes[INDEX_DEPTH_MAX];
    piece_board board;
    *depth = stamma_index_node_path(h->moves->file, s, node, codes);
    set_up_start(&board);
    if (*depth == UINT_MAX || piece_board_play(&board, STAMMA_WHITE, codes, *depth) != STAMMA_OK)
        return stamma_index_damaged(h->moves->file);
    *met = PIECE_GAME(meets, &board, *depth & 1, h->goal);
    return STAMMA_OK;
}

static int compare_places(const void *a, const void *b)
{
    const index_place *one = (const index_place *)a, *other = (const index_place *)b;
    return (one->node > other->node) - (one->node < other->node);
}

/* Adds a node if it has the position. settle_places sets the ranks of its place. */
static stamma_error add_node(index_hunt *h, const index_segment *s, uint32_t node)
{
    unsigned depth;
    bool met = false;
    stamma_error error = test_node(h, s, node, &depth, &met);
    const index_place place = {node, depth, 0, 0};
    if (error == STAMMA_OK && met)
        buffer_add(&h->places, &place, sizeof place);
    return error;
}

/* Removes places within other places, and finds the ranks of the remaining places. */
static void settle_places(index_hunt *h, const index_segment *s)
{
    index_file *x = h->moves->file;
    index_place *all = (index_place *)(void *)h->places.data;
    size_t count = h->places.size / sizeof *all, kept = 0;
    uint32_t past = 0, rank = 0;
    if (count > 1)
        qsort(all, count, sizeof *all, compare_places);
    for (size_t n = 0; n < count; n++) {
        if (all[n].node < past)
            continue;
        past = stamma_index_node_end(x, s, all[n].node);
        all[n].begin = index_node_first(x, s, all[n].node);
        all[n].end = index_node_first(x, s, past);
        if (all[n].begin < rank || all[n].begin > all[n].end || all[n].end > s->counts[COUNT_TYPED]) {
            (void)stamma_index_damaged(x);
            break;
        }
        rank = all[n].end;
        all[kept++] = all[n];
    }
    h->places.size = kept * sizeof *all;
}

stamma_error stamma_index_hunt_places(index_hunt *h, const index_segment *s)
{
    index_file *x = h->moves->file;
    uint32_t key = key_of(h->goal, INDEX_KEY_PLACEMENT), list = index_list_of(key, s->counts[COUNT_NODE_LISTS]);
    uint32_t span[2];
    unsigned bits = bits_for(s->counts[COUNT_NODES]);
    stamma_error error = STAMMA_OK;
    h->places.size = 0;
    if (!stamma_index_ascending(x, s, SECTION_NODE_STARTS, list, span) || span[1] > s->counts[COUNT_NODES])
        return stamma_index_damaged(x);
    for (uint32_t n = span[0]; n < span[1] && error == STAMMA_OK; n++) {
        if ((n - span[0]) % POSITIONS_AT_ONCE == POSITIONS_AT_ONCE - 1 && work_is_stopped(h->stop))
            return STAMMA_ERROR_CANCELLED;
        const uint8_t *print = index_bytes(x, s, SECTION_NODE_PRINTS, n, 1);
        uint32_t node = index_bits(x, s, SECTION_NODE_LISTS, (uint64_t)n * bits, bits);
        if (!print || node >= s->counts[COUNT_NODES])
            return stamma_index_damaged(x);
        if (*print == index_key_print(key))
            error = add_node(h, s, node);
    }
    if (error == STAMMA_OK && h->places.failed)
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        settle_places(h, s);
    return error;
}

/* ---- candidates ---- */

static bool is_crowded(index_file *x, const index_segment *s, uint32_t key)
{
    uint64_t low = 0, high = s->parts[SECTION_CROWDED].size / 4;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint32_t here = index_u32(x, s, SECTION_CROWDED, middle);
        if (here == key)
            return true;
        if (here < key)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Returns the first key of the position that is not crowded. */
static uint32_t choose_key(index_file *x, const index_segment *s, const board_goal *goal)
{
    unsigned level = 0;
    while (level < INDEX_KEY_PLACEMENT && is_crowded(x, s, key_of(goal, level)))
        level++;
    return key_of(goal, level);
}

/* Number of codes that are decoded first. Most candidates can be excluded after them. */
enum { CODES_FIRST = 24 };

/* Plays a candidate after it leaves the trie on a board with its path. *plies receives the number of codes until it
 * reaches the position, or FOUND_NONE or FOUND_LOST. *next receives the code after the position, or INDEX_NO_MOVE at
 * the end of the game. */
static stamma_error play_candidate(index_hunt *h, const index_segment *s, uint32_t rank, const piece_board *start,
                                   size_t *plies, uint16_t *next)
{
    const uint8_t *codes;
    uint32_t count, most = CODES_FIRST;
    for (bool all = false;;) {
        stamma_error error = stamma_index_moves_continue(h->moves, s, rank, most, &codes, &count);
        piece_board board = *start;
        if (error != STAMMA_OK)
            return error;
        all = h->moves->depth + count == h->moves->plies;
        if (PIECE_GAME(find, &board, h->moves->depth & 1, codes, count, h->goal, plies) != STAMMA_OK)
            return stamma_index_damaged(h->moves->file);
        if (all || *plies == FOUND_LOST || *plies < count)
            break;
        most = UINT32_MAX;
    }
    *next = *plies < count ? codes[*plies] : INDEX_NO_MOVE;
    return STAMMA_OK;
}

static stamma_error test_candidate(index_hunt *h, const index_segment *s, uint32_t rank)
{
    size_t found = FOUND_NONE;
    uint16_t next = INDEX_NO_MOVE;
    piece_board board;
    stamma_error error = stamma_index_moves_begin(h->moves, s, rank);
    if (error != STAMMA_OK)
        return error;
    set_up_start(&board);
    if (piece_board_play(&board, STAMMA_WHITE, h->moves->path, h->moves->depth) != STAMMA_OK)
        return stamma_index_damaged(h->moves->file);
    if (!h->may_follow(h->target, &board))
        return STAMMA_OK;
    error = play_candidate(h, s, rank, &board, &found, &next);
    if (error != STAMMA_OK || found >= FOUND_LOST)
        return error;
    const index_stray stray = {rank, h->moves->depth + (uint32_t)found, next};
    buffer_add(&h->strays, &stray, sizeof stray);
    return h->strays.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Returns whether a candidate is within a place: then it reaches the position earlier. *place is the first place that
 * may contain later ranks. */
static bool is_in_place(const index_hunt *h, uint32_t rank, size_t *place)
{
    const index_place *all = (const index_place *)(const void *)h->places.data;
    size_t count = h->places.size / sizeof *all;
    while (*place < count && all[*place].end <= rank)
        ++*place;
    return *place < count && all[*place].begin <= rank;
}

static stamma_error test_list(index_hunt *h, const index_segment *s, index_list *list)
{
    uint32_t rank, typed = s->counts[COUNT_TYPED], tested = 0;
    size_t place = 0;
    stamma_error error = STAMMA_OK;
    while (error == STAMMA_OK && stamma_index_list_next(list, s->counts[COUNT_GAMES], &rank)) {
        if (rank >= typed)
            return stamma_index_damaged(h->moves->file);
        if (is_in_place(h, rank, &place) || (h->wants && !h->wants(h->context, rank)))
            continue;
        if (++tested % POSITIONS_AT_ONCE == 0 && work_is_stopped(h->stop))
            return STAMMA_ERROR_CANCELLED;
        const size_t strays = h->strays.size;
        error = test_candidate(h, s, rank);
        if (h->enough && h->strays.size > strays && h->enough(h->context, rank))
            break;
    }
    return error == STAMMA_OK && list->failed ? stamma_index_damaged(h->moves->file) : error;
}

stamma_error stamma_index_hunt_strays(index_hunt *h, const index_segment *s)
{
    index_file *x = h->moves->file;
    uint32_t number = index_list_of(choose_key(x, s, h->goal), s->counts[COUNT_LISTS]);
    uint32_t span[2];
    index_list list;
    h->strays.size = 0;
    const uint8_t *bytes = stamma_index_ascending(x, s, SECTION_LIST_STARTS, number, span)
                               ? index_bytes(x, s, SECTION_LISTS, span[0], span[1] - span[0])
                               : NULL;
    if (!bytes)
        return stamma_index_damaged(x);
    stamma_index_list_begin(&list, bytes, span[1] - span[0], s->counts[COUNT_GAMES]);
    stamma_error error = test_list(h, s, &list);
    if (error == STAMMA_OK && atomic_load_explicit(&x->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}

stamma_error stamma_index_hunt_run(index_hunt *h, const index_segment *s)
{
    stamma_error error = stamma_index_hunt_places(h, s);
    return error == STAMMA_OK ? stamma_index_hunt_strays(h, s) : error;
}
