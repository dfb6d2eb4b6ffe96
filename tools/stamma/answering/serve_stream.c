/* SPDX-License-Identifier: MIT */
/* Games that are sent while they are found, with the progress of the search and their number: /find?stream=1. */
#include "answering/serve_answers.h"

#define LINE_INTERVAL 0.1 /* seconds between two lines about the progress */
/* Lines with the games that are first in the order so far: the seconds between two of these lines, and the share of the
 * time for them. */
#define SORTED_INTERVAL 1.0 /* at least */
#define SORTED_SHARE 10     /* at most a tenth */
enum { COUNT_TIME = 100 };  /* milliseconds in which the results of all games may be counted before the search */

typedef struct stream {
    serve_exchange *x;
    serve_archive_list archives;
    size_t now; /* archive that is being searched */
    struct serve_reader *reader;
    const stamma_match *match;
    bool line_open;               /* a line with the game of `match` was begun */
    uint64_t passed, done, total; /* bytes of the archives before this one, of this one, and of all */
    stamma_stats_results sum;     /* results of the games found so far */
    bool counted;                 /* `sum` has all games already */
    uint64_t left, shown;         /* games still to be skipped; games of the page so far */
    serve_sorted *sorted;         /* NULL: in the order of the archives */
    tool_buffer key;              /* of the results of all games in the cache */
    double sent, sorted_next;     /* times of the last line, and of the next line with sorted games */
} stream;

/* Sets the error of a search whose client is gone or whose time is over, which needs no archive. Returns false. */
static bool search_cancelled(stream *s)
{
    const serve_archive *a = s->now < s->archives.count ? s->archives.list[s->now] : NULL;
    return serve_search_fail(s->x, a, STAMMA_ERROR_CANCELLED, (stamma_place){.offset = 0});
}

/* ---- lines ---- */

static void begin_line(stream *s)
{
    const stamma_output output = tool_buffer_output(&s->x->body);
    tool_put_to(NULL); /* drops a line that an error cut short */
    s->x->body.size = 0;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
}

/* Ends the line and sends it. Other threads may be checking the client. */
static bool end_line(stream *s, bool locked)
{
    serve_exchange *x = s->x;
    s->line_open = false;
    tool_json_close('}');
    tool_put_char('\n');
    tool_put_to(NULL);
    if (x->body.failed)
        return serve_fail_memory(&x->fault);
    if (!locked)
        (void)pthread_mutex_lock(&x->lock);
    x->gone = !serve_send_piece(x, x->body.bytes, x->body.size) || x->gone;
    const bool gone = x->gone;
    if (!locked)
        (void)pthread_mutex_unlock(&x->lock);
    s->sent = tool_clock();
    return !gone || (!locked && search_cancelled(s)); /* under the lock, the search notices that the client is gone */
}

static bool send_progress(stream *s, bool locked)
{
    begin_line(s);
    tool_json_real("searched", s->total > 0 ? (double)(s->passed + s->done) / (double)s->total : 1, 4);
    serve_put_results(&s->sum);
    return end_line(s, locked);
}

/* Called by the request's thread during a search, with the exchange's lock held. */
static void send_idle(void *context)
{
    stream *s = context;
    if (tool_clock() - s->sent >= LINE_INTERVAL)
        (void)send_progress(s, true);
}

static bool send_end(stream *s)
{
    const serve_request *r = &s->x->request;
    const uint64_t end = r->offset + s->shown;
    const bool more = s->sum.games > end;
    begin_line(s);
    tool_json_bool("done", true);
    serve_put_results(&s->sum);
    tool_json_number("offset", r->offset);
    tool_json_number("limit", r->limit);
    tool_json_bool("more", more);
    if (more && s->shown > 0 && !(s->sorted && end + r->limit > SERVE_GAMES_MAX))
        tool_json_number("next", end);
    else
        tool_json_string("next", NULL);
    return end_line(s, false);
}

static bool send_error(stream *s)
{
    const serve_fault fault = s->x->fault;
    begin_line(s);
    tool_json_string("error", fault.message);
    tool_json_number("status", (uint64_t)fault.status);
    return end_line(s, false);
}

/* ---- rows ---- */

