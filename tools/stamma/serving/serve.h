/* What the files of `stamma serve` share: archives, requests and answers. */
#ifndef STAMMA_SERVE_H
#define STAMMA_SERVE_H

#include "shared/tool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

struct mg_connection;
struct mg_context;

/* ---- the fields of a URL or a form (serve_form.c) ---- */

enum { SERVE_FIELDS = 64 };

typedef struct serve_field {
    const char *name, *value; /* decoded */
} serve_field;

typedef struct serve_form {
    serve_field fields[SERVE_FIELDS];
    size_t count;
    char *memory[2]; /* text of the URL and of the body */
    size_t texts;
} serve_form;

/* Why a request cannot be answered. Status 0: no error. */
typedef struct serve_fault {
    int status; /* HTTP status */
    char message[320];
} serve_fault;

/* Sets the error, and returns false. */
bool serve_fail(serve_fault *fault, int status, const char *format, ...);
/* Sets the error of exhausted memory, and returns false. */
bool serve_fail_memory(serve_fault *fault);

/* Adds the fields of "a=1&b=x+y%20z"; fields without a value are skipped. May be called twice. Returns false with an
 * error if there are too many fields, an invalid escape or a NUL. */
bool serve_form_add(serve_form *form, const char *text, size_t size, serve_fault *fault);
/* Adds a field with a literal value, unless it is empty. May be called once, instead of a second serve_form_add. */
bool serve_form_add_value(serve_form *form, const char *name, const char *text, size_t size, serve_fault *fault);
/* Returns the value of the last field with that name, or NULL. */
const char *serve_form_value(const serve_form *form, const char *name);
void serve_form_free(serve_form *form);

/* ---- requests (serve_request.c) ---- */

typedef enum serve_endpoint {
    SERVE_MASTERS,
    SERVE_LICHESS,
    SERVE_HISTORY,
    SERVE_PLAYER,
    SERVE_NAMES,
    SERVE_REPORT,
    SERVE_NOVELTY,
    SERVE_ORDERS,
    SERVE_FIND,
    SERVE_STATS,
    SERVE_LINE,
    SERVE_GAME,
    SERVE_PGN,
    SERVE_ARCHIVES,
    SERVE_HEALTH,
    SERVE_METRICS,
    SERVE_ENGINE,
    SERVE_UPLOADS,
    SERVE_BOARD,
    SERVE_PAGE,
    SERVE_ENDPOINTS
} serve_endpoint;

typedef enum serve_format { SERVE_JSON, SERVE_PGN_TEXT, SERVE_CSV } serve_format;

enum {
    SERVE_ALL = -1,            /* all archives */
    SERVE_ARCHIVES_MAX = 2000, /* limit that keeps ids from being numbers: see serve_id_write */
    SERVE_PLIES_MAX = 1000,
    SERVE_GAMES_MAX = 10000,  /* limit of a page of /find as PGN or CSV, and of the games that are sorted */
    SERVE_NAMES_MAX = 100,    /* limit of /players */
    SERVE_REPORT_MAX = 50000, /* limit of the games of /report */
    SERVE_ID_SIZE = 9
};

typedef struct serve_request {
    serve_endpoint endpoint;
    const serve_form *form; /* must remain valid */
    const char *operand;    /* what follows the endpoint in the path: a game */
    stamma_position position;
    bool positioned;       /* the request names a position */
    stamma_position start; /* position before the moves that reach it */
    stamma_move played[SERVE_PLIES_MAX];
    size_t plies;
    bool nowhere; /* in a variant of which archives have no typed games */
    long archive; /* index from 0, or SERVE_ALL */
    size_t moves, top_games, recent_games;
    bool flip; /* of a picture: Black is at the bottom */
    bool history, bits, count, stream;
    const char *sort; /* of a stream: "rating", "-date" ...; NULL: in the order of the archives */
    int color;        /* -1: none */
    uint64_t offset, limit, rows, game;
    size_t lines, depth, movetime; /* of an analysis; depth 0: any; milliseconds, 0: any */
    serve_format format;
    tool_buffer filters; /* all filters as JSON */
    stamma_query *query; /* `filters` as a query; NULL: all games */
} serve_request;

/* Reads the fields of the endpoint; unknown fields are ignored. Returns false with an error. Call serve_request_close
 * in any case. */
bool serve_request_read(serve_request *request, serve_endpoint endpoint, const char *operand, const serve_form *form,
                        serve_fault *fault);
void serve_request_close(serve_request *request);

