/* SPDX-License-Identifier: MIT */
/* The HTTP server: its options and state, connections, and requests that the HTTP library reads. */
#ifndef STAMMA_SERVE_SERVER_H
#define STAMMA_SERVE_SERVER_H

#include "answering/serve_answers.h"
#include "serving/serve_files.h"
#include "threads/worker_threads.h"

struct mg_connection;
struct mg_context;

/* ---- the server (command_serve.c) ---- */

typedef struct serve_options {
    const char *host;
    const char *cors; /* the origin whose pages may read everything; "*": any; NULL: none */
    uint64_t port, threads, seconds, connections, memory;
    bool index;            /* write index files */
    bool open;             /* show the page in a browser */
    const char *persons;   /* file of persons; NULL: those next to the archives */
    const char *uploads;   /* folder for uploaded archives; NULL: none */
    uint64_t upload_limit; /* bytes of a file, and of all uploaded archives */
    const char *engine;    /* program; NULL: none */
    uint64_t engine_threads, engine_memory, engine_seconds;
    const char *syzygy; /* folders of tablebases; NULL: none */
} serve_options;

enum { SERVE_STATUSES = 21, SERVE_BUCKETS = 12 };

/* Counters of /metrics for one endpoint. */
typedef struct serve_metric {
    atomic_ullong statuses[SERVE_STATUSES];
    atomic_ullong buckets[SERVE_BUCKETS]; /* by duration, not cumulative */
    atomic_ullong microseconds;
} serve_metric;

typedef struct serve_client {
    char address[48];
    unsigned requests; /* being answered; 0: free entry */
} serve_client;

/* An open connection. */
typedef struct serve_connection {
    int socket;
    char address[48]; /* address of the peer */
    int port;
    double since; /* time when it was first seen, or when its last request began or ended */
    bool busy;    /* a request is being answered */
    bool ended;   /* no further request is read from it */
    bool seen;    /* found open in the last update */
} serve_connection;

typedef struct serve_server {
    serve answers; /* data that all requests share */
    serve_options options;
    serve_files files;
    worker_threads *team;
    pthread_mutex_t lock; /* protects `clients` */
    unsigned client_max;
    serve_client *clients;
    pthread_mutex_t sockets_lock;  /* protects the following members, and closing a connection */
    serve_connection *connections; /* including connections that wait for a place */
    size_t connection_count, connection_room;
    size_t taken; /* connections that threads of the HTTP library have */
    serve_metric metrics[SERVE_ENDPOINTS];
    struct serve_engine *engine;       /* NULL: none */
    struct serve_uploads *uploads;     /* NULL: none */
    struct serve_tablebase *tablebase; /* NULL: none */
    atomic_uint running;               /* requests that are being answered */
} serve_server;

/* A request that the HTTP library has read, and its reply. */
typedef struct serve_http {
    serve_exchange x; /* its receiver's context is this structure */
    serve_server *server;
    struct mg_connection *connection;
    const char *origin; /* origin of another site's page that may read the answer; NULL: none */
    int status;         /* status sent */
    int socket;         /* socket of the connection; -1: unknown */
    bool close;         /* close the connection after the answer */
} serve_http;

static inline serve_http *serve_http_of(const serve_exchange *x)
{
    return x->receiver.context;
}

/* ---- the browser (serve_browser.c) ---- */

/* Shows an address in the user's browser; reports a failure. *process: the program that opens the browser. */
void serve_browser_open(const char *address, system_process *process);
/* Reports if that program has failed. Must be called until it has ended. */
void serve_browser_wait(system_process *process, const char *address);

/* ---- requests (serve_http.c, serve_access.c, serve_host.c) ---- */

/* Handles a request. Returns the HTTP status. */
int serve_handle(struct mg_connection *connection);
int serve_handle_error(struct mg_connection *connection, int status, const char *message);

/* Checks the head of a request before its body is read. Returns false with an error; the connection must be closed. */
bool serve_head_check(const struct mg_connection *connection, serve_fault *fault);
/* The host and the port in a Host or an Origin (serve_host.c). */
typedef struct serve_host {
    stamma_text name; /* an IPv6 address without its brackets */
    uint32_t port;    /* 0: none */
    bool is_six;      /* the name is an IPv6 address */
} serve_host;
/* Reads the complete value of a Host. Returns false if it is not valid. The name refers to the text. */
bool serve_host_read(const char *text, serve_host *host);
/* Returns whether a host is this machine: localhost, a name below .localhost, or a loopback address. */
bool serve_host_is_local(const serve_host *host);
/* Returns whether --host is a loopback address, which only this machine can reach. */
bool serve_address_is_local(const char *address);
/* Returns whether an Origin is valid and is the site of a host: a page of this server sent the request. */
bool serve_origin_is_host(const char *origin, const serve_host *host);

/* Checks that the Host is this machine and that the Origin is allowed. Sets h->origin. Returns false with an error. */
bool serve_access_check(serve_http *h, serve_endpoint endpoint);

/* ---- connections and threads (serve_connections.c, serve_lanes.c) ---- */

/* Callbacks of the HTTP library (serve_connections.c): a thread has accepted a connection; a socket is about to be
 * closed; a socket was closed. */
int serve_connection_open(const struct mg_connection *connection, void **data);
void serve_connection_close(const struct mg_connection *connection);
void serve_connection_closed(const struct mg_connection *connection);
/* Sets whether a request of the connection is being answered. */
void serve_connection_set_busy(serve_server *s, const struct mg_connection *connection, bool busy);
/* Ends the connection that has been idle longest if no thread is free. Must be called many times a second. */
void serve_connections_tidy(serve_server *s);
/* Returns the socket of a connection whose request is being answered; -1: unknown, or ended. */
int serve_connection_socket(serve_server *s, const struct mg_connection *connection);

/* Callbacks of the HTTP library (serve_lanes.c): when its threads start, for a request, and when its threads end. */
void *serve_lane_open(const struct mg_context *context, int type);
int serve_lane_handle(struct mg_connection *connection);
void serve_lane_close(const struct mg_context *context, int type, void *opened);

/* ---- endpoints of the server, in addition to answering/serve_answers.h ---- */

bool serve_metrics(serve_exchange *x); /* serve_metrics.c */
bool serve_upload(serve_exchange *x);  /* serve_upload.c */
bool serve_analyse(serve_exchange *x); /* serve_engine.c */
bool serve_probe(serve_exchange *x);   /* serve_tablebase.c */
bool serve_page(serve_exchange *x);    /* serve_page.c */

/* Counts an answered request (serve_metrics.c). */
void serve_count(serve_server *server, serve_endpoint endpoint, int status, double seconds);

#endif
