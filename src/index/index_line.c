/* SPDX-License-Identifier: MIT */
/* Finds the games with given moves, or that begin with them: descends the trie, then searches the games that leave it
 * at the last node, which are sorted by their other moves. */
#include "index/index.h"

/* The moves to find. */
typedef struct line {
    const uint8_t *codes;
    uint32_t count;
    uint32_t node; /* the last node on its way, and the depth of the node */
    unsigned depth;
    bool begins; /* games may have more moves */
} line;

/* Returns the depth of a node; 0, the depth of the root, after the last node and if the index is damaged. */
static unsigned depth_at(index_file *x, const index_segment *s, uint32_t node)
{
    const uint8_t *at = node < s->counts[COUNT_NODES] ? index_bytes(x, s, SECTION_NODE_DEPTHS, node, 1) : NULL;
    return at ? *at : 0;
}

/* Moves to the child of the node with the next code. Returns false if there is none. */
static bool descend(index_file *x, const index_segment *s, line *l)
{
    if (l->depth == l->count)
        return false;
    for (uint32_t child = l->node + 1; depth_at(x, s, child) == l->depth + 1;
         child = stamma_index_node_end(x, s, child)) {
        const uint8_t *code = index_bytes(x, s, SECTION_NODE_CODES, child, 1);
        if (!code || *code > l->codes[l->depth])
            return false;
        if (*code == l->codes[l->depth]) {
            l->node = child;
            l->depth++;
            return true;
        }
    }
    return false;
}

/* Compares the moves of a game that leaves the trie at the last node with the line. */
static stamma_error compare(index_moves *m, const index_segment *s, const line *l, uint32_t rank, int *order)
{
    const uint8_t *codes;
    const uint32_t rest = l->count - l->depth;
    uint32_t count;
    m->depth = l->depth;
    stamma_error error = stamma_index_moves_continue(m, s, rank, rest + 1, &codes, &count);
    if (error != STAMMA_OK)
        return error;
    const uint32_t least = count < rest ? count : rest;
    *order = least > 0 ? memcmp(codes, l->codes + l->depth, least) : 0;
    if (*order == 0)
        *order = (count > rest && !l->begins) - (count < rest);
    return STAMMA_OK;
}

/* Moves `low` to the first rank before `high` that is not before the line; `after`: that is after the line. */
static stamma_error find_bound(index_moves *m, const index_segment *s, const line *l, bool after, uint32_t high,
                               uint32_t *low)
{
    while (*low < high) {
        const uint32_t middle = *low + (high - *low) / 2;
        int order = 0;
        stamma_error error = compare(m, s, l, middle, &order);
        if (error != STAMMA_OK)
            return error;
        if (order < 0 || (after && order == 0))
            *low = middle + 1;
        else
            high = middle;
    }
    return STAMMA_OK;
}

/* Stores the ranks of all games through the last node. */
static stamma_error find_below(index_file *x, const index_segment *s, const line *l, uint32_t ranks[2])
{
    ranks[0] = index_node_first(x, s, l->node);
    ranks[1] = index_node_first(x, s, stamma_index_node_end(x, s, l->node));
    if (ranks[1] < ranks[0] || ranks[1] > s->counts[COUNT_TYPED])
        return stamma_index_damaged(x);
    return atomic_load_explicit(&x->damaged, memory_order_relaxed) ? STAMMA_ERROR_CORRUPT : STAMMA_OK;
}

stamma_error stamma_index_line_find(index_moves *m, const index_segment *s, const uint8_t *codes, uint32_t count,
                                    bool begins, uint32_t ranks[2])
{
    index_file *x = m->file;
    line l = {codes, count, 0, 0, begins};
    uint32_t leaving[2];
    while (descend(x, s, &l))
        continue;
    if (begins && l.depth == count)
        return find_below(x, s, &l, ranks);
    if (!stamma_index_ascending(x, s, SECTION_NODE_FIRST, l.node, leaving) || leaving[1] > s->counts[COUNT_TYPED])
        return stamma_index_damaged(x);
    ranks[0] = leaving[0];
    stamma_error error = find_bound(m, s, &l, false, leaving[1], &ranks[0]);
    ranks[1] = ranks[0];
    if (error == STAMMA_OK)
        error = find_bound(m, s, &l, true, leaving[1], &ranks[1]);
    if (error == STAMMA_OK && atomic_load_explicit(&x->damaged, memory_order_relaxed))
        error = STAMMA_ERROR_CORRUPT;
    return error;
}