/* Parses the filters into request->query, including the position if it is a condition (serve_filter.c). */
bool serve_filter_read(serve_request *request, serve_fault *fault);

/* Writes the id of a game: 8 characters, the first of which is a letter, in base 62, from the numbers of the archive
 * and the game. */
void serve_id_write(long archive, uint64_t game, char out[SERVE_ID_SIZE]);
/* Returns false if the text is not an id. */
bool serve_id_read(const char *text, long *archive, uint64_t *game);

/* ---- archives (serve_archives.c, serve_index.c, serve_mapping.c) ---- */

/* State of a file, which shows changes; zeros: there is no regular file. */
typedef struct serve_state {
    dev_t device;
    ino_t file;
    off_t size;
    struct timespec changed;
} serve_state;

bool serve_state_same(const serve_state *a, const serve_state *b);
serve_state serve_state_of(const char *path);

/* A mapped index file. */
typedef struct serve_index_file {
    const char *path;
    serve_state state; /* when it was opened */
    const uint8_t *bytes;
} serve_index_file;

/* An open archive. Everything except `users`, `readers` and `index` is constant while it is used. */
typedef struct serve_archive {
    long number;
    const char *path;
    const char *name; /* file name without folders */
    uint64_t serial;  /* unique for each open archive */
    const uint8_t *bytes;
    size_t size;
    uint64_t games, plies;
    uint64_t last;                        /* number of the last game; more than `games` if some are lost to damage */
    uint64_t blocks[4];                   /* by level */
    _Atomic(stamma_search_index *) index; /* NULL until it is open; searches are slower until then */
    serve_index_file index_file;          /* bytes: NULL if the index is in memory; constant once `index` is set */
    bool timed;                           /* some games have a TimeControl tag */
    atomic_int online;                    /* see serve_archive_is_online; 0: not known yet, 1: no, 2: yes */
    bool damaged;                         /* only the sound part is served */
    bool uploaded;                        /* the server has made it from a file that a client sent */
    atomic_ullong *kinds;                 /* cached facts of games: see serve_archive_kind */
    serve_state state;                    /* state of the file */
    unsigned users;
    struct serve_reader *readers; /* idle readers */
    unsigned reader_count;
} serve_archive;

typedef struct serve_archives {
    const stamma_executor *executor; /* opens indexes */
    const atomic_bool *ending;       /* ends the opening and writing of indexes */
    uint64_t memory;                 /* limit of all indexes in bytes */
    bool writes;                     /* index files are written where they are missing or outdated */
    pthread_mutex_t lock;
    struct serve_slot *slots;
    bool grows;          /* archives can be added */
    size_t named;        /* archives that the command names; uploads follow */
    atomic_size_t count; /* numbers, also of uploads that were closed */
    double looked;
    bool looking;
} serve_archives;

/* Opens all archives with their index files, if these are current. Returns false, after a message, if an archive cannot
 * be opened. */
bool serve_archives_open(serve_archives *archives, char **paths, size_t count);
/* Opens indexes in memory of the other archives while archives are served. With `writes`, writes index files instead,
 * and then checks the files of archives for changes until `ending` is true. Failures are reported. */
void serve_archives_index(serve_archives *archives);
void serve_archives_close(serve_archives *archives);

/* What is wrong with the file of an archive. */
typedef enum serve_problem {
    SERVE_SOUND,
    SERVE_DAMAGED,    /* only the sound part is served */
    SERVE_MISSING,    /* the file was deleted: the open archive is served */
    SERVE_UNREADABLE, /* the file has changed and cannot be opened: the open archive is served */
    SERVE_PROBLEMS
} serve_problem;

serve_problem serve_archives_problem(serve_archives *archives, size_t index);
/* Returns the name of a problem, such as "missing"; NULL for SERVE_SOUND. */
const char *serve_problem_text(serve_problem problem);

/* Properties of an archive, to be called before requests are answered: its number of games, whether positions are
 * found slowly, its file. */
uint64_t serve_archives_games(const serve_archives *archives, size_t index);
bool serve_archives_slow(const serve_archives *archives, size_t index);
const char *serve_archives_path(const serve_archives *archives, size_t index);

/* Adds an uploaded archive. Its index file, if there is one, is beside it; the files must not change. `name` is shown.
 * Returns its number, or -1 with an error. Only one thread at a time may add archives. */
long serve_archives_add(serve_archives *archives, const char *path, const char *name, serve_fault *fault);
/* Removes an uploaded archive. Requests that use it continue. No other archive gets its number. Returns false if there
 * is no uploaded archive with this number. */
