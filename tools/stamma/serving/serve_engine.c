/* SPDX-License-Identifier: MIT */
/* /engine: analyses of positions by a chess engine, as lines of JSON. There is one process, which is started when it is
 * needed and ends when it is idle. Analyses wait in a queue. The first uses the engine, and moves to the end of the
 * queue after a turn if others wait. */
#include "serving/serve_engine.h"
#include "games/game_views.h"

#define POLL 0.05      /* seconds between two checks of the client */
#define TURN 1.0       /* seconds after which an analysis lets others continue */
#define SEND_PAUSE 0.1 /* seconds between two lines of an answer */
#define PATIENCE 10.0  /* seconds in which the engine must answer "uci" and "isready" */
#define STOP_MOST 3.0  /* seconds in which the engine must answer "stop" */
#define IDLE 30.0      /* seconds after which the engine ends */

enum { ANALYSES_MAX = 8 }; /* analyses that run or wait */

typedef struct analysis analysis;

struct serve_engine {
    const serve_options *options;
    engine_features features; /* of the running process */
    engine_process process;
    pthread_mutex_t lock; /* protects the following members, and start and end of the process */
    pthread_cond_t changed;
    analysis *first; /* the queue */
    unsigned count;
    double used; /* time when the queue became empty */
    bool ending;
};

typedef enum analysis_end {
    END_NONE,   /* continues */
    END_TURN,   /* others wait */
    END_DEPTH,  /* the depth is reached */
    END_TIME,   /* the time is over */
    END_ENGINE, /* the engine has ended the search */
    END_GONE,   /* the client is gone, or the server is ending */
    END_FAILED  /* the exchange has an error */
} analysis_end;

/* A set of lines of the same depth. */
typedef struct analysis_set {
    size_t count;
    engine_variation lines[ENGINE_LINES_MAX];
} analysis_set;

struct analysis {
    serve_exchange *x;
    serve_engine *engine;
    analysis *next; /* in the queue */
    bool chess960;
    size_t wanted;       /* number of lines */
    double spent, began; /* seconds of earlier turns; time when this turn began */
    engine_info info;    /* the latest */
    analysis_set coming, complete;
    unsigned sent_depth;
    bool fresh;  /* `complete` has not been sent */
    double sent; /* time of the last line of the answer */
};

/* ---- opening and closing ---- */

serve_engine *serve_engine_open(const serve_options *options)
{
    serve_engine *e = calloc(1, sizeof *e);
    if (!e) {
        (void)tool_fail_memory(NULL);
        return NULL;
    }
    e->options = options;
    (void)pthread_mutex_init(&e->lock, NULL);
    (void)pthread_cond_init(&e->changed, NULL);
    return e;
}

void serve_engine_tidy(serve_engine *e)
{
    if (!e)
        return;
    (void)pthread_mutex_lock(&e->lock);
    if (e->process.program.id && !e->first && tool_clock() - e->used > IDLE)
        (void)engine_end(&e->process);
    (void)pthread_mutex_unlock(&e->lock);
}

void serve_engine_stop(serve_engine *e)
{
    if (!e)
        return;
    (void)pthread_mutex_lock(&e->lock);
    e->ending = true;
    engine_kill(&e->process);
    (void)pthread_mutex_unlock(&e->lock);
}

void serve_engine_close(serve_engine *e)
{
    if (!e)
        return;
    (void)engine_end(&e->process);
    (void)pthread_cond_destroy(&e->changed);
    (void)pthread_mutex_destroy(&e->lock);
    free(e);
}

/* ---- the queue ---- */

/* Returns whether the client waits for the answer. */
static bool is_wanted(serve_exchange *x)
{
    double now = tool_clock();
    if (now - x->polled >= POLL) {
        x->polled = now;
        x->gone = x->gone || serve_client_gone(x);
    }
    return !x->gone && !atomic_load(&x->server->ending);
}

static void append(analysis *a)
{
    analysis **end = &a->engine->first;
    while (*end)
        end = &(*end)->next;
    *end = a;
    a->next = NULL;
}

static void take_out(analysis *a)
{
    analysis **at = &a->engine->first;
    while (*at && *at != a)
        at = &(*at)->next;
    if (*at)
        *at = a->next;
}

