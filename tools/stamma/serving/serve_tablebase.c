/* SPDX-License-Identifier: MIT */
/* /tablebase: the result of a position with few pieces, from Syzygy tablebases. */
#include "serving/serve_tablebase.h"
#include "serving/serve_engine.h"

enum { PATIENCE = 10 /* seconds for an answer, and for the requests before it */ };

struct serve_tablebase {
    const char *folders;
    pthread_mutex_t lock; /* protects in_use */
    pthread_cond_t left;  /* signalled when in_use becomes false */
    bool in_use;          /* a request uses the process, which answers one at a time */
    engine_process process;
};

serve_tablebase *serve_tablebase_open(const serve_options *options)
{
    serve_tablebase *t = calloc(1, sizeof *t);
    if (!t) {
        (void)tool_fail_memory(NULL);
        return NULL;
    }
    t->folders = options->syzygy;
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->left, NULL);
    return t;
}

/* Ends the process. The next request starts another. */
static void end(serve_tablebase *t)
{
    if (!t->process.program.id)
        return;
    engine_kill(&t->process);
    (void)system_close(t->process.input);
    (void)system_close(t->process.output);
}

/* Waits until no other request uses the process. Returns false after PATIENCE seconds. */
static bool take_turn(serve_tablebase *t)
{
    const double until = tool_clock() + PATIENCE;
    (void)pthread_mutex_lock(&t->lock);
    for (double now = tool_clock(); t->in_use && now < until; now = tool_clock())
        serve_pause(&t->left, &t->lock, until - now);
    const bool is_taken = !t->in_use;
    t->in_use = true;
    (void)pthread_mutex_unlock(&t->lock);
    return is_taken;
}

static void leave_turn(serve_tablebase *t)
{
    (void)pthread_mutex_lock(&t->lock);
    t->in_use = false;
    (void)pthread_cond_signal(&t->left);
    (void)pthread_mutex_unlock(&t->lock);
}

void serve_tablebase_stop(serve_tablebase *t)
{
    if (!t)
        return;
    if (!take_turn(t)) /* a request that is being answered ends soon */
        return;
    end(t);
    leave_turn(t);
}

void serve_tablebase_close(serve_tablebase *t)
{
    if (!t)
        return;
    end(t);
    (void)pthread_cond_destroy(&t->left);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

/* Reads the answer into the body of the reply. */
static bool read_answer(serve_tablebase *t, serve_exchange *x)
{
    char *line = NULL;
    const double until = tool_clock() + PATIENCE;
    for (double now = tool_clock(); now < until; now = tool_clock()) {
        const engine_event event = engine_read(&t->process, 100, &line);
        if (event == ENGINE_ENDED)
            return serve_fail(&x->fault, 502, "the tablebases cannot be read: the program that reads them has ended");
        if (event == ENGINE_LINE && *line == '{')
            return tool_buffer_add(&x->body, line, strlen(line)) || serve_fail_memory(&x->fault);
        if (atomic_load(&x->server->ending))
            return serve_fail(&x->fault, 503, "the server ends");
    }
    return serve_fail(&x->fault, 504, "the tablebases cannot be read in %d seconds", PATIENCE);
}

/* Sends the position. */
static bool ask(serve_tablebase *t, serve_exchange *x)
{
    char fen[STAMMA_FEN_SIZE + 1];
    const char *const arguments[] = {system_program(), "tablebase", "--syzygy", t->folders, NULL};
    const int error = atomic_load(&x->server->ending) ? ECANCELED
                      : t->process.program.id != 0    ? 0
                                                      : engine_start(&t->process, arguments);
    if (error)
        return serve_fail(&x->fault, 502, "the program that reads the tablebases cannot be started: %s",
                          strerror(error));
    size_t size = stamma_fen_write(&x->request.position, STAMMA_FEN_SHREDDER, fen, sizeof fen - 1);
    fen[size++] = '\n';
    return engine_send(&t->process, fen, size) ||
           serve_fail(&x->fault, 502, "the program that reads the tablebases has ended");
}

bool serve_probe(serve_exchange *x)
{
    serve_tablebase *t = serve_http_of(x)->server->tablebase;
    if (!t)
        return serve_fail(&x->fault, 404, "this server has no tablebases; see --syzygy");
    if (!take_turn(t))
        return serve_fail(&x->fault, 503, "too many requests wait for the tablebases");
    const bool right = ask(t, x) && read_answer(t, x);
    if (!right)
        end(t);
    leave_turn(t);
    return right && serve_reply_json(x);
}
