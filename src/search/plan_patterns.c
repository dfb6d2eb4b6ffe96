/* SPDX-License-Identifier: MIT */
/* Finds games that meet patterns of positions: visits the nodes of the trie of an index file from which a pattern can
 * be reached, and plays the games that leave the trie at these nodes. */
#include "search/search_plan.h"

enum {
    AT_ONCE = 1 << 10,   /* number of nodes or games between two checks of whether to stop */
    CODES_FIRST = 24,    /* number of codes that are decoded first: most games can be abandoned after them */
    PART_GAMES = 1 << 12 /* least number of games of a part */
};

/* Visits the nodes in preorder. */
typedef struct pattern_walk {
    const pattern_search *search;
    const uint8_t *depths, *codes; /* of all nodes */
    piece_board *boards;           /* by depth */
    uint32_t begin, end;           /* the games that are played: ranks */
    index_moves moves;
    buffer *ranges; /* pattern_range; NULL: the games are played */
    buffer *hits;   /* pattern_hit */
    uint32_t past;  /* end of the last range */
    uint64_t games; /* number of games in ranges that are not met */
    uint32_t visited;
} pattern_walk;

enum { REACH_NEVER, REACH_LATER, REACH_NOW };

/* Returns whether a position meets a target, or a later position may. */
static unsigned reach_of(const pattern_search *s, const piece_board *board, unsigned side)
{
    unsigned reach = REACH_NEVER;
    for (size_t n = 0; n < s->target_count; n++) {
        if (PIECE_GAME(meets, board, side, &s->targets[n].goal))
            return REACH_NOW;
        if (reach == REACH_NEVER && stamma_target_may_follow(&s->targets[n], board))
            reach = REACH_LATER;
    }
    return reach;
}

static bool is_stopped(pattern_walk *w)
{
    return ++w->visited % AT_ONCE == 0 && work_is_stopped(w->search->stop);
}

/* ---- games ---- */

/* Plays the first codes of a game after a node. *first becomes the number of codes until a target is met, FOUND_NONE,
 * or FOUND_LOST. */
static stamma_error play_codes(const pattern_search *s, const piece_board *start, unsigned side, const uint8_t *codes,
                               size_t count, size_t *first)
{
    bool lost = true;
    *first = FOUND_NONE;
    for (size_t n = 0; n < s->target_count; n++) {
        piece_board board = *start;
        size_t found = FOUND_NONE;
        const stamma_error error =
            PIECE_GAME(find, &board, side, codes, *first < count ? *first : count, &s->targets[n].goal, &found);
        if (error != STAMMA_OK)
            return error;
        lost = lost && found == FOUND_LOST;
        *first = found < FOUND_LOST && found < *first ? found : *first;
    }
    *first = lost ? FOUND_LOST : *first;
    return STAMMA_OK;
}