static void put_match(stream *s, const stamma_archive_game *game)
{
    begin_line(s);
    s->line_open = true;
    serve_put_row("game", s->archives.list[s->now], game, s->match->plies, s->match->ply_count);
}

/* A game of a sorted page. */
typedef struct row {
    const serve_sorted_game *game;
    stamma_archive_game read; /* copied, if `memory` is set; otherwise the game cannot be read */
    void *memory;
    bool failed;
} row;

static bool copy_row(void *context, const stamma_archive_game *game)
{
    row *r = context;
    if (!game->continuation)
        r->failed = !tool_game_copy(game, &r->read, &r->memory);
    return !r->failed;
}

static int compare_places(const void *left, const void *right)
{
    const serve_sorted_game *a = (*(row *const *)left)->game, *b = (*(row *const *)right)->game;
    const bool before = a->archive != b->archive ? a->archive < b->archive : a->number < b->number;
    return before ? -1 : 1;
}

/* Returns whether the search may continue. A game was read, so the search has advanced. */
static bool go_on(stream *s)
{
    return serve_search_advances(s->x) || search_cancelled(s);
}

/* Reads the games in the order of the archives, because opening a block takes longer than reading a game of it. */
static bool read_rows(stream *s, row *rows, size_t count)
{
    serve_exchange *x = s->x;
    row **places = malloc((count + 1) * sizeof *places);
    bool right = places || serve_fail_memory(&x->fault);
    for (size_t n = 0; right && n < count; n++)
        places[n] = &rows[n];
    if (right)
        qsort(places, count, sizeof *places, compare_places);
    for (size_t n = 0; right && n < count; n++) {
        serve_archive *a = s->archives.list[places[n]->game->archive];
        right = serve_archive_read(x, a, places[n]->game->number, serve_row_parts(a), copy_row, places[n]) ||
                serve_skip_damaged(x, a);
        if (places[n]->failed)
            right = serve_fail_memory(&x->fault);
        right = right && go_on(s);
    }
    free(places);
    return right;
}

static bool put_rows(stream *s, const row *rows, size_t count)
{
    begin_line(s);
    tool_json_open("games", '[');
    for (size_t n = 0; n < count; n++) {
        const row *r = &rows[n];
        if (r->memory)
            serve_put_row(NULL, s->archives.list[r->game->archive], &r->read, r->game->plies, r->game->ply_count);
    }
    tool_json_close(']');
    return end_line(s, false);
}

/* Sends the games of the page that are first in the order so far. */
static bool send_sorted(stream *s)
{
    const serve_request *r = &s->x->request;
    const double began = tool_clock();
    const size_t kept = serve_sorted_count(s->sorted), offset = (size_t)r->offset;
    s->shown = kept <= offset ? 0 : kept - offset < r->limit ? kept - offset : r->limit;
    row *rows = calloc((size_t)s->shown + 1, sizeof *rows);
    if (!rows)
        return serve_fail_memory(&s->x->fault);
    for (size_t n = 0; n < s->shown; n++)
        rows[n].game = serve_sorted_at(s->sorted, offset + n);
    bool right = read_rows(s, rows, (size_t)s->shown) && put_rows(s, rows, (size_t)s->shown);
    for (size_t n = 0; n < s->shown; n++)
        free(rows[n].memory);
    free(rows);
    const double now = tool_clock(), pause = (now - began) * SORTED_SHARE;
    s->sorted_next = now + (pause > SORTED_INTERVAL ? pause : SORTED_INTERVAL);
    return right;
}

/* ---- searching ---- */

static bool progress(void *context, uint64_t done, uint64_t total)
{
    stream *s = ((serve_exchange *)context)->idle_context;
    (void)total;
    s->done = done;
    return serve_search_advances(s->x);
}

static stamma_search_options options_of(stream *s)
{
    stamma_search_options options = serve_search_options(s->x);
    options.progress = progress;
    return options;
}

/* Returns whether the match is a game of the page, in the order of the archives. */
static bool is_shown(const stream *s)
{
    return !s->sorted && s->left == 0 && s->shown < s->x->request.limit;
}

