/* SPDX-License-Identifier: MIT */
/* Visits a trie of openings in preorder with a board for each depth. Games that reach nodes deeper than these boards
 * must be searched from the last board. */
#include "search/opening_walk.h"

typedef struct walker {
    opening_walk *w;
    const prefix_node *nodes;
    size_t count;
    uint32_t *of_node;
    const uint32_t *fitting; /* NULL: all endings are compatible */
} walker;

void stamma_opening_walk_init(opening_walk *w, const stamma_allocator *allocator)
{
    memset(w, 0, sizeof *w);
    w->places.allocator = w->of_node.allocator = w->fitting.allocator = allocator;
}

void stamma_opening_walk_release(opening_walk *w)
{
    stamma_buffer_release(&w->places);
    stamma_buffer_release(&w->of_node);
    stamma_buffer_release(&w->fitting);
}

/* ---- games with compatible endings ---- */

static bool count_fitting(opening_walk *w, const prefix_column *c, const uint8_t *fits, size_t records)
{
    const prefix_record *r = prefix_records(c);
    size_t nodes = prefix_node_count(c);
    uint32_t *counts = (uint32_t *)buffer_array(&w->fitting, nodes + 1, sizeof *counts), sum = 0;
    if (!counts)
        return false;
    memset(counts, 0, (nodes + 1) * sizeof *counts);
    for (size_t n = 0; n < records; n++)
        counts[r[n].node] += fits[n] != 0;
    for (size_t n = 0; n <= nodes; n++) {
        uint32_t here = counts[n];
        counts[n] = sum;
        sum += here;
    }
    return true;
}

static bool fits_below(const walker *x, size_t begin, size_t end)
{
    return !x->fitting || x->fitting[end] > x->fitting[begin];
}

/* ---- the walk ---- */

/* Sets the place of games that leave the trie at the nodes from `node` up to, but not including, `end`. */
static void put_place(walker *x, const piece_board *board, size_t node, size_t end, bool met)
{
    uint32_t number = (uint32_t)(x->w->places.size / sizeof(walk_place));
    walk_place place = {*board, (uint32_t)node, x->nodes[node].depth, met};
    buffer_add(&x->w->places, &place, sizeof place);
    for (size_t n = node; n < end; n++)
        x->of_node[n] = number;
}

/* The full test mostly depends on pawns and captured men. After other moves, only castling rights are tested. */
static bool may_follow(const position_target *t, const piece_board *b)
{
    bool lasting = stamma_move_is_capture(b->last) || b->at[stamma_move_to(b->last)] == STAMMA_PAWN;
    return lasting ? stamma_target_may_follow(t, b) : stamma_target_may_castle(t, b);
}

/* Visits a node and returns the next node to visit. */
static size_t visit(walker *x, size_t node, const piece_board *board)
{
    const prefix_node *n = &x->nodes[node];
    const position_target *t = x->w->target;
    if (PIECE_GAME(meets, board, n->depth & 1, &t->goal)) {
        put_place(x, board, node, n->end, true);
        return n->end;
    }
    if (!may_follow(t, board))
        return n->end;
    bool deep = n->depth == OPENING_DEPTHS - 1;
    if (fits_below(x, node, node + 1) || deep)
        put_place(x, board, node, deep ? n->end : node + 1, false);
    return deep ? n->end : node + 1;
}

static stamma_error walk(walker *x)
{
    piece_board boards[OPENING_DEPTHS];
    stamma_position start = stamma_position_start();
    PIECE_GAME(set_up, &boards[0], &start);
    size_t node = visit(x, 0, &boards[0]);
    while (node < x->count) {
        const prefix_node *n = &x->nodes[node];
        if (!fits_below(x, node, n->end)) {
            node = n->end;
            continue;
        }
        boards[n->depth] = boards[n->depth - 1];
        if (piece_board_play(&boards[n->depth], (n->depth - 1) & 1, &n->code, 1) != STAMMA_OK)
            return STAMMA_ERROR_CORRUPT;
        node = visit(x, node, &boards[n->depth]);
    }
    return STAMMA_OK;
}

/* Starts with no places found. */
static bool begin(walker *x, opening_walk *w, const prefix_column *column, const position_target *target)
{
    static const walk_place nowhere = {.node = 0};
    *x = (walker){w, prefix_nodes(column), prefix_node_count(column), NULL, NULL};
    w->target = target;
    w->places.size = 0;
    buffer_add(&w->places, &nowhere, sizeof nowhere);
    x->of_node = (uint32_t *)buffer_array(&w->of_node, x->count, sizeof *x->of_node);
    if (x->of_node)
        memset(x->of_node, 0, x->count * sizeof *x->of_node);
    return x->of_node && !w->places.failed;
}

stamma_error stamma_opening_walk_run(opening_walk *w, const prefix_column *column, const uint8_t *fits, size_t records,
                                     const position_target *target)
{
    walker x;
    if (!begin(&x, w, column, target) || (fits && !count_fitting(w, column, fits, records)))
        return STAMMA_ERROR_NO_MEMORY;
    x.fitting = fits ? (const uint32_t *)(const void *)w->fitting.data : NULL;
    stamma_error error = walk(&x);
    return error == STAMMA_OK && w->places.failed ? STAMMA_ERROR_NO_MEMORY : error;
}

/* ---- search by keys ---- */

/* Plays the moves to a node, whose depth is less than OPENING_DEPTHS. They can be played, because the node has a key.
 */
static piece_board board_at(const walker *x, size_t node, const piece_board *start)
{
    uint8_t codes[OPENING_DEPTHS];
    piece_board board = *start;
    for (size_t n = node; n > 0; n = x->nodes[n].parent)
        codes[x->nodes[n].depth - 1] = x->nodes[n].code;
    (void)piece_board_play(&board, STAMMA_WHITE, codes, x->nodes[node].depth);
    return board;
}

/* Sets a place if a node meets the position. Returns the next node to look at. */
static size_t look_at(walker *x, size_t node, const piece_board *start)
{
    const piece_board board = board_at(x, node, start);
    if (!PIECE_GAME(meets, &board, x->nodes[node].depth & 1, &x->w->target->goal))
        return node + 1;
    put_place(x, &board, node, x->nodes[node].end, true);
    return x->nodes[node].end;
}

stamma_error stamma_opening_walk_look_up(opening_walk *w, const prefix_column *column, const position_keys *keys,
                                         const position_target *target)
{
    walker x;
    const stamma_position first = stamma_position_start(), *exact = &target->goal.exact;
    const uint32_t *here = position_keys_nodes(keys);
    uint32_t key = placement_key(exact->by_color, exact->by_type, exact->side);
    walk_place start = {.node = 0};
    if (!begin(&x, w, column, target))
        return STAMMA_ERROR_NO_MEMORY;
    PIECE_GAME(set_up, &start.board, &first);
    buffer_add(&w->places, &start, sizeof start);
    for (size_t n = 0; n < x.count;)
        n = STAMMA_UNLIKELY(here[n] == key) ? look_at(&x, n, &start.board) : n + 1;
    return w->places.failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}
