/* SPDX-License-Identifier: MIT */
/* stamma serve: serves an opening explorer and its page over HTTP. */
#include "games/saved_questions.h"
#include "serving/serve_engine.h"
#include "serving/serve_tablebase.h"
#include "serving/serve_uploads.h"
#include "shared/web_files.h"
#include "tablebases/tablebase.h"
#include "threads/worker_threads.h"

#include <civetweb.h>

static const char about[] =
    "Answers the requests of the Lichess opening explorer from archives, and shows a page to explore them.\n"
    "There is no authentication: by default only programs on this machine can connect. Archives are never\n"
    "written; those that grow or are replaced are opened again. Index files (see stamma index) are used\n"
    "if they exist; --write-index writes them. SIGINT or SIGTERM ends the server. Without ARCHIVE, the page\n"
    "describes how to begin.\n\n"
    "  stamma serve games.stamma --open\n"
    "  stamma serve otb.stamma lichess.stamma --port 9002 -T 2\n\n"
    "doc/reference/serve.md describes the endpoints, the risks of --host and --cors, and other programs' settings.";

enum {
    REQUEST_MAX = 16 << 10, /* bytes of a request line and its headers */
    REQUEST_TIME = 10000,   /* milliseconds that a client may use for a request, and for a piece of an answer */
    KEEP_TIME = 5000,       /* milliseconds that a connection is kept between requests */
    QUEUE = 1,              /* connections that the HTTP library accepts in advance; see serve_connections.c */
    BACKLOG = 512,          /* connections that may wait in the kernel */
    ENGINE_MEMORY = 64 << 20,
    UPLOAD_LIMIT = 1 << 30
};

static int log_failure(const struct mg_connection *connection, const char *message)
{
    if (!connection)
        tool_say(NULL, "%s", message);
    return 1;
}

/* ---- the address ---- */

/* Writes an address and port, "127.0.0.1:9002". An IPv6 address needs brackets. */
static void listening_text(const serve_options *o, uint64_t port, char *out, size_t size)
{
    bool six = strchr(o->host, ':') != NULL && o->host[0] != '[';
    (void)snprintf(out, size, "%s%s%s:%" PRIu64, six ? "[" : "", o->host, six ? "]" : "", port);
}

/* Warns about archives of levels 2 and 3 without an index file: their moves are decoded with the predictor, a thousand
 * times slower than comparing codes. */
static void print_slow(const serve_files *files)
{
    for (size_t i = 0; i < files->named; i++)
        if (serve_files_slow(files, i))
            (void)fprintf(
                stderr,
                "stamma: %s is of level 2 or 3: positions are found slowly; stamma index writes an index file with "
                "which they are found fast\n",
                serve_files_path(files, i));
}

static uint64_t sum_games(const serve_files *files)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < files->named; i++)
        sum += serve_files_games(files, i);
    return sum;
}

/* Writes the address of the page. */
static void write_address(const serve_server *s, const struct mg_context *context, char *out, size_t size)
{
    struct mg_server_port ports[4];
    char address[128];
    int count = mg_get_server_ports(context, 4, ports);
    listening_text(&s->options, count > 0 ? (uint64_t)ports[0].port : s->options.port, address, sizeof address);
    (void)snprintf(out, size, "http://%s/", address);
}

/* Prints the address. Requests are already being answered, so archives may have changed since they were opened. */
static void print_address(const serve_server *s, uint64_t sum, const char *address)
{
    char games[TOOL_NUMBER_SIZE];
    if (s->answers.archives.count == 0)
        (void)fprintf(stderr, "stamma: %s serves no archive: the page describes how to begin\n", address);
    else
        (void)fprintf(stderr, "stamma: %s serves %s games of %zu archive%s\n", address, tool_number(sum, games),
                      s->answers.archives.count, s->answers.archives.count == 1 ? "" : "s");
    if (*tool_web_files_missing)
        (void)fprintf(stderr, "stamma: the page has plain pieces: built without %s\n", tool_web_files_missing);
    (void)fflush(stderr);
}