/* Waits until the analysis is the first. Returns false if it is no longer wanted. Call with the lock held. */
static bool wait_for_turn(analysis *a)
{
    bool wanted = true;
    while (wanted && a->engine->first != a) {
        serve_pause(&a->engine->changed, &a->engine->lock, POLL);
        (void)pthread_mutex_unlock(&a->engine->lock);
        wanted = is_wanted(a->x);
        (void)pthread_mutex_lock(&a->engine->lock);
    }
    return wanted;
}

static void leave(analysis *a)
{
    serve_engine *e = a->engine;
    (void)pthread_mutex_lock(&e->lock);
    take_out(a);
    e->count--;
    e->used = tool_clock();
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->lock);
}

/* Waits for the first turn. Returns false with an error if there are too many analyses. */
static bool enter(analysis *a, bool *wanted)
{
    serve_engine *e = a->engine;
    (void)pthread_mutex_lock(&e->lock);
    bool right = e->count < ANALYSES_MAX;
    if (right) {
        e->count++;
        append(a);
        *wanted = wait_for_turn(a);
    }
    (void)pthread_mutex_unlock(&e->lock);
    if (!right)
        atomic_fetch_add(&a->x->server->rejected, 1);
    return right || serve_fail(&a->x->fault, 503, "too many analyses at once; try again in a second");
}

/* Lets the others continue, and waits for the next turn. */
static bool take_turns(analysis *a)
{
    serve_engine *e = a->engine;
    (void)pthread_mutex_lock(&e->lock);
    take_out(a);
    append(a);
    (void)pthread_cond_broadcast(&e->changed);
    bool wanted = wait_for_turn(a);
    (void)pthread_mutex_unlock(&e->lock);
    return wanted;
}

static bool others_wait(analysis *a)
{
    (void)pthread_mutex_lock(&a->engine->lock);
    bool waiting = a->next != NULL;
    (void)pthread_mutex_unlock(&a->engine->lock);
    return waiting;
}

/* ---- talking to the engine; only the first of the queue may ---- */

/* Ends the process and sets the error: `what` completes "the engine NAME ...", and is followed by the exit status. */
static analysis_end fail(analysis *a, const char *what)
{
    serve_engine *e = a->engine;
    char how[64] = "";
    (void)pthread_mutex_lock(&e->lock);
    const bool ending = e->ending;
    int status = engine_end(&e->process);
    (void)pthread_mutex_unlock(&e->lock);
    if (status < SYSTEM_SIGNAL)
        (void)snprintf(how, sizeof how, "; its exit status is %d", status);
    else if (status != SYSTEM_KILLED)
        (void)snprintf(how, sizeof how, "; it was ended by signal %d", status - SYSTEM_SIGNAL);
    (void)serve_fail(&a->x->fault, 502, "the engine %.160s %s%s", e->options->engine, what, how);
    return ending ? END_GONE : END_FAILED;
}

static analysis_end say(analysis *a, const char *text)
{
    return engine_send(&a->engine->process, text, strlen(text)) ? END_NONE : fail(a, "does not read commands");
}

/* Reads lines until `done` returns true for one. */
static analysis_end wait_for(analysis *a, bool (*done)(analysis *a, const char *line), double seconds, const char *what)
{
    const double until = tool_clock() + seconds;
    while (tool_clock() < until) {
        char *line;
        engine_event event = engine_read(&a->engine->process, (int)(POLL * 1000), &line);
        if (event == ENGINE_ENDED)
            return fail(a, what);
        if (event == ENGINE_LINE && done(a, line))
            return END_NONE;
        if (atomic_load(&a->x->server->ending))
            return END_GONE;
    }
    return fail(a, what);
}

static bool is_uciok(analysis *a, const char *line)
{
    return engine_features_read(&a->engine->features, line);
}

static bool is_readyok(analysis *a, const char *line)
{
    (void)a;
    return engine_line_is(line, "readyok");
}

static analysis_end set_number(analysis *a, const char *name, const engine_spin *spin, uint64_t wanted)
{
    char text[80];
    (void)snprintf(text, sizeof text, "setoption name %s value %" PRIu64 "\n", name, engine_spin_value(spin, wanted));
    return spin->known ? say(a, text) : END_NONE;
}

