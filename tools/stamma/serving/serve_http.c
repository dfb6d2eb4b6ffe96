/* SPDX-License-Identifier: MIT */
/* Connects the HTTP library with the answers: reads requests, sends replies, and enforces limits. */
#include "serving/server.h"

#include <civetweb.h>
#include <strings.h>
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
    if (!system_utc(now, &t))
        return;
    (void)snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[t.tm_wday], t.tm_mday,
                   months[t.tm_mon], t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
    add_header(c, "Date", text);
}

static void send_headers(serve_http *h, int status, const serve_headers *headers)
{
    struct mg_connection *c = h->connection;
    h->status = status;
    if (h->close)
        mg_disable_connection_keep_alive(c);
    (void)mg_response_header_start(c, status);
    add_date(c);
    add_header(c, "Content-Type", headers->type);
    add_header(c, "Content-Disposition", headers->disposition);
    add_header(c, "Content-Security-Policy", headers->policy);
    add_header(c, "ETag", headers->tag);
    add_header(c, "Cache-Control", headers->cache ? headers->cache : "no-cache");
    add_header(c, "Access-Control-Allow-Origin", h->origin);
    add_header(c, "Content-Encoding", headers->encoding);
    add_header(c, "Vary", headers->vary ? headers->vary : "Origin");
    add_header(c, "X-Content-Type-Options", "nosniff");
    add_header(c, "Referrer-Policy", "no-referrer");
    if (status == 503 || status == 429)
        add_header(c, "Retry-After", "1");
    if (status == 405)
        add_header(c, "Allow", "GET, HEAD, POST, OPTIONS");
}

static void send_bytes(serve_http *h, const serve_reply *r)
{
    send_headers(h, r->status, &r->headers);
    if (r->status != 304 && r->status != 204)
        add_size(h->connection, r->size);
    (void)mg_response_header_send(h->connection);
    if (!h->x.head && r->size > 0 && r->status != 304)
        (void)mg_write(h->connection, r->bytes, r->size);
}

/* ---- replies in pieces ---- */

/* Returns whether the client supports chunks. An answer to HTTP/1.0 ends with the connection. */
static bool knows_chunks(const serve_http *h)
{
    const char *version = mg_get_request_info(h->connection)->http_version;
    return version && strcmp(version, "1.1") == 0;
}

static bool begin_pieces(void *context, const serve_reply *r)
{
    serve_http *h = context;
    h->close |= !knows_chunks(h);
    send_headers(h, r->status, &r->headers);
    if (knows_chunks(h))
        add_header(h->connection, "Transfer-Encoding", "chunked");
    return mg_response_header_send(h->connection) >= 0;
}

static bool send_piece(void *context, const void *bytes, size_t size)
{
    serve_http *h = context;
    const int sent =
        knows_chunks(h) ? mg_send_chunk(h->connection, bytes, (unsigned)size) : mg_write(h->connection, bytes, size);
    return sent > 0;
}

static void end_pieces(serve_http *h)
{
    if (!h->x.head && !h->x.gone && knows_chunks(h))
        (void)mg_send_chunk(h->connection, "", 0);
}

/* Sends the reply. If the client is gone or has received a part of the answer, the connection is closed, which shows
 * that the answer is incomplete. */
static void send_reply(serve_http *h)
{
    serve_exchange *x = &h->x;
    if (x->reply.produce && serve_produce(x)) {
        end_pieces(h);
    } else if (x->reply.status == 499) {
        mg_disable_connection_keep_alive(h->connection);
        h->status = x->streaming && x->fault.status != 499 ? h->status : 499;
    } else {
        send_bytes(h, &x->reply);
    }
}

static void send_fault(serve_http *h)
{
    serve_reply_fault(&h->x);
    send_reply(h);
}

/* ---- the client ---- */

/* Returns whether the client closed the connection or its sending direction. A client that has sent more data is
 * connected. */
static bool is_gone(void *context)
{
    serve_http *h = context;
    if (h->socket < 0)
        h->socket = serve_connection_socket(h->server, h->connection);
    return h->socket >= 0 && system_socket_is_ended(h->socket);
}

/* Counts a request of the client. Returns false if the client has too many. */
static bool client_enter(serve_server *s, const char *address, serve_client **found)
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

static void client_leave(serve_server *s, serve_client *c)
{
    if (!c)
        return;
    (void)pthread_mutex_lock(&s->lock);
    c->requests--;
    (void)pthread_mutex_unlock(&s->lock);
}

/* ---- requests ---- */

static bool read_body(serve_http *h)
{
    serve_fault *fault = &h->x.fault;
    char *body = malloc(BODY_MAX + 1);
    size_t size = 0;
    int count = 0;
    if (!body)
        return serve_fail_memory(fault);
    do {
        count = mg_read(h->connection, body + size, BODY_MAX + 1 - size);
        size += count > 0 ? (size_t)count : 0;
    } while (count > 0 && size <= BODY_MAX);
    h->close |= count < 0 || size > BODY_MAX;
    const char *type = mg_get_header(h->connection, "Content-Type");
    bool right = size > BODY_MAX ? serve_fail(fault, 413, "the body is longer than %d bytes", BODY_MAX)
                 : count < 0     ? serve_fail(fault, 400, "the body is cut short")
                                 : serve_form_add_body(&h->x.form, type, body, size, fault);
    free(body);
    return right;
}

