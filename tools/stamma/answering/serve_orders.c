/* SPDX-License-Identifier: MIT */
/* The orders of moves by which games reach a position: /orders. */
#include "answering/serve_answers.h"
#include "games/game_views.h"

enum { GAMES = 2000, SLOW_GAMES = 200, ORDERS = 10 };

/* An order of moves, and the number of games that played it. */
typedef struct order {
    stamma_move *moves;
    size_t plies;
    uint64_t games;
} order;

typedef struct ordering {
    serve_exchange *x;
    serve_archive_list archives;
    order *list;
    size_t count, room;
    uint64_t games, own; /* games that were read; games among them that played the line of the request */
    size_t plies;        /* number of plies after which the game that is read reaches the position */
    bool more;           /* further games are not read */
} ordering;

static bool is_order(const order *one, const stamma_move *moves, size_t plies)
{
    return one->plies == plies && (plies == 0 || memcmp(one->moves, moves, plies * sizeof *moves) == 0);
}

/* Counts a game. There are at most as many orders as games that are read, so a list suffices. */
static bool count_order(ordering *o, const stamma_move *moves, size_t plies)
{
    for (size_t i = 0; i < o->count; i++)
        if (is_order(&o->list[i], moves, plies)) {
            o->list[i].games++;
            return true;
        }
    if (!tool_list_grow(&o->list, &o->room, o->count, 1, sizeof *o->list))
        return serve_fail_memory(&o->x->fault);
    order one = {.moves = malloc((plies + 1) * sizeof *moves), .plies = plies, .games = 1};
    if (!one.moves)
        return serve_fail_memory(&o->x->fault);
    memcpy(one.moves, moves, plies * sizeof *moves);
    o->list[o->count++] = one;
    return true;
}

static bool add_game(void *context, const stamma_archive_game *game)
{
    ordering *o = context;
    const serve_request *r = &o->x->request;
    if (game->continuation || game->no_start || o->plies > game->ply_count ||
        !stamma_position_equal(&game->start, &r->start))
        return true;
    o->games++;
    if (o->plies == r->plies && memcmp(game->moves, r->played, r->plies * sizeof *r->played) == 0) {
        o->own++;
        return true;
    }
    return count_order(o, game->moves, o->plies);
}

/* Reads a game, unless enough games of all archives were read. */
static serve_step take_match(void *context, size_t archive, const stamma_match *match)
{
    ordering *o = context;
    serve_archive *a = o->archives.list[archive];
    o->more = o->games >= (serve_archive_is_slow(a) ? SLOW_GAMES : GAMES);
    if (o->more)
        return SERVE_ENOUGH;
    o->plies = match->ply_count > 0 ? match->plies[0] : 0;
    return serve_search_read(o->x, a, match->game, STAMMA_GAME_MOVES, add_game, o) ? SERVE_NEXT : SERVE_FAILED;
}

/* ---- the answer ---- */

static int compare_orders(const void *left, const void *right)
{
    const order *a = left, *b = right;
    if (a->games != b->games)
        return a->games < b->games ? 1 : -1;
    const size_t plies = a->plies < b->plies ? a->plies : b->plies;
    const int moves = plies > 0 ? memcmp(a->moves, b->moves, plies * sizeof *a->moves) : 0;
    return moves != 0 ? moves : (a->plies > b->plies) - (a->plies < b->plies);
}

static void put_order(const ordering *o, const order *one)
{
    stamma_position position = o->x->request.start;
    const bool chess960 = tool_is_chess960(&position);
    tool_json_open(NULL, '{');
    tool_json_number("games", one->games);
    tool_json_open("moves", '[');
    for (size_t i = 0; i < one->plies; i++) {
        char uci[STAMMA_UCI_SIZE], san[STAMMA_SAN_SIZE];
        (void)stamma_uci_write(&position, one->moves[i], chess960, uci, sizeof uci);
        (void)stamma_san_write(&position, one->moves[i], san, sizeof san);
        tool_json_open(NULL, '{');
        tool_json_string("uci", uci);
        tool_json_string("san", san);
        tool_json_close('}');
        stamma_position_make(&position, one->moves[i], &position);
    }
    tool_json_close(']');
    tool_json_close('}');
}

static void write(ordering *o)
{
    const stamma_output output = tool_buffer_output(&o->x->body);
    if (o->count > 1)
        qsort(o->list, o->count, sizeof *o->list, compare_orders);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_number("games", o->games);
    tool_json_bool("more", o->more);
    tool_json_number("same_order", o->own);
    tool_json_number("other_orders", o->games - o->own);
    tool_json_open("orders", '[');
    for (size_t i = 0; i < o->count && i < ORDERS; i++)
        put_order(o, &o->list[i]);
    tool_json_close(']');
    tool_json_close('}');
    tool_put_to(NULL);
}

static bool make(void *context)
{
    ordering *o = context;
    const bool right = serve_search_enter(o->x) && serve_search_matches(o->x, &o->archives, take_match, o);
    serve_search_leave(o->x);
    if (right)
        write(o);
    return right;
}

bool serve_orders(serve_exchange *x)
{
    ordering o = {.x = x};
    if (!x->request.positioned)
        return serve_fail(&x->fault, 400, "fen or play is needed");
    if (!serve_archives_asked(x, &o.archives))
        return false;
    const bool right = serve_search_cached(x, &o.archives, make, &o);
    for (size_t i = 0; i < o.count; i++)
        free(o.list[i].moves);
    free(o.list);
    serve_archives_release(&x->server->archives, &o.archives);
    return right && serve_reply_json(x);
}
