/* SPDX-License-Identifier: MIT */
/* Makes the trie of a segment and the order of its games. */
#include "index/index_build.h"

/* Keeps the nodes of a trie up to INDEX_DEPTH_MAX. numbers[n] becomes the number of node n, or of its last ancestor
 * that is kept. */
static bool keep_nodes(index_build *b, const prefix_trie *t, uint32_t *numbers)
{
    const uint32_t *children = (const uint32_t *)(const void *)t->children.data;
    size_t count = t->children.size / sizeof *children;
    uint32_t *left = (uint32_t *)memory_allocate(b->allocator, size_multiply(count + 1, sizeof *left));
    size_t depth = 0; /* left[d]: number of children that are still to be visited of the open node of depth d */
    for (size_t n = 0; n < count && left; n++) {
        while (n > 0 && left[depth] == 0)
            depth--;
        if (n > 0) {
            left[depth]--;
            depth++;
        }
        left[depth] = children[n];
        bool kept = depth <= INDEX_DEPTH_MAX;
        numbers[n] = (uint32_t)(b->node_depths.size - !kept);
        if (kept) {
            buffer_add_byte(&b->node_depths, (uint8_t)depth);
            buffer_add_byte(&b->node_codes, n > 0 ? t->codes.data[n - 1] : 0);
        }
    }
    bool made = left && !b->node_depths.failed && !b->node_codes.failed;
    memory_release(b->allocator, left);
    return made;
}

/* Sorts typed games by the nodes at which they leave the trie, then by their other moves, and adds the other games.
 * `sorted` has all records with moves in the order of their moves. */
static stamma_error order_games(index_build *b, const uint32_t *nodes, const buffer *sorted)
{
    const uint32_t *records = (const uint32_t *)(const void *)sorted->data;
    size_t count = b->node_depths.size;
    uint32_t *first = (uint32_t *)buffer_array(&b->node_first, count + 1, sizeof *first), sum = 0;
    uint32_t *order = (uint32_t *)buffer_array(&b->order, b->games, sizeof *order);
    if (!first || !order)
        return STAMMA_ERROR_NO_MEMORY;
    memset(first, 0, (count + 1) * sizeof *first);
    for (uint32_t n = 0; n < b->records; n++)
        first[nodes[n]] += b->marks.data[n] & INDEXED_TYPED ? 1 : 0;
    for (size_t n = 0; n <= count; n++) {
        uint32_t here = first[n];
        first[n] = sum;
        sum += here;
    }
    b->typed = sum;
    for (size_t n = 0; n < sorted->size / sizeof *records; n++)
        if (b->marks.data[records[n]] & INDEXED_TYPED)
            order[first[nodes[records[n]]]++] = records[n];
    for (uint32_t n = 0; n < b->records; n++)
        if ((b->marks.data[n] & INDEXED_GAME) && !(b->marks.data[n] & INDEXED_TYPED))
            order[sum++] = n;
    memmove(first + 1, first, count * sizeof *first); /* each element was moved to the end of its games */
    first[0] = 0;
    return STAMMA_OK;
}

/* Replaces the deepest node of each record by its number among the kept nodes. A game is not typed if its path in the
 * block's trie is longer than its path in the segment's trie. */
static void settle_records(index_build *b, uint32_t *nodes, const uint32_t *numbers)
{
    for (uint32_t n = 0; n < b->records; n++) {
        nodes[n] = numbers[nodes[n]];
        if (b->depths.data[n] > b->node_depths.data[nodes[n]])
            b->marks.data[n] &= (uint8_t)~INDEXED_TYPED;
    }
}

/* Replaces the codes by those after the trie, to need less memory. Only typed games need them. */
static bool keep_rests(index_build *b, const uint32_t *nodes)
{
    uint64_t *starts = (uint64_t *)buffer_array(&b->starts, (size_t)b->records + 1, sizeof *starts);
    size_t from = 0, to = 0;
    for (uint32_t n = 0; n < b->records && starts; n++) {
        const size_t size = build_size(b, n),
                     depth = b->marks.data[n] & INDEXED_TYPED ? b->node_depths.data[nodes[n]] : size;
        starts[n] = to;
        memmove(b->codes.data + to, b->codes.data + from + depth, size - depth);
        from += size;
        to += size - depth;
    }
    b->codes.size = to;
    return starts && (to == 0 || build_trim(&b->codes));
}

/* A game with a code in the trie of its block needs the nodes of this trie (clause 7.5). */
stamma_error stamma_index_make_trie(index_build *b)
{
    const stamma_allocator *a = b->allocator;
    prefix_trie t = {.children.allocator = a,
                     .codes.allocator = a,
                     .nodes.allocator = a,
                     .depths.allocator = a,
                     .order.allocator = a};
    buffer apart = {.allocator = a};
    uint8_t *each = (uint8_t *)buffer_array(&apart, b->records, 1);
    for (uint32_t n = 0; n < b->records && each; n++)
        each[n] = (b->marks.data[n] & INDEXED_APART) != 0;
    bool ready = each && buffer_reserve(&b->codes, 1); /* there may be no codes */
    const prefix_strings strings = {b->codes.data, (const uint32_t *)(const void *)b->sizes.data, each, b->records};
    stamma_error error = ready ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK)
        error = stamma_prefix_trie_build_different(&t, &strings, b->depths.data);
    uint32_t *numbers = (uint32_t *)memory_allocate(a, size_add(t.children.size, 1));
    if (error == STAMMA_OK && (!numbers || !keep_nodes(b, &t, numbers)))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK) {
        settle_records(b, (uint32_t *)(void *)t.nodes.data, numbers);
        error = order_games(b, (const uint32_t *)(const void *)t.nodes.data, &t.order);
    }
    if (error == STAMMA_OK && !keep_rests(b, (const uint32_t *)(const void *)t.nodes.data))
        error = STAMMA_ERROR_NO_MEMORY;
    memory_release(a, numbers);
    stamma_buffer_release(&apart);
    stamma_prefix_trie_release(&t);
    return error;
}
