/* SPDX-License-Identifier: MIT */
/* The first move of a game that leads to a position of no earlier game: /novelty. */
#include "answering/serve_answers.h"
#include "games/game_views.h"

/* Number of positions that are searched one by one, which is enough for most games. After this number, the earlier game
 * with a position is read. Positions that both games have then need no search. Otherwise, the time would grow with the
 * square of the length. Reading a game of a slow archive is as slow as hundreds of searches. */
enum { SEARCHED = 32, SEARCHED_SLOW = 400 };

/* A position of the game. Positions with the same key are treated as equal. */
typedef struct known_position {
    uint64_t key;
    bool is_old; /* an earlier game has it */
} known_position;

typedef struct novelty {
    serve_exchange *x;
    serve_archive_list archives; /* all, whose games are compared */
    long archive;                /* number of the game's archive */
    bool read;                   /* the members below are set */
    stamma_date date;
    stamma_position start;
    stamma_move *moves;
    size_t plies;
    known_position *known;   /* the positions after all plies, by their keys; equal ones are old at their first place */
    serve_archive *found_in; /* archive of the earlier game that was found last, and the game's number */
    uint64_t found_game;
    /* the answer */
    size_t ply;      /* of the new move, from 1; 0: there is none */
    uint64_t before; /* games that may be of earlier months, with the position before the move */
    uint64_t later;  /* other games with the position after the move */
} novelty;

static bool take_game(void *context, const stamma_archive_game *game)
{
    novelty *n = context;
    if (game->continuation)
        return true;
    n->read = true;
    (void)stamma_date_read(tool_date(game), &n->date);
    n->start = game->start;
    n->moves = malloc((game->ply_count + 1) * sizeof *n->moves);
    if (!n->moves)
        return serve_fail_memory(&n->x->fault);
    n->plies = game->no_start ? 0 : game->ply_count;
    memcpy(n->moves, game->moves, n->plies * sizeof *n->moves);
    return true;
}

/* ---- queries ---- */

static void put_range(const char *key, uint32_t first, uint32_t last)
{
    char from[16] = "", to[16] = "", range[40];
    if (first > 0)
        (void)stamma_date_write(first, '.', from, sizeof from);
    if (last > 0)
        (void)stamma_date_write(last, '.', to, sizeof to);
    (void)snprintf(range, sizeof range, "%s..%s", from, to);
    tool_json_string(key, range);
}

/* The games that a query selects: games whose date may be in an earlier month, which an index finds; games that are
 * certainly earlier or have no date; these games and those whose date may be the date of this game. */
typedef enum asked { EARLIER_MONTH, EARLIER, NOT_LATER } asked;

/* Returns the month before a day, as a date number. */
static uint32_t month_before(uint32_t day)
{
    const uint32_t year = day / 10000, month = day / 100 % 100;
    return month > 1 ? year * 10000 + (month - 1) * 100 : (year - 1) * 10000 + 1200;
}

/* Makes a query for games, with a position unless it is NULL. */
static bool make_query(novelty *n, const stamma_position *position, asked which, stamma_query **query)
{
    tool_buffer json = {NULL, 0, 0, false};
    const stamma_output output = tool_buffer_output(&json);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    if (position)
        serve_put_fen("fen", position);
    if (which == EARLIER_MONTH) {
        put_range("date", 0, month_before(n->date.first));
    } else {
        tool_json_open("any", '[');
        tool_json_open(NULL, '{');
        tool_json_open("not", '{');
        put_range("date", n->date.first, 0);
        tool_json_close('}');
        tool_json_close('}');
        if (which == NOT_LATER) {
            tool_json_open(NULL, '{');
            put_range("date", n->date.first, n->date.last);
            tool_json_close('}');
        }
        tool_json_close(']');
    }
    tool_json_close('}');
    tool_put_to(NULL);
    stamma_error error = json.failed ? STAMMA_ERROR_NO_MEMORY
                                     : stamma_query_parse((stamma_text){json.bytes, json.size}, NULL, NULL, query);
    tool_buffer_free(&json);
    return !error || serve_fail_memory(&n->x->fault);
}

