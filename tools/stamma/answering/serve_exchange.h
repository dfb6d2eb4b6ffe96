/* SPDX-License-Identifier: MIT */
/* A request and its reply, and the searches for it. */
#ifndef STAMMA_SERVE_EXCHANGE_H
#define STAMMA_SERVE_EXCHANGE_H

#include "answering/serve_archives.h"

typedef struct serve_cache serve_cache;
typedef struct serve_players serve_players;

/* ---- data that all requests share (serve_answer.c) ---- */

/* Limits that /health reports. */
typedef struct serve_engine_limits {
    const char *program; /* path; NULL: there is no engine */
    uint64_t threads, memory, seconds;
} serve_engine_limits;

typedef struct serve_upload_limits {
    uint64_t bytes, archives; /* 0 archives: there are no uploads */
} serve_upload_limits;

typedef struct serve {
    serve_archives archives;
    stamma_executor executor;
    uint64_t seconds; /* time limit of a search; 0: none */
    uint64_t memory;  /* memory limit of all searches */
    serve_engine_limits engine;
    unsigned tablebase_men; /* largest number of pieces in a tablebase; 0: there is none */
    serve_upload_limits uploads;
    tool_persons persons;  /* never change */
    tool_buffer questions; /* saved questions as JSON; never change */
    serve_cache *cache;    /* NULL: nothing is cached */
    serve_players *players;
    atomic_bool ending;   /* all requests must end */
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t left;
    unsigned searching, searching_max, waiting, waiting_max;
    unsigned streaming;                                  /* running searches whose answer is sent as a stream */
    atomic_ullong cancelled, late, rejected, remembered; /* searches, and requests, for /metrics */
} serve;

/* Prepares answers, after the first members up to `uploads` except `archives` were set. At most `archives` archives can
 * be added. Returns false, after a message, if memory is exhausted. Call serve_close in any case. */
bool serve_open(serve *server, size_t archives);
/* Also closes the archives. */
void serve_close(serve *server);

/* ---- replies ---- */

struct serve_exchange;

/* Headers in addition to the headers of every answer; NULL: none. */
typedef struct serve_headers {
    const char *type;
    const char *disposition; /* Content-Disposition */
    const char *cache;       /* Cache-Control; NULL: no-cache */
    const char *tag;         /* ETag */
    const char *policy;      /* Content-Security-Policy */
    const char *encoding;    /* Content-Encoding */
    const char *vary;        /* Vary; NULL: Origin */
} serve_headers;

/* The reply to a request: `bytes`, or pieces that `produce` sends. */
typedef struct serve_reply {
    int status; /* HTTP status; 499: nothing can be sent, because the client is gone or has received a part */
    serve_headers headers;
    const void *bytes; /* valid until serve_exchange_close */
    size_t size;
    /* Calls serve_send_begin, and serve_send_piece for each piece. Returns false with the exchange's error; nothing was
     * sent if serve_send_begin was not called. */
    bool (*produce)(struct serve_exchange *x);
    void (*close)(void *state); /* releases the state; NULL: none */
    void *state;
} serve_reply;

/* The receiver of a reply. */
typedef struct serve_receiver {
    void *context;
    /* Sends status and headers of a reply that is sent in pieces. Returns false if the client is gone, like `piece`. */
    bool (*begin)(void *context, const serve_reply *reply);
    bool (*piece)(void *context, const void *bytes, size_t size);
    /* Returns whether the client is gone. The request then needs no answer. */
    bool (*is_gone)(void *context);
} serve_receiver;

/* ---- exchanges (serve_answer.c) ---- */

/* A request and its reply. */
typedef struct serve_exchange {
    serve *server;
    serve_receiver receiver;
    double started;
    double advanced; /* time when a search with `steady` last advanced */
    serve_request request;
    serve_form form;
    serve_fault fault;
    serve_reply reply;
    tool_buffer body;            /* of the reply */
    char header[512];            /* text of one header of the reply */
    bool head;                   /* the client requested headers only */
    bool streaming;              /* the headers are sent */
    bool gone;                   /* the client closed the connection */
    bool late;                   /* the time limit was reached */
    bool ended;                  /* the end of its search was counted */
    bool reading;                /* a game is being read: `idle` is not called. Only used by the request's thread */
    bool steady;                 /* the time limit is the time without progress; one place is left for other searches */
    bool searching;              /* it has a place among the searches */
    pthread_t thread;            /* the thread of the request; other threads search for it */
    pthread_mutex_t lock;        /* protects `gone`, `late`, `polled` and `advanced` during a search */
    double polled;               /* time when the client was last checked */
    void (*idle)(void *context); /* called by the request's thread during a search; may be NULL */
    void *idle_context;
} serve_exchange;

