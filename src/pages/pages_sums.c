/* SPDX-License-Identifier: MIT */
/* The sums of a stored position: its moves, and examples of games. */
#include "pages/pages_build.h"

#include <stdlib.h>

/* ---- adding games ---- */

static index_example example_of(const pages_game *g)
{
    return index_example_of(&g->facts, g->number, 0, 0);
}

static void keep(pages_examples *list, const pages_game *game, uint32_t move,
                 bool (*before)(const index_example *, const index_example *))
{
    const index_example e = example_of(game);
    uint32_t at = list->count;
    while (at > 0) {
        const index_example other = example_of(&list->games[at - 1].game);
        if (!before(&e, &other))
            break;
        at--;
    }
    if (at == PAGES_TOP)
        return;
    list->count += list->count < PAGES_TOP;
    memmove(&list->games[at + 1], &list->games[at], (list->count - 1 - at) * sizeof *list->games);
    list->games[at] = (pages_example){*game, move};
}

static void count(pages_move_sums *m, const index_facts *f)
{
    enum { WHITE_WON, BLACK_WON, DRAW };
    const unsigned white = f->rating[STAMMA_WHITE], black = f->rating[STAMMA_BLACK], draw = f->result == DRAW;
    const bool finished = f->result != SEARCH_OTHER_RESULT;
    const unsigned month = f->month == SEARCH_ODD_MONTH ? 0 : f->month;
    m->results[f->result]++;
    m->rated += white > 0 && black > 0;
    m->rating_sum += white > 0 && black > 0 ? white + black : 0;
    if (finished && black > 0) {
        m->opposed[STAMMA_WHITE]++;
        m->opposed_sum[STAMMA_WHITE] += black;
        m->half_points[STAMMA_WHITE] += f->result == WHITE_WON ? 2 : draw;
    }
    if (finished && white > 0) {
        m->opposed[STAMMA_BLACK]++;
        m->opposed_sum[STAMMA_BLACK] += white;
        m->half_points[STAMMA_BLACK] += f->result == BLACK_WON ? 2 : draw;
    }
    m->last_month = (uint16_t)(month > m->last_month ? month : m->last_month);
}

static pages_move_sums *move_list(const pages_sums *s)
{
    return (pages_move_sums *)(void *)s->moves.data;
}

static uint32_t move_count(const pages_sums *s)
{
    return (uint32_t)(s->moves.size / sizeof(pages_move_sums));
}

/* Returns the place of a move, which is added without games; the number of moves if memory is exhausted. */
static uint32_t find_move(pages_sums *s, const stamma_move *move)
{
    const uint32_t moves = move_count(s);
    const pages_move_sums added = {.move = move ? *move : STAMMA_MOVE_NULL, .ended = !move};
    for (uint32_t n = 0; n < moves; n++)
        if (move_list(s)[n].move == added.move && move_list(s)[n].ended == added.ended)
            return n;
    buffer_add(&s->moves, &added, sizeof added);
    return moves;
}

stamma_error stamma_pages_sums_add(pages_build *b, pages_sums *s, const stamma_position *p, const stamma_move *move,
                                   const pages_game *game)
{
    const uint32_t before = move_count(s), n = find_move(s, move);
    if (n == move_count(s))
        return STAMMA_ERROR_NO_MEMORY;
    pages_move_sums *m = &move_list(s)[n];
    if (n == before) {
        const unsigned rank = move ? stamma_pages_rank(&b->order, p, *move, STAMMA_SQUARE_NONE) : PAGES_RANKS;
        m->rank = (uint16_t)rank;
        m->game = *game;
        if (move && rank >= PAGES_RANKS)
            return STAMMA_ERROR_UNSUPPORTED;
    }
    count(m, &game->facts);
    keep(&s->top, game, n, stamma_index_is_higher);
    keep(&s->recent, game, n, stamma_index_is_later);
    return STAMMA_OK;
}

/* ---- writing ---- */

static uint64_t games_of(const pages_move_sums *m)
{
    return (uint64_t)m->results[0] + m->results[1] + m->results[2] + m->results[3];
}

/* Returns a sum of ratings as its difference from a multiple of the mean. */
static uint64_t ratings_of(const pages_build *b, uint64_t sum, uint64_t games)
{
    const uint64_t whole = games * b->widths.mean;
    return sum < whole ? 2 * (whole - sum) + 1 : 2 * (sum - whole);
}

