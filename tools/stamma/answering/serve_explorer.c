/* SPDX-License-Identifier: MIT */
/* The moves of a position, in the form of Lichess's opening explorer: /masters, /lichess and /player. */
#include "answering/serve_answers.h"
#include "games/game_views.h"

#define GROW_INTERVAL 0.3  /* seconds between two lines of an answer of /player */
#define BLANK_INTERVAL 1.0 /* seconds before an empty line that keeps the connection alive */

/* State of an answer. */
typedef struct explorer {
    serve_exchange *x;
    const serve_request *request;
    stamma_tree *tree;
    stamma_tree *white_tree; /* of the games in which the requested player has White; NULL: not known */
    bool chess960;
    serve_likely likely;
    double sent;  /* time when something was sent */
    bool growing; /* the answer is not final: games that are slow to read are not read for it */
    serve_archive_list archives;
} explorer;

static bool is_player(const explorer *e)
{
    return e->request->endpoint == SERVE_PLAYER;
}

/* Writes a move. /player writes castling as king takes rook, as Lichess does; Chess960 requires that form. */
static void put_uci(const explorer *e, stamma_move move)
{
    char uci[STAMMA_UCI_SIZE];
    (void)stamma_uci_write(&e->request->position, move, e->chess960 || is_player(e), uci, sizeof uci);
    tool_json_string("uci", uci);
}

static void put_opening(const stamma_position *position)
{
    stamma_text eco, name;
    if (!stamma_position_opening(position, &eco, &name)) {
        tool_json_string("opening", NULL);
        return;
    }
    tool_json_open("opening", '{');
    tool_json_text("eco", eco);
    tool_json_text("name", name);
    tool_json_close('}');
}

/* ---- games ---- */

/* Writes a player. Clients with static types need a name and a number: "?" and 0 mean unknown. */
static void put_player(const char *key, stamma_text name, unsigned rating)
{
    tool_json_open(key, '{');
    tool_json_text("name", name.data ? name : stamma_text_of("?"));
    tool_json_number("rating", rating);
    tool_json_close('}');
}

static void put_date(uint32_t date)
{
    char text[16];
    const uint32_t month = date / 100 * 100; /* without the day */
    tool_json_number("year", date / 10000);
    (void)stamma_date_write(month, '-', text, sizeof text);
    tool_json_string("month", month % 10000 > 0 ? text : NULL);
}

/* Writes the speed of a game and whether it was rated, if they are known, for clients of /lichess and /player. */
static void put_kind(const explorer *e, long archive, const stamma_tree_game *g)
{
    serve_kind kind = {g->speed, g->mode};
    serve_archive *a = serve_archive_numbered(&e->archives, archive);
    if (a && (!a->timed || g->mode == STAMMA_MODE_NOT_READ))
        kind = serve_archive_kind(e->x, a, g->game, !e->growing || !serve_archive_is_slow(a));
    if (kind.speed)
        tool_json_string("speed", stamma_speed_name(kind.speed));
    if (kind.mode == STAMMA_MODE_RATED || kind.mode == STAMMA_MODE_CASUAL)
        tool_json_string("mode", kind.mode == STAMMA_MODE_RATED ? "rated" : "casual");
}

long serve_tree_archive(const stamma_tree_game *g)
{
    long number = 0;
    for (size_t i = 0; i < g->archive.size; i++)
        number = number * 10 + (g->archive.data[i] - '0');
    return number;
}

/* Writes a game. `key` is NULL in a list. */
static void put_game(const explorer *e, const char *key, const stamma_tree_game *g, bool listed)
{
    static const char *const winners[4] = {NULL, "white", "black", NULL};
    char id[SERVE_ID_SIZE];
    long archive = serve_tree_archive(g);
    serve_id_write(archive, g->game, id);
    tool_json_open(key, '{');
    if (listed && !g->ended)
        put_uci(e, g->move);
    tool_json_string("id", id);
    tool_json_string("winner", winners[g->result]);
    if (e->request->endpoint != SERVE_MASTERS && !e->request->unnamed)
        put_kind(e, archive, g);
    put_player("white", g->white, g->white_rating);
    put_player("black", g->black, g->black_rating);
    put_date(g->date);
    tool_json_string("result", stamma_result_text(g->result));
    tool_json_number("archive_number", (uint64_t)archive);
    tool_json_number("number", g->game);
    tool_json_close('}');
}