/* ---- the server ---- */

static bool open_uploads(serve_server *s)
{
    s->uploads = s->options.uploads ? serve_uploads_open(&s->options) : NULL;
    return s->uploads || !s->options.uploads;
}

/* Prepares answers: starts threads, and sets the limits and the files. */
static bool open_answers(serve_server *s, size_t archives)
{
    const serve_options *o = &s->options;
    serve *a = &s->answers;
    s->team = worker_threads_open(o->threads, &a->executor);
    a->seconds = o->seconds;
    a->memory = o->memory;
    a->engine = (serve_engine_limits){o->engine, o->engine_threads, o->engine_memory, o->engine_seconds};
    if (o->uploads)
        a->uploads = (serve_upload_limits){o->upload_limit, SERVE_UPLOADS_MAX};
    s->files = (serve_files){.archives = &a->archives,
                             .executor = &a->executor,
                             .ending = &a->ending,
                             .memory = o->memory / 2,
                             .writes = o->index};
    return serve_open(a, o->uploads ? SERVE_ARCHIVES_MAX : archives);
}

/* Reads the saved questions of the archives. Returns false after a message. */
static bool open_questions(tool_buffer *json, char **paths, size_t count)
{
    const stamma_output output = tool_buffer_output(json);
    bool right = true;
    tool_put_to(&output);
    tool_json_begin();
    tool_json_open(NULL, '[');
    for (size_t i = 0; i < count && right; i++) {
        saved_questions questions = {.list = NULL};
        right = saved_questions_read(paths[i], &questions);
        for (size_t n = 0; n < questions.count && right; n++) {
            tool_json_open(NULL, '{');
            tool_json_text("name", questions.list[n].name);
            tool_json_number("archive_number", i);
            tool_json_raw("query", questions.list[n].query);
            tool_json_close('}');
        }
        saved_questions_close(&questions);
    }
    tool_json_close(']');
    tool_put_to(NULL);
    return right && (!json->failed || tool_fail_memory(NULL));
}

/* Lets served files be truncated. */
static bool watch_files(void)
{
    if (system_guard())
        return true;
    tool_say(NULL, "served files cannot be mapped: %s", strerror(errno));
    return false;
}

static bool open_server(serve_server *s, char **paths, size_t count)
{
    const size_t connections = (size_t)s->options.connections;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_mutex_init(&s->sockets_lock, NULL);
    s->client_max = (unsigned)(connections - connections / 4);
    s->clients = calloc(connections, sizeof *s->clients);
    s->connection_room = 2 * (connections + 1 + 2 * QUEUE); /* also those just closed */
    s->connections = calloc(s->connection_room, sizeof *s->connections);
    bool right = open_answers(s, count);
    if (right && (!s->clients || !s->connections)) {
        (void)tool_fail_memory(NULL);
        right = false;
    }
    if (s->options.engine)
        s->engine = serve_engine_open(&s->options);
    if (s->options.syzygy)
        s->tablebase = serve_tablebase_open(&s->options);
    return right && (s->engine || !s->options.engine) && (s->tablebase || !s->options.syzygy) && watch_files() &&
           tool_persons_open(&s->answers.persons, s->options.persons, paths, count) &&
           open_questions(&s->answers.questions, paths, count) && serve_files_open(&s->files, paths, count) &&
           open_uploads(s);
}

static void close_server(serve_server *s)
{
    serve_engine_close(s->engine);
    serve_tablebase_close(s->tablebase);
    serve_uploads_close(s->uploads);
    serve_close(&s->answers);
    tool_persons_close(&s->answers.persons);
    tool_buffer_free(&s->answers.questions);
    serve_files_close(&s->files);
    worker_threads_close(s->team);
    free(s->clients);
    free(s->connections);
    (void)pthread_mutex_destroy(&s->sockets_lock);
    (void)pthread_mutex_destroy(&s->lock);
}