/* Counts the games of all archives with a position. */
static bool count_games(novelty *n, const stamma_position *position, const stamma_query *query, uint64_t *games)
{
    stamma_tree *tree = NULL;
    serve_scan s = {.archives = &n->archives};
    bool right = !stamma_tree_open(position, NULL, &tree) || serve_fail_memory(&n->x->fault);
    while (right && serve_scan_next(n->x, &s))
        s.error = stamma_tree_add_archive(tree, stamma_text_of("all"), s.archive->handle, query, &s.options, &s.place);
    right = right && !s.failed;
    *games = right ? stamma_tree_total(tree).games : 0;
    stamma_tree_close(tree);
    return right;
}

/* Finds whether an archive has a game that a query matches, from number `first` to number `last` (0: any). */
static bool find_in(novelty *n, serve_archive *a, const stamma_query *query, uint64_t first, uint64_t last, bool *found)
{
    stamma_search_options options = serve_search_options(n->x);
    const stamma_match *match = NULL;
    stamma_search *search = NULL;
    options.any = true;
    options.first_game = first;
    options.last_game = last;
    stamma_error error = stamma_search_open(a->handle, query, &options, &search);
    if (!error)
        error = stamma_search_next(search, &match);
    *found = !error && match;
    if (*found) {
        n->found_in = a;
        n->found_game = match->game;
    }
    const stamma_place place = search ? stamma_search_place(search) : (stamma_place){.offset = 0};
    stamma_search_close(search);
    return serve_search_end(n->x, a, error, place);
}

/* Finds a game of an earlier month with a position. */
static bool find_in_months(novelty *n, const stamma_position *position, bool *found)
{
    stamma_query *query = NULL;
    bool right = make_query(n, position, EARLIER_MONTH, &query);
    for (size_t i = 0; i < n->archives.count && right && !*found; i++)
        right = find_in(n, n->archives.list[i], query, 0, 0, found);
    stamma_query_close(query);
    return right;
}

/* Finds another earlier game with a position. Games of the same date are in the order of the archives. */
static bool find_by_day(novelty *n, const stamma_position *position, bool *found)
{
    const uint64_t own = n->x->request.game;
    stamma_query *earlier = NULL, *not_later = NULL;
    bool right = make_query(n, position, EARLIER, &earlier) && make_query(n, position, NOT_LATER, &not_later);
    for (size_t i = 0; i < n->archives.count && right && !*found; i++) {
        serve_archive *a = n->archives.list[i];
        if (a->number != n->archive) {
            right = find_in(n, a, a->number < n->archive ? not_later : earlier, 0, 0, found);
            continue;
        }
        right = own <= 1 || find_in(n, a, not_later, 0, own - 1, found);
        if (right && !*found)
            right = find_in(n, a, earlier, own + 1, 0, found);
    }
    stamma_query_close(earlier);
    stamma_query_close(not_later);
    return right;
}

/* Finds an earlier game with a position. The month is sufficient for most games, and an index file has it. */
static bool find_earlier(novelty *n, const stamma_position *position, bool *found)
{
    return find_in_months(n, position, found) && (*found || find_by_day(n, position, found));
}

/* ---- positions that an earlier game has ---- */

static int by_key(const void *left, const void *right)
{
    const uint64_t a = ((const known_position *)left)->key, b = ((const known_position *)right)->key;
    return (a > b) - (a < b);
}

/* Lists the positions of the game up to a null move. */
static bool list_positions(novelty *n)
{
    stamma_position position = n->start;
    size_t i = 0;
    n->known = calloc(n->plies + 1, sizeof *n->known);
    if (!n->known)
        return serve_fail_memory(&n->x->fault);
    for (; i < n->plies && n->moves[i] != STAMMA_MOVE_NULL; i++) {
        stamma_position_make(&position, n->moves[i], &position);
        n->known[i].key = stamma_position_key(&position);
    }
    n->plies = i;
    qsort(n->known, n->plies, sizeof *n->known, by_key);
    return true;
}