static void put_games(const explorer *e, const char *key, size_t most,
                      const stamma_tree_game *(*game_at)(const stamma_tree *tree, size_t n))
{
    const stamma_tree_game *g;
    tool_json_open(key, '[');
    for (size_t n = 0; n < most && (g = game_at(e->tree, n)); n++)
        put_game(e, NULL, g, true);
    tool_json_close(']');
}

/* ---- moves ---- */

static void put_results(const stamma_tree_counts *c)
{
    tool_json_number("white", c->white_wins);
    tool_json_number("draws", c->draws);
    tool_json_number("black", c->black_wins);
}

/* Writes additional members after the members of Lichess's format. */
static void put_more(const explorer *e, const stamma_tree_counts *c)
{
    int32_t performance;
    char date[16];
    tool_json_number("games", c->games);
    if (!is_player(e)) {
        if (stamma_tree_performance(c, &performance))
            tool_json_integer("performance", performance);
        else
            tool_json_string("performance", NULL);
    }
    (void)stamma_date_write(c->last_date / 100 * 100, '-', date, sizeof date);
    tool_json_string("lastDate", c->last_date > 0 ? date : NULL);
}

/* Writes the mean rating of the player's opponents, and the player's performance rating. */
static void put_opponents(const explorer *e, const stamma_tree_counts *c)
{
    int32_t performance = 0;
    int color = e->request->color;
    uint64_t known = c->opposed[color];
    tool_json_number("averageOpponentRating", known > 0 ? (c->opposed_sum[color] + known / 2) / known : 0);
    (void)stamma_tree_performance_of(c, (stamma_color)color, &performance);
    tool_json_integer("performance", performance);
}

/* Returns the counts of the same move in the games that the player has with White; zeros if there is none. */
static stamma_tree_counts white_counts(const explorer *e, const stamma_tree_move *m)
{
    for (size_t n = 0; m && n < stamma_tree_move_count(e->white_tree); n++) {
        const stamma_tree_move *one = stamma_tree_move_at(e->white_tree, n);
        if (one->move == m->move)
            return one->counts;
    }
    return m ? (stamma_tree_counts){.games = 0} : stamma_tree_total(e->white_tree);
}

/* Writes the results of the requested player, whatever the colour. `m` is NULL for all moves. The player has Black in
 * all games except those of white_tree. */
static void put_player_results(const explorer *e, const stamma_tree_counts *c, const stamma_tree_move *m)
{
    const stamma_tree_counts w = white_counts(e, m);
    const stamma_tree_counts own = {
        .opposed = {w.opposed[STAMMA_WHITE] + c->opposed[STAMMA_BLACK] - w.opposed[STAMMA_BLACK]},
        .opposed_sum = {w.opposed_sum[STAMMA_WHITE] + c->opposed_sum[STAMMA_BLACK] - w.opposed_sum[STAMMA_BLACK]},
        .opposed_points = {w.opposed_points[STAMMA_WHITE] + c->opposed_points[STAMMA_BLACK] -
                           w.opposed_points[STAMMA_BLACK]}};
    int32_t performance;
    tool_json_open("player", '{');
    tool_json_number("wins", w.white_wins + c->black_wins - w.black_wins);
    tool_json_number("draws", c->draws);
    tool_json_number("losses", w.black_wins + c->white_wins - w.white_wins);
    if (stamma_tree_performance_of(&own, STAMMA_WHITE, &performance)) {
        tool_json_integer("performance", performance);
        tool_json_number("opponents", (own.opposed_sum[0] + own.opposed[0] / 2) / own.opposed[0]);
    } else {
        tool_json_string("performance", NULL);
        tool_json_string("opponents", NULL);
    }
    tool_json_close('}');
}

