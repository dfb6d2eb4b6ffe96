/* Access rules: the head of a request, its Host and its Origin. A web page must not read the archives of the person
 * who views it, neither from its own site nor under a name that resolves to this machine (DNS rebinding). */
#include "serving/serve.h"

#include <arpa/inet.h>
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

/* Rejects all chunked bodies, because the HTTP library also accepts "Transfer-Encoding :" as that header, which
 * proxies must not (RFC 9112, 5.1 and 6.3). */
bool serve_head_check(serve_exchange *x)
{
    const struct mg_request_info *info = mg_get_request_info(x->connection);
    unsigned lengths = 0, hosts = 0;
    bool right = true;
    for (int i = 0; i < info->num_headers && right; i++) {
        const char *name = info->http_headers[i].name, *value = info->http_headers[i].value;
        bool length = strcasecmp(name, "Content-Length") == 0;
        lengths += length;
        hosts += strcasecmp(name, "Host") == 0;
        right = is_token(name) && !has_space(name, value) && (!length || is_digits(value)) &&
                strcasecmp(name, "Transfer-Encoding") != 0;
    }
    const bool needs_host = info->http_version && strcmp(info->http_version, "1.0") != 0; /* RFC 9112, 3.2 */
    if (right && lengths <= 1 && hosts <= 1 && (hosts == 1 || !needs_host))
        return true;
    x->close = true;
    return serve_fail(&x->fault, 400,
                      "the head of the request is invalid; it needs one Host, and a body one Content-Length and no "
                      "Transfer-Encoding");
}

/* ---- names of this machine ---- */

/* Returns the host without its port and brackets. */
static stamma_text host_of(const char *text)
{
    if (*text == '[')
        return (stamma_text){text + 1, strcspn(text + 1, "]")};
    return (stamma_text){text, strcspn(text, ":/")};
}

static bool equals(stamma_text text, const char *word)
{
    return text.size == strlen(word) && strncasecmp(text.data, word, text.size) == 0;
}

/* Returns whether a host is in 127.0.0.0/8: "127.1.2.3", but not "127.example". */
static bool is_loopback(stamma_text host)
{
    char text[sizeof "127.255.255.255"] = "";
    struct in_addr address;
    if (host.size >= sizeof text)
        return false;
    memcpy(text, host.data, host.size);
    return inet_pton(AF_INET, text, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

static bool is_local(stamma_text host)
{
    static const char suffix[] = ".localhost";
    const size_t size = sizeof suffix - 1;
    return equals(host, "localhost") || is_loopback(host) || equals(host, "::1") ||
           (host.size > size && strncasecmp(host.data + host.size - size, suffix, size) == 0);
}

bool serve_host_is_local(const char *host)
{
    return is_local(*host == '[' ? host_of(host) : (stamma_text){host, strlen(host)});
}

/* Returns whether a Host names this server. If --host is not a loopback address, other machines may use any name for
 * it. */
static bool is_own_host(const serve *s, const char *host)
{
    return !serve_host_is_local(s->options.host) || is_local(host_of(host));
}

/* ---- origins ---- */

/* Returns whether the page was sent by this server: its origin is the host of the request. */
static bool is_same_origin(const char *origin, const char *host)
{
    const char *name = strstr(origin, "://");
    return name && host && strcasecmp(name + 3, host) == 0;
}

static bool is_for_lichess(serve_endpoint endpoint)
{
    return endpoint == SERVE_MASTERS || endpoint == SERVE_LICHESS || endpoint == SERVE_HISTORY ||
           endpoint == SERVE_PLAYER || endpoint == SERVE_PGN;
}

static bool may_read(const serve *s, serve_endpoint endpoint, const char *origin)
{
    const char *cors = s->options.cors;
    if (cors && (strcmp(cors, "*") == 0 || strcasecmp(cors, origin) == 0))
        return true;
    return is_for_lichess(endpoint) && strcasecmp(origin, lichess) == 0;
}

/* Returns whether the browser's address line, a program, or a page of this server sent the request. A page of another
 * site can send requests without an Origin, for example for a picture. It cannot set this header (Fetch Metadata). */
static bool is_own_request(const serve_exchange *x)
{
    const char *site = mg_get_header(x->connection, "Sec-Fetch-Site");
    return site && (strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0);
}

/* Returns whether the request starts the engine, or changes what is served. Pages of other sites may never send these,
 * also with --cors. */
static bool is_private(const serve_exchange *x, serve_endpoint endpoint)
{
    const char *method = mg_get_request_info(x->connection)->request_method;
    return endpoint == SERVE_ENGINE ||
           (endpoint == SERVE_UPLOADS && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0);
}

bool serve_access_check(serve_exchange *x, serve_endpoint endpoint)
{
    const char *host = mg_get_header(x->connection, "Host"), *origin = mg_get_header(x->connection, "Origin");
    if (host && !is_own_host(x->server, host))
        return serve_fail(&x->fault, 403, "this server does not answer to the host %.80s; see --host", host);
    const bool private = is_private(x, endpoint);
    if (private && !is_own_request(x))
        return serve_fail(
            &x->fault, 403,
            "%s the header \"Sec-Fetch-Site: same-origin\", which browsers send for pages of this server; "
            "programs may send \"none\"",
            endpoint == SERVE_ENGINE ? "the engine needs" : "uploads need");
    if (!origin || is_same_origin(origin, host))
        return true;
    if (private)
        return serve_fail(&x->fault, 403, "pages of %.80s may not use %s", origin,
                          endpoint == SERVE_ENGINE ? "the engine" : "uploads");
    if (!may_read(x->server, endpoint, origin))
        return serve_fail(&x->fault, 403, "pages of %.80s may not ask here; see --cors", origin);
    x->origin = origin;
    return true;
}
