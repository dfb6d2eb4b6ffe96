/* SPDX-License-Identifier: MIT */
/* The open connections. If each thread of the HTTP library has a connection, the one that has been idle longest is
 * ended, so that silent connections cannot keep others from being answered. Each client first gets some time to send
 * its request. The library has one thread more than there are places. It does not reveal its sockets, which are
 * therefore found among the open files. The library's queue is kept short (command_serve.c), because the kernel keeps
 * the order of waiting connections, but file descriptors are used again.
 *
 * The lock is held while the library closes a socket. A socket that is found under the lock therefore stays the same
 * connection until the lock is released. */
#include "serving/server.h"

#include <civetweb.h>

enum {
    FILES_MAX = 4096, /* file descriptors that may be a connection */
    GAP_MAX = 128,    /* number of unused descriptors after which the search ends */
    MOMENT = 200      /* milliseconds that a connection may always be idle */
};

/* ---- the list; call with the lock held ---- */

static serve_connection *find(serve_server *s, int fd)
{
    for (size_t i = 0; i < s->connection_count; i++)
        if (s->connections[i].socket == fd)
            return &s->connections[i];
    return NULL;
}

/* Adds an open connection, or keeps it. */
static void note(serve_server *s, int fd, const system_peer *peer)
{
    serve_connection *c = find(s, fd);
    if (c && c->port == peer->port && strcmp(c->address, peer->address) == 0) {
        c->seen = true;
        return;
    }
    if (c)
        c->socket = -1;
    if (s->connection_count == s->connection_room)
        return;
    c = &s->connections[s->connection_count++];
    *c = (serve_connection){.socket = fd, .port = peer->port, .since = tool_clock(), .seen = true};
    (void)snprintf(c->address, sizeof c->address, "%s", peer->address);
}

/* Updates the list: connections in the order in which they were accepted. */
static void list(serve_server *s)
{
    system_peer peer;
    bool open;
    size_t kept = 0;
    for (size_t i = 0; i < s->connection_count; i++)
        s->connections[i].seen = false;
    for (int fd = SYSTEM_ERRORS + 1, gap = 0; fd < FILES_MAX && gap < GAP_MAX; fd++) {
        if (system_socket_peer(fd, &peer, &open))
            note(s, fd, &peer);
        gap = open ? 0 : gap + 1;
    }
    for (size_t i = 0; i < s->connection_count; i++)
        if (s->connections[i].seen)
            s->connections[kept++] = s->connections[i];
    s->connection_count = kept;
}

/* Returns the connection that has been idle longest, among the connections that threads of the library have. The
 * library accepts connections in the order of the list. */
static serve_connection *longest_idle(serve_server *s)
{
    serve_connection *longest = NULL;
    for (size_t i = 0; i < s->connection_count && i < s->taken; i++) {
        serve_connection *c = &s->connections[i];
        if (!c->busy && !c->ended && (!longest || c->since < longest->since))
            longest = c;
    }
    return longest;
}

/* Shuts down the direction of the requests only. The library's wait for a request then ends, and it closes the
 * connection. A request that has arrived is still answered. */
static void end_connection(serve_connection *c)
{
    system_socket_end_requests(c->socket);
    c->ended = true;
}

/* Ends connections until their number is at most the number of places. */
static void end_some(serve_server *s)
{
    size_t ending = 0;
    for (size_t i = 0; i < s->connection_count; i++)
        ending += s->connections[i].ended && !s->connections[i].busy;
    for (; s->taken > s->options.connections + ending; ending++) {
        serve_connection *c = longest_idle(s);
        if (!c || tool_clock() - c->since < MOMENT / 1000.0)
            return;
        end_connection(c);
    }
}

/* ---- functions called by others ---- */

/* Returns the entry of a connection, found by its peer, or NULL. */
static serve_connection *find_listed(serve_server *s, const struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    for (size_t i = 0; info && i < s->connection_count; i++)
        if (s->connections[i].port == info->remote_port && strcmp(s->connections[i].address, info->remote_addr) == 0)
            return &s->connections[i];
    return NULL;
}

int serve_connection_open(const struct mg_connection *connection, void **data)
{
    serve_server *s = mg_get_user_data(mg_get_context(connection));
    (void)data;
    (void)pthread_mutex_lock(&s->sockets_lock);
    s->taken++;
    list(s);
    end_some(s);
    (void)pthread_mutex_unlock(&s->sockets_lock);
    return 0;
}

void serve_connection_close(const struct mg_connection *connection)
{
    serve_server *s = mg_get_user_data(mg_get_context(connection));
    (void)pthread_mutex_lock(&s->sockets_lock);
}

void serve_connection_closed(const struct mg_connection *connection)
{
    serve_server *s = mg_get_user_data(mg_get_context(connection));
    s->taken--;
    (void)pthread_mutex_unlock(&s->sockets_lock);
}

void serve_connection_set_busy(serve_server *s, const struct mg_connection *connection, bool busy)
{
    (void)pthread_mutex_lock(&s->sockets_lock);
    serve_connection *c = find_listed(s, connection);
    if (c) {
        c->busy = busy;
        c->since = tool_clock();
    }
    (void)pthread_mutex_unlock(&s->sockets_lock);
}

void serve_connections_tidy(serve_server *s)
{
    (void)pthread_mutex_lock(&s->sockets_lock);
    if (s->taken > s->options.connections) {
        list(s);
        end_some(s);
    }
    (void)pthread_mutex_unlock(&s->sockets_lock);
}

int serve_connection_socket(serve_server *s, const struct mg_connection *connection)
{
    (void)pthread_mutex_lock(&s->sockets_lock);
    const serve_connection *c = find_listed(s, connection);
    int socket = c && !c->ended ? c->socket : -1;
    (void)pthread_mutex_unlock(&s->sockets_lock);
    return socket;
}