bool serve_archives_remove(serve_archives *archives, long number);

/* Archives in use by a request. */
typedef struct serve_archive_list {
    serve_archive **list;
    size_t count;
} serve_archive_list;

/* Acquires one archive or all (SERVE_ALL). Files are checked for changes once a second. Returns false with an error. */
bool serve_archives_take(serve_archives *archives, long which, serve_archive_list *taken, serve_fault *fault);
void serve_archives_release(serve_archives *archives, serve_archive_list *taken);
/* Returns the archive with a number, or NULL. */
serve_archive *serve_archive_numbered(const serve_archive_list *taken, long number);

struct serve_exchange;
/* Reads `parts` of a game for a request, and passes it and its further pieces to `visit`, until that returns false.
 * Returns false with an error, also if the request must end (serve_search_reads). */
bool serve_archive_read(struct serve_exchange *x, serve_archive *archive, uint64_t game, unsigned parts,
                        bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* Acquires a reader of an archive for many games. No other request uses the reader until it is released. Returns NULL
 * with an error. */
struct serve_reader *serve_reader_take(serve_archives *archives, serve_archive *archive, unsigned parts,
                                       serve_fault *fault);
/* Like serve_archive_read, with a reader that was acquired. */
bool serve_reader_read(struct serve_exchange *x, struct serve_reader *reader, const serve_archive *archive,
                       uint64_t game, unsigned parts, bool (*visit)(void *context, const stamma_archive_game *game),
                       void *context);
/* Releases a reader. Accepts NULL. */
void serve_reader_give_back(serve_archives *archives, serve_archive *archive, struct serve_reader *reader);

/* Returns whether most of the first games of an archive were played on a chess site, according to their Site tags
 * (serve_masters.c). */
bool serve_archive_is_online(struct serve_exchange *x, serve_archive *archive);
/* Removes the archives with games of chess sites from a list of several, unless these are all. */
void serve_masters_choose(struct serve_exchange *x, serve_archive_list *taken);
/* Removes archives from a list and releases them: those for which drops[i] is set. */
void serve_archives_drop(serve_archives *archives, serve_archive_list *taken, const bool *drops);

typedef struct serve_kind {
    stamma_speed speed;
    stamma_mode mode;
} serve_kind;

/* Returns the kind of a game from its tags. If `reads` is set, the game is read on first use, and the result is
 * cached. Otherwise returns zeros for a game that was not read. */
serve_kind serve_archive_kind(struct serve_exchange *x, serve_archive *archive, uint64_t game, bool reads);
/* Opens the index file of an archive, unless its state is `bad`. Returns false if there is none that can be used, which
 * is reported if `says`. */
bool serve_index_open(serve_archive *archive, const char *path, const serve_state *bad, bool says);
void serve_index_close(serve_archive *archive);
/* Writes the index file of an archive. Returns false after a message, or if `ending` became true. */
bool serve_index_write(const serve_archives *archives, const serve_archive *archive, const char *path);
/* Returns whether another program has changed the index file in place. */
bool serve_index_changed(const serve_archive *archive);
/* Returns "file", "memory", or NULL if the index is not open. */
const char *serve_index_word(serve_archive *archive);

/* Returns whether reading games is slow because moves are decoded with the predictor. */
bool serve_archive_is_slow(const serve_archive *archive);

/* Maps a file. If the file is truncated later, the missing part reads as zeros. Returns NULL with errno set on
 * failure. */
const uint8_t *serve_map(int fd, size_t size);
void serve_unmap(const uint8_t *bytes, size_t size);
bool serve_mapping_watch(void);

/* ---- cached answers (serve_cache.c) ---- */

typedef struct serve_cache serve_cache;

/* Opens a cache of at most `most` bytes. Returns NULL if memory is exhausted; nothing is then cached. */
serve_cache *serve_cache_open(size_t most);
void serve_cache_close(serve_cache *cache);
/* Writes the key of an answer: the request, and the state of the archives. Returns false if memory is exhausted. */
bool serve_cache_key(const serve_request *request, const serve_archive_list *archives, tool_buffer *key);
/* Appends the answer with that key to a buffer. Returns false if there is none. */
bool serve_cache_get(serve_cache *cache, const tool_buffer *key, tool_buffer *answer);
void serve_cache_put(serve_cache *cache, const tool_buffer *key, const tool_buffer *answer);

/* ---- names of players (serve_players.c) ---- */

typedef struct serve_players serve_players;

/* Opens an empty list of names. Returns NULL if memory is exhausted. */
serve_players *serve_players_open(void);
void serve_players_close(serve_players *players);

/* ---- the server (command_serve.c) ---- */

typedef struct serve_options {
    const char *host;
    const char *cors; /* the origin whose pages may read everything; "*": any; NULL: none */
    uint64_t port, threads, seconds, connections, memory;
    bool index;            /* write index files */
    bool open;             /* show the page in a browser */
    const char *uploads;   /* folder for uploaded archives; NULL: none */
    uint64_t upload_limit; /* bytes of a file, and of all uploaded archives */
    const char *engine;    /* program; NULL: none */
    uint64_t engine_threads, engine_memory, engine_seconds;
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

typedef struct serve {
    serve_options options;
    serve_archives archives;
    stamma_executor executor;
    tool_threads *team;
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t left;
    unsigned searching, searching_max, waiting, waiting_max, client_max;
    unsigned streaming; /* of the searches that run, those that are sent as a stream */
    serve_client *clients;
    pthread_mutex_t sockets_lock;  /* protects the following members, and closing a connection */
    serve_connection *connections; /* with those that wait for a place */
    size_t connection_count, connection_room;
    size_t taken; /* connections that threads of the HTTP library have */
    atomic_bool ending;
    serve_metric metrics[SERVE_ENDPOINTS];
    serve_cache *cache;
    serve_players *players;
    struct serve_engine *engine;   /* NULL: none */
    struct serve_uploads *uploads; /* NULL: none */
    atomic_uint running; /* requests that are being answered */
    atomic_ullong cancelled, late, rejected, remembered;
} serve;

/* A request and its answer. */
typedef struct serve_exchange {
    serve *server;
    struct mg_connection *connection;
    double started;
    double advanced; /* time when a search with `steady` last advanced */
    serve_request request;
    serve_form form;
    serve_fault fault;
    tool_buffer body;
    bool head;                   /* the client requested headers only */
    bool streaming;              /* the headers are sent */
    bool gone;                   /* the client closed the connection */
    bool late;                   /* the time limit was reached */
    bool ended;                  /* the end of its search was counted */
    bool reading;                /* a game is being read: `idle` is not called. Only used by the request's thread */
    bool steady;                 /* the time limit is the time without progress; one place is left for other searches */
    bool searching;              /* it has a place among the searches */
    bool close;                  /* close the connection after the answer */
    const char *origin;          /* origin of another site's page that may read the answer; NULL: none */
    int status;                  /* status sent */
    int socket;                  /* socket of the connection; -1: unknown */
    pthread_t thread;            /* the thread of the request; other threads search for it */
    pthread_mutex_t lock;        /* protects `gone`, `late`, `polled` and `advanced` during a search */
    double polled;               /* time when the client was last checked */
    void (*idle)(void *context); /* called by the request's thread during a search; may be NULL */
    void *idle_context;
} serve_exchange;

/* Headers in addition to those of every answer; NULL: none. */
typedef struct serve_headers {
    const char *type;
    const char *disposition; /* Content-Disposition */
    const char *cache;       /* Cache-Control; NULL: no-cache */
    const char *tag;         /* ETag */
    const char *policy;      /* Content-Security-Policy */
    const char *encoding;    /* Content-Encoding */
    const char *vary;        /* Vary; NULL: Origin */
} serve_headers;

/* Sends a complete answer (serve_http.c). */
void serve_send(serve_exchange *x, int status, const serve_headers *headers, const void *bytes, size_t size);
/* Begins an answer of several pieces. Returns false if the client is gone. */
bool serve_send_begin(serve_exchange *x, int status, const serve_headers *headers);
bool serve_send_piece(serve_exchange *x, const void *bytes, size_t size);
void serve_send_end(serve_exchange *x);
/* Sends the exchange's body as JSON. */
void serve_send_json(serve_exchange *x);
/* Returns whether the client closed the connection. */
bool serve_client_gone(serve_exchange *x);

/* Checks the head of a request before its body is read (serve_access.c). Returns false with an error. */
bool serve_head_check(serve_exchange *x);

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

/* Checks that the Host is this machine and that the Origin is allowed. Sets x->origin. Returns false with an error. */
bool serve_access_check(serve_exchange *x, serve_endpoint endpoint);

/* Callbacks of the HTTP library (serve_connections.c): a thread has accepted a connection; a socket is about to be
 * closed; a socket was closed. */
int serve_connection_open(const struct mg_connection *connection, void **data);
void serve_connection_close(const struct mg_connection *connection);
void serve_connection_closed(const struct mg_connection *connection);
/* Sets whether a request of the connection is being answered. */
void serve_connection_set_busy(serve *s, const struct mg_connection *connection, bool busy);
/* Ends the connection that has been idle longest if no thread is free. Must be called many times a second. */
void serve_connections_tidy(serve *s);
/* Returns the socket of a connection whose request is being answered; -1: unknown, or ended. */
int serve_connection_socket(serve *s, const struct mg_connection *connection);

/* Callbacks of the HTTP library (serve_lanes.c): when its threads start, for a request, and when its threads end. */
void *serve_lane_open(const struct mg_context *context, int type);
int serve_lane_handle(struct mg_connection *connection);
void serve_lane_close(const struct mg_context *context, int type, void *opened);

/* Handles a request. Returns the HTTP status (serve_http.c). */
int serve_handle(struct mg_connection *connection);
int serve_handle_error(struct mg_connection *connection, int status, const char *message);

/* The endpoints. Each sends its answer, or returns false with the exchange's error. */
bool serve_explorer(serve_exchange *x); /* serve_explorer.c */
bool serve_find(serve_exchange *x);     /* serve_find.c */
bool serve_stream(serve_exchange *x);   /* serve_stream.c */
bool serve_names(serve_exchange *x);    /* serve_players.c */
bool serve_report(serve_exchange *x);   /* serve_report.c */
bool serve_novelty(serve_exchange *x);  /* serve_novelty.c */
bool serve_orders(serve_exchange *x);   /* serve_orders.c */
bool serve_stats(serve_exchange *x);    /* serve_stats.c */
bool serve_line(serve_exchange *x);     /* serve_line.c */
bool serve_game(serve_exchange *x);     /* serve_game.c */
bool serve_pgn(serve_exchange *x);
bool serve_list(serve_exchange *x); /* serve_metrics.c */
bool serve_health(serve_exchange *x);
bool serve_metrics(serve_exchange *x);
bool serve_board(serve_exchange *x);                  /* serve_board.c */
bool serve_upload(serve_exchange *x);                 /* serve_upload.c */
bool serve_analyse(serve_exchange *x);                /* serve_engine.c */
bool serve_page(serve_exchange *x, const char *path); /* serve_page.c */

/* Writes the FEN of a position (serve_game.c). */
void serve_put_fen(const char *key, const stamma_position *position);

/* Writes the members of a game for /find and similar endpoints (serve_game.c): id, players, result, date, event ...
 * The game must have TAGS and RESULT. With MOVES, a game without an Opening tag has the name of the opening that was
 * played. */
void serve_put_summary(const serve_archive *archive, const stamma_archive_game *game);

/* Returns the number with which the game's archive was added to the tree (serve_explorer.c). */
long serve_tree_archive(const stamma_tree_game *game);

typedef struct serve_likely {
    stamma_likely_move moves[STAMMA_MOVES_MAX];
    size_t count; /* 0: no weights, or no legal move */
} serve_likely;

/* Predicts the moves of a request's position (serve_likely.c). The moves before the position are those of the request.
 * If these are fewer than the predictor uses, because the position was set up, they are those of a game in `tree`. */
void serve_predict(struct serve_exchange *x, const serve_archive_list *list, const serve_request *request,
                   const stamma_tree *tree, serve_likely *likely);

/* Writes a game of /find as an object (serve_find.c): its summary, and the plies of the match. The game must have the
 * parts that serve_row_parts returns. `key` is NULL in a list. */
void serve_put_row(const char *key, const serve_archive *archive, const stamma_archive_game *game,
                   const uint32_t *plies, size_t count);
unsigned serve_row_parts(const serve_archive *archive);
/* Writes the members with the numbers of games. */
void serve_put_results(const stamma_stats_results *sum);
/* Returns whether a game that cannot be read is skipped, and removes the error: a search may find games of a damaged
 * block if it only needs the sound columns. */
bool serve_skip_damaged(serve_exchange *x, const serve_archive *archive);

/* ---- the first games in a sorted order (serve_sorted.c) ---- */

typedef struct serve_sorted serve_sorted;

/* A game in a sorted list. */
typedef struct serve_sorted_game {
    size_t archive; /* index in a list of archives */
    uint64_t number;
    uint32_t *plies; /* of the match */
    size_t ply_count;
} serve_sorted_game;

/* Returns whether games can be sorted by this key: rating, date or plies; a dash before it means descending order. */
bool serve_sorted_check(const char *sort);
/* Opens a list that keeps the first `most` games. Returns NULL if memory is exhausted. */
serve_sorted *serve_sorted_open(const char *sort, size_t most);
void serve_sorted_close(serve_sorted *list);
/* Adds a game, which must have its tags. Games with equal keys keep the order in which they are added. Returns false if
 * memory is exhausted. */
bool serve_sorted_add(serve_sorted *list, size_t archive, const stamma_match *match, const stamma_archive_game *game);
/* Returns the number of games that are kept. */
size_t serve_sorted_count(serve_sorted *list);
/* Returns the games in order. They are valid until the next call with the list. */
const serve_sorted_game *serve_sorted_at(serve_sorted *list, size_t n);

/* ---- metrics ---- */

/* Counts an answered request. */
void serve_count(serve *server, serve_endpoint endpoint, int status, double seconds);

/* ---- uploaded archives (serve_uploads.c) ---- */

typedef struct serve_uploads serve_uploads;

enum { SERVE_UPLOADS_MAX = 16 }; /* uploaded archives at a time */

/* Creates a private folder in options->uploads. Returns NULL after a message. */
serve_uploads *serve_uploads_open(const serve_options *options);
/* Ends the processes of uploads, and deletes all files. Nothing is created any more. Accepts NULL, like the following
 * function. */
void serve_uploads_stop(serve_uploads *uploads);
void serve_uploads_close(serve_uploads *uploads);

/* ---- the chess engine (serve_engine.c) ---- */

typedef struct serve_engine serve_engine;

/* Prepares analyses; no process is started. Returns NULL after a message if memory is exhausted. */
serve_engine *serve_engine_open(const serve_options *options);
/* Ends the process if it is idle. Must be called many times a second. Accepts NULL, like the following functions. */
void serve_engine_tidy(serve_engine *engine);
/* Kills the process. No other is started. */
void serve_engine_stop(serve_engine *engine);
/* No request may use the engine any more. */
void serve_engine_close(serve_engine *engine);

/* ---- searches (serve_search.c) ---- */

/* Stores a cached answer in the exchange's body. If there is none, returns false, and *key is the key for
 * serve_search_remember, to be released by the caller. */
bool serve_search_recall(serve_exchange *x, const serve_archive_list *archives, tool_buffer *key);
void serve_search_remember(serve_exchange *x, const tool_buffer *key);

/* Waits for a place among the searches that run at once. Returns false with an error. serve_handle releases the place.
 */
bool serve_search_enter(serve_exchange *x);
void serve_search_leave(serve_exchange *x);
/* Returns the options of a search: threads, memory, time, and callbacks that end it when the client is gone. */
stamma_search_options serve_search_options(serve_exchange *x, const serve_archive *archive);
/* Returns whether there is time left and the client is connected. */
bool serve_search_continues(serve_exchange *x);
/* Returns whether a game may be read further: like serve_search_advances, but without a time limit once an answer
 * of several pieces has begun, and without `idle`, which may write to the answer. */
bool serve_search_reads(serve_exchange *x);
/* Like serve_search_continues, but sets the exchange's error if not. */
bool serve_search_in_time(serve_exchange *exchange);
/* Like serve_search_continues, called by a search that has advanced. */
bool serve_search_advances(serve_exchange *x);
/* Returns whether a search of an archive succeeded. Otherwise sets the exchange's error. */
bool serve_search_end(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place);
/* Reports why an archive could not be searched. */
bool serve_search_fail(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place);

/* What follows a match: the next one, the end of all searches, or the end with an error. */
typedef enum serve_step { SERVE_NEXT, SERVE_ENOUGH, SERVE_FAILED } serve_step;
/* Called for a match in the archive with this index. */
typedef serve_step serve_take(void *context, size_t archive, const stamma_match *match);
/* Searches archives for the request's query. Returns false with an error. */
bool serve_search_matches(serve_exchange *x, const serve_archive_list *archives, serve_take *take, void *context);
/* Reads a game during a search, like serve_archive_read. Skips a game that serve_skip_damaged allows to skip. Returns
 * false with an error, also if the search must end. */
bool serve_search_read(serve_exchange *x, serve_archive *archive, uint64_t game, unsigned parts,
                       bool (*visit)(void *context, const stamma_archive_game *game), void *context);

/* Waits for a condition, at most some seconds. Call with the lock held. */
void serve_pause(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds);

#endif
