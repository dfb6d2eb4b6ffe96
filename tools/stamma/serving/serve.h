/* What the files of `stamma serve` share: the archives, what a request asks for, and what becomes of it. */
#ifndef STAMMA_SERVE_H
#define STAMMA_SERVE_H

#include "shared/tool.h"

#include <pthread.h>
#include <stdatomic.h>

struct mg_connection;
struct mg_context;

/* ---- the page (build/web_files.c, which scripts/embed_web makes) ---- */

typedef struct serve_file {
    const char *path; /* "/index.html"; NULL behind the last */
    const char *type;
    const char *tag; /* its ETag, in quotes */
    const unsigned char *bytes;
    size_t size;
} serve_file;

extern const serve_file serve_files[];
/* Files of packages that were not there when the page was built, with blanks between them. */
extern const char *const serve_files_missing;

/* ---- text that grows (serve_buffer.c) ---- */

typedef struct serve_buffer {
    char *bytes;
    size_t size, room;
    bool failed; /* there was no memory, and something is missing */
} serve_buffer;

bool serve_buffer_add(serve_buffer *buffer, const void *bytes, size_t size);
void serve_buffer_free(serve_buffer *buffer);
/* For tool_put_to: what is put goes behind what the buffer, which must stay where it is, has. */
stamma_output serve_buffer_output(serve_buffer *buffer);

/* ---- the fields of a URL or a form (serve_form.c) ---- */

enum { SERVE_FIELDS = 64 };

typedef struct serve_field {
    const char *name, *value; /* without the escapes of URLs */
} serve_field;

typedef struct serve_form {
    serve_field fields[SERVE_FIELDS];
    size_t count;
    char *memory[2]; /* of the URL and of the body */
    size_t texts;
} serve_form;

/* Why a request cannot be answered; status 0: it can. */
typedef struct serve_fault {
    int status; /* of HTTP */
    char message[320];
} serve_fault;

/* Sets it, and returns false. */
bool serve_fail(serve_fault *fault, int status, const char *format, ...);

/* Adds the fields of "a=1&b=x+y%20z"; those without a value are passed over. At most twice. False with a fault: too
 * many fields, an escape that is none, a NUL. */
bool serve_form_add(serve_form *form, const char *text, size_t size, serve_fault *fault);
/* Adds a field whose value is a text as it is, unless it is empty; at most one, in place of a second serve_form_add. */
bool serve_form_add_value(serve_form *form, const char *name, const char *text, size_t size, serve_fault *fault);
/* The value of the last field of that name; NULL where there is none. */
const char *serve_form_value(const serve_form *form, const char *name);
void serve_form_free(serve_form *form);

/* ---- what is asked for (serve_request.c) ---- */

typedef enum serve_endpoint {
    SERVE_MASTERS,
    SERVE_LICHESS,
    SERVE_HISTORY,
    SERVE_PLAYER,
    SERVE_FIND,
    SERVE_STATS,
    SERVE_GAME,
    SERVE_PGN,
    SERVE_ARCHIVES,
    SERVE_HEALTH,
    SERVE_METRICS,
    SERVE_PAGE,
    SERVE_ENDPOINTS
} serve_endpoint;

typedef enum serve_format { SERVE_JSON, SERVE_PGN_TEXT, SERVE_CSV } serve_format;

enum {
    SERVE_ALL = -1,            /* archives */
    SERVE_ARCHIVES_MAX = 2000, /* so that no id is a number: see serve_id_write */
    SERVE_PLIES_MAX = 1000,
    SERVE_GAMES_MAX = 10000, /* of a page of /find as PGN or CSV */
    SERVE_ID_SIZE = 9
};

typedef struct serve_request {
    serve_endpoint endpoint;
    const serve_form *form; /* which must stay */
    const char *operand;    /* what the path says behind the endpoint: a game */
    stamma_position position;
    bool positioned;       /* it was asked for, and is not the initial position by default */
    stamma_position start; /* what was played to reach it */
    stamma_move played[SERVE_PLIES_MAX];
    size_t plies;
    bool nowhere; /* in a variant that archives have no typed games of */
    long archive; /* from 0; SERVE_ALL */
    size_t moves, top_games, recent_games;
    bool history, bits, count;
    int color; /* -1: none */
    uint64_t offset, limit, rows, game;
    serve_format format;
    serve_buffer filters; /* all of them as JSON */
    stamma_query *query;  /* that; NULL: all games */
} serve_request;

