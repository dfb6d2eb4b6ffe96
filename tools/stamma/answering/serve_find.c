/* SPDX-License-Identifier: MIT */
/* The games that match conditions, in pages: /find. */
#include "answering/serve_answers.h"
#include "games/game_views.h"

enum { STREAM_PIECE = 1 << 16 };

typedef struct found {
    size_t archive; /* index in the list */
    uint64_t game;
    size_t plies, ply_count; /* indexes in the page's list */
} found;

typedef struct page {
    serve_exchange *x;
    serve_archive_list archives;
    found *games;
    size_t count, room;
    uint32_t *plies;
    size_t ply_count, ply_room;
    uint64_t left; /* games still to skip */
    bool more;     /* more games follow the page */
    const found *now;
    tool_table table;
    const char *fields;     /* of the table; NULL before its first game */
    tool_text_end last_end; /* of the last game */
} page;

/* ---- searching ---- */

static bool make_room(void **list, size_t needed, size_t *room, size_t size)
{
    if (needed <= *room)
        return true;
    void *grown = realloc(*list, needed * 2 * size);
    if (!grown)
        return false;
    *list = grown;
    *room = needed * 2;
    return true;
}

static bool keep(page *p, size_t archive, const stamma_match *match)
{
    void *games = p->games, *plies = p->plies;
    bool right = make_room(&games, p->count + 1, &p->room, sizeof *p->games);
    right = make_room(&plies, p->ply_count + match->ply_count, &p->ply_room, sizeof *p->plies) && right;
    p->games = games;
    p->plies = plies;
    if (!right)
        return serve_fail_memory(&p->x->fault);
    p->games[p->count++] = (found){archive, match->game, p->ply_count, match->ply_count};
    if (match->ply_count > 0)
        memcpy(p->plies + p->ply_count, match->plies, match->ply_count * sizeof *match->plies);
    p->ply_count += match->ply_count;
    return true;
}

/* Adds a match to the page. */
static serve_step take_match(void *context, size_t archive, const stamma_match *match)
{
    page *p = context;
    if (p->left > 0) {
        p->left--;
        return SERVE_NEXT;
    }
    p->more = p->count == p->x->request.limit;
    return p->more ? SERVE_ENOUGH : keep(p, archive, match) ? SERVE_NEXT : SERVE_FAILED;
}

/* ---- a page as JSON ---- */

void serve_put_row(const char *key, const serve_archive *archive, const stamma_archive_game *game,
                   const uint32_t *plies, size_t count)
{
    tool_json_open(key, '{');
    serve_put_summary(archive, game);
    tool_json_open("match", '[');
    for (size_t i = 0; i < count; i++)
        tool_json_number(NULL, plies[i]);
    tool_json_close(']');
    tool_json_close('}');
}

static bool put_row(void *context, const stamma_archive_game *game)
{
    page *p = context;
    if (!game->continuation)
        serve_put_row(NULL, p->archives.list[p->now->archive], game,
                      p->now->ply_count > 0 ? p->plies + p->now->plies : NULL, p->now->ply_count);
    return true;
}

/* Returns the parts of a game that serve_put_row uses. The moves determine the name of the opening; they are included
 * only if they are fast to read. */
unsigned serve_row_parts(const serve_archive *a)
{
    return STAMMA_GAME_TAGS | STAMMA_GAME_RESULT | (serve_archive_is_slow(a) ? 0 : STAMMA_GAME_MOVES);
}

bool serve_skip_damaged(serve_exchange *x, const serve_archive *a)
{
    if (!a->damaged || x->fault.status != 500)
        return false;
    x->fault = (serve_fault){.status = 0};
    return true;
}

static bool read_rows(page *p, unsigned (*parts)(const serve_archive *a),
                      bool (*visit)(void *context, const stamma_archive_game *game))
{
    for (size_t i = 0; i < p->count; i++) {
        serve_archive *a = p->archives.list[p->games[i].archive];
        p->now = &p->games[i];
        if (!serve_archive_read(p->x, a, p->now->game, parts(a), visit, p) && !serve_skip_damaged(p->x, a))
            return false;
        if (p->x->gone)
            return serve_fail(&p->x->fault, 499, "the client is gone");
        if (!p->x->streaming && !serve_search_in_time(p->x))
            return false;
    }
    return true;
}