/* Writes the information of a move in bits according to the predictor. */
static void put_bits(const explorer *e, stamma_move move)
{
    for (size_t i = 0; i < e->likely.count; i++)
        if (e->likely.moves[i].move == move) {
            tool_json_real("bits", tool_bits_of(e->likely.moves[i].frequency), 2);
            return;
        }
    tool_json_string("bits", NULL);
}

static void put_move(const explorer *e, const stamma_tree_move *m)
{
    const stamma_position *position = &e->request->position;
    char san[STAMMA_SAN_SIZE];
    stamma_position after;
    (void)stamma_san_write(position, m->move, san, sizeof san);
    stamma_position_make(position, m->move, &after);
    tool_json_open(NULL, '{');
    put_uci(e, m->move);
    tool_json_string("san", san);
    if (is_player(e))
        put_opponents(e, &m->counts);
    else
        tool_json_number("averageRating", stamma_tree_rating(&m->counts));
    put_results(&m->counts);
    if (m->counts.games == 1)
        put_game(e, "game", &m->top, false);
    else
        tool_json_string("game", NULL);
    put_opening(&after);
    put_more(e, &m->counts);
    if (e->request->bits)
        put_bits(e, m->move);
    if (e->white_tree)
        put_player_results(e, &m->counts, m);
    tool_json_close('}');
}

/* ---- the body ---- */

static void put_history(const explorer *e)
{
    stamma_tree_month m = {.month = 0};
    char text[16];
    tool_json_open("history", '[');
    while (stamma_tree_next_month(e->tree, &m)) {
        (void)stamma_date_write(m.month * 100, '-', text, sizeof text);
        tool_json_open(NULL, '{');
        tool_json_string("month", text);
        tool_json_number("white", m.white_wins);
        tool_json_number("draws", m.draws);
        tool_json_number("black", m.black_wins);
        tool_json_close('}');
    }
    tool_json_close(']');
}

static void put_body(explorer *e)
{
    const serve_request *r = e->request;
    const stamma_tree_counts total = stamma_tree_total(e->tree);
    tool_json_open(NULL, '{');
    put_results(&total);
    tool_json_open("moves", '[');
    for (size_t n = 0; n < r->moves && n < stamma_tree_move_count(e->tree); n++)
        put_move(e, stamma_tree_move_at(e->tree, n));
    tool_json_close(']');
    if (r->endpoint != SERVE_MASTERS)
        put_games(e, "recentGames", r->recent_games, stamma_tree_recent_game);
    if (!is_player(e))
        put_games(e, "topGames", r->top_games, stamma_tree_top_game);
    put_opening(&r->position);
    if (r->openings)
        serve_put_openings(&r->start, r->played, r->plies);
    if (is_player(e))
        tool_json_number("queuePosition", 0);
    if (r->history)
        put_history(e);
    put_more(e, &total);
    tool_json_number("averageRating", stamma_tree_rating(&total));
    if (e->white_tree)
        put_player_results(e, &total, NULL);
    if (!r->nowhere)
        serve_put_fen("fen", &r->position);
    tool_json_close('}');
}

static void render(explorer *e)
{
    const stamma_output output = tool_buffer_output(&e->x->body);
    e->x->body.size = 0;
    tool_put_to(&output);
    tool_json_begin();
    put_body(e);
    if (is_player(e))
        tool_put_char('\n');
    tool_put_to(NULL);
}

/* ---- /player: answers of several lines ---- */

static bool send_line(explorer *e, const char *bytes, size_t size)
{
    serve_exchange *x = e->x;
    e->sent = tool_clock();
    return (x->streaming || serve_send_begin(x)) && serve_send_piece(x, bytes, size);
}