/* Reads the fields that the endpoint has; those that nothing is known of are passed over. False with a fault. In either
 * case serve_request_close. */
bool serve_request_read(serve_request *request, serve_endpoint endpoint, const char *operand, const serve_form *form,
                        serve_fault *fault);
void serve_request_close(serve_request *request);

/* Parses the filters, and the position where it is a condition, into request->query (serve_filter.c). */
bool serve_filter_read(serve_request *request, serve_fault *fault);

/* A game as 8 letters, the first of which is one: base 62 of the archive's number and the game's. */
void serve_id_write(long archive, uint64_t game, char out[SERVE_ID_SIZE]);
/* False where it is no such text. */
bool serve_id_read(const char *text, long *archive, uint64_t *game);

/* ---- the archives (serve_archives.c, serve_mapping.c) ---- */

/* An archive as it was when it was opened. All of it but `users`, `readers` and `index` stays as it is while somebody
 * uses it. */
typedef struct serve_archive {
    long number;
    const char *path;
    const char *name; /* of the file, without folders */
    uint64_t serial;  /* another for each that is opened */
    const uint8_t *bytes;
    size_t size;
    uint64_t games, plies;
    uint64_t last;                        /* number of the last game; more than `games` if some are lost to damage */
    uint64_t blocks[4];                   /* by level */
    _Atomic(stamma_search_index *) index; /* NULL until it is open: searches are slower then */
    bool timed;                           /* some games have the tag TimeControl */
    bool damaged;                         /* what is sound is served */
    atomic_ullong *kinds;                 /* what is known of games already: see serve_archive_kind */
    struct serve_state *state;            /* of the file */
    unsigned users;
    struct serve_reader *readers; /* idle ones */
    unsigned reader_count;
} serve_archive;

typedef struct serve_archives {
    const stamma_executor *executor; /* that opens indexes, */
    uint64_t memory;                 /* and bytes that one may take */
    pthread_mutex_t lock;
    struct serve_slot *slots;
    size_t count;
    double looked;
    bool looking;
} serve_archives;

/* Opens all of them, without indexes; false where one cannot be, which is told. */
bool serve_archives_open(serve_archives *archives, char **paths, size_t count);
/* Opens their indexes while they are served, until `ending` is true; one that cannot be opened is told. */
void serve_archives_index(serve_archives *archives, const atomic_bool *ending);
void serve_archives_close(serve_archives *archives);

/* What is wrong with an archive's file now. */
typedef enum serve_problem {
    SERVE_SOUND,
    SERVE_DAMAGED,    /* what is sound is served */
    SERVE_MISSING,    /* there is no file of that name any more: what was opened is served */
    SERVE_UNREADABLE, /* the file has changed and cannot be opened: likewise */
    SERVE_PROBLEMS
} serve_problem;

serve_problem serve_archives_problem(serve_archives *archives, size_t index);
/* "missing"; NULL for SERVE_SOUND. */
const char *serve_problem_text(serve_problem problem);

/* Of one of them, before requests are answered: how many games it has, whether positions are found slowly in it, its
 * file. */
uint64_t serve_archives_games(const serve_archives *archives, size_t index);
bool serve_archives_slow(const serve_archives *archives, size_t index);
const char *serve_archives_path(const serve_archives *archives, size_t index);

/* Archives that are in use. */
typedef struct serve_archive_list {
    serve_archive **list;
    size_t count;
} serve_archive_list;

/* Takes one archive or all (SERVE_ALL) into use, as their files are now: looked at once a second. False with a fault.
 */
bool serve_archives_take(serve_archives *archives, long which, serve_archive_list *taken, serve_fault *fault);
void serve_archives_release(serve_archives *archives, serve_archive_list *taken);

/* Reads `parts` of a game, and gives it and its further pieces to `visit`, until that gives false. False with a fault.
 */
bool serve_archive_read(serve_archives *archives, serve_archive *archive, uint64_t game, unsigned parts,
                        bool (*visit)(void *context, const stamma_archive_game *game), void *context,
                        serve_fault *fault);