/* Returns the first place of a position in the list; NULL if the game does not have it. */
static known_position *place_of(const novelty *n, const stamma_position *position)
{
    const uint64_t key = stamma_position_key(position);
    size_t low = 0, high = n->plies;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (n->known[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n->plies && n->known[low].key == key ? &n->known[low] : NULL;
}

static void mark(const novelty *n, const stamma_position *position)
{
    known_position *place = place_of(n, position);
    if (place)
        place->is_old = true;
}

/* Marks all positions of an earlier game. */
static bool mark_game(void *context, const stamma_archive_game *game)
{
    const novelty *n = context;
    stamma_position position = game->start;
    if (game->continuation || game->no_start)
        return true;
    mark(n, &position);
    for (size_t i = 0; i < game->ply_count; i++) {
        stamma_position_make(&position, game->moves[i], &position);
        mark(n, &position);
    }
    return true;
}

/* After many searches, reads the earlier game that was found last, because it may also have the following positions. */
static bool mark_found(novelty *n, size_t searched)
{
    if (searched < SEARCHED || (serve_archive_is_slow(n->found_in) && searched < SEARCHED_SLOW))
        return true;
    return serve_search_read(n->x, n->found_in, n->found_game, STAMMA_GAME_MOVES, mark_game, n);
}

/* ---- the game ---- */

/* Sets the answer: the move with a number, from 1, is new. */
static bool take_novelty(novelty *n, size_t ply, const stamma_position *before, const stamma_position *after,
                         const stamma_query *earlier)
{
    n->ply = ply;
    if (!count_games(n, before, earlier, &n->before) || !count_games(n, after, NULL, &n->later))
        return false;
    n->later -= n->later > 0; /* without the game */
    return true;
}

/* Plays the game until a position is new. Each position is searched once. */
static bool play(novelty *n, const stamma_query *earlier)
{
    stamma_position before, position = n->start;
    for (size_t i = 0, searched = 0; i < n->plies; i++) {
        bool found = false;
        before = position;
        stamma_position_make(&before, n->moves[i], &position);
        known_position *place = place_of(n, &position);
        if (place->is_old)
            continue;
        if (!find_earlier(n, &position, &found))
            return false;
        if (!found)
            return take_novelty(n, i + 1, &before, &position, earlier);
        place->is_old = true;
        if (!mark_found(n, searched++))
            return false;
    }
    return true;
}

static bool find_novelty(novelty *n)
{
    stamma_query *earlier = NULL;
    if (n->date.first == 0)
        return true;
    bool right = make_query(n, NULL, EARLIER_MONTH, &earlier) && list_positions(n) && play(n, earlier);
    stamma_query_close(earlier);
    return right;
}

static void write(const novelty *n)
{
    const stamma_output output = tool_buffer_output(&n->x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_bool("dated", n->date.first > 0);
    tool_json_known("ply", n->ply);
    tool_json_number("earlier_games", n->before);
    tool_json_number("later_games", n->later);
    tool_json_close('}');
    tool_put_to(NULL);
}

/* Returns whether positions are found quickly in all archives. The page sends this request for each game that is
 * opened. */
static bool are_fast(novelty *n)
{
    for (size_t i = 0; i < n->archives.count; i++) {
        const serve_archive *a = n->archives.list[i];
        if (serve_archive_is_slow(a) && serve_archive_index(a) != STAMMA_INDEX_FILE)
            return serve_fail(&n->x->fault, 409, "%s has no index file, without which this is slow; see stamma index",
                              a->name);
    }
    return true;
}

static bool answer(novelty *n)
{
    serve_exchange *x = n->x;
    serve_archive *own = serve_archive_numbered(&n->archives, n->archive);
    if (!own)
        return serve_fail(&x->fault, 404, "there is no such game");
    const unsigned parts = STAMMA_GAME_TAGS | STAMMA_GAME_MOVES;
    bool right = are_fast(n) && serve_search_enter(x) &&
                 serve_archive_read(x, own, x->request.game, parts, take_game, n) && find_novelty(n) &&
                 serve_search_in_time(x);
    serve_search_leave(x);
    free(n->moves);
    free(n->known);
    if (right)
        write(n);
    return right;
}

/* Acquires the archives that are compared: all, and for an uploaded game also the uploaded ones. */
static bool take_archives(novelty *n)
{
    serve_archives *all = &n->x->server->archives;
    if (!serve_archives_take(all, SERVE_ALL, &n->archives, &n->x->fault))
        return false;
    if (serve_archive_numbered(&n->archives, n->archive))
        return true;
    serve_archives_release(all, &n->archives);
    return serve_archives_take(all, SERVE_EVERY, &n->archives, &n->x->fault);
}

bool serve_novelty(serve_exchange *x)
{
    novelty n = {.x = x, .archive = x->request.archive};
    if (!take_archives(&n))
        return false;
    bool right = answer(&n);
    serve_archives_release(&x->server->archives, &n.archives);
    return right && serve_reply_json(x);
}
