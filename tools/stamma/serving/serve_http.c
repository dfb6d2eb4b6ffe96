/* Connects the HTTP library with the endpoints: parses requests, sends answers, and enforces limits. */
#include "serving/serve.h"

#include <civetweb.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

enum {
    BODY_MAX = 64 << 10, /* bytes of a request's body */
    QUERY_MAX = 12 << 10 /* bytes of the query in the URL */
};

/* ---- answers ---- */

static void add_header(struct mg_connection *c, const char *name, const char *value)
{
    if (value)
        (void)mg_response_header_add(c, name, value, -1);
}

static void add_size(struct mg_connection *c, size_t size)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%zu", size);
    add_header(c, "Content-Length", text);
}

/* Adds the date in the form of HTTP (RFC 9110, 5.6.7). The library's own function is not thread-safe. */
static void add_date(struct mg_connection *c)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char text[80];
    struct tm t;
    time_t now = time(NULL);
    if (!gmtime_r(&now, &t))
        return;
    (void)snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[t.tm_wday], t.tm_mday,
                   months[t.tm_mon], t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
    add_header(c, "Date", text);
}

static void send_headers(serve_exchange *x, int status, const serve_headers *h)
{
    struct mg_connection *c = x->connection;
    x->status = status;
    if (x->close)
        mg_disable_connection_keep_alive(c);
    (void)mg_response_header_start(c, status);
    add_date(c);
    add_header(c, "Content-Type", h->type);
    add_header(c, "Content-Disposition", h->disposition);
    add_header(c, "Content-Security-Policy", h->policy);
    add_header(c, "ETag", h->tag);
    add_header(c, "Cache-Control", h->cache ? h->cache : "no-cache");
    add_header(c, "Access-Control-Allow-Origin", x->origin);
    add_header(c, "Content-Encoding", h->encoding);
    add_header(c, "Vary", h->vary ? h->vary : "Origin");
    add_header(c, "X-Content-Type-Options", "nosniff");
    add_header(c, "Referrer-Policy", "no-referrer");
    if (status == 503 || status == 429)
        add_header(c, "Retry-After", "1");
    if (status == 405)
        add_header(c, "Allow", "GET, HEAD, POST, OPTIONS");
}

void serve_send(serve_exchange *x, int status, const serve_headers *h, const void *bytes, size_t size)
{
    send_headers(x, status, h);
    if (status != 304 && status != 204)
        add_size(x->connection, size);
    (void)mg_response_header_send(x->connection);
    if (!x->head && size > 0 && status != 304)
        (void)mg_write(x->connection, bytes, size);
}

/* Returns whether the client supports chunks. An answer to HTTP/1.0 ends with the connection. */
static bool knows_chunks(const serve_exchange *x)
{
    const char *version = mg_get_request_info(x->connection)->http_version;
    return version && strcmp(version, "1.1") == 0;
}

bool serve_send_begin(serve_exchange *x, int status, const serve_headers *h)
{
    x->close |= !knows_chunks(x);
    x->streaming = true;
    send_headers(x, status, h);
    if (knows_chunks(x))
        add_header(x->connection, "Transfer-Encoding", "chunked");
    return mg_response_header_send(x->connection) >= 0;
}

bool serve_send_piece(serve_exchange *x, const void *bytes, size_t size)
{
    if (x->head || x->gone || size == 0)
        return !x->gone;
    int sent =
        knows_chunks(x) ? mg_send_chunk(x->connection, bytes, (unsigned)size) : mg_write(x->connection, bytes, size);
    x->gone = sent <= 0;
    return !x->gone;
}

void serve_send_end(serve_exchange *x)
{
    if (!x->head && !x->gone && knows_chunks(x))
        (void)mg_send_chunk(x->connection, "", 0);
}

static const serve_headers json_headers = {.type = "application/json; charset=utf-8"};

/* Sends the error as JSON. If the client is gone or has received a part of the answer, the connection is closed, which
 * shows that the answer is incomplete. */
static void send_fault(serve_exchange *x)
{
    if (x->gone || x->fault.status == 499 || x->streaming) {
        mg_disable_connection_keep_alive(x->connection);
        x->status = x->streaming && x->fault.status != 499 ? x->status : 499;
        return;
    }
    tool_buffer_free(&x->body);
    const stamma_output output = tool_buffer_output(&x->body);
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("error", x->fault.message);
    tool_json_close('}');
    tool_put_char('\n');
    tool_put_to(NULL);
    serve_send(x, x->fault.status, &json_headers, x->body.bytes, x->body.size);
}

void serve_send_json(serve_exchange *x)
{
    if (x->body.failed) {
        (void)serve_fail_memory(&x->fault);
        send_fault(x);
    } else {
        serve_send(x, 200, &json_headers, x->body.bytes, x->body.size);
    }
}

/* ---- the client ---- */

/* Returns whether the client closed the connection or its sending direction. A client that has sent more data is
 * connected. */
