/* SPDX-License-Identifier: MIT */
/* From a request to its reply: the endpoint of the path, the answer, and its form. */
#include "answering/serve_answers.h"

/* ---- data that all requests share ---- */

bool serve_open(serve *s, size_t archives)
{
    enum { WAITING = 64 /* searches that may wait to start */ };
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->left, NULL);
    s->searching_max = s->executor.threads < 2 ? 2 : s->executor.threads;
    s->waiting_max = WAITING;
    s->cache = serve_cache_open((size_t)(s->memory / 16));
    s->players = serve_players_open();
    const bool right = serve_archives_open(&s->archives, archives) && s->players;
    return right || tool_fail_memory(NULL);
}

void serve_close(serve *s)
{
    serve_archives_close(&s->archives);
    serve_cache_close(s->cache);
    serve_players_close(s->players);
    (void)pthread_cond_destroy(&s->left);
    (void)pthread_mutex_destroy(&s->lock);
}

/* ---- replies ---- */

const serve_headers serve_json_headers = {.type = "application/json; charset=utf-8"};
const serve_headers serve_lines_headers = {.type = "application/x-ndjson; charset=utf-8"};

bool serve_reply_bytes(serve_exchange *x, int status, const serve_headers *headers, const void *bytes, size_t size)
{
    x->reply = (serve_reply){.status = status, .headers = *headers, .bytes = bytes, .size = size};
    return true;
}

bool serve_reply_body(serve_exchange *x, const serve_headers *headers)
{
    if (x->body.failed)
        return serve_fail_memory(&x->fault);
    return serve_reply_bytes(x, 200, headers, x->body.bytes, x->body.size);
}

bool serve_reply_json(serve_exchange *x)
{
    return serve_reply_body(x, &serve_json_headers);
}

bool serve_reply_pieces(serve_exchange *x, const serve_headers *headers, bool (*produce)(serve_exchange *x),
                        void (*close)(void *state), void *state)
{
    x->reply = (serve_reply){.status = 200, .headers = *headers, .produce = produce, .close = close, .state = state};
    return true;
}

/* Releases the state of a reply in pieces. */
static void close_reply(serve_exchange *x)
{
    if (x->reply.close)
        x->reply.close(x->reply.state);
    x->reply = (serve_reply){.status = 499};
}

void serve_reply_fault(serve_exchange *x)
{
    close_reply(x);
    if (x->gone || x->fault.status == 499 || x->streaming)
        return;
    tool_buffer_free(&x->body);
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("error", x->fault.message);
    tool_json_close('}');
    tool_put_char('\n');
    tool_put_to(NULL);
    (void)serve_reply_bytes(x, x->fault.status, &serve_json_headers, x->body.bytes, x->body.size);
}

bool serve_produce(serve_exchange *x)
{
    const bool right = x->reply.produce(x);
    if (right)
        close_reply(x);
    else
        serve_reply_fault(x);
    return right;
}

bool serve_send_begin(serve_exchange *x)
{
    x->streaming = true;
    return x->receiver.begin(x->receiver.context, &x->reply);
}

bool serve_send_piece(serve_exchange *x, const void *bytes, size_t size)
{
    if (!x->head && !x->gone && size > 0)
        x->gone = !x->receiver.piece(x->receiver.context, bytes, size);
    return !x->gone;
}

bool serve_client_gone(serve_exchange *x)
{
    return x->receiver.is_gone(x->receiver.context);
}

/* ---- exchanges ---- */

void serve_exchange_open(serve_exchange *x, serve *server, const serve_receiver *receiver)
{
    const double now = tool_clock();
    *x = (serve_exchange){
        .server = server, .receiver = *receiver, .started = now, .polled = now, .thread = pthread_self()};
    (void)pthread_mutex_init(&x->lock, NULL);
}

void serve_exchange_close(serve_exchange *x)
{
    serve_search_leave(x);
    close_reply(x);
    serve_request_close(&x->request);
    serve_form_free(&x->form);
    tool_buffer_free(&x->body);
    (void)pthread_mutex_destroy(&x->lock);
}

