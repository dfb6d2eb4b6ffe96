/* SPDX-License-Identifier: MIT */
/* Tests the variations of a game. Each variation is tested like a game that begins in the position before its first
 * move. Its main line contains its own moves, without the moves of nested variations. The work is therefore
 * proportional to the number of moves. */
#include "query/query.h"

/* A variation that is open. Its moves and items are the last ones of the matcher's buffers. */
typedef struct open_line {
    stamma_position start;
    stamma_position before;   /* position before its last move; the start if it has no move */
    stamma_position position; /* position after its last move */
    size_t base;              /* ply of `start` */
    size_t first_move;        /* in `line_moves` */
    size_t first_item;        /* in `line_items` */
} open_line;

enum { LINES_MAX = 256 };

static open_line *line_at(const stamma_matcher *m, size_t depth)
{
    return (open_line *)(void *)m->lines.data + (depth - 1);
}

static size_t move_count(const stamma_matcher *m)
{
    return m->line_moves.size / sizeof(stamma_move);
}

static size_t item_count(const stamma_matcher *m)
{
    return m->line_items.size / sizeof(stamma_archive_item);
}

/* Opens a variation at `depth`. Returns false if the item is invalid, or if memory is exhausted. */
static bool begin_line(stamma_matcher *m, const stamma_archive_item *item, const stamma_position *positions)
{
    size_t depth = item->depth;
    if (depth > LINES_MAX || item->ply > (depth == 1 ? m->plies : SIZE_MAX) ||
        !buffer_reserve(&m->lines, depth * sizeof(open_line) - m->lines.size))
        return false;
    m->lines.size = depth * sizeof(open_line);
    open_line *line = line_at(m, depth);
    line->start = depth == 1 ? positions[item->ply] : line_at(m, depth - 1)->before;
    line->before = line->position = line->start;
    line->base = item->ply;
    line->first_move = move_count(m);
    line->first_item = item_count(m);
    return true;
}

static void add_move(stamma_matcher *m, open_line *line, stamma_move move)
{
    line->before = line->position;
    stamma_position_make(&line->before, move, &line->position);
    buffer_add(&m->line_moves, &move, sizeof move);
}

/* Adds a comment or a glyph, with its ply in the variation. */
static void add_item(stamma_matcher *m, const open_line *line, const stamma_archive_item *item)
{
    stamma_archive_item added = *item;
    added.depth = 0;
    added.ply = item->ply > line->base ? item->ply - line->base : 0;
    buffer_add(&m->line_items, &added, sizeof added);
}

static stamma_matcher *inner_of(stamma_matcher *m)
{
    if (!m->inner && stamma_matcher_open(m->query, &m->allocator, &m->inner) == STAMMA_OK)
        m->inner->outer = m;
    return m->inner;
}

/* Stores whether the query holds at a ply of a variation. Returns false if memory is exhausted. */
static bool test_line(stamma_matcher *inner, const stamma_archive_game *line, bool *found)
{
    if (!stamma_matcher_begin(inner, line))
        return false;
    *found = plies_next(inner, stamma_match_main_line(inner), 0) != SIZE_MAX;
    return !inner->failed;
}

/* Tests the innermost open variation and closes it. Returns whether it matches. */
static bool end_line(stamma_matcher *m, size_t depth)
{
    const open_line *line = line_at(m, depth);
    stamma_matcher *inner = inner_of(m);
    stamma_archive_game game = *m->game;
    bool found = false;
    game.start = line->start;
    game.moves = (const stamma_move *)buffer_at(&m->line_moves, line->first_move * sizeof *game.moves);
    game.ply_count = move_count(m) - line->first_move;
    game.items = (const stamma_archive_item *)buffer_at(&m->line_items, line->first_item * sizeof *game.items);
    game.item_count = item_count(m) - line->first_item;
    game.clocks_ms = NULL;
    game.evaluations = NULL;
    if (inner)
        inner->base = line->base;
    m->failed |= !inner || m->line_moves.failed || m->line_items.failed || !test_line(inner, &game, &found);
    m->line_moves.size = line->first_move * sizeof(stamma_move);
    m->line_items.size = line->first_item * sizeof(stamma_archive_item);
    m->lines.size = (depth - 1) * sizeof(open_line);
    return found;
}

void stamma_match_variations(stamma_matcher *m, uint64_t *plies)
{
    const stamma_position *positions = stamma_matcher_positions(m, 0);
    m->lines.size = m->line_moves.size = m->line_items.size = 0;
    for (size_t n = 0; n < m->game->item_count && positions && !m->failed; n++) {
        const stamma_archive_item *item = &m->game->items[n];
        size_t depth = m->lines.size / sizeof(open_line);
        if (item->kind == STAMMA_ITEM_VARIATION_BEGIN && item->depth == depth + 1) {
            if (!begin_line(m, item, positions))
                break;
        } else if (item->depth != depth || depth == 0) {
            continue;
        } else if (item->kind == STAMMA_ITEM_MOVE) {
            add_move(m, line_at(m, depth), item->move);
        } else if (item->kind == STAMMA_ITEM_VARIATION_END) {
            size_t top = line_at(m, 1)->base;
            if (end_line(m, depth))
                plies[top / 64] |= UINT64_C(1) << top % 64;
        } else {
            add_item(m, line_at(m, depth), item);
        }
    }
    m->failed |= m->lines.failed;
}