typedef enum serve_mode { SERVE_MODE_NONE, SERVE_CASUAL, SERVE_RATED } serve_mode;
typedef struct serve_kind {
    stamma_speed speed;
    serve_mode mode; /* as the tag Event of Lichess tells: "Rated Blitz game" */
} serve_kind;

/* What a game's tags say of it; read once, where `reads`, and remembered. Nothing where it is not read. */
serve_kind serve_archive_kind(serve_archives *archives, serve_archive *archive, uint64_t game, bool reads);
/* Whether it takes long to read a game, since moves are predicted. */
bool serve_archive_is_slow(const serve_archive *archive);

/* Maps a file so that one that is cut short meanwhile reads as zeros instead of ending the program. NULL with errno. */
const uint8_t *serve_map(int fd, size_t size);
void serve_unmap(const uint8_t *bytes, size_t size);
bool serve_mapping_watch(void);

/* ---- answers that were given (serve_cache.c) ---- */

typedef struct serve_cache serve_cache;

/* Of so many bytes. NULL where there is no memory; then nothing is kept. */
serve_cache *serve_cache_open(size_t most);
void serve_cache_close(serve_cache *cache);
/* What names an answer: the request, and the archives as they are. False where there is no memory. */
bool serve_cache_key(const serve_request *request, const serve_archive_list *archives, serve_buffer *key);
/* Adds the answer of that name to a buffer; false where there is none. */
bool serve_cache_get(serve_cache *cache, const serve_buffer *key, serve_buffer *answer);
void serve_cache_put(serve_cache *cache, const serve_buffer *key, const serve_buffer *answer);

/* ---- the server (command_serve.c) ---- */

typedef struct serve_options {
    const char *host;
    const char *cors; /* the origin whose pages may read everything; "*": any; NULL: none */
    uint64_t port, threads, seconds, connections, memory;
} serve_options;

enum { SERVE_STATUSES = 16, SERVE_BUCKETS = 12 };

/* What /metrics tells of requests to one endpoint. */
typedef struct serve_metric {
    atomic_ullong statuses[SERVE_STATUSES];
    atomic_ullong buckets[SERVE_BUCKETS]; /* by duration, not summed */
    atomic_ullong microseconds;
} serve_metric;

typedef struct serve_client {
    char address[48];
    unsigned requests; /* being worked on; 0: free */
} serve_client;

/* A connection that is open. */
typedef struct serve_connection {
    int socket;
    char address[48]; /* of the peer */
    int port;
    double since; /* when it was first seen, or when its last request began or ended */
    bool busy;    /* a request is being answered */
    bool ended;   /* no further request is read from it */
    bool seen;    /* it is open */
} serve_connection;

typedef struct serve {
    serve_options options;
    serve_archives archives;
    stamma_executor executor;
    tool_threads *team;
    pthread_mutex_t lock; /* of the following */
    pthread_cond_t left;
    unsigned searching, searching_max, waiting, waiting_max, client_max;
    serve_client *clients;
    pthread_mutex_t sockets_lock;  /* of the following, and of closing a connection */
    serve_connection *connections; /* and those that wait for a place */
    size_t connection_count, connection_room;
    size_t taken; /* by threads of the HTTP library */
    atomic_bool ending;
    serve_metric metrics[SERVE_ENDPOINTS];
    serve_cache *cache;
    atomic_ullong cancelled, late, rejected, remembered;
} serve;

/* One request and its answer. */
typedef struct serve_exchange {
    serve *server;
    struct mg_connection *connection;
    double started;
    serve_request request;
    serve_form form;
    serve_fault fault;
    serve_buffer body;
    bool head;                   /* only the headers are wanted */
    bool streaming;              /* its headers are sent */
    bool gone;                   /* the client is */
    bool late;                   /* the time is up */
    bool searching;              /* it has a place among the searches */
    bool close;                  /* the connection is not kept */
    const char *origin;          /* of another site's page that may read the answer; NULL: none */
    int status;                  /* that was sent */
    int socket;                  /* of the connection; -1: not known yet */
    pthread_t thread;            /* whose it is; others search for it */
    pthread_mutex_t lock;        /* of `gone`, `late` and `polled` while a search goes on */
    double polled;               /* when it was looked at */
    void (*idle)(void *context); /* called by its thread now and then while a search goes on; NULL */
    void *idle_context;
} serve_exchange;