void serve_exchange_open(serve_exchange *x, serve *server, const serve_receiver *receiver);
void serve_exchange_close(serve_exchange *x);

/* Answers a request whose fields are in x->form: sets x->reply. */
void serve_answer(serve_exchange *x, serve_endpoint endpoint, const char *operand);
/* Reads the fields of an endpoint, and calls `answer`, which sets the reply. If `answer` returns false, the exchange's
 * error becomes the reply. */
void serve_answer_with(serve_exchange *x, serve_endpoint endpoint, const char *operand,
                       bool (*answer)(serve_exchange *x));
/* Sends the pieces of x->reply, which has `produce`. Returns whether all were sent. Otherwise x->reply is an error. */
bool serve_produce(serve_exchange *x);

/* Sets a complete reply. Returns true. */
bool serve_reply_bytes(serve_exchange *x, int status, const serve_headers *headers, const void *bytes, size_t size);
/* Sets the exchange's body as the reply. Returns false with an error if memory is exhausted. */
bool serve_reply_body(serve_exchange *x, const serve_headers *headers);
bool serve_reply_json(serve_exchange *x);
/* Sets the exchange's error as the reply. */
void serve_reply_fault(serve_exchange *x);
/* Sets a reply in pieces. `state` is x->reply.state while they are produced. Returns true. */
bool serve_reply_pieces(serve_exchange *x, const serve_headers *headers, bool (*produce)(serve_exchange *x),
                        void (*close)(void *state), void *state);
extern const serve_headers serve_json_headers, serve_lines_headers;

/* For producers: sends status and headers. Returns false if the client is gone. */
bool serve_send_begin(serve_exchange *x);
bool serve_send_piece(serve_exchange *x, const void *bytes, size_t size);

/* ---- searches (serve_search.c) ---- */

/* Returns whether the client closed the connection. */
bool serve_client_gone(serve_exchange *x);

/* Stores the cached answer in the exchange's body. If there is none, calls `make`, which writes the answer into the
 * body or returns false with an error, and caches it. */
bool serve_search_cached(serve_exchange *x, const serve_archive_list *archives, bool (*make)(void *context),
                         void *context);

/* Waits for a place among the searches that run at once. Returns false with an error. serve_exchange_close releases it.
 */
bool serve_search_enter(serve_exchange *x);
void serve_search_leave(serve_exchange *x);
/* Returns the options of a search: threads, memory, time, and callbacks that end it when the client is gone. */
stamma_search_options serve_search_options(serve_exchange *x);
/* Returns whether a search for an exchange, the context, must stop. Called by all threads that search for it. */
bool serve_search_stops(void *exchange);
/* Returns whether there is time left and the client is connected. */
bool serve_search_continues(serve_exchange *x);
/* Returns whether a game may be read further: like serve_search_advances, but without a time limit once an answer
 * of several pieces has begun, and without `idle`, which may write to the answer. */
bool serve_search_reads(serve_exchange *x);
/* Returns the same as serve_search_continues. If it returns false, it sets the exchange's error. */
bool serve_search_in_time(serve_exchange *exchange);
/* Returns the same as serve_search_continues, for a search that has advanced. */
bool serve_search_advances(serve_exchange *x);
/* Returns whether a search of an archive succeeded. Otherwise sets the exchange's error. */
bool serve_search_end(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place);
/* Reports why an archive could not be searched. */
bool serve_search_fail(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place);

/* The step after a match: search for the next match, end all searches, or end with an error. */
typedef enum serve_step { SERVE_NEXT, SERVE_ENOUGH, SERVE_FAILED } serve_step;
/* Called for a match in the archive with this index. */
typedef serve_step serve_take(void *context, size_t archive, const stamma_match *match);
/* Searches archives for the request's query. Returns false with an error. */
bool serve_search_matches(serve_exchange *x, const serve_archive_list *archives, serve_take *take, void *context);
/* Searches of archives, one after another, for an answer that adds up. Set `archives`. */
typedef struct serve_scan {
    const serve_archive_list *archives;
    size_t next;
    const serve_archive *archive; /* to be searched now, with these options; set `error` and `place` */
    stamma_search_options options;
    stamma_error error;
    stamma_place place;
    bool failed; /* the exchange has an error */
} serve_scan;

/* Checks the search of an archive, and begins the search of the next archive. Returns false after the last archive, or
 * if a search failed. */
bool serve_scan_next(serve_exchange *x, serve_scan *scan);
/* Reads a game during a search, like serve_archive_read. Skips a game that serve_skip_damaged allows to skip. Returns
 * false with an error, also if the search must end. */
bool serve_search_read(serve_exchange *x, serve_archive *archive, uint64_t game, unsigned parts,
                       bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* Waits for a condition, at most some seconds. Call with the lock held. */
void serve_pause(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds);

#endif