/* Plays the game of a rank, which leaves the trie at a node. */
static stamma_error play_game(pattern_walk *w, const piece_board *start, unsigned depth, uint32_t rank)
{
    const pattern_search *s = w->search;
    size_t first = FOUND_NONE;
    for (uint32_t most = CODES_FIRST;; most = UINT32_MAX) {
        const uint8_t *codes;
        uint32_t count;
        w->moves.depth = depth;
        stamma_error error = stamma_index_moves_continue(&w->moves, s->segment, rank, most, &codes, &count);
        if (error == STAMMA_OK)
            error = play_codes(s, start, depth & 1, codes, count, &first);
        if (error != STAMMA_OK)
            return error == STAMMA_ERROR_NO_MEMORY ? error : stamma_index_damaged(s->file);
        if (first != FOUND_NONE || depth + count == w->moves.plies)
            break;
    }
    const pattern_hit hit = {rank, depth + (uint32_t)first};
    if (first < FOUND_LOST)
        buffer_add(w->hits, &hit, sizeof hit);
    return w->hits->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Plays the games of a range of ranks that the filter does not exclude. */
static stamma_error play_games(pattern_walk *w, unsigned depth, uint32_t rank, uint32_t end)
{
    const plan_filter *f = w->search->filter;
    stamma_error error = STAMMA_OK;
    rank = rank > w->begin ? rank : w->begin; /* a node may be divided between parts */
    end = end < w->end ? end : w->end;
    for (; error == STAMMA_OK && rank < end; rank++) {
        rank = plan_filter_next(f, rank, end);
        if (rank == end || stamma_plan_filter_test(f, rank) == VERDICT_NO)
            continue;
        error = is_stopped(w) ? STAMMA_ERROR_CANCELLED : play_game(w, &w->boards[depth], depth, rank);
    }
    return error;
}

/* ---- nodes ---- */

/* Adds the games that leave the trie from a node on, up to another node. */
static stamma_error add_range(pattern_walk *w, uint32_t node, uint32_t begin, uint32_t end, bool met)
{
    const pattern_range r = {begin, end, w->depths[node], met};
    if (begin < w->past || end < begin || end > w->search->segment->counts[COUNT_TYPED])
        return stamma_index_damaged(w->search->file);
    w->past = end;
    if (end > begin)
        buffer_add(w->ranges, &r, sizeof r);
    w->games += met ? 0 : end - begin;
    if (w->games > w->search->most)
        return STAMMA_ERROR_LIMIT;
    return w->ranges->failed ? STAMMA_ERROR_NO_MEMORY : STAMMA_OK;
}

/* Plays the move to a node on the board of its parent. Returns false if the trie is invalid. */
static bool play_node(const pattern_walk *w, uint32_t node)
{
    const unsigned depth = w->depths[node];
    if (node == 0 || depth == 0 || depth > INDEX_DEPTH_MAX || depth > w->depths[node - 1] + 1u)
        return node == 0 && depth == 0;
    w->boards[depth] = w->boards[depth - 1];
    return piece_board_play(&w->boards[depth], (depth - 1) & 1, &w->codes[node], 1) == STAMMA_OK;
}

/* Visits a node. *next becomes the next node to visit. */
static stamma_error visit_node(pattern_walk *w, uint32_t node, uint32_t *next)
{
    index_file *x = w->search->file;
    const index_segment *s = w->search->segment;
    const unsigned depth = w->depths[node], reach = reach_of(w->search, &w->boards[depth], depth & 1);
    *next = reach == REACH_LATER ? node + 1 : stamma_index_node_end(x, s, node);
    if (reach == REACH_NEVER)
        return STAMMA_OK;
    const uint32_t begin = index_node_first(x, s, node), end = index_node_first(x, s, *next);
    if (w->ranges)
        return add_range(w, node, begin, end, reach == REACH_NOW);
    return reach == REACH_LATER ? play_games(w, depth, begin, end) : STAMMA_OK;
}

/* Returns the next node, from a node on, with games that are to be played; the number of nodes if there is none. */
static uint32_t skip_nodes(const pattern_walk *w, uint32_t node)
{
    index_file *x = w->search->file;
    const index_segment *s = w->search->segment;
    const uint32_t nodes = s->counts[COUNT_NODES];
    while (!w->ranges && node < nodes) {
        const uint32_t first = index_node_first(x, s, node);
        if (first >= w->end)
            return nodes;
        const uint32_t next = first < w->begin ? stamma_index_node_end(x, s, node) : node;
        if (next == node || index_node_first(x, s, next) > w->begin)
            break;
        node = next;
    }
    return node;
}

static stamma_error visit_nodes(pattern_walk *w)
{
    const uint32_t nodes = w->search->segment->counts[COUNT_NODES];
    stamma_error error = STAMMA_OK;
    for (uint32_t node = skip_nodes(w, 0), next; node < nodes && error == STAMMA_OK; node = skip_nodes(w, next)) {
        next = node + 1;
        if (is_stopped(w))
            return STAMMA_ERROR_CANCELLED;
        if (!play_node(w, node))
            return stamma_index_damaged(w->search->file);
        error = visit_node(w, node, &next);
    }
    return error;
}

static stamma_error walk(pattern_walk *w)
{
    const pattern_search *s = w->search;
    const stamma_position start = stamma_position_start();
    const uint32_t nodes = s->segment->counts[COUNT_NODES];
    w->depths = index_bytes(s->file, s->segment, SECTION_NODE_DEPTHS, 0, nodes);
    w->codes = index_bytes(s->file, s->segment, SECTION_NODE_CODES, 0, nodes);
    if (!w->depths || !w->codes)
        return STAMMA_ERROR_CORRUPT;
    w->boards = (piece_board *)memory_allocate(&s->file->allocator, (INDEX_DEPTH_MAX + 1) * sizeof *w->boards);
    if (!w->boards)
        return STAMMA_ERROR_NO_MEMORY;
    PIECE_GAME(set_up, &w->boards[0], &start);
    const stamma_error error = visit_nodes(w);
    memory_release(&s->file->allocator, w->boards);
    return error;
}

stamma_error stamma_pattern_search_nodes(const pattern_search *s, buffer *ranges)
{
    pattern_walk w = {.search = s, .ranges = ranges};
    ranges->size = 0;
    return walk(&w);
}

/* ---- parts ---- */

enum { PARTS_MAX = 64 };

typedef struct pattern_part {
    uint32_t begin, end; /* ranks */
    buffer hits;
    stamma_error error;
} pattern_part;

typedef struct pattern_parts {
    const pattern_search *search;
    size_t count;
    pattern_part all[PARTS_MAX];
} pattern_parts;

static void run_part(void *context, size_t part)
{
    pattern_parts *p = (pattern_parts *)context;
    pattern_part *own = &p->all[part];
    pattern_walk w = {.search = p->search, .begin = own->begin, .end = own->end, .hits = &own->hits};
    stamma_index_moves_init(&w.moves, p->search->file, p->search->archive, own->hits.allocator);
    own->error = walk(&w);
    stamma_index_moves_release(&w.moves);
}

/* Divides the ranks into parts with about the same number of games that must be played. */
static void divide(pattern_parts *p, const buffer *ranges)
{
    const pattern_range *all = (const pattern_range *)(const void *)ranges->data;
    const size_t count = ranges->size / sizeof *all;
    uint64_t games = 0, sum = 0;
    for (size_t n = 0; n < count; n++)
        games += all[n].met ? 0 : all[n].end - all[n].begin;
    const uint64_t parts = games / PART_GAMES + 1, most = parts < PARTS_MAX ? parts : PARTS_MAX;
    for (size_t n = 0; n < count; n++) {
        if (all[n].met)
            continue;
        if (p->count == 0 || sum >= games * p->count / most)
            p->all[p->count++].begin = all[n].begin;
        p->all[p->count - 1].end = all[n].end;
        sum += all[n].end - all[n].begin;
    }
}

stamma_error stamma_pattern_search_games(const pattern_search *s, const buffer *ranges, buffer *hits)
{
    const stamma_allocator *allocator = hits->allocator;
    pattern_parts *p = (pattern_parts *)memory_allocate(allocator, sizeof *p);
    if (!p)
        return STAMMA_ERROR_NO_MEMORY;
    memset(p, 0, sizeof *p);
    p->search = s;
    divide(p, ranges);
    for (size_t n = 0; n < p->count; n++)
        p->all[n].hits.allocator = allocator;
    hits->size = 0;
    stamma_error error = stamma_index_run_parts(allocator, s->executor, p->count, run_part, p);
    for (size_t n = 0; n < p->count; n++) {
        error = error == STAMMA_OK ? p->all[n].error : error;
        buffer_add(hits, p->all[n].hits.data, p->all[n].hits.size);
        stamma_buffer_release(&p->all[n].hits);
    }
    memory_release(allocator, p);
    return error == STAMMA_OK && hits->failed ? STAMMA_ERROR_NO_MEMORY : error;
}
