/* SPDX-License-Identifier: MIT */
/* The repertoire of a player: a tree of the moves played, with the same counts as stamma_tree for each position. */
#include "games/game_views.h"
#include "reporting/report.h"

#include <math.h>

/* A move that a game played when it first reached a position. */
typedef struct entry {
    uint64_t key; /* of the position */
    uint32_t game;
    uint16_t ply; /* before the move */
    stamma_move move;
} entry;

typedef struct entries {
    entry *list;
    size_t count, room;
} entries;

enum { SEEN = UINT16_MAX };

typedef struct walking {
    const report *r;
    report_tree *tree;
    stamma_color color;
    stamma_move *path; /* moves to the current position */
    entries of;        /* by key. The first entry of a position whose moves are in the tree has the ply SEEN */
} walking;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->ply > b->ply) - (a->ply < b->ply);
}

/* Sorts the entries, and keeps the first of each game in a position. */
static void sort_entries(entries *e)
{
    size_t kept = 0;
    if (e->count > 1)
        qsort(e->list, e->count, sizeof *e->list, compare_entries);
    for (size_t i = 0; i < e->count; i++)
        if (kept == 0 || e->list[kept - 1].key != e->list[i].key || e->list[kept - 1].game != e->list[i].game)
            e->list[kept++] = e->list[i];
    e->count = kept;
}

/* Returns the index of the first entry of a position; the number of entries if there is none. */
static size_t first_of(const entries *e, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (e->list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && e->list[low].key == key ? low : count;
}

/* Adds the moves of a game at the plies from `from` up to `to`. If `known` is not 0, adds only those in positions of
 * the first `known` entries, which are sorted. */
static bool add_moves(entries *e, const stamma_position *start, const report_game *g, uint32_t game, size_t from,
                      size_t to, size_t known)
{
    stamma_position position = *start;
    for (size_t ply = 0; ply < to && ply < g->plies && ply < SEEN && g->moves[ply] != STAMMA_MOVE_NULL; ply++) {
        if (ply >= from) {
            const uint64_t key = stamma_position_key(&position);
            if (known == 0 || first_of(e, known, key) < known) {
                if (!tool_list_grow(&e->list, &e->room, e->count, 1, sizeof *e->list))
                    return false;
                e->list[e->count++] = (entry){key, game, (uint16_t)ply, g->moves[ply]};
            }
        }
        stamma_position_make(&position, g->moves[ply], &position);
    }
    return true;
}

/* Collects the moves of all games in positions of the tree. A game counts even if it reaches a position only after more
 * plies than the depth of the tree. */
static bool gather(walking *w, stamma_color color)
{
    const report *r = w->r;
    size_t known = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < r->count && i < UINT32_MAX; i++) {
            const report_game *g = &r->games[i];
            const size_t depth = r->depth < SIZE_MAX ? (size_t)r->depth : SIZE_MAX;
            if (!g->standard || g->color != color)
                continue;
            w->tree->games += pass == 0;
            if (!add_moves(&w->of, &r->start, g, (uint32_t)i, pass ? depth : 0, pass ? SIZE_MAX : depth, known))
                return false;
        }
        sort_entries(&w->of);
        known = w->of.count;
        if (known == 0)
            break;
    }
    return true;
}

/* ---- nodes ---- */

static void count_game(report_node *n, const report_game *g, uint32_t recent_from)
{
    const report_outcome outcome = g->outcome;
    const uint32_t date = g->date.year * 10000u + g->date.month * 100u + g->date.day;
    n->games++;
    n->won += outcome == REPORT_WON;
    n->drawn += outcome == REPORT_DRAWN;
    n->lost += outcome == REPORT_LOST;
    n->dated += date > 0;
    n->recent += recent_from > 0 && date >= recent_from;
    n->rated += g->opponent_rating > 0;
    n->rating_sum += g->opponent_rating;
    if (date > n->last)
        n->last = date;
}

static int compare_nodes(const void *left, const void *right)
{
    const report_node *a = left, *b = right;
    return a->games != b->games ? (a->games < b->games) - (a->games > b->games) : strcmp(a->uci, b->uci);
}

/* Stores the moves played in a position, most games first. Returns their number. */
static size_t find_moves(const walking *w, const stamma_position *position, report_node nodes[STAMMA_MOVES_MAX])
{
    const uint64_t key = stamma_position_key(position);
    size_t count = 0, kept = 0;
    uint64_t dated = 0, recent = 0;
    for (size_t i = first_of(&w->of, w->of.count, key); i < w->of.count && w->of.list[i].key == key; i++) {
        const entry *e = &w->of.list[i];
        size_t n = 0;
        while (n < count && nodes[n].move != e->move)
            n++;
        if (n == STAMMA_MOVES_MAX)
            continue;
        if (n == count)
            nodes[count++] = (report_node){.move = e->move, .bits = (double)NAN};
        count_game(&nodes[n], &w->r->games[e->game], w->r->recent_from);
    }
    for (size_t n = 0; n < count; n++) {
        dated += nodes[n].dated;
        recent += nodes[n].recent;
        if (nodes[n].games >= w->tree->least)
            nodes[kept++] = nodes[n];
    }
    for (size_t n = 0; n < kept; n++) {
        nodes[n].of_dated = dated;
        nodes[n].of_recent = recent;
        (void)stamma_san_write(position, nodes[n].move, nodes[n].san, sizeof nodes[n].san);
        (void)stamma_uci_write(position, nodes[n].move, false, nodes[n].uci, sizeof nodes[n].uci);
    }
    if (kept > 1)
        qsort(nodes, kept, sizeof *nodes, compare_nodes);
    return kept;
}