static void send_blank(void *context)
{
    explorer *e = context;
    if (tool_clock() - e->sent >= BLANK_INTERVAL)
        (void)send_line(e, "\n", 1);
}

/* Called while other threads search for this request; sends lines and checks the client. */
static void send_growing(explorer *e)
{
    (void)pthread_mutex_lock(&e->x->lock);
    (void)send_line(e, e->x->body.bytes, e->x->body.size);
    (void)pthread_mutex_unlock(&e->x->lock);
}

/* ---- searching ---- */

static void archive_name(const serve_archive *a, char out[TOOL_NUMBER_SIZE])
{
    (void)snprintf(out, TOOL_NUMBER_SIZE, "%ld", a->number);
}

/* Returns whether names of players can be read quickly. */
static bool names_fast(const serve_archive *a)
{
    return !serve_archive_is_slow(a) || serve_archive_index(a) == STAMMA_INDEX_MEMORY;
}

static stamma_error name_games(explorer *e, const serve_archive *a)
{
    char name[TOOL_NUMBER_SIZE];
    const stamma_search_options options = serve_search_options(e->x);
    archive_name(a, name);
    return stamma_tree_name_games(e->tree, stamma_text_of(name), a->handle, &options);
}

static bool open_tree(explorer *e)
{
    const serve_request *r = e->request;
    return !stamma_tree_open(&r->position, NULL, &e->tree) && (!r->history || !stamma_tree_keep_history(e->tree));
}

/* Writes the result for the archives searched so far, and for the part of the current archive. */
static bool render_growing(explorer *e, const stamma_tree *whole, const stamma_tree *part)
{
    bool right = !stamma_tree_merge(e->tree, whole) && !stamma_tree_merge(e->tree, part);
    for (size_t i = 0; i < e->archives.count && right; i++)
        if (names_fast(e->archives.list[i]))
            right = !name_games(e, e->archives.list[i]);
    e->growing = true;
    if (right)
        render(e);
    e->growing = false;
    return right && !e->x->body.failed;
}

/* Errors are ignored here: the final line reports them, or this line is omitted. */
static void grow(void *context, const stamma_tree *part)
{
    serve_exchange *x = context;
    explorer *e = x->idle_context;
    stamma_tree *whole = e->tree;
    if (tool_clock() - e->sent < GROW_INTERVAL)
        return;
    e->tree = NULL;
    if (open_tree(e) && render_growing(e, whole, part))
        send_growing(e);
    stamma_tree_close(e->tree);
    e->tree = whole;
}

/* Opens the tree of the games in which the player has White, if the request is for one player. */
static bool open_white_tree(explorer *e, serve_request *white)
{
    size_t names = 0;
    for (size_t i = 0; i < e->request->form->count; i++)
        names += strcmp(e->request->form->fields[i].name, "player") == 0;
    *white = *e->request;
    white->filters = (tool_buffer){NULL, 0, 0, false};
    white->query = NULL;
    white->color = STAMMA_WHITE;
    if (names != 1 || is_player(e) || serve_form_value(e->request->form, "white") ||
        serve_form_value(e->request->form, "black"))
        return true;
    return serve_filter_read(white, &e->x->fault) &&
           (!stamma_tree_open(&e->request->position, NULL, &e->white_tree) || serve_fail_memory(&e->x->fault));
}

/* Adds all games in which the player has White, unless the player has Black in all games. */
static bool add_white(explorer *e)
{
    serve_request white;
    bool right = open_white_tree(e, &white);
    serve_scan s = {.archives = &e->archives};
    while (right && e->white_tree && e->request->color != STAMMA_BLACK && serve_scan_next(e->x, &s))
        s.error = stamma_tree_add_archive(e->white_tree, stamma_text_of("white"), s.archive->handle, white.query,
                                          &s.options, &s.place);
    right = right && !s.failed;
    serve_request_close(&white);
    return right;
}