bool serve_client_gone(serve_exchange *x)
{
    char byte;
    if (x->socket < 0)
        x->socket = serve_connection_socket(x->server, x->connection);
    if (x->socket < 0)
        return false;
    ssize_t got = recv(x->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* Counts a request of the client. Returns false if the client has too many. */
static bool client_enter(serve *s, const char *address, serve_client **found)
{
    serve_client *free_one = NULL;
    *found = NULL;
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->options.connections && !*found; i++) {
        serve_client *c = &s->clients[i];
        if (c->requests == 0)
            free_one = free_one ? free_one : c;
        else if (strcmp(c->address, address) == 0)
            *found = c;
    }
    if (!*found && free_one) {
        *found = free_one;
        (void)snprintf(free_one->address, sizeof free_one->address, "%s", address);
    }
    bool right = *found && (*found)->requests < s->client_max;
    if (right)
        (*found)->requests++;
    else
        *found = NULL;
    (void)pthread_mutex_unlock(&s->lock);
    return right;
}

static void client_leave(serve *s, serve_client *c)
{
    if (!c)
        return;
    (void)pthread_mutex_lock(&s->lock);
    c->requests--;
    (void)pthread_mutex_unlock(&s->lock);
}

/* ---- requests ---- */

static const struct route {
    const char *path; /* a slash at the end: an operand follows */
    serve_endpoint endpoint;
} routes[] = {
    {"/masters", SERVE_MASTERS},  {"/master", SERVE_MASTERS},
    {"/lichess", SERVE_LICHESS},  {"/lichess/history", SERVE_HISTORY},
    {"/player", SERVE_PLAYER},    {"/personal", SERVE_PLAYER},
    {"/masters/pgn/", SERVE_PGN}, {"/master/pgn/", SERVE_PGN},
    {"/lichess/pgn/", SERVE_PGN}, {"/find", SERVE_FIND},
    {"/stats", SERVE_STATS},      {"/line", SERVE_LINE},
    {"/game/", SERVE_GAME},       {"/archives", SERVE_ARCHIVES},
    {"/health", SERVE_HEALTH},    {"/metrics", SERVE_METRICS},
    {"/engine", SERVE_ENGINE},    {"/board.svg", SERVE_BOARD},
    {"/players", SERVE_NAMES},    {"/report", SERVE_REPORT},
    {"/novelty/", SERVE_NOVELTY}, {"/orders", SERVE_ORDERS},
    {"/uploads", SERVE_UPLOADS},  {"/uploads/", SERVE_UPLOADS},
};

static serve_endpoint find_route(const char *path, const char **operand)
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

/* Returns whether a media type matches, ignoring case (RFC 9110, 8.3.1) and parameters. */
static bool is_type(const char *type, const char *wanted)
{
    size_t size = strlen(wanted);
    return strncasecmp(type, wanted, size) == 0 && (!type[size] || strchr("; \t", type[size]));
}

static bool add_body(serve_exchange *x, const char *body, size_t size)
{
    const char *type = mg_get_header(x->connection, "Content-Type");
    if (!type || is_type(type, "application/x-www-form-urlencoded"))
        return serve_form_add(&x->form, body, size, &x->fault);
    if (is_type(type, "application/json"))
        return serve_form_add_value(&x->form, "query", body, size, &x->fault);
    return serve_fail(&x->fault, 415,
                      "the body must be application/x-www-form-urlencoded, or a query as application/json");
}

static bool read_body(serve_exchange *x)
{
    char *body = malloc(BODY_MAX + 1);
    size_t size = 0;
    int count = 0;
    if (!body)
        return serve_fail_memory(&x->fault);
    do {
        count = mg_read(x->connection, body + size, BODY_MAX + 1 - size);
        size += count > 0 ? (size_t)count : 0;
    } while (count > 0 && size <= BODY_MAX);
    x->close |= count < 0 || size > BODY_MAX;
    bool right = size > BODY_MAX ? serve_fail(&x->fault, 413, "the body is longer than %d bytes", BODY_MAX)
                 : count < 0     ? serve_fail(&x->fault, 400, "the body is cut short")
                                 : add_body(x, body, size);
    free(body);
    return right;
}

/* The body of an upload is not read here. */
static bool read_fields(serve_exchange *x, const struct mg_request_info *info, serve_endpoint endpoint)
{
    const char *query = info->query_string ? info->query_string : "";
    if (strlen(query) > QUERY_MAX)
        return serve_fail(&x->fault, 414, "the address is longer than %d bytes", QUERY_MAX);
    if (!serve_form_add(&x->form, query, strlen(query), &x->fault))
        return false;
    return strcmp(info->request_method, "POST") != 0 || endpoint == SERVE_UPLOADS || read_body(x);
}

static bool answer(serve_exchange *x, serve_endpoint endpoint, const char *path, const char *operand)
{
    static bool (*const handlers[SERVE_ENDPOINTS])(serve_exchange *) = {
        [SERVE_MASTERS] = serve_explorer, [SERVE_LICHESS] = serve_explorer, [SERVE_HISTORY] = serve_explorer,
        [SERVE_PLAYER] = serve_explorer,  [SERVE_FIND] = serve_find,        [SERVE_STATS] = serve_stats,
        [SERVE_LINE] = serve_line,        [SERVE_GAME] = serve_game,        [SERVE_PGN] = serve_pgn,
        [SERVE_ARCHIVES] = serve_list,    [SERVE_HEALTH] = serve_health,    [SERVE_METRICS] = serve_metrics,
        [SERVE_ENGINE] = serve_analyse,   [SERVE_BOARD] = serve_board,      [SERVE_NAMES] = serve_names,
        [SERVE_REPORT] = serve_report,    [SERVE_UPLOADS] = serve_upload,   [SERVE_NOVELTY] = serve_novelty,
        [SERVE_ORDERS] = serve_orders};
    const struct mg_request_info *info = mg_get_request_info(x->connection);
    if (endpoint == SERVE_PAGE)
        return serve_page(x, path);
    return read_fields(x, info, endpoint) && serve_request_read(&x->request, endpoint, operand, &x->form, &x->fault) &&
           handlers[endpoint](x);
}

/* Answers the request that a browser sends before a request from another site's page. */
static void answer_options(serve_exchange *x)
{
    struct mg_connection *c = x->connection;
    send_headers(x, 204, &(serve_headers){.type = NULL});
    add_header(c, "Allow", "GET, HEAD, POST, OPTIONS");
    add_header(c, "Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS");
    add_header(c, "Access-Control-Allow-Headers", "*, Authorization, Content-Type");
    add_header(c, "Access-Control-Max-Age", "86400");
    if (x->origin && mg_get_header(c, "Access-Control-Request-Private-Network"))
        add_header(c, "Access-Control-Allow-Private-Network", "true");
    (void)mg_response_header_send(c);
}

static void work(serve_exchange *x, const struct mg_request_info *info, serve_endpoint *endpoint)
{
    const char *path = info->local_uri ? info->local_uri : "/", *operand, *method = info->request_method;
    *endpoint = find_route(path, &operand);
    x->head = strcmp(method, "HEAD") == 0;
    bool post = strcmp(method, "POST") == 0;
    if (!serve_head_check(x) || !serve_access_check(x, *endpoint)) {
        send_fault(x);
        return;
    }
    if (strcmp(method, "OPTIONS") == 0) {
        answer_options(x);
        return;
    }
    bool right =
        x->head || post || strcmp(method, "GET") == 0 || (*endpoint == SERVE_UPLOADS && strcmp(method, "DELETE") == 0);
    if (!right || (post && *endpoint == SERVE_PAGE))
        right = serve_fail(&x->fault, 405, "%s is not allowed here", right ? method : "this method");
    if (!right || !answer(x, *endpoint, path, operand))
        send_fault(x);
}

/* Sends an answer without the library's headers. */
static void send_plain(struct mg_connection *connection, int status, const char *message)
{
    char body[256];
    int size = snprintf(body, sizeof body, "{\"error\":\"%s\"}\n", message);
    mg_disable_connection_keep_alive(connection);
    (void)mg_printf(connection,
                    "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n"
                    "Connection: close\r\n\r\n%s",
                    status, mg_get_response_code_text(connection, status), size, body);
}

/* Returns whether the library would add no headers to the answer. */
static bool is_websocket(const struct mg_connection *connection)
{
    const char *wanted = mg_get_header(connection, "Upgrade");
    return wanted && strncasecmp(wanted, "websocket", 9) == 0;
}

int serve_handle(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    serve *s = info->user_data;
    if (is_websocket(connection)) {
        send_plain(connection, 400, "there are no websockets here");
        return 400;
    }
    double now = tool_clock();
    serve_exchange x = {
        .server = s, .connection = connection, .started = now, .polled = now, .socket = -1, .thread = pthread_self()};
    (void)pthread_mutex_init(&x.lock, NULL);
    serve_endpoint endpoint = SERVE_PAGE;
    serve_client *client;
    serve_connection_set_busy(s, connection, true);
    atomic_fetch_add(&s->running, 1);
    if (client_enter(s, info->remote_addr, &client)) {
        work(&x, info, &endpoint);
    } else {
        x.close = true; /* the head was not checked, so the next request may be a part of this one */
        (void)serve_fail(&x.fault, 429, "more than %u requests at once from one address", s->client_max);
        send_fault(&x);
        atomic_fetch_add(&s->rejected, 1);
    }
    client_leave(s, client);
    atomic_fetch_sub(&s->running, 1);
    serve_connection_set_busy(s, connection, false);
    serve_search_leave(&x);
    serve_request_close(&x.request);
    serve_form_free(&x.form);
    tool_buffer_free(&x.body);
    (void)pthread_mutex_destroy(&x.lock);
    serve_count(s, endpoint, x.status, tool_clock() - now);
    return x.status;
}

/* Answers requests that the library rejects, in the same form. The library does not distinguish too large headers from
 * other errors. */
int serve_handle_error(struct mg_connection *connection, int status, const char *message)
{
    int shown = status == 413 ? 431 : status;
    (void)message;
    send_plain(connection, shown,
               shown == 408  ? "the request came too slowly"
               : shown < 500 ? "no request of HTTP/1.1, or its headers are longer than 16 KiB"
                             : "the request cannot be answered");
    return 0;
}