/* Writes the sums of at least two games. */
static void put_sums(const pages_build *b, buffer *out, const pages_move_sums *m)
{
    const uint64_t games = games_of(m);
    const bool plain = m->results[3] == 0 && m->rated == games;
    const uint64_t months = m->last_month > 0 ? b->widths.last_month + 1u - m->last_month : 0;
    const uint64_t head[] = {2 * (uint64_t)m->results[0] + plain, m->results[2], m->results[1], months};
    const uint64_t two[] = {ratings_of(b, m->opposed_sum[STAMMA_BLACK], games),
                            ratings_of(b, m->opposed_sum[STAMMA_WHITE], games)};
    const uint64_t all[] = {m->rated,          m->rating_sum, m->opposed[0],     m->opposed_sum[0],
                            m->half_points[0], m->opposed[1], m->opposed_sum[1], m->half_points[1]};
    for (size_t n = 0; n < sizeof head / sizeof *head; n++)
        stamma_buffer_add_varint(out, head[n]);
    for (size_t n = 0; n < (plain ? sizeof two / sizeof *two : sizeof all / sizeof *all); n++)
        stamma_buffer_add_varint(out, plain ? two[n] : all[n]);
}

static void put_count(const pages_build *b, buffer *out, const pages_move_sums *m)
{
    stamma_buffer_add_varint(out, games_of(m));
    if (games_of(m) > 1)
        put_sums(b, out, m);
}

static int compare_moves(const void *first, const void *second)
{
    return (int)(*(const pages_move_sums *const *)first)->rank - (int)(*(const pages_move_sums *const *)second)->rank;
}

static int compare_examples(const void *first, const void *second)
{
    const pages_example *a = (const pages_example *)first, *b = (const pages_example *)second;
    return (a->game.number > b->game.number) - (a->game.number < b->game.number);
}

/* Collects the games of moves of one game, and the games of both lists, without repetition. */
static size_t list_examples(const pages_sums *s, pages_example *list)
{
    size_t all = 0, listed = 0;
    for (uint32_t n = 0; n < move_count(s); n++)
        if (games_of(&move_list(s)[n]) == 1)
            list[all++] = (pages_example){move_list(s)[n].game, n};
    for (uint32_t n = 0; n < s->top.count; n++)
        list[all++] = s->top.games[n];
    for (uint32_t n = 0; n < s->recent.count; n++)
        list[all++] = s->recent.games[n];
    qsort(list, all, sizeof *list, compare_examples);
    for (size_t n = 0; n < all; n++)
        if (n == 0 || list[n].game.number != list[n - 1].game.number)
            list[listed++] = list[n];
    return listed;
}

/* Writes the moves in the order of their numbers, then the games that end. `places` receives the place of each. */
static void put_moves(const pages_build *b, buffer *out, const pages_move_sums **order, uint32_t moves)
{
    const bool ends = moves > 0 && order[moves - 1]->ended;
    stamma_buffer_add_varint(out, moves - ends);
    for (uint32_t n = 0; n < moves; n++) {
        if (!order[n]->ended)
            buffer_add_byte(out, (uint8_t)order[n]->rank);
        put_count(b, out, order[n]);
    }
    if (!ends)
        stamma_buffer_add_varint(out, 0);
}

/* Returns the place of a move in the order. */
static uint32_t place_of(const pages_move_sums **order, uint32_t moves, const pages_move_sums *move)
{
    uint32_t n = 0;
    while (n < moves && order[n] != move)
        n++;
    return n;
}

static void put_examples(const pages_build *b, const pages_sums *s, const pages_move_sums **order, pages_example *list,
                         buffer *out)
{
    const uint32_t moves = move_count(s);
    const bool ends = order[moves - 1]->ended;
    const size_t listed = list_examples(s, list);
    pages_writer w = {.out = out};
    stamma_buffer_add_varint(out, listed);
    for (size_t n = 0; n < listed; n++) {
        const index_example e = example_of(&list[n].game);
        stamma_pages_put_game(&w, &b->widths, &e);
        stamma_pages_put(&w, place_of(order, moves, &move_list(s)[list[n].move]), bits_for(moves - ends + 1u));
    }
    stamma_pages_put_end(&w);
}

stamma_error stamma_pages_sums_write(const pages_build *b, pages_sums *s, buffer *out)
{
    const uint32_t moves = move_count(s);
    const pages_move_sums **order =
        (const pages_move_sums **)memory_allocate(b->allocator, size_multiply((size_t)moves + 1, sizeof *order));
    pages_example *list =
        (pages_example *)memory_allocate(b->allocator, size_multiply((size_t)moves + 2 * PAGES_TOP, sizeof *list));
    const bool given = order && list;
    for (uint32_t n = 0; n < moves && given; n++)
        order[n] = &move_list(s)[n];
    if (given && moves > 0) {
        qsort(order, moves, sizeof *order, compare_moves);
        put_moves(b, out, order, moves);
        put_examples(b, s, order, list, out);
    }
    memory_release(b->allocator, order);
    memory_release(b->allocator, list);
    return given && !out->failed ? STAMMA_OK : STAMMA_ERROR_NO_MEMORY;
}
