/* SPDX-License-Identifier: MIT */
/* Compares the trie of a segment with the rules: its order, its minima, and the look-up of nodes by their positions. */
#include "index/index_verify.h"

typedef struct trie_check {
    index_verifying *v;
    const uint8_t *depths, *codes;
    uint32_t nodes;
    uint32_t *keys;                                 /* of each node's position */
    stamma_position positions[INDEX_DEPTH_MAX + 1]; /* on the path of the current node */
    uint8_t last[INDEX_DEPTH_MAX + 1];              /* codes on this path */
} trie_check;

/* Plays the move to a node. Returns false if the node is not in the right order, or if the move is not legal. */
static bool play_node(trie_check *t, uint32_t node)
{
    const unsigned depth = t->depths[node], code = t->codes[node], before = node > 0 ? t->depths[node - 1] : 0;
    stamma_move move;
    if (node == 0) {
        t->positions[0] = stamma_position_start();
        return depth == 0 && code == 0;
    }
    if (depth == 0 || depth > INDEX_DEPTH_MAX || depth > before + 1 || (depth <= before && code <= t->last[depth]) ||
        stamma_byte_decode(&t->positions[depth - 1], (uint8_t)code, &move) != STAMMA_OK)
        return false;
    stamma_position_make(&t->positions[depth - 1], move, &t->positions[depth]);
    t->last[depth] = (uint8_t)code;
    return true;
}

static bool play_nodes(trie_check *t)
{
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (!play_node(t, node)) {
            stamma_index_differ(t->v, "node of the trie", node + UINT64_C(1), 0);
            return false;
        }
        const stamma_position *p = &t->positions[t->depths[node]];
        t->keys[node] = index_key(p->by_color, p->by_type, p->side, INDEX_KEY_PLACEMENT);
    }
    return true;
}

/* Compares a section of minima with the minimum of each INDEX_MIN_SPAN bytes of another section. */
static void compare_minima(index_verifying *v, index_section of, index_section section, uint32_t count)
{
    const uint8_t *bytes = index_bytes(&v->file, v->segment, of, 0, count);
    for (uint32_t n = 0; bytes && n * (uint64_t)INDEX_MIN_SPAN < count; n++) {
        const uint8_t *least = index_bytes(&v->file, v->segment, section, n, 1);
        uint8_t right = UINT8_MAX;
        for (uint32_t i = n * INDEX_MIN_SPAN; i < count && i - n * INDEX_MIN_SPAN < INDEX_MIN_SPAN; i++)
            right = bytes[i] < right ? bytes[i] : right;
        if (least && *least != right)
            stamma_index_differ(v, "least depths of the trie", n + UINT64_C(1), 0);
    }
    (void)stamma_index_was_valid(v, "least depths of the trie", 0, 0);
}

/* Compares a list of nodes. Each node must be in the list of its key, with its print, once. */
static void compare_node_list(trie_check *t, uint32_t list, const uint32_t span[2], uint8_t *seen)
{
    index_verifying *v = t->v;
    const unsigned bits = bits_for(t->nodes);
    for (uint32_t n = span[0]; n < span[1] && n < t->nodes; n++) {
        const uint8_t *print = index_bytes(&v->file, v->segment, SECTION_NODE_PRINTS, n, 1);
        const uint32_t node = index_bits(&v->file, v->segment, SECTION_NODE_LISTS, (uint64_t)n * bits, bits);
        const bool right = print && node < t->nodes && !seen[node] && *print == index_key_print(t->keys[node]) &&
                           index_list_of(t->keys[node], v->segment->counts[COUNT_NODE_LISTS]) == list;
        if (right)
            seen[node] = 1;
        else
            stamma_index_differ(v, "look-up of nodes", n + UINT64_C(1), 0);
    }
}

static void compare_node_lists(trie_check *t, uint8_t *seen)
{
    index_verifying *v = t->v;
    memset(seen, 0, t->nodes);
    for (uint32_t list = 0; list < v->segment->counts[COUNT_NODE_LISTS]; list++) {
        uint32_t span[2];
        if (stamma_index_ascending(&v->file, v->segment, SECTION_NODE_STARTS, list, span))
            compare_node_list(t, list, span, seen);
    }
    for (uint32_t node = 0; node < t->nodes; node++)
        if (!seen[node])
            stamma_index_differ(v, "node without look-up", node + UINT64_C(1), 0);
    (void)stamma_index_was_valid(v, "look-up of nodes", 0, 0);
}

/* The ranks of the nodes must ascend from 0 to the number of typed games. */
static void compare_firsts(const trie_check *t)
{
    index_verifying *v = t->v;
    uint32_t before = 0;
    for (uint64_t node = 0; node <= t->nodes; node++) {
        const uint32_t first = index_node_first(&v->file, v->segment, node);
        if (first < before || first > v->segment->counts[COUNT_TYPED])
            stamma_index_differ(v, "games of a node", node + 1, 0);
        before = first;
    }
    if (stamma_index_was_valid(v, "games of a node", 0, 0) && before != v->segment->counts[COUNT_TYPED])
        stamma_index_differ(v, "games of a node", t->nodes, 0);
}

stamma_error stamma_index_verify_trie(index_verifying *v)
{
    const index_segment *s = v->segment;
    const uint32_t nodes = s->counts[COUNT_NODES];
    trie_check *t = (trie_check *)memory_allocate(&v->allocator, sizeof *t);
    uint8_t *seen = (uint8_t *)memory_allocate(&v->allocator, nodes);
    uint32_t *keys = (uint32_t *)memory_allocate(&v->allocator, size_multiply(nodes, sizeof *keys));
    const bool enough = t && seen && keys;
    if (enough) {
        memset(t, 0, sizeof *t);
        t->v = v;
        t->nodes = nodes;
        t->keys = keys;
        t->depths = index_bytes(&v->file, s, SECTION_NODE_DEPTHS, 0, nodes);
        t->codes = index_bytes(&v->file, s, SECTION_NODE_CODES, 0, nodes);
        compare_minima(v, SECTION_NODE_DEPTHS, SECTION_DEPTH_MINIMA, nodes);
        compare_minima(v, SECTION_DEPTH_MINIMA, SECTION_DEPTH_MINIMA2, (uint32_t)s->parts[SECTION_DEPTH_MINIMA].size);
        compare_firsts(t);
        if (t->depths && t->codes && play_nodes(t))
            compare_node_lists(t, seen);
    }
    memory_release(&v->allocator, t);
    memory_release(&v->allocator, seen);
    memory_release(&v->allocator, keys);
    return enough ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
