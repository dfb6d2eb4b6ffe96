/* SPDX-License-Identifier: MIT */
/* Access rules: the head of a request, its Host and its Origin. A web page must not read the archives of the person
 * who views it, neither from its own site nor under a name that resolves to this machine (DNS rebinding). */
#include "serving/server.h"

#include <civetweb.h>
#include <strings.h>

/* The site whose analysis board uses the documented endpoints. */
static const char lichess[] = "https://lichess.org";

/* ---- the head of a request ---- */

/* Returns whether a field name is a token (RFC 9110, 5.6.2). */
static bool is_token(const char *name)
{
    size_t size = strspn(name, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    return size > 0 && !name[size];
}

/* Returns whether a field name is followed by a space. The HTTP library ends a name at its first space, and replaces
 * that space and the colon by zeros. The value of "Name:" follows the zero of the colon; a second zero shows that the
 * name had a space (RFC 9112, 5.1). */
static bool has_space(const char *name, const char *value)
{
    const char *next = name + strlen(name) + 1;
    return value > next && !*next;
}

static bool is_digits(const char *value)
{
    return *value && !value[strspn(value, "0123456789")];
}

/* Returns whether the empty line follows the last header that the HTTP library read. The library stops at its greatest
 * number of headers and at a line without a name, such as a folded line (RFC 9112, 5.2), and ignores the rest of the
 * head. It replaces line ends by zeros: two zeros if a line ends with CR LF. After the first line it also replaces the
 * empty line. */
static bool is_complete(const struct mg_request_info *info)
{
    const char *end = info->num_headers > 0 ? info->http_headers[info->num_headers - 1].value : info->http_version;
    if (!end)
        return false;
    end += strlen(end);
    if (info->num_headers == 0)
        return end[1] == 0 && end[2] == 0 && end[3] == 0;
    return end[1] == 0 && end[2] == '\r' && (end[3] == 0 || end[3] == '\n');
}

/* Returns whether all lines before the last one end with CR LF, without other space between lines. */
static bool are_lines_joined(const struct mg_request_info *info)
{
    const char *before = info->http_version;
    for (int i = 0; i < info->num_headers; i++) {
        const char *end = before + strlen(before);
        if (end + 2 != info->http_headers[i].name)
            return false;
        before = info->http_headers[i].value;
    }
    return true;
}

/* Returns whether one space separates the words of the first line (RFC 9112, 3). The library also accepts several, and
 * line ends, and replaces each by a zero. Its version begins after "HTTP/". It also replaces the question mark of an
 * address by a zero, which is before the space if the query is empty. */
static bool are_words_joined(const struct mg_request_info *info)
{
    if (!info->request_uri || !info->http_version)
        return false;
    const bool empty_query = info->query_string == info->http_version - 6;
    return info->request_uri[-2] && (empty_query || info->http_version[-7]);
}

/* Returns false if a header that may occur only once is repeated. A proxy in front of this server could use the other
 * value. */
static bool is_single(const struct mg_request_info *info, int header)
{
    static const char *const single[] = {"Host", "Origin", "Content-Length", "Content-Type", "Sec-Fetch-Site"};
    const char *name = info->http_headers[header].name;
    bool listed = false;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        listed |= strcasecmp(name, single[i]) == 0;
    for (int i = 0; i < header && listed; i++)
        if (strcasecmp(name, info->http_headers[i].name) == 0)
            return false;
    return true;
}

/* Rejects all chunked bodies, because the HTTP library also accepts "Transfer-Encoding :" as that header, which
 * proxies must not (RFC 9112, 5.1 and 6.3). */
static bool is_valid_header(const struct mg_request_info *info, int header)
{
    const char *name = info->http_headers[header].name, *value = info->http_headers[header].value;
    return is_token(name) && !has_space(name, value) && is_single(info, header) &&
           (strcasecmp(name, "Content-Length") != 0 || is_digits(value)) && strcasecmp(name, "Transfer-Encoding") != 0;
}

/* Returns whether the host is valid. HTTP/1.1 needs one (RFC 9112, 3.2). */
static bool is_valid_host(const struct mg_connection *c, const struct mg_request_info *info)
{
    const char *host = mg_get_header(c, "Host");
    serve_host read;
    return host ? serve_host_read(host, &read) : info->http_version && strcmp(info->http_version, "1.0") == 0;
}

bool serve_head_check(const struct mg_connection *c, serve_fault *fault)
{
    const struct mg_request_info *info = mg_get_request_info(c);
    const bool complete = is_complete(info);
    /* The address of a proxy's request contains another host. */
    bool right = complete && are_words_joined(info) && are_lines_joined(info) && strchr("/*", info->request_uri[0]) &&
                 is_valid_host(c, info);
    for (int i = 0; i < info->num_headers && right; i++)
        right = is_valid_header(info, i);
    if (right)
        return true;
    if (!complete && info->num_headers == MG_MAX_HEADERS)
        return serve_fail(fault, 431, "the head of the request has more than %d lines", MG_MAX_HEADERS);
    return serve_fail(fault, 400,
                      "the head of the request is invalid; it needs one Host, and a body one Content-Length and no "
                      "Transfer-Encoding");
}

/* ---- hosts and origins ---- */

/* Returns whether a Host names this server. If --host is not a loopback address, other machines may use any name for
 * it. */
static bool is_own_host(const serve_server *s, const serve_host *host)
{
    return !serve_address_is_local(s->options.host) || serve_host_is_local(host);
}

static bool is_for_lichess(serve_endpoint endpoint)
{
    return endpoint == SERVE_MASTERS || endpoint == SERVE_LICHESS || endpoint == SERVE_HISTORY ||
           endpoint == SERVE_PLAYER || endpoint == SERVE_PGN;
}

static bool may_read(const serve_server *s, serve_endpoint endpoint, const char *origin)
{
    const char *cors = s->options.cors;
    if (cors && (strcmp(cors, "*") == 0 || strcasecmp(cors, origin) == 0))
        return true;
    return is_for_lichess(endpoint) && strcasecmp(origin, lichess) == 0;
}

/* Returns whether the browser's address line, a program, or a page of this server sent the request. A page of another
 * site can send requests without an Origin, for example for a picture. It cannot set this header (Fetch Metadata). */
static bool is_own_request(const serve_http *h)
{
    const char *site = mg_get_header(h->connection, "Sec-Fetch-Site");
    return site && (strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

/* Returns whether the request starts the engine, or changes the served archives. Pages of other sites may never send
 * these requests, not even with --cors. */
static bool is_private(const serve_http *h, serve_endpoint endpoint)
{
    const char *method = mg_get_request_info(h->connection)->request_method;
    return endpoint == SERVE_ENGINE ||
           (endpoint == SERVE_UPLOADS && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0);
}

bool serve_access_check(serve_http *h, serve_endpoint endpoint)
{
    const char *host = mg_get_header(h->connection, "Host"), *origin = mg_get_header(h->connection, "Origin");
    serve_fault *fault = &h->x.fault;
    serve_host read;
    if (host && (!serve_host_read(host, &read) || !is_own_host(h->server, &read)))
        return serve_fail(fault, 403, "this server does not answer to the host %.80s; see --host", host);
    const bool private = is_private(h, endpoint);
    if (private && !is_own_request(h))
        return serve_fail(
            fault, 403,
            "%s the header \"Sec-Fetch-Site: same-origin\", which browsers send for pages of this server; "
            "programs may send \"none\"",
            endpoint == SERVE_ENGINE ? "the engine needs" : "uploads need");
    if (!origin || (host && serve_origin_is_host(origin, &read)))
        return true;
    if (private)
        return serve_fail(fault, 403, "pages of %.80s may not use %s", origin,
                          endpoint == SERVE_ENGINE ? "the engine" : "uploads");
    if (!may_read(h->server, endpoint, origin))
        return serve_fail(fault, 403, "pages of %.80s may not ask here; see --cors", origin);
    h->origin = origin;
    return true;
}