/* Stores the positions before the requested one, and returns their number. */
static size_t list_before(const serve_request *r, stamma_position *before)
{
    stamma_position p = r->start;
    for (size_t n = 0; n < r->plies; n++) {
        before[n] = p;
        stamma_position_make(&p, r->played[n], &p);
    }
    return r->plies;
}

/* Adds an archive from its pages. Returns false if the archive itself must be asked: pages contain four top games and
 * four recent games, and answer only questions about all games of a sound archive. */
static bool add_pages(explorer *e, const serve_archive *a, stamma_text name)
{
    enum { LISTED = 4 };
    const serve_request *r = e->request;
    bool found = false;
    if (!a->pages || a->damaged || r->query || r->history || is_player(e) || r->top_games > LISTED ||
        r->recent_games > LISTED)
        return false;
    stamma_position *before = malloc((r->plies + 1) * sizeof *before);
    const size_t count = before ? list_before(r, before) : 0;
    const stamma_error error = stamma_tree_add_pages(e->tree, name, a->pages, before, count, &found);
    free(before);
    return !error && found;
}

static bool add_all(explorer *e)
{
    serve_scan s = {.archives = &e->archives};
    char name[TOOL_NUMBER_SIZE];
    while (serve_scan_next(e->x, &s)) {
        archive_name(s.archive, name);
        if (add_pages(e, s.archive, stamma_text_of(name)))
            continue;
        s.error = stamma_tree_add_archive_live(e->tree, stamma_text_of(name), s.archive->handle, e->request->query,
                                               &s.options, is_player(e) ? grow : NULL, &s.place);
    }
    for (size_t i = 0; i < e->archives.count && !s.failed && !e->request->unnamed; i++) {
        stamma_error error = name_games(e, e->archives.list[i]);
        if (error)
            return serve_search_fail(e->x, e->archives.list[i], error, (stamma_place){.offset = 0});
    }
    return !s.failed;
}

/* Searches and writes the answer. The answer is written while the search has its place, because games are read for it.
 */
static bool search(void *context)
{
    explorer *e = context;
    serve_exchange *x = e->x;
    x->idle = is_player(e) ? send_blank : NULL;
    x->idle_context = e;
    bool right = serve_search_enter(x) && add_all(e) && add_white(e);
    x->idle = NULL;
    if (right) {
        if (e->request->bits)
            serve_predict(x, &e->archives, e->request, e->tree, &e->likely);
        render(e);
        right = serve_search_in_time(x);
    }
    serve_search_leave(x);
    return right;
}

static bool send(explorer *e)
{
    if (!is_player(e))
        return serve_reply_json(e->x);
    return send_line(e, e->x->body.bytes, e->x->body.size) || serve_fail(&e->x->fault, 499, "the client is gone");
}

static bool answer(explorer *e)
{
    serve_exchange *x = e->x;
    if (e->request->nowhere) {
        render(e);
        return send(e);
    }
    if (!serve_archives_asked(x, &e->archives))
        return false;
    if (e->request->endpoint == SERVE_MASTERS)
        serve_masters_choose(x, &e->archives);
    const bool right = serve_search_cached(x, &e->archives, search, e);
    serve_archives_release(&x->server->archives, &e->archives);
    return right && send(e);
}

static bool produce(serve_exchange *x)
{
    return answer(x->reply.state);
}

static void close_explorer(void *state)
{
    explorer *e = state;
    stamma_tree_close(e->tree);
    stamma_tree_close(e->white_tree);
    free(e);
}

bool serve_explorer(serve_exchange *x)
{
    explorer *e = calloc(1, sizeof *e);
    if (!e)
        return serve_fail_memory(&x->fault);
    *e = (explorer){.x = x, .request = &x->request, .chess960 = tool_is_chess960(&x->request.position)};
    e->sent = tool_clock();
    bool right = open_tree(e) || serve_fail_memory(&x->fault);
    if (right && is_player(e))
        return serve_reply_pieces(x, &serve_lines_headers, produce, close_explorer, e);
    right = right && answer(e);
    close_explorer(e);
    return right;
}