static bool take_game(void *context, const stamma_archive_game *game)
{
    stream *s = context;
    if (game->continuation)
        return true;
    const stamma_result result = stamma_archive_game_result(game);
    if (!s->counted) {
        s->sum.white_wins += result == STAMMA_RESULT_WHITE;
        s->sum.black_wins += result == STAMMA_RESULT_BLACK;
        s->sum.draws += result == STAMMA_RESULT_DRAW;
    }
    if (is_shown(s))
        put_match(s, game);
    return !s->sorted || serve_sorted_add(s->sorted, s->now, s->match, game) || serve_fail_memory(&s->x->fault);
}

static unsigned parts_of(const stream *s)
{
    return is_shown(s)  ? serve_row_parts(s->archives.list[s->now])
           : s->sorted  ? STAMMA_GAME_TAGS | STAMMA_GAME_RESULT
           : s->counted ? 0
                        : STAMMA_GAME_RESULT;
}

/* Acquires a reader of the archive, instead of the reader that was used before. Returns false with an error. */
static bool open_reader(stream *s)
{
    serve_archives *archives = &s->x->server->archives;
    serve_archive *a = s->archives.list[s->now];
    serve_reader_give_back(archives, a, s->reader);
    s->reader = serve_reader_take(archives, a, parts_of(s), &s->x->fault);
    return s->reader != NULL;
}

/* Reads the game as far as necessary, and sends it if it is in the page. */
static bool take_match(stream *s)
{
    serve_exchange *x = s->x;
    serve_archive *a = s->archives.list[s->now];
    const unsigned parts = parts_of(s);
    const bool shown = is_shown(s);
    if (parts > 0 && !serve_reader_read(x, s->reader, a, s->match->game, parts, take_game, s) &&
        !(serve_skip_damaged(x, a) && open_reader(s)))
        return false;
    if (x->fault.status) /* of take_game */
        return false;
    s->sum.games += !s->counted;
    s->shown += shown;
    s->left -= s->left > 0;
    return (!s->line_open || end_line(s, false)) && (parts == 0 || go_on(s));
}

/* Returns whether the results of all games are known and all games of the page were sent. */
static bool is_complete(const stream *s)
{
    return s->counted && !s->sorted && s->left == 0 && s->shown == s->x->request.limit;
}

static bool send_news(stream *s)
{
    const double now = tool_clock();
    if (s->sorted && now >= s->sorted_next && s->sum.games > 0 && !send_sorted(s))
        return false;
    return now - s->sent < LINE_INTERVAL || send_progress(s, false);
}

static bool take_matches(stream *s, stamma_search *search)
{
    const serve_archive *a = s->archives.list[s->now];
    while (!is_complete(s)) {
        stamma_error error = stamma_search_next(search, &s->match);
        if (error)
            return serve_search_fail(s->x, a, error, stamma_search_place(search));
        if (!s->match)
            return true;
        if (!take_match(s) || !send_news(s))
            return false;
    }
    return true;
}

static bool search_archive(stream *s)
{
    serve_exchange *x = s->x;
    serve_archive *a = s->archives.list[s->now];
    const stamma_search_options options = options_of(s);
    stamma_search *search = NULL;
    s->done = 0;
    s->reader = NULL;
    if (!open_reader(s))
        return false;
    stamma_error error = stamma_search_open(a->handle, x->request.query, &options, &search);
    bool right = error ? serve_search_fail(x, a, error, (stamma_place){.offset = 0}) : take_matches(s, search);
    stamma_search_close(search);
    serve_reader_give_back(&x->server->archives, a, s->reader);
    s->passed += a->bytes.size;
    s->done = 0;
    return right && serve_search_end(x, a, STAMMA_OK, (stamma_place){.offset = 0});
}

static bool search_all(stream *s)
{
    for (s->now = 0; s->now < s->archives.count && !is_complete(s); s->now++)
        if (!search_archive(s))
            return false;
    return !s->sorted || send_sorted(s);
}

/* ---- the number of games ---- */

typedef struct quick_count {
    serve_exchange *x;
    double until;
} quick_count;

static bool is_slow(void *context)
{
    const quick_count *c = context;
    return tool_clock() >= c->until || serve_search_stops(c->x);
}

