/* SPDX-License-Identifier: MIT */
/* Plays the games of a segment: makes the keys of nodes, and the lists of candidates for positions after the trie. A
 * game is a candidate for the first key of a position that is not crowded.
 *
 * The crowded keys are found first, level by level: a key counts only at positions whose keys of lower levels are
 * crowded. In large segments, the games of a key are estimated from a sample of the ranks. Then all games are played
 * once. Both are done for ranges of ranks, in parallel. The same replay finds the endgames of the games. */
#include <limits.h>
#include "index/index_build.h"

#include <stdlib.h>

enum {
    RANGE_GAMES = 512, /* games of a range if there are fewer than POSTING_RANGES ranges */
    ALL_LEVELS = INDEX_LEVELS,
    SAMPLE_GAMES = 1 << 14, /* smaller segments are not sampled */
    SAMPLE_CROWD = 24,      /* least number of sampled games of a crowded key */
    SAMPLE_STEP_MAX = 32,
    PLIES_AT_ONCE = 64
};

typedef struct poster {
    index_build *b;
    size_t ranges;
    uint32_t nodes[POSTING_RANGES + 1]; /* the first node of each range */
    posting_lists candidates, endgames;
    unsigned level;  /* the level whose keys are counted; ALL_LEVELS: postings are made */
    uint32_t step;   /* one rank of this number is sampled */
    uint32_t *crowd; /* hash table of crowded keys plus 1 */
    unsigned crowd_bits;
    size_t kept; /* postings of the sample */
    buffer spare;
} poster;

/* ---- crowded keys ---- */

static bool is_crowded(const poster *p, uint32_t key)
{
    const uint32_t mask = (UINT32_C(1) << p->crowd_bits) - 1;
    uint32_t slot = key >> (32 - p->crowd_bits);
    while (p->crowd[slot] != 0 && p->crowd[slot] != key + 1)
        slot = (slot + 1) & mask;
    return p->crowd[slot] != 0;
}

/* Makes the hash table of the crowded keys. The table is at most half full. */
static bool make_crowd(poster *p)
{
    const stamma_allocator *a = p->b->allocator;
    const uint32_t *keys = (const uint32_t *)(const void *)p->b->crowded.data;
    const size_t count = p->b->crowded.size / sizeof *keys;
    for (p->crowd_bits = 10; (size_t)1 << p->crowd_bits < 2 * count;)
        p->crowd_bits++;
    const size_t size = ((size_t)1 << p->crowd_bits) * sizeof *p->crowd;
    const uint32_t mask = (UINT32_C(1) << p->crowd_bits) - 1;
    memory_release(a, p->crowd);
    p->crowd = (uint32_t *)memory_allocate(a, size);
    if (!p->crowd)
        return false;
    memset(p->crowd, 0, size);
    for (size_t n = 0; n < count; n++) {
        uint32_t slot = keys[n] >> (32 - p->crowd_bits);
        while (p->crowd[slot] != 0)
            slot = (slot + 1) & mask;
        p->crowd[slot] = keys[n] + 1;
    }
    return true;
}

/* ---- one game ---- */

typedef struct game_walk {
    const poster *p;
    buffer *found;
    uint32_t rank;
    uint64_t pawns[2];
    uint32_t last[INDEX_LEVELS]; /* the last key of each level that was compared; 0: none */
    unsigned level;              /* the level of the current pawn structure; 3: its keys of levels 0 to 2 are crowded */
    bool crowded;                /* whether the last key of level 3 is crowded */
} game_walk;

/* Adds a posting for a key, unless the last posting of its level has the same key. */
static void add_key(game_walk *w, uint32_t key, unsigned level)
{
    const uint64_t number = w->p->level == ALL_LEVELS ? index_list_of(key, w->p->candidates.lists) : key;
    const uint64_t posting = number << 32 | w->rank;
    if (w->last[level] != key + 1)
        buffer_add(w->found, &posting, sizeof posting);
    w->last[level] = key + 1;
}

