/* The first move of a game after which no earlier game has the position: /novelty. */
#include "games/game_views.h"
#include "serving/serve.h"

typedef struct novelty {
    serve_exchange *x;
    serve_archive_list archives; /* all, whose games are compared */
    long archive;                /* number of the game's archive */
    bool read;                   /* the members below are set */
    stamma_date date;
    stamma_position start;
    stamma_move *moves;
    size_t plies;
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

/* Which games are asked for: those whose date may be in an earlier month, which an index finds; those that are
 * certainly earlier or have no date; those whose date may be that of the game. */
typedef enum asked { EARLIER_MONTH, EARLIER, SAME_DATE } asked;

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
    if (which == EARLIER) {
        tool_json_open("not", '{');
        put_range("date", n->date.first, 0);
        tool_json_close('}');
    } else if (which == SAME_DATE) {
        put_range("date", n->date.first, n->date.last);
    } else {
        put_range("date", 0, month_before(n->date.first));
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
    bool right = !stamma_tree_open(position, NULL, &tree) || serve_fail_memory(&n->x->fault);
    for (size_t i = 0; i < n->archives.count && right; i++) {
        const serve_archive *a = n->archives.list[i];
        const stamma_search_options options = serve_search_options(n->x, a);
        stamma_place place = {.offset = 0};
        stamma_error error =
            stamma_tree_add_archive(tree, stamma_text_of("all"), a->bytes, a->size, query, &options, &place);
        right = serve_search_end(n->x, a, error, place);
    }
    *games = right ? stamma_tree_total(tree).games : 0;
    stamma_tree_close(tree);
    return right;
}

/* Finds whether an archive has a game that a query matches, with a number below `until`. */
static bool find_in(novelty *n, const serve_archive *a, const stamma_query *query, uint64_t until, bool *found)
{
    const stamma_search_options options = serve_search_options(n->x, a);
    const stamma_match *match = NULL;
    stamma_search *search = NULL;
    stamma_error error = stamma_search_open(a->bytes, a->size, query, &options, &search);
    if (!error)
        error = stamma_search_next(search, &match);
    *found = !error && match && match->game < until;
    const stamma_place place = search ? stamma_search_place(search) : (stamma_place){.offset = 0};
    stamma_search_close(search);
    return serve_search_end(n->x, a, error, place);
}

/* Finds whether a game of the same month is earlier. Games of the same date are in the order of the archives. */
static bool find_in_month(novelty *n, const stamma_position *position, bool *found)
{
    bool right = true;
    for (int which = EARLIER; which <= SAME_DATE && right && !*found; which++) {
        stamma_query *query = NULL;
        right = make_query(n, position, (asked)which, &query);
        for (size_t i = 0; i < n->archives.count && right && !*found; i++) {
            const serve_archive *a = n->archives.list[i];
            if (which == SAME_DATE && a->number > n->archive)
                break;
            const bool own = which == SAME_DATE && a->number == n->archive;
            right = find_in(n, a, query, own ? n->x->request.game : UINT64_MAX, found);
        }
        stamma_query_close(query);
    }
    return right;
}

/* ---- the game ---- */

/* Plays the game until a position is new. */
static bool play(novelty *n, const stamma_query *earlier)
{
    stamma_position position = n->start;
    uint64_t before = 0, games = 0;
    for (size_t i = 0; i < n->plies && n->moves[i] != STAMMA_MOVE_NULL; i++, before = games) {
        bool found = false;
        stamma_position_make(&position, n->moves[i], &position);
        if (!count_games(n, &position, earlier, &games) || (games == 0 && !find_in_month(n, &position, &found)))
            return false;
        if (games > 0 || found)
            continue;
        n->ply = i + 1;
        n->before = before;
        if ((i == 0 && !count_games(n, &n->start, earlier, &n->before)) || !count_games(n, &position, NULL, &n->later))
            return false;
        n->later -= n->later > 0; /* without the game */
        return true;
    }
    return true;
}

static bool find_novelty(novelty *n)
{
    stamma_query *earlier = NULL;
    if (n->date.first == 0)
        return true;
    bool right = make_query(n, NULL, EARLIER_MONTH, &earlier) && play(n, earlier);
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
    if (n->ply > 0)
        tool_json_number("ply", n->ply);
    else
        tool_json_string("ply", NULL);
    tool_json_number("earlier_games", n->before);
    tool_json_number("later_games", n->later);
    tool_json_close('}');
    tool_put_to(NULL);
}

/* Returns whether positions are found quickly in all archives. The page asks for each game that is opened. */
static bool are_fast(novelty *n)
{
    for (size_t i = 0; i < n->archives.count; i++) {
        const serve_archive *a = n->archives.list[i];
        if (serve_archive_is_slow(a) && !a->index_file.bytes)
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
                 serve_archive_read(x, own, x->request.game, parts, take_game, n) &&
                 find_novelty(n) && serve_search_in_time(x);
    serve_search_leave(x);
    free(n->moves);
    if (right)
        write(n);
    return right;
}

bool serve_novelty(serve_exchange *x)
{
    novelty n = {.x = x, .archive = x->request.archive};
    if (!serve_archives_take(&x->server->archives, SERVE_ALL, &n.archives, &x->fault))
        return false;
    bool right = answer(&n);
    serve_archives_release(&x->server->archives, &n.archives);
    if (right)
        serve_send_json(x);
    return right;
}