/* Sets the options of the engine, which are the same for all analyses. */
static analysis_end set_up(analysis *a)
{
    const serve_engine *e = a->engine;
    analysis_end end = set_number(a, "Threads", &e->features.threads, e->options->engine_threads);
    if (!end)
        end = set_number(a, "Hash", &e->features.hash, e->options->engine_memory >> 20);
    if (!end && e->features.analyse)
        end = say(a, "setoption name UCI_AnalyseMode value true\n");
    return end;
}

static bool is_running(serve_engine *e)
{
    (void)pthread_mutex_lock(&e->lock);
    const bool running = e->process.program.id != 0;
    (void)pthread_mutex_unlock(&e->lock);
    return running;
}

/* Starts the process. */
static analysis_end start(analysis *a)
{
    serve_engine *e = a->engine;
    (void)pthread_mutex_lock(&e->lock);
    const char *const arguments[] = {e->options->engine, NULL};
    int error = e->ending ? ECANCELED : engine_start(&e->process, arguments);
    (void)pthread_mutex_unlock(&e->lock);
    if (error) {
        (void)serve_fail(&a->x->fault, 502, "the engine %.160s cannot be started: %s", e->options->engine,
                         strerror(error));
        return END_FAILED;
    }
    e->features = (engine_features){.name = ""};
    (void)engine_send(&e->process, "uci\n", 4);
    analysis_end end = wait_for(a, is_uciok, PATIENCE, "does not answer as a UCI engine must");
    return end ? end : set_up(a);
}

/* Returns the number of lines that the engine will report. */
static size_t lines_of(const analysis *a)
{
    const engine_spin *spin = &a->engine->features.lines;
    const serve_request *r = &a->x->request;
    size_t lines = r->lines, moves = r->searched_count;
    moves = moves > 0 ? moves : stamma_legal_moves_count(&r->position);
    lines = !spin->known ? 1 : lines > spin->most ? (size_t)spin->most : lines;
    return lines < moves ? lines : moves;
}

/* Makes the engine ready for the analysis. Skips lines that an earlier search has left. */
static analysis_end prepare(analysis *a)
{
    const engine_features *f = &a->engine->features;
    analysis_end end = is_running(a->engine) ? END_NONE : start(a);
    if (end)
        return end;
    if (a->chess960 && !f->chess960) {
        (void)serve_fail(&a->x->fault, 502, "the engine %.80s does not support Chess960", f->name);
        return END_FAILED;
    }
    a->wanted = lines_of(a);
    end = set_number(a, "MultiPV", &f->lines, a->wanted);
    if (!end && f->chess960)
        end = say(a, a->chess960 ? "setoption name UCI_Chess960 value true\n"
                                 : "setoption name UCI_Chess960 value false\n");
    if (!end)
        end = say(a, "isready\n");
    return end ? end : wait_for(a, is_readyok, PATIENCE, "does not become ready");
}

/* ---- the search ---- */

static void add_text(tool_buffer *buffer, const char *text)
{
    (void)tool_buffer_add(buffer, text, strlen(text));
}

static void add_move(tool_buffer *buffer, const stamma_position *position, stamma_move move, bool chess960)
{
    char text[STAMMA_UCI_SIZE];
    (void)stamma_uci_write(position, move, chess960, text, sizeof text);
    add_text(buffer, " ");
    add_text(buffer, text);
}

static void add_moves(tool_buffer *buffer, const serve_request *r, bool chess960)
{
    stamma_position position = r->start;
    add_text(buffer, r->plies > 0 ? " moves" : "");
    for (size_t i = 0; i < r->plies; i++) {
        add_move(buffer, &position, r->played[i], chess960);
        stamma_position_make(&position, r->played[i], &position);
    }
}

/* Adds the command that begins the search. Engines read moves up to the end of the line. */
static void add_go(tool_buffer *buffer, const serve_request *r, bool chess960)
{
    char go[32] = "\ngo infinite";
    if (r->depth > 0)
        (void)snprintf(go, sizeof go, "\ngo depth %zu", r->depth);
    add_text(buffer, go);
    add_text(buffer, r->searched_count > 0 ? " searchmoves" : "");
    for (size_t i = 0; i < r->searched_count; i++)
        add_move(buffer, &r->position, r->searched[i], chess960);
    add_text(buffer, "\n");
}