/* ---- endpoints ---- */

static const struct route {
    const char *path; /* a slash at the end: an operand follows */
    serve_endpoint endpoint;
} routes[] = {
    {"/masters", SERVE_MASTERS},     {"/master", SERVE_MASTERS},
    {"/lichess", SERVE_LICHESS},     {"/lichess/history", SERVE_HISTORY},
    {"/player", SERVE_PLAYER},       {"/personal", SERVE_PLAYER},
    {"/masters/pgn/", SERVE_PGN},    {"/master/pgn/", SERVE_PGN},
    {"/lichess/pgn/", SERVE_PGN},    {"/find", SERVE_FIND},
    {"/stats", SERVE_STATS},         {"/line", SERVE_LINE},
    {"/game/", SERVE_GAME},          {"/archives", SERVE_ARCHIVES},
    {"/health", SERVE_HEALTH},       {"/metrics", SERVE_METRICS},
    {"/engine", SERVE_ENGINE},       {"/board.svg", SERVE_BOARD},
    {"/players", SERVE_NAMES},       {"/report", SERVE_REPORT},
    {"/novelty/", SERVE_NOVELTY},    {"/orders", SERVE_ORDERS},
    {"/uploads", SERVE_UPLOADS},     {"/uploads/", SERVE_UPLOADS},
    {"/questions", SERVE_QUESTIONS}, {"/encode", SERVE_ENCODE},
    {"/encodings", SERVE_ENCODINGS}, {"/decode", SERVE_DECODE},
    {"/encode/sizes", SERVE_SIZES},  {"/tablebase", SERVE_TABLEBASE},
    {"/standard", SERVE_TABLEBASE},
};

serve_endpoint serve_route(const char *path, const char **operand)
{
    *operand = "";
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t size = strlen(routes[i].path);
        bool more = routes[i].path[size - 1] == '/';
        if (more ? strncmp(path, routes[i].path, size) == 0 : strcmp(path, routes[i].path) == 0) {
            *operand = path + size;
            return routes[i].endpoint;
        }
    }
    return SERVE_PAGE;
}

void serve_answer_with(serve_exchange *x, serve_endpoint endpoint, const char *operand,
                       bool (*answer)(serve_exchange *x))
{
    if (!serve_request_read(&x->request, endpoint, operand, &x->form, &x->server->persons, &x->fault) || !answer(x))
        serve_reply_fault(x);
}

static bool answer_none(serve_exchange *x)
{
    return serve_fail(&x->fault, 404, "there is nothing of this name");
}

void serve_answer(serve_exchange *x, serve_endpoint endpoint, const char *operand)
{
    static bool (*const answers[SERVE_ENDPOINTS])(serve_exchange *) = {
        [SERVE_MASTERS] = serve_explorer,    [SERVE_LICHESS] = serve_explorer, [SERVE_HISTORY] = serve_explorer,
        [SERVE_PLAYER] = serve_explorer,     [SERVE_FIND] = serve_find,        [SERVE_STATS] = serve_stats,
        [SERVE_LINE] = serve_line,           [SERVE_GAME] = serve_game,        [SERVE_PGN] = serve_pgn,
        [SERVE_ARCHIVES] = serve_list,       [SERVE_HEALTH] = serve_health,    [SERVE_BOARD] = serve_board,
        [SERVE_NAMES] = serve_names,         [SERVE_REPORT] = serve_report,    [SERVE_NOVELTY] = serve_novelty,
        [SERVE_QUESTIONS] = serve_questions, [SERVE_ORDERS] = serve_orders,    [SERVE_ENCODE] = serve_encode,
        [SERVE_ENCODINGS] = serve_encodings, [SERVE_SIZES] = serve_sizes,      [SERVE_DECODE] = serve_decode};
    serve_answer_with(x, endpoint, operand, answers[endpoint] ? answers[endpoint] : answer_none);
}