/* Returns why the server cannot listen on its address, or NULL if it can. Tries again to find the reason, because the
 * HTTP library does not report it. */
static const char *why_not(const serve_options *o)
{
    char port[16], host[96];
    const bool bracketed = o->host[0] == '[';
    bool six = false;
    (void)snprintf(port, sizeof port, "%" PRIu64, o->port);
    (void)snprintf(host, sizeof host, "%.*s", (int)strcspn(o->host + bracketed, "]"), o->host + bracketed);
    const char *why = system_why_not_listen(host, port, &six);
    if (!why && six && !mg_check_feature(MG_FEATURES_IPV6))
        why = "the HTTP library (civetweb) was built without IPv6";
    return why;
}

static struct mg_context *start(serve_server *s)
{
    char address[128], queue[16], backlog[16], threads[16], request_max[16], request_time[16], keep_time[16],
        why[256] = "";
    listening_text(&s->options, s->options.port, address, sizeof address);
    (void)snprintf(threads, sizeof threads, "%" PRIu64, s->options.connections + 1); /* see serve_connections.c */
    (void)snprintf(queue, sizeof queue, "%d", QUEUE);
    (void)snprintf(backlog, sizeof backlog, "%d", BACKLOG);
    (void)snprintf(request_max, sizeof request_max, "%d", REQUEST_MAX);
    (void)snprintf(request_time, sizeof request_time, "%d", REQUEST_TIME);
    (void)snprintf(keep_time, sizeof keep_time, "%d", KEEP_TIME);
    const char *settings[] = {"listening_ports",
                              address,
                              "num_threads",
                              threads,
                              "max_request_size",
                              request_max,
                              "request_timeout_ms",
                              request_time,
                              "keep_alive_timeout_ms",
                              keep_time,
                              "enable_keep_alive",
                              "yes",
                              "tcp_nodelay",
                              "1",
                              "access_control_allow_methods",
                              "",
                              "enable_directory_listing",
                              "no",
                              "connection_queue",
                              queue,
                              "listen_backlog",
                              backlog,
                              NULL};
    const struct mg_callbacks callbacks = {.begin_request = serve_lane_handle,
                                           .init_connection = serve_connection_open,
                                           .connection_close = serve_connection_close,
                                           .connection_closed = serve_connection_closed,
                                           .init_thread = serve_lane_open,
                                           .exit_thread = serve_lane_close,
                                           .http_error = serve_handle_error,
                                           .log_message = log_failure};
    unsigned code = 0;
    struct mg_init_data init = {&callbacks, s, settings};
    struct mg_error_data error = {&code, why, sizeof why};
    struct mg_context *context = mg_start2(&init, &error);
    if (!context) {
        const char *reason = why_not(&s->options);
        tool_say(address, "cannot be listened on: %s", reason ? reason : why);
    }
    return context;
}

static void *open_indexes(void *context)
{
    serve_server *s = context;
    serve_files_index(&s->files);
    return NULL;
}

/* State of the shutdown. The library ends when its threads end, which wait up to two seconds for requests. */
typedef struct ending {
    struct mg_context *context;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_ended;
    bool indexes; /* the thread `indexer` runs */
    pthread_t indexer;
} ending;

static void *stop_library(void *context)
{
    ending *e = context;
    if (e->indexes)
        (void)pthread_join(e->indexer, NULL);
    mg_stop(e->context);
    (void)pthread_mutex_lock(&e->lock);
    e->is_ended = true;
    (void)pthread_cond_signal(&e->ended);
    (void)pthread_mutex_unlock(&e->lock);
    return NULL;
}

/* Ends the program at once. Only an index file may be unfinished. */
static void stop_now(void)
{
    tool_pending_undo_all();
    _Exit(TOOL_DONE);
}