/* Headers beside those that every answer has; NULL for none. */
typedef struct serve_headers {
    const char *type;
    const char *disposition; /* Content-Disposition */
    const char *cache;       /* Cache-Control; NULL: no-cache */
    const char *tag;         /* ETag */
    const char *policy;      /* Content-Security-Policy */
} serve_headers;

/* Sends an answer, whole (serve_http.c). */
void serve_send(serve_exchange *x, int status, const serve_headers *headers, const void *bytes, size_t size);
/* Sends one in pieces. False where the client is gone. */
bool serve_send_begin(serve_exchange *x, int status, const serve_headers *headers);
bool serve_send_piece(serve_exchange *x, const void *bytes, size_t size);
void serve_send_end(serve_exchange *x);
/* Sends what was put into the exchange's body as JSON. */
void serve_send_json(serve_exchange *x);
/* Whether the client has hung up. */
bool serve_client_gone(serve_exchange *x);

/* Checks the head of a request, before its body is read (serve_access.c). False with a fault. */
bool serve_head_check(serve_exchange *x);
/* Checks that the Host is this machine, and that the Origin may ask. Sets x->origin. False with a fault. */
bool serve_access_check(serve_exchange *x, serve_endpoint endpoint);

/* Callbacks of the HTTP library: a thread takes a connection; a socket is about to be closed, and is closed
 * (serve_connections.c). */
int serve_connection_open(const struct mg_connection *connection, void **data);
void serve_connection_close(const struct mg_connection *connection);
void serve_connection_closed(const struct mg_connection *connection);
/* Marks a connection whose request is being answered. */
void serve_connection_set_busy(serve *s, const struct mg_connection *connection, bool busy);
/* Ends the connection that has been idle longest if no thread is free. To be called many times a second. */
void serve_connections_tidy(serve *s);
/* Returns the socket of a connection whose request is being answered; -1: it is unknown, or was ended. */
int serve_connection_socket(serve *s, const struct mg_connection *connection);

/* What the HTTP library calls: as its threads begin, for a request, and as they end (serve_lanes.c). */
void *serve_lane_open(const struct mg_context *context, int type);
int serve_lane_handle(struct mg_connection *connection);
void serve_lane_close(const struct mg_context *context, int type, void *opened);

/* Handles a connection's request; the result is the status (serve_http.c). */
int serve_handle(struct mg_connection *connection);
int serve_handle_error(struct mg_connection *connection, int status, const char *message);

/* The endpoints. Each sends its answer, or gives false with the exchange's fault. */
bool serve_explorer(serve_exchange *x); /* serve_explorer.c */
bool serve_find(serve_exchange *x);     /* serve_find.c */
bool serve_stats(serve_exchange *x);    /* serve_stats.c */
bool serve_game(serve_exchange *x);     /* serve_game.c */
bool serve_pgn(serve_exchange *x);
bool serve_list(serve_exchange *x); /* serve_metrics.c */
bool serve_health(serve_exchange *x);
bool serve_metrics(serve_exchange *x);
bool serve_page(serve_exchange *x, const char *path); /* serve_page.c */

/* A game's members for /find and the like (serve_game.c): id, players, result, date, event ... TAGS and RESULT must
 * have been read; where MOVES were, a game without the tag Opening has the name of what was played. */
void serve_put_summary(const serve_archive *archive, const stamma_archive_game *game);

/* Counts a request that was answered. */
void serve_count(serve *server, serve_endpoint endpoint, int status, double seconds);

/* ---- searching (serve_search.c) ---- */

/* Puts an answer that was given before into the exchange's body. Else false, and `key`, to be freed, names what is to
 * be given to serve_search_remember. */
bool serve_search_recall(serve_exchange *x, const serve_archive_list *archives, serve_buffer *key);
void serve_search_remember(serve_exchange *x, const serve_buffer *key);

/* Waits for a place among the searches that run at once. False with a fault. serve_handle leaves it. */
bool serve_search_enter(serve_exchange *x);
void serve_search_leave(serve_exchange *x);
/* What a search is given: threads, memory, time, and callbacks that end it when the client is gone. */
stamma_search_options serve_search_options(serve_exchange *x, const serve_archive *archive);
/* Whether there is time left, and the client is there. */
bool serve_search_goes_on(serve_exchange *x);
/* Says why an archive could not be searched. */
bool serve_search_fail(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place);

#endif