/* Finds the level of a pawn structure, and adds its key. */
static void enter_structure(game_walk *w, const piece_sets *s)
{
    for (w->level = 0; w->level < 3; w->level++) {
        const uint32_t key = index_key(s->colors, s->types, 0, w->level);
        const bool counted = w->p->level == w->level;
        if (!counted && is_crowded(w->p, key))
            continue;
        if (counted || w->p->level == ALL_LEVELS)
            add_key(w, key, w->level);
        return;
    }
    w->last[3] = 0;
}

static void enter_position(game_walk *w, const piece_sets *s, unsigned side)
{
    const uint64_t white = s->colors[STAMMA_WHITE] & s->types[STAMMA_PAWN],
                   black = s->colors[STAMMA_BLACK] & s->types[STAMMA_PAWN];
    if (white != w->pawns[STAMMA_WHITE] || black != w->pawns[STAMMA_BLACK]) {
        w->pawns[STAMMA_WHITE] = white;
        w->pawns[STAMMA_BLACK] = black;
        enter_structure(w, s);
    }
    if (w->level < 3)
        return;
    const uint32_t key = index_key(s->colors, s->types, 0, 3);
    if (w->last[3] != key + 1) {
        w->crowded = w->p->level != 3 && is_crowded(w->p, key);
        if (w->p->level == 3 || (w->p->level == ALL_LEVELS && !w->crowded))
            add_key(w, key, 3);
        w->last[3] = key + 1;
    }
    if (w->crowded)
        add_key(w, index_key(s->colors, s->types, side, INDEX_KEY_PLACEMENT), INDEX_KEY_PLACEMENT);
}

/* The endgames of one game. */
typedef struct endgame_walk {
    buffer *found; /* NULL: endgames are not posted */
    uint32_t rank;
    unsigned men, pawns; /* of the last endgame */
} endgame_walk;

/* Adds a posting unless the last posting has the same pieces: captures and promotions reduce the men or the pawns. */
static void enter_endgame(endgame_walk *w, const uint64_t colors[2], const uint64_t *types)
{
    if (!index_is_endgame(types))
        return;
    const unsigned men = bits_count(colors[STAMMA_WHITE] | colors[STAMMA_BLACK]),
                   pawns = bits_count(types[STAMMA_PAWN]);
    if (men == w->men && pawns == w->pawns)
        return;
    const uint64_t posting = (uint64_t)stamma_endgame_number(index_material(colors, types)) << 32 | w->rank;
    buffer_add(w->found, &posting, sizeof posting);
    w->men = men;
    w->pawns = pawns;
}

/* Plays a game after it leaves the trie. All moves can be played, because their codes were made from legal moves. */
static void post_game(const poster *p, const piece_board *start, unsigned depth, uint32_t rank, buffer *found,
                      endgame_walk *endgames)
{
    const uint32_t record = ((const uint32_t *)(const void *)p->b->order.data)[rank];
    const uint32_t size = build_size(p->b, record);
    const uint8_t *codes = build_rest(p->b, record);
    game_walk w = {.p = p, .found = found, .rank = rank, .pawns = {UINT64_MAX, UINT64_MAX}};
    piece_sets sets[PLIES_AT_ONCE];
    piece_board board;
    if (depth < size)
        board = *start;
    for (uint32_t ply = depth, end; ply < size; ply = end) {
        end = size - ply < PLIES_AT_ONCE ? size : ply + PLIES_AT_ONCE;
        (void)PIECE_GAME(replay, &board, ply & 1, codes + (ply - depth), end - ply, sets);
        for (uint32_t n = ply; n < end; n++)
            enter_position(&w, &sets[n - ply], (n + 1) & 1);
        for (uint32_t n = 0; n < end - ply && endgames->found; n++)
            enter_endgame(endgames, sets[n].colors, sets[n].types);
    }
}