static bool has_null_move(const serve_request *r)
{
    for (size_t i = 0; i < r->plies; i++)
        if (r->played[i] == STAMMA_MOVE_NULL)
            return true;
    return false;
}

/* Sends the position with the moves before it, which show repetitions. Engines do not support null moves. */
static analysis_end begin_search(analysis *a)
{
    const serve_request *r = &a->x->request;
    char fen[STAMMA_FEN_SIZE];
    const bool moves = !has_null_move(r);
    tool_buffer command = {NULL, 0, 0, false};
    (void)stamma_fen_write(moves ? &r->start : &r->position, STAMMA_FEN_STANDARD, fen, sizeof fen);
    add_text(&command, "position fen ");
    add_text(&command, fen);
    if (moves)
        add_moves(&command, r, a->chess960);
    add_go(&command, r, a->chess960);
    bool sent = !command.failed && engine_send(&a->engine->process, command.bytes, command.size);
    tool_buffer_free(&command);
    a->began = tool_clock();
    a->coming.count = 0;
    return sent ? END_NONE : fail(a, "does not read commands");
}

/* Reads a line of the search. Lines arrive in the order of their numbers; a set is complete with the last. */
static void read_info(analysis *a, const char *line)
{
    engine_info info;
    engine_variation v;
    if (!engine_info_read(line, &info) || !engine_variation_read(&a->x->request.position, &info, &v))
        return;
    a->info = info;
    if (info.line == 1)
        a->coming.count = 0;
    if (info.line != a->coming.count + 1 || info.line > a->wanted)
        return;
    a->coming.lines[a->coming.count++] = v;
    if (a->coming.count < a->wanted || a->coming.lines[0].depth < a->sent_depth)
        return;
    a->complete = a->coming;
    a->fresh = true;
}

static double spent(const analysis *a)
{
    return a->spent + tool_clock() - a->began;
}

/* Returns the seconds that the analysis may use; 0: no limit. */
static double time_limit(const analysis *a)
{
    double most = (double)a->engine->options->engine_seconds, wanted = (double)a->x->request.movetime / 1000;
    return wanted > 0 && (most == 0 || wanted < most) ? wanted : most;
}

static analysis_end should_end(analysis *a)
{
    double limit = time_limit(a);
    if (!is_wanted(a->x))
        return END_GONE;
    if (limit > 0 && spent(a) >= limit)
        return END_TIME;
    return tool_clock() - a->began >= TURN && others_wait(a) ? END_TURN : END_NONE;
}

static bool is_bestmove(analysis *a, const char *line)
{
    read_info(a, line);
    return engine_line_is(line, "bestmove");
}

/* Stops the search. The lines that the engine reports before it stops belong to the search. */
static analysis_end stop(analysis *a, analysis_end why)
{
    if (atomic_load(&a->x->server->ending))
        return END_GONE;
    analysis_end end = say(a, "stop\n");
    if (!end)
        end = wait_for(a, is_bestmove, STOP_MOST, "does not stop");
    return end ? end : why;
}

/* ---- the answer ---- */

static void begin_line(analysis *a, stamma_output *output)
{
    a->x->body.size = 0;
    *output = tool_buffer_output(&a->x->body);
    tool_put_to(output);
    tool_json_begin();
    tool_json_open(NULL, '{');
}

static bool send_line(analysis *a)
{
    serve_exchange *x = a->x;
    tool_json_close('}');
    tool_json_end();
    tool_put_to(NULL);
    a->sent = tool_clock();
    return !x->body.failed && serve_send_piece(x, x->body.bytes, x->body.size);
}

static bool send_head(analysis *a)
{
    stamma_output output;
    if (a->x->streaming)
        return true;
    if (!serve_send_begin(a->x))
        return false;
    begin_line(a, &output);
    tool_json_string("engine", a->engine->features.name);
    tool_json_number("lines", a->wanted);
    return send_line(a);
}