/* Reads the fields of the URL and of the body, except the body of an upload. */
static bool read_fields(serve_http *h, const struct mg_request_info *info, serve_endpoint endpoint)
{
    serve_exchange *x = &h->x;
    const char *query = info->query_string ? info->query_string : "";
    if (strlen(query) > QUERY_MAX)
        return serve_fail(&x->fault, 414, "the address is longer than %d bytes", QUERY_MAX);
    if (!serve_form_add(&x->form, query, strlen(query), &x->fault))
        return false;
    return strcmp(info->request_method, "POST") != 0 || endpoint == SERVE_UPLOADS || read_body(h);
}

/* Sets the reply. The page has no fields. */
static void answer(serve_http *h, const struct mg_request_info *info, serve_endpoint endpoint, const char *operand)
{
    static bool (*const own[SERVE_ENDPOINTS])(serve_exchange *) = {[SERVE_METRICS] = serve_metrics,
                                                                   [SERVE_ENGINE] = serve_analyse,
                                                                   [SERVE_UPLOADS] = serve_upload,
                                                                   [SERVE_TABLEBASE] = serve_probe,
                                                                   [SERVE_PAGE] = serve_page};
    serve_exchange *x = &h->x;
    if (endpoint != SERVE_PAGE && !read_fields(h, info, endpoint))
        serve_reply_fault(x);
    else if (own[endpoint])
        serve_answer_with(x, endpoint, operand, own[endpoint]);
    else
        serve_answer(x, endpoint, operand);
}

/* Answers the request that a browser sends before a request from another site's page. */
static void answer_options(serve_http *h)
{
    struct mg_connection *c = h->connection;
    send_headers(h, 204, &(serve_headers){.type = NULL});
    add_header(c, "Allow", "GET, HEAD, POST, OPTIONS");
    add_header(c, "Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS");
    add_header(c, "Access-Control-Allow-Headers", "*, Authorization, Content-Type");
    add_header(c, "Access-Control-Max-Age", "86400");
    if (h->origin && mg_get_header(c, "Access-Control-Request-Private-Network"))
        add_header(c, "Access-Control-Allow-Private-Network", "true");
    (void)mg_response_header_send(c);
}

static void work(serve_http *h, const struct mg_request_info *info, serve_endpoint *endpoint)
{
    const char *path = info->local_uri ? info->local_uri : "/", *operand, *method = info->request_method;
    serve_exchange *x = &h->x;
    *endpoint = serve_route(path, &operand);
    x->head = strcmp(method, "HEAD") == 0;
    bool post = strcmp(method, "POST") == 0;
    h->close = !serve_head_check(h->connection, &x->fault);
    if (h->close || !serve_access_check(h, *endpoint)) {
        send_fault(h);
        return;
    }
    if (strcmp(method, "OPTIONS") == 0) {
        answer_options(h);
        return;
    }
    bool right =
        x->head || post || strcmp(method, "GET") == 0 || (*endpoint == SERVE_UPLOADS && strcmp(method, "DELETE") == 0);
    if (!right || (post && *endpoint == SERVE_PAGE)) {
        (void)serve_fail(&x->fault, 405, "%s is not allowed here", right ? method : "this method");
        serve_reply_fault(x);
    } else {
        answer(h, info, *endpoint, operand);
    }
    send_reply(h);
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

/* Bytes. The library adds the size of the headers to the size of a body that was not read, without a check for
 * overflow, unless the connection is closed. */
#define BODY_MAX (1LL << 50)

int serve_handle(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    serve_server *s = info->user_data;
    if (is_websocket(connection)) {
        send_plain(connection, 400, "there are no websockets here");
        return 400;
    }
    if (info->content_length > BODY_MAX) {
        send_plain(connection, 413, "the body is too large");
        return 413;
    }
    serve_http h = {.server = s, .connection = connection, .socket = -1};
    serve_exchange_open(&h.x, &s->answers, &(serve_receiver){&h, begin_pieces, send_piece, is_gone});
    serve_endpoint endpoint = SERVE_PAGE;
    serve_client *client;
    serve_connection_set_busy(s, connection, true);
    atomic_fetch_add(&s->running, 1);
    if (client_enter(s, info->remote_addr, &client)) {
        work(&h, info, &endpoint);
    } else {
        h.close = true; /* the head was not checked, so the next request may be a part of this one */
        (void)serve_fail(&h.x.fault, 429, "more than %u requests at once from one address", s->client_max);
        send_fault(&h);
        atomic_fetch_add(&s->answers.rejected, 1);
    }
    client_leave(s, client);
    atomic_fetch_sub(&s->running, 1);
    serve_connection_set_busy(s, connection, false);
    const double seconds = tool_clock() - h.x.started;
    serve_exchange_close(&h.x);
    serve_count(s, endpoint, h.status, seconds);
    return h.status;
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