/* ---- the games of a range ---- */

/* Sets up the boards of the ancestors of a node. */
static void set_up_path(const index_build *b, uint32_t node, piece_board *boards)
{
    const uint8_t *depths = b->node_depths.data;
    const stamma_position start = stamma_position_start();
    uint8_t codes[INDEX_DEPTH_MAX + 1]; /* by depth */
    unsigned depth = depths[node];
    for (uint32_t n = node; depth > 0 && n-- > 0;)
        if (depths[n] < depth) {
            depth = depths[n];
            codes[depth] = b->node_codes.data[n];
        }
    PIECE_GAME(set_up, &boards[0], &start);
    for (unsigned n = 1; n < depths[node]; n++) {
        boards[n] = boards[n - 1];
        (void)piece_board_play(&boards[n], (n - 1) & 1, &codes[n], 1);
    }
}

/* Returns the depth of the first endgame on the path to a node, given that of its parent; UINT_MAX: none. */
static unsigned first_endgame(const piece_board *boards, unsigned depth, unsigned before)
{
    return before < depth ? before : index_is_endgame(boards[depth].types) ? depth : UINT_MAX;
}

/* Visits the nodes of a range in preorder, and the games that leave the trie at each node. */
static void post_range(const poster *p, size_t range, piece_board *boards, buffer *found, buffer *endgames)
{
    const index_build *b = p->b;
    unsigned endgame = UINT_MAX; /* depth of the first endgame on the path */
    const uint32_t *first = (const uint32_t *)(const void *)b->node_first.data;
    uint32_t *keys = (uint32_t *)(void *)b->node_keys.data;
    if (p->nodes[range] == p->nodes[range + 1])
        return; /* the node may be the one after the last */
    set_up_path(b, p->nodes[range], boards);
    for (unsigned n = 0; n < b->node_depths.data[p->nodes[range]]; n++)
        endgame = first_endgame(boards, n, endgame);
    for (uint32_t n = p->nodes[range]; n < p->nodes[range + 1]; n++) {
        const unsigned depth = b->node_depths.data[n];
        piece_board *board = &boards[depth];
        if (depth > 0) {
            *board = boards[depth - 1];
            (void)piece_board_play(board, (depth - 1) & 1, &b->node_codes.data[n], 1);
        }
        if (p->level == ALL_LEVELS)
            keys[n] = index_key(board->colors, board->types, depth & 1, INDEX_KEY_PLACEMENT);
        endgame = first_endgame(boards, depth, endgame);
        const uint32_t step = p->level == ALL_LEVELS ? 1 : p->step;
        for (uint32_t rank = (first[n] + step - 1) / step * step; rank < first[n + 1]; rank += step) {
            endgame_walk e = {.found = endgames, .rank = rank};
            for (unsigned k = endgame; k <= depth && endgames; k++)
                enter_endgame(&e, boards[k].colors, boards[k].types);
            post_game(p, board, depth, rank, found, &e);
        }
    }
}

/* Makes the postings of a range, or counts its keys of a level. */
static void run_range(void *context, size_t range)
{
    poster *p = (poster *)context;
    const bool all = p->level == ALL_LEVELS;
    buffer *found = &p->candidates.of[range].found, *endgames = all ? &p->endgames.of[range].found : NULL;
    piece_board *boards = (piece_board *)memory_allocate(p->b->allocator, (INDEX_DEPTH_MAX + 1) * sizeof *boards);
    found->size = 0;
    if (boards)
        post_range(p, range, boards, found, endgames);
    found->failed |= !boards;
    memory_release(p->b->allocator, boards);
    if (!all)
        return;
    stamma_posting_lists_pack(&p->candidates, range);
    stamma_posting_lists_pack(&p->endgames, range);
}