/* Sends the latest set of lines if it is new. Unless `now` is set, sends nothing within SEND_PAUSE of the last set. */
static bool send_set(analysis *a, bool now)
{
    stamma_output output;
    if (!a->fresh || (!now && tool_clock() - a->sent < SEND_PAUSE))
        return true;
    a->fresh = false;
    a->sent_depth = a->complete.lines[0].depth;
    begin_line(a, &output);
    tool_json_number("depth", a->sent_depth);
    tool_json_number("seldepth", a->info.seldepth);
    tool_json_number("time", (uint64_t)(spent(a) * 1000));
    tool_json_number("nodes", a->info.nodes);
    tool_json_number("nps", a->info.nps);
    tool_json_open("lines", '[');
    for (size_t i = 0; i < a->complete.count; i++)
        engine_variation_put(&a->x->request.position, &a->complete.lines[i]);
    tool_json_close(']');
    return send_line(a);
}

/* Sends the last line: the reason for the end of the analysis, or its error. */
static bool send_end(analysis *a, const char *key, const char *text)
{
    stamma_output output;
    begin_line(a, &output);
    tool_json_string(key, text);
    return send_line(a) || a->x->gone || serve_fail_memory(&a->x->fault);
}

static bool is_deep_enough(const analysis *a)
{
    const size_t depth = a->x->request.depth;
    return depth > 0 && a->complete.count > 0 && a->complete.lines[0].depth >= depth;
}

/* Reads and sends lines until the search ends. */
static analysis_end follow_search(analysis *a)
{
    for (;;) {
        char *line;
        engine_event event = engine_read(&a->engine->process, (int)(POLL * 1000 / 2), &line);
        if (event == ENGINE_ENDED)
            return fail(a, "ended during the search");
        if (event == ENGINE_LINE && is_bestmove(a, line))
            return is_deep_enough(a) ? END_DEPTH : END_ENGINE;
        analysis_end end = send_set(a, false) ? should_end(a) : END_GONE;
        if (end)
            return stop(a, end);
    }
}

/* Searches until the analysis or its turn ends. */
static analysis_end search(analysis *a)
{
    analysis_end end = prepare(a);
    if (end)
        return end;
    if (!send_head(a))
        return END_GONE;
    end = begin_search(a);
    if (!end)
        end = follow_search(a);
    if (a->coming.count > a->complete.count && a->complete.count == 0) {
        a->complete = a->coming; /* an engine that reports fewer lines than it should */
        a->fresh = true;
    }
    if (end == END_DEPTH || end == END_TIME || end == END_ENGINE)
        (void)send_set(a, true);
    a->spent = spent(a);
    return end;
}

/* Sends the end of the answer. Returns false with an error if nothing has been sent. */
static bool finish(analysis *a, analysis_end end)
{
    static const char *const words[] = {[END_DEPTH] = "depth", [END_TIME] = "time", [END_ENGINE] = "engine"};
    serve_exchange *x = a->x;
    if (end == END_FAILED && !x->streaming)
        return false;
    if (end == END_GONE)
        return serve_fail(&x->fault, 499, "the client is gone");
    return end == END_FAILED ? send_end(a, "error", x->fault.message) : send_end(a, "end", words[end]);
}

static bool analyse(analysis *a)
{
    bool wanted = true;
    if (!enter(a, &wanted))
        return false;
    analysis_end end = wanted ? search(a) : END_GONE;
    while (end == END_TURN)
        end = take_turns(a) ? search(a) : END_GONE;
    leave(a);
    return finish(a, end);
}

/* Answers for a position without legal moves. The engine is not needed. */
static bool answer_ended(analysis *a)
{
    const stamma_position *position = &a->x->request.position;
    return !serve_send_begin(a->x) || send_end(a, "end", stamma_position_in_check(position) ? "mate" : "stalemate");
}

static bool produce(serve_exchange *x)
{
    analysis *a = x->reply.state;
    return x->head || stamma_legal_moves_count(&x->request.position) == 0 ? answer_ended(a) : analyse(a);
}

bool serve_analyse(serve_exchange *x)
{
    static const serve_headers headers = {.type = "application/x-ndjson; charset=utf-8", .cache = "no-store"};
    serve_engine *engine = serve_http_of(x)->server->engine;
    if (!engine)
        return serve_fail(&x->fault, 404, "this server has no engine; see --engine");
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return serve_fail_memory(&x->fault);
    a->x = x;
    a->engine = engine;
    a->chess960 = tool_is_chess960(&x->request.start);
    return serve_reply_pieces(x, &headers, produce, free, a);
}