/* Ends the library. If this takes longer than 0.2 s, ends the program, which loses no data. */
static void stop_soon(ending *e)
{
    enum { PATIENCE = 200000000 }; /* nanoseconds */
    pthread_t thread;
    struct timespec until;
    (void)timespec_get(&until, TIME_UTC);
    until.tv_sec += (until.tv_nsec + PATIENCE) / 1000000000;
    until.tv_nsec = (until.tv_nsec + PATIENCE) % 1000000000;
    if (pthread_create(&thread, NULL, stop_library, e) != 0)
        stop_now();
    (void)pthread_mutex_lock(&e->lock);
    while (!e->is_ended)
        if (pthread_cond_timedwait(&e->ended, &e->lock, &until) != 0)
            stop_now();
    (void)pthread_mutex_unlock(&e->lock);
    (void)pthread_join(thread, NULL);
}

/* Serves until a signal arrives. The first requests do not wait for the indexes. */
static void serve_until(serve_server *s, struct mg_context *context, const char *address)
{
    enum { PAUSE = 50 }; /* milliseconds */
    ending e = {.context = context, .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    system_process browser = {0};
    e.indexes = pthread_create(&e.indexer, NULL, open_indexes, s) == 0;
    if (!e.indexes)
        (void)open_indexes(s);
    if (s->options.open)
        serve_browser_open(address, &browser);
    while (!system_ends_wait(PAUSE)) {
        serve_browser_wait(&browser, address);
        serve_connections_tidy(s);
        serve_engine_tidy(s->engine);
    }
    atomic_store(&s->answers.ending, true);
    serve_engine_stop(s->engine);
    serve_tablebase_stop(s->tablebase);
    serve_uploads_stop(s->uploads);
    stop_soon(&e);
}

/* Runs the server. Signals are blocked in all threads, and this thread waits for them. */
static int run(serve_server *s, char **paths, size_t count)
{
    struct mg_context *context = NULL;
    system_ends_hold(s->options.uploads != NULL); /* uploads are deleted when the terminal is closed */
    uint64_t games = 0;
    bool right = open_server(s, paths, count);
    if (right) {
        games = sum_games(&s->files);
        print_slow(&s->files);
        context = start(s);
        right = context != NULL;
    }
    if (right) {
        char address[160];
        write_address(s, context, address, sizeof address);
        print_address(s, games, address);
        serve_until(s, context, address);
    }
    close_server(s);
    return right ? TOOL_DONE : TOOL_ERROR;
}

/* Checks the options of the engine. The server must then accept only connections of this machine, because anyone who
 * can reach the server could use the processor. */
static bool check_engine(const serve_options *o)
{
    system_status file;
    if (!o->engine)
        return true;
    if (!serve_address_is_local(o->host))
        tool_say(NULL, "option --engine: only with a loopback address as --host, such as 127.0.0.1");
    else if (o->engine_threads < 1 || o->engine_threads > 1024)
        tool_say(NULL, "option --engine-threads: 1 to 1024");
    else if (!system_may_start(o->engine))
        tool_say(o->engine, "cannot be started: %s", strerror(errno));
    else if (system_status_at(o->engine, &file) && file.kind != SYSTEM_REGULAR)
        tool_say(o->engine, "cannot be started: it is not a file");
    else
        return true;
    return false;
}

/* Checks that uploads are accepted only from this machine: anyone who can reach the server could fill the disk, and
 * close the archives of others. */
static bool check_uploads(const serve_options *o)
{
    if (!o->uploads || serve_address_is_local(o->host))
        return true;
    tool_say(NULL, "option --uploads: only with a loopback address as --host, such as 127.0.0.1");
    return false;
}

static bool check(const serve_options *o, int archives)
{
    if (o->port > 65535)
        tool_say(NULL, "option --port: 0 to 65535");
    else if (o->connections < 4 || o->connections > 1000)
        tool_say(NULL, "option --connections: 4 to 1000");
    else if (strlen(o->host) > 80 || strpbrk(o->host, ", +") || !*o->host)
        tool_say(NULL, "option --host: expected an address, such as 127.0.0.1");
    else if (archives > SERVE_ARCHIVES_MAX)
        tool_say(NULL, "more than %d archives", SERVE_ARCHIVES_MAX);
    else
        return check_engine(o) && check_uploads(o);
    return false;
}

/* Looks for the tables. Returns false after a message. */
static bool check_tables(serve_server *s)
{
    return !s->options.syzygy || tablebase_check(s->options.syzygy, &s->answers.tablebase_men);
}

int tool_serve(int argc, char **argv)
{
    static serve_server s = {.options = {.host = "127.0.0.1",
                                         .port = 9002,
                                         .seconds = 10,
                                         .connections = 64,
                                         .memory = TOOL_MEMORY,
                                         .upload_limit = UPLOAD_LIMIT,
                                         .engine_threads = 1,
                                         .engine_memory = ENGINE_MEMORY,
                                         .engine_seconds = 60}};
    serve_options *o = &s.options;
    const tool_option options[] = {
        {'p', "port", "N", "port; default 9002; 0: any free port", .number = &o->port},
        {.name = "host",
         .value = "ADDRESS",
         .help = "address to listen on: 127.0.0.1 by default, which only this machine can reach;\n0.0.0.0 for all; :: "
                 "for all of "
                 "IPv6, if the HTTP library supports it",
         .text = &o->host},
        {.name = "cors",
         .value = "ORIGIN",
         .help = "site whose pages may read all answers, such as https://example.org; '*': any.\nBy default only "
                 "https://lichess.org may, and only opening explorer answers",
         .text = &o->cors},
        {TOOL_OPTION_THREADS, .number = &o->threads},
        {.name = "time-limit",
         .value = "SECONDS",
         .help = "time limit of a search (of a stream: without progress); default 10; 0: no limit",
         .number = &o->seconds},
        {.name = "connections",
         .value = "N",
         .help = "maximum number of connections, 4 to 1000; default 64",
         .number = &o->connections},
        {.name = "write-index",
         .earlier = "index",
         .help = "write missing and outdated index files while archives are served",
         .flag = &o->index},
        {.name = "open", .help = "open the page in a browser", .flag = &o->open},
        {.name = "persons",
         .value = "FILE",
         .help = "file of persons (doc/reference/names.md), which is read when the server starts;\n"
                 "default: ARCHIVE.persons",
         .text = &o->persons},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help = "memory limit of searches; default 512M, minimum 128M",
         .size = &o->memory},
        {.name = "uploads",
         .value = "DIR",
         .help = "lets the page open PGN files and archives, which are stored in this folder until\nthey are closed or "
                 "the server ends; only with a loopback address as --host",
         .text = &o->uploads},
        {.name = "upload-limit",
         .value = "SIZE",
         .least = 1 << 20,
         .help = "maximum size of an uploaded file, and of all uploaded archives together; default 1G",
         .size = &o->upload_limit},
        {.name = "engine",
         .value = "PROGRAM",
         .help = "chess engine (UCI) for analyses on the page, such as /usr/games/stockfish; only\nwith a loopback "
                 "address as --host",
         .text = &o->engine},
        {.name = "engine-threads",
         .value = "N",
         .help = "threads of the engine; default 1",
         .number = &o->engine_threads},
        {.name = "engine-memory",
         .value = "SIZE",
         .least = 1 << 20,
         .help = "memory of the engine's hash table; default 64M",
         .size = &o->engine_memory},
        {.name = "engine-time",
         .value = "SECONDS",
         .help = "time limit of an analysis; default 60; 0: no limit",
         .number = &o->engine_seconds},
        {.name = "syzygy",
         .value = "DIR",
         .help = "folder of Syzygy tablebases, for results of endgames; several are separated by colons",
         .text = &o->syzygy},
    };
    const tool_usage usage = {"serve", "[ARCHIVE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    return check(o, operands) && check_tables(&s) ? run(&s, argv, (size_t)operands) : TOOL_ERROR;
}