static stamma_error run_ranges(poster *p)
{
    stamma_error error = stamma_index_run_parts(p->b->allocator, p->b->executor, p->ranges, run_range, p);
    for (size_t n = 0; n < p->ranges && error == STAMMA_OK; n++)
        if (p->candidates.of[n].found.failed || p->endgames.of[n].found.failed)
            error = STAMMA_ERROR_NO_MEMORY;
    return error;
}

/* ---- levels ---- */

/* Adds the crowded keys of the level, and counts the postings of the other keys. Postings are sorted by key and
 * rank. */
static bool divide(poster *p, const uint64_t *postings, size_t count)
{
    index_build *b = p->b;
    const uint32_t share = b->games / INDEX_CROWD_SHARE, most = share > INDEX_CROWD ? share : INDEX_CROWD;
    for (size_t n = 0, end; n < count; n = end) {
        const uint32_t key = (uint32_t)(postings[n] >> 32);
        size_t games = 0;
        for (end = n; end < count && postings[end] >> 32 == key; end++)
            games += end == n || postings[end] != postings[end - 1];
        if (games * p->step > most && p->level < INDEX_KEY_PLACEMENT)
            buffer_add(&b->crowded, &key, sizeof key);
        else
            p->kept += games;
    }
    return !b->crowded.failed;
}

static stamma_error make_level(poster *p)
{
    buffer found = {.allocator = p->b->allocator};
    stamma_error error = make_crowd(p) ? run_ranges(p) : STAMMA_ERROR_NO_MEMORY;
    for (size_t n = 0; n < p->ranges; n++)
        buffer_add(&found, p->candidates.of[n].found.data, p->candidates.of[n].found.size);
    const size_t count = found.size / sizeof(uint64_t);
    if (error == STAMMA_OK && (found.failed || !buffer_array(&p->spare, count, sizeof(uint64_t))))
        error = STAMMA_ERROR_NO_MEMORY;
    if (error == STAMMA_OK && count > 0) {
        uint64_t *postings = (uint64_t *)(void *)found.data;
        stamma_index_sort(postings, (uint64_t *)(void *)p->spare.data, count, 32, 32);
        error = divide(p, postings, count) ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
    }
    stamma_buffer_release(&found);
    return error;
}