/* Sets the bits of moves that are played after `plies` moves of the path. Without the predictor's weights, they remain
 * unknown. */
static void predict(const walking *w, size_t plies, report_node *nodes, size_t count)
{
    const stamma_position start = stamma_position_start();
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t likely_count = 0;
    if (stamma_predict(&start, w->path, plies, NULL, likely, &likely_count))
        return;
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < likely_count; i++)
            if (likely[i].move == nodes[n].move)
                nodes[n].bits = tool_bits_of(likely[i].frequency);
}

/* A position of the walk, with its moves that are not in the tree yet. */
typedef struct level {
    stamma_position position;
    report_node *nodes;
    size_t count, next;
} level;

static bool open_level(const walking *w, level *l, const stamma_position *position, size_t plies)
{
    report_node nodes[STAMMA_MOVES_MAX];
    *l = (level){.position = *position, .count = find_moves(w, position, nodes)};
    if (w->r->bits && plies % 2 == (w->color == STAMMA_BLACK))
        predict(w, plies, nodes, l->count);
    l->nodes = malloc((l->count + 1) * sizeof *l->nodes);
    if (!l->nodes)
        return tool_fail_memory(NULL);
    memcpy(l->nodes, nodes, l->count * sizeof *nodes);
    return true;
}

/* Returns the number of games with a move in the position of the first of these entries. */
static uint64_t games_at(const entries *e, size_t first)
{
    size_t end = first;
    while (end < e->count && e->list[end].key == e->list[first].key)
        end++;
    return end - first;
}

/* Adds the next move of a level to the tree. Opens the level after it unless the move is the last of its line. Returns
 * false, after a message, if memory is exhausted. */
static bool add_node(walking *w, level *levels, size_t *depth)
{
    report_tree *t = w->tree;
    level *l = &levels[*depth - 1];
    report_node *n = &l->nodes[l->next++];
    stamma_text eco;
    stamma_position after;
    if (!tool_list_grow(&t->nodes, &t->room, t->count, 1, sizeof *t->nodes))
        return false;
    stamma_position_make(&l->position, n->move, &after);
    n->depth = (unsigned)*depth;
    w->path[*depth - 1] = n->move;
    (void)stamma_position_opening(&after, &eco, &n->opening);
    const size_t first = first_of(&w->of, w->of.count, stamma_position_key(&after));
    n->continued = games_at(&w->of, first);
    n->again = first < w->of.count && w->of.list[first].ply == SEEN;
    t->nodes[t->count++] = *n;
    if (n->again || first == w->of.count || *depth == w->r->depth)
        return true;
    w->of.list[first].ply = SEEN;
    const size_t plies = (*depth)++;
    return open_level(w, &levels[plies], &after, plies);
}

static bool walk(walking *w)
{
    const stamma_position start = w->r->start;
    const size_t most = (size_t)w->r->depth;
    level *levels = calloc(most + 1, sizeof *levels);
    w->path = malloc((most + 1) * sizeof *w->path);
    size_t depth = 1;
    bool right = levels && w->path && open_level(w, &levels[0], &start, 0);
    if (!levels || !w->path)
        (void)tool_fail_memory(NULL);
    while (right && depth > 0) {
        level *l = &levels[depth - 1];
        if (l->next < l->count) {
            right = add_node(w, levels, &depth);
            continue;
        }
        free(l->nodes);
        l->nodes = NULL;
        depth--;
    }
    for (size_t i = 0; levels && i <= most; i++)
        free(levels[i].nodes);
    free(levels);
    free(w->path);
    return right;
}

bool report_tree_make(report *r, stamma_color color)
{
    report_tree *t = &r->trees[color];
    walking w = {.r = r, .tree = t, .color = color};
    bool right = gather(&w, color);
    t->least = r->least < UINT64_MAX ? r->least : t->games / 50 > 2 ? t->games / 50 : 2;
    right = right && (r->depth == 0 || walk(&w));
    free(w.of.list);
    return right;
}

bool report_trees_make(report *r)
{
    r->start = stamma_position_start();
    return report_tree_make(r, STAMMA_WHITE) && report_tree_make(r, STAMMA_BLACK);
}

void report_trees_close(report *r)
{
    free(r->trees[0].nodes);
    free(r->trees[1].nodes);
}