static bool answer_json(page *p)
{
    const serve_request *r = &p->x->request;
    const stamma_output output = tool_buffer_output(&p->x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_open("games", '[');
    bool right = read_rows(p, serve_row_parts, put_row);
    tool_json_close(']');
    tool_json_number("offset", r->offset);
    tool_json_number("limit", r->limit);
    tool_json_bool("more", p->more);
    if (p->more && p->count > 0) /* an empty page has no next page, which would be empty too */
        tool_json_number("next", r->offset + p->count);
    else
        tool_json_string("next", NULL);
    tool_json_close('}');
    tool_put_to(NULL);
    return right && serve_reply_json(p->x);
}

/* ---- as CSV and PGN, which can be large ---- */

static bool send_body(page *p, size_t least)
{
    serve_exchange *x = p->x;
    if (x->body.size < least)
        return true;
    bool right = !x->body.failed && serve_send_piece(x, x->body.bytes, x->body.size);
    x->body.size = 0;
    return right;
}

static unsigned text_parts(const serve_archive *a)
{
    (void)a;
    return STAMMA_GAME_TEXT;
}

static unsigned cell_parts(const serve_archive *a)
{
    unsigned parts = 0;
    (void)a;
    (void)tool_fields_check(tool_fields_listed(), true, &parts);
    return parts;
}

static bool put_text(void *context, const stamma_archive_game *game)
{
    page *p = context;
    if (!game->continuation && tool_text_needs_gap(game->text, p->last_end))
        (void)tool_buffer_add(&p->x->body, "\n\n", 2);
    p->last_end = tool_text_ends(game->text, p->last_end);
    return tool_buffer_add(&p->x->body, game->text.data, game->text.size) && send_body(p, STREAM_PIECE);
}

/* Puts the names of the columns before the first game, or at the end if there is none. */
static void put_cells_head(page *p)
{
    p->fields = tool_fields_listed();
    if (!tool_fields_head(&p->table, p->fields, true))
        return;
    tool_cell_string(&p->table, "match");
    tool_row_end(&p->table);
}

static bool put_cells(void *context, const stamma_archive_game *game)
{
    page *p = context;
    tool_view view = {.game = NULL};
    if (game->continuation)
        return true;
    put_cells_head(p);
    tool_view_game(&view, game);
    tool_cell_string(&p->table, p->archives.list[p->now->archive]->name);
    tool_fields_cells(p->fields, &view, &p->table);
    tool_cell_numbers(&p->table, p->now->ply_count > 0 ? p->plies + p->now->plies : NULL, p->now->ply_count);
    tool_row_end(&p->table);
    return send_body(p, STREAM_PIECE);
}

static bool produce_file(serve_exchange *x)
{
    page *p = x->reply.state;
    const bool csv = x->request.format == SERVE_CSV;
    const stamma_output output = tool_buffer_output(&x->body);
    if (!serve_send_begin(x))
        return serve_fail(&x->fault, 499, "the client is gone");
    tool_put_to(&output);
    bool right = read_rows(p, csv ? cell_parts : text_parts, csv ? put_cells : put_text);
    if (right && csv)
        put_cells_head(p);
    tool_put_to(NULL);
    return right && send_body(p, 1);
}

static void close_page(void *state)
{
    page *p = state;
    free(p->games);
    free(p->plies);
    serve_archives_release(&p->x->server->archives, &p->archives);
    free(p);
}

static bool answer_file(page *p)
{
    static const serve_headers csv = {.type = "text/csv; charset=utf-8",
                                      .disposition = "attachment; filename=\"games.csv\""};
    static const serve_headers pgn = {.type = "application/x-chess-pgn",
                                      .disposition = "attachment; filename=\"games.pgn\""};
    return serve_reply_pieces(p->x, p->x->request.format == SERVE_CSV ? &csv : &pgn, produce_file, close_page, p);
}

/* ---- the number of games ---- */

void serve_put_results(const stamma_stats_results *sum)
{
    tool_json_number("count", sum->games);
    tool_json_number("white_wins", sum->white_wins);
    tool_json_number("draws", sum->draws);
    tool_json_number("black_wins", sum->black_wins);
    tool_json_number("unfinished", sum->games - sum->white_wins - sum->draws - sum->black_wins);
}

static void put_counts(serve_exchange *x, const stamma_stats_results *sum)
{
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    serve_put_results(sum);
    tool_json_close('}');
    tool_put_to(NULL);
}

static bool count(void *context)
{
    page *p = context;
    serve_exchange *x = p->x;
    stamma_stats_results sum = {.games = 0};
    serve_scan s = {.archives = &p->archives};
    if (!serve_search_enter(x))
        return false;
    while (serve_scan_next(x, &s))
        s.error =
            stamma_stats_count_archive(&sum, s.archive->handle, x->request.query, &s.options, &s.place);
    if (!s.failed)
        put_counts(x, &sum);
    return !s.failed;
}

static bool answer(page *p)
{
    serve_exchange *x = p->x;
    if (x->request.count)
        return serve_search_cached(x, &p->archives, count, p) && serve_reply_json(x);
    if (!serve_search_enter(x) || !serve_search_matches(x, &p->archives, take_match, p))
        return false;
    if (x->request.format == SERVE_JSON)
        return answer_json(p);
    serve_search_leave(x); /* before sending: a slow client must not keep a place */
    return answer_file(p);
}

bool serve_find(serve_exchange *x)
{
    if (x->request.stream)
        return serve_stream(x);
    page *p = calloc(1, sizeof *p);
    if (!p)
        return serve_fail_memory(&x->fault);
    p->x = x;
    p->left = x->request.offset;
    bool right = serve_archives_asked(x, &p->archives) && answer(p);
    serve_search_leave(x);
    if (!x->reply.produce)
        close_page(p);
    return right;
}