static int compare_keys(const void *a, const void *b)
{
    uint32_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

/* Finds the crowded keys and the number of lists. */
static stamma_error find_crowded(poster *p)
{
    stamma_error error = STAMMA_OK;
    for (p->level = 0; p->level < INDEX_LEVELS && error == STAMMA_OK; p->level++)
        error = make_level(p);
    const uint64_t lists = (uint64_t)p->kept * p->step / INDEX_LIST_SIZE + 1;
    p->candidates.lists = lists < UINT32_MAX ? (uint32_t)lists : UINT32_MAX;
    if (p->b->crowded.size > 0)
        qsort(p->b->crowded.data, p->b->crowded.size / sizeof(uint32_t), sizeof(uint32_t), compare_keys);
    const uint32_t *keys = (const uint32_t *)(const void *)p->b->crowded.data;
    for (size_t n = 0; n < p->b->crowded.size / sizeof *keys; n++)
        index_add_u32(&p->b->sections[SECTION_CROWDED], keys[n]);
    return error;
}

/* ---- lists ---- */

static stamma_error make_candidates(poster *p)
{
    index_build *b = p->b;
    buffer sizes = {.allocator = b->allocator};
    uint32_t start = 0;
    const stamma_error error = stamma_posting_lists_make(&p->candidates, &b->sections[SECTION_LISTS], &sizes);
    const uint32_t *all = (const uint32_t *)(const void *)sizes.data;
    for (size_t n = 0; n < sizes.size / sizeof *all && error == STAMMA_OK; n++) {
        index_add_u32(&b->sections[SECTION_LIST_STARTS], start);
        start += all[n];
    }
    index_add_u32(&b->sections[SECTION_LIST_STARTS], start);
    stamma_buffer_release(&sizes);
    return error;
}

/* Lists the numbers of pieces of those endgames that games have. */
static stamma_error make_endgames(poster *p)
{
    index_build *b = p->b;
    buffer sizes = {.allocator = b->allocator}, *out = &b->sections[SECTION_ENDGAMES];
    uint32_t last = 0;
    const stamma_error error = stamma_posting_lists_make(&p->endgames, &b->sections[SECTION_ENDGAME_LISTS], &sizes);
    const uint32_t *all = (const uint32_t *)(const void *)sizes.data;
    for (uint32_t n = 0; n < ENDGAMES && error == STAMMA_OK; n++) {
        if (all[n] == 0)
            continue;
        const uint32_t material = stamma_endgame_material(n);
        stamma_buffer_add_varint(out, material - last);
        stamma_buffer_add_varint(out, all[n]);
        last = material;
    }
    stamma_buffer_release(&sizes);
    return error;
}

/* ---- the call ---- */

static uint32_t sample_step(const index_build *b)
{
    const uint32_t share = b->games / INDEX_CROWD_SHARE, most = share > INDEX_CROWD ? share : INDEX_CROWD;
    const uint32_t step = most / SAMPLE_CROWD;
    return b->typed < SAMPLE_GAMES ? 1 : step < SAMPLE_STEP_MAX ? step : SAMPLE_STEP_MAX;
}

/* Divides the nodes into ranges with about the same number of games. */
static void divide_nodes(poster *p)
{
    const uint32_t *first = (const uint32_t *)(const void *)p->b->node_first.data;
    const uint32_t count = (uint32_t)p->b->node_depths.size, games = p->b->typed;
    const uint32_t ranges = games / RANGE_GAMES + 1;
    p->ranges = ranges < POSTING_RANGES ? ranges : POSTING_RANGES;
    uint32_t node = 0;
    for (size_t n = 0; n < p->ranges; n++) {
        while (node < count && first[node] < (uint64_t)games * n / p->ranges)
            node++;
        p->nodes[n] = node;
    }
    p->nodes[0] = 0;
    p->nodes[p->ranges] = count;
    p->candidates.ranges = p->endgames.ranges = p->ranges;
    for (size_t n = 0; n < p->ranges; n++)
        p->candidates.of[n].first = p->endgames.of[n].first = first[p->nodes[n]];
}

static void release_poster(poster *p)
{
    stamma_posting_lists_release(&p->candidates);
    stamma_posting_lists_release(&p->endgames);
    stamma_buffer_release(&p->spare);
    memory_release(p->b->allocator, p->crowd);
}

static void init_poster(poster *p, index_build *b)
{
    memset(p, 0, sizeof *p);
    p->b = b;
    p->step = sample_step(b);
    stamma_posting_lists_init(&p->candidates, b, 0);
    stamma_posting_lists_init(&p->endgames, b, ENDGAMES);
    p->spare.allocator = b->allocator;
    divide_nodes(p);
}

stamma_error stamma_index_make_postings(index_build *b)
{
    poster *p = (poster *)memory_allocate(b->allocator, sizeof *p);
    if (!p)
        return STAMMA_ERROR_NO_MEMORY;
    init_poster(p, b);
    stamma_error error = find_crowded(p);
    if (error == STAMMA_OK && (!buffer_array(&b->node_keys, b->node_depths.size, sizeof(uint32_t)) || !make_crowd(p)))
        error = STAMMA_ERROR_NO_MEMORY;
    p->level = ALL_LEVELS;
    if (error == STAMMA_OK)
        error = run_ranges(p);
    if (error == STAMMA_OK)
        error = make_candidates(p);
    if (error == STAMMA_OK)
        error = make_endgames(p);
    b->segment.counts[COUNT_LISTS] = p->candidates.lists;
    release_poster(p);
    memory_release(b->allocator, p);
    return error;
}