static bool any_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return serve_search_advances(((quick_count *)context)->x);
}

/* Counts the games if this is fast, for example with an index and conditions that the index answers. Otherwise the
 * search counts them. Returns false with an error. */
static bool count_quickly(stream *s)
{
    serve_exchange *x = s->x;
    stamma_stats_results sum = {.games = 0};
    stamma_error error = STAMMA_OK;
    quick_count c = {x, tool_clock() + COUNT_TIME / 1000.0};
    for (s->now = 0; s->now < s->archives.count && !error; s->now++) {
        const serve_archive *a = s->archives.list[s->now];
        stamma_search_options options = serve_search_options(x);
        stamma_place place = {.offset = 0};
        options.context = &c;
        options.progress = any_progress;
        options.stop = is_slow;
        error = stamma_stats_count_archive(&sum, a->handle, x->request.query, &options, &place);
        const bool slow = error == STAMMA_ERROR_CANCELLED && !x->gone && !x->late && !atomic_load(&x->server->ending);
        if (!slow && !serve_search_end(x, a, error, place))
            return false;
    }
    s->counted = !error;
    if (s->counted)
        s->sum = sum;
    return true;
}

/* Stores the results of all games in the cache, or reads them from it. */
static void remember(stream *s)
{
    const tool_buffer results = {.bytes = (char *)&s->sum, .size = sizeof s->sum};
    serve_cache_put(s->x->server->cache, &s->key, &results);
}

static void recall(stream *s)
{
    tool_buffer results = {.bytes = NULL};
    if (serve_cache_key(&s->x->request, &s->archives, &s->key) &&
        serve_cache_get(s->x->server->cache, &s->key, &results)) {
        memcpy(&s->sum, results.bytes, sizeof s->sum);
        atomic_fetch_add(&s->x->server->remembered, 1);
        s->counted = true;
    }
    tool_buffer_free(&results);
}

/* ---- the answer ---- */

static bool search(stream *s)
{
    const bool known = s->counted;
    if (!send_progress(s, false) || (!known && !count_quickly(s)))
        return false;
    if (s->counted && !known && !send_progress(s, false))
        return false;
    bool right = search_all(s);
    if (right && !known)
        remember(s);
    return right && send_end(s);
}

/* Sends the headers, then the lines. Errors after the headers are the last line. */
static bool answer(stream *s)
{
    serve_exchange *x = s->x;
    if (!serve_search_enter(x))
        return false;
    x->advanced = tool_clock();
    if (!serve_send_begin(x))
        return serve_fail(&x->fault, 499, "the client is gone");
    if (x->head)
        return true;
    x->idle = send_idle;
    x->idle_context = s;
    bool right = search(s);
    x->idle = NULL;
    if (!right && !x->gone && x->fault.status != 499)
        right = send_error(s);
    return right;
}

static bool open_stream(stream *s)
{
    const serve_request *r = &s->x->request;
    if (r->sort)
        s->sorted = serve_sorted_open(r->sort, (size_t)(r->offset + r->limit));
    for (size_t i = 0; i < s->archives.count; i++)
        s->total += s->archives.list[i]->bytes.size;
    return !r->sort || s->sorted || serve_fail_memory(&s->x->fault);
}

static bool produce(serve_exchange *x)
{
    const bool right = answer(x->reply.state);
    serve_search_leave(x);
    return right;
}

static void close_stream(void *state)
{
    stream *s = state;
    serve_sorted_close(s->sorted);
    tool_buffer_free(&s->key);
    serve_archives_release(&s->x->server->archives, &s->archives);
    free(s);
}

bool serve_stream(serve_exchange *x)
{
    stream *s = calloc(1, sizeof *s);
    if (!s)
        return serve_fail_memory(&x->fault);
    s->x = x;
    s->left = x->request.sort ? 0 : x->request.offset;
    s->sorted_next = tool_clock() + SORTED_INTERVAL;
    x->steady = true;
    x->advanced = x->started;
    if (serve_archives_asked(x, &s->archives)) {
        recall(s);
        if (open_stream(s))
            return serve_reply_pieces(x, &serve_lines_headers, produce, close_stream, s);
    }
    close_stream(s);
    return false;
}
