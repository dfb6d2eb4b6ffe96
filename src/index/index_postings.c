/* SPDX-License-Identifier: MIT */
/* Plays all games of a segment: makes the keys of nodes, and the lists of candidates for positions after the trie. A
 * game is a candidate for the first key of a position that is not crowded. Each level of keys is counted first; its
 * crowded keys are known when the next level is made. */
#include "index/index.h"

#include <stdlib.h>

/* Crowded keys, and a bit for each value of their high bits, which excludes most other keys. */
enum { FILTER_BITS = 20 };

typedef struct poster {
    index_build *b;
    piece_board *boards; /* by depth, of the path to the current node */
    unsigned level;
    uint8_t *filter;
    buffer found; /* uint64_t: postings of this level */
    buffer spare;
    /* the last key of each level in the current game, and whether this key is crowded */
    uint32_t last[INDEX_LEVELS];
    bool known[INDEX_LEVELS];
    bool crowded[INDEX_LEVELS];
} poster;

static bool is_crowded(const poster *p, uint32_t key)
{
    const uint32_t *keys = (const uint32_t *)(const void *)p->b->crowded.data;
    size_t low = 0, high = p->b->crowded.size / sizeof *keys;
    uint32_t bit = key >> (32 - FILTER_BITS);
    if (!(p->filter[bit >> 3] >> (bit & 7) & 1))
        return false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] == key)
            return true;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* ---- one game ---- */

/* Adds a posting for a position if its key belongs to this level, and the previous position of the game had another
 * key. */
static void post(poster *p, const piece_board *board, unsigned side, uint32_t rank)
{
    for (unsigned level = 0; level <= p->level; level++) {
        uint32_t key = index_key(board->colors, board->types, side, level);
        bool same = p->known[level] && p->last[level] == key;
        if (level == p->level) {
            uint64_t posting = (uint64_t)key << 32 | rank;
            if (!same)
                buffer_add(&p->found, &posting, sizeof posting);
        } else if (!same) {
            p->crowded[level] = is_crowded(p, key);
        }
        p->last[level] = key;
        p->known[level] = true;
        if (level < p->level && !p->crowded[level]) {
            memset(p->known + level + 1, 0, INDEX_LEVELS - level - 1);
            return;
        }
    }
}

static void post_game(poster *p, const piece_board *start, unsigned depth, uint32_t rank)
{
    const uint32_t record = ((const uint32_t *)(const void *)p->b->order.data)[rank];
    const uint8_t *codes = build_codes(p->b, record);
    piece_board board = *start;
    memset(p->known, 0, sizeof p->known);
    for (uint32_t ply = depth; ply < build_size(p->b, record); ply++) {
        (void)piece_board_play(&board, ply & 1, codes + ply, 1);
        post(p, &board, (ply + 1) & 1, rank);
    }
}

/* ---- all games ---- */

/* Visits the nodes in preorder, and the games that leave the trie at each node. All moves can be played, because their
 * codes were made from legal moves. Returns false if memory is exhausted. */
static bool post_games(poster *p)
{
    index_build *b = p->b;
    const uint32_t *first = (const uint32_t *)(const void *)b->node_first.data;
    uint32_t *keys = (uint32_t *)buffer_array(&b->node_keys, b->node_depths.size, sizeof *keys);
    const stamma_position start = stamma_position_start();
    PIECE_GAME(set_up, &p->boards[0], &start);
    for (size_t n = 0; n < b->node_depths.size && keys; n++) {
        unsigned depth = b->node_depths.data[n];
        piece_board *board = &p->boards[depth];
        if (depth > 0) {
            *board = p->boards[depth - 1];
            (void)piece_board_play(board, (depth - 1) & 1, &b->node_codes.data[n], 1);
        }
        keys[n] = index_key(board->colors, board->types, depth & 1, INDEX_KEY_PLACEMENT);
        for (uint32_t rank = first[n]; rank < first[n + 1]; rank++)
            post_game(p, board, depth, rank);
    }
    return keys && !p->found.failed;
}

/* ---- levels ---- */

static uint32_t key_of(uint64_t posting)
{
    return (uint32_t)(posting >> 32);
}

/* Keeps the postings of this level whose key is not crowded, without duplicates. Postings are sorted by key and
 * rank. */
static bool divide(poster *p, const uint64_t *postings, size_t count)
{
    index_build *b = p->b;
    const uint32_t share = b->games / INDEX_CROWD_SHARE, most = share > INDEX_CROWD ? share : INDEX_CROWD;
    for (size_t n = 0, end; n < count; n = end) {
        uint32_t key = key_of(postings[n]);
        for (end = n; end < count && key_of(postings[end]) == key;)
            end++;
        size_t games = 0;
        for (size_t k = n; k < end; k++)
            games += k == n || postings[k] != postings[k - 1];
        if (games > most && p->level < INDEX_KEY_PLACEMENT) {
            uint32_t bit = key >> (32 - FILTER_BITS);
            buffer_add(&b->crowded, &key, sizeof key);
            p->filter[bit >> 3] |= (uint8_t)(1u << (bit & 7));
            continue;
        }
        for (size_t k = n; k < end; k++)
            if (k == n || postings[k] != postings[k - 1])
                buffer_add(&b->postings, &postings[k], sizeof postings[k]);
    }
    return !b->crowded.failed && !b->postings.failed;
}

static int compare_keys(const void *a, const void *b)
{
    uint32_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

static stamma_error make_level(poster *p)
{
    p->found.size = 0;
    if (!post_games(p))
        return STAMMA_ERROR_NO_MEMORY;
    size_t count = p->found.size / sizeof(uint64_t);
    if (!buffer_array(&p->spare, count, sizeof(uint64_t)))
        return STAMMA_ERROR_NO_MEMORY;
    stamma_index_sort((uint64_t *)(void *)p->found.data, (uint64_t *)(void *)p->spare.data, count, 32, 32);
    if (!divide(p, (const uint64_t *)(const void *)p->found.data, count))
        return STAMMA_ERROR_NO_MEMORY;
    if (p->b->crowded.size > 0)
        qsort(p->b->crowded.data, p->b->crowded.size / sizeof(uint32_t), sizeof(uint32_t), compare_keys);
    return STAMMA_OK;
}

stamma_error stamma_index_make_postings(index_build *b)
{
    const stamma_allocator *a = b->allocator;
    poster p = {.b = b, .found.allocator = a, .spare.allocator = a};
    p.boards = (piece_board *)memory_allocate(a, (INDEX_DEPTH_MAX + 1) * sizeof *p.boards);
    p.filter = (uint8_t *)memory_allocate(a, 1 << (FILTER_BITS - 3));
    stamma_error error = p.boards && p.filter ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    if (p.filter)
        memset(p.filter, 0, 1 << (FILTER_BITS - 3));
    for (p.level = 0; p.level < INDEX_LEVELS && error == STAMMA_OK; p.level++)
        error = make_level(&p);
    memory_release(a, p.boards);
    memory_release(a, p.filter);
    stamma_buffer_release(&p.found);
    stamma_buffer_release(&p.spare);
    return error;
}
