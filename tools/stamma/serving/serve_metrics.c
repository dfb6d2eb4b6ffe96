/* SPDX-License-Identifier: MIT */
/* The metrics of the server: /metrics, in Prometheus's text format, version 0.0.4. */
#include "serving/server.h"

static const char *const endpoints[SERVE_ENDPOINTS] = {
    [SERVE_MASTERS] = "masters", [SERVE_LICHESS] = "lichess",    [SERVE_HISTORY] = "history",
    [SERVE_PLAYER] = "player",   [SERVE_NAMES] = "players",      [SERVE_REPORT] = "report",
    [SERVE_NOVELTY] = "novelty", [SERVE_ORDERS] = "orders",      [SERVE_FIND] = "find",
    [SERVE_STATS] = "stats",     [SERVE_LINE] = "line",          [SERVE_GAME] = "game",
    [SERVE_PGN] = "pgn",         [SERVE_ARCHIVES] = "archives",  [SERVE_QUESTIONS] = "questions",
    [SERVE_HEALTH] = "health",   [SERVE_METRICS] = "metrics",    [SERVE_ENGINE] = "engine",
    [SERVE_UPLOADS] = "uploads", [SERVE_BOARD] = "board",        [SERVE_ENCODINGS] = "encodings",
    [SERVE_ENCODE] = "encode",   [SERVE_SIZES] = "sizes",        [SERVE_DECODE] = "decode",
    [SERVE_PAGE] = "page",       [SERVE_TABLEBASE] = "tablebase"};
static const int statuses[SERVE_STATUSES] = {200, 204, 304, 400, 403, 404, 405, 408, 409, 413, 414,
                                             415, 422, 429, 431, 499, 500, 502, 503, 507, 504};
static const double bounds[SERVE_BUCKETS] = {0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 0};

void serve_count(serve_server *server, serve_endpoint endpoint, int status, double seconds)
{
    serve_metric *m = &server->metrics[endpoint];
    size_t n = 0, bucket = 0;
    while (n + 1 < SERVE_STATUSES && statuses[n] != status)
        n++;
    while (bucket + 1 < SERVE_BUCKETS && seconds > bounds[bucket])
        bucket++;
    atomic_fetch_add(&m->statuses[n], 1);
    atomic_fetch_add(&m->buckets[bucket], 1);
    atomic_fetch_add(&m->microseconds, (unsigned long long)(seconds * 1e6));
}

static void put_line(const char *format, const char *endpoint, const char *label, unsigned long long value)
{
    char line[192];
    tool_put(line, (size_t)snprintf(line, sizeof line, format, endpoint, label, value));
}

static void put_head(const char *name, const char *type, const char *help)
{
    char line[256];
    tool_put(line,
             (size_t)snprintf(line, sizeof line, "# HELP stamma_%s %s\n# TYPE stamma_%s %s\n", name, help, name, type));
}

static void put_value(const char *name, const char *type, const char *help, uint64_t value)
{
    char line[128];
    put_head(name, type, help);
    tool_put(line, (size_t)snprintf(line, sizeof line, "stamma_%s %" PRIu64 "\n", name, value));
}

static void put_requests(serve_server *s)
{
    char label[16];
    put_head("requests_total", "counter", "Requests by endpoint and status.");
    for (size_t e = 0; e < SERVE_ENDPOINTS; e++)
        for (size_t n = 0; n < SERVE_STATUSES; n++) {
            unsigned long long count = atomic_load(&s->metrics[e].statuses[n]);
            (void)snprintf(label, sizeof label, "%d", statuses[n]);
            if (count > 0)
                put_line("stamma_requests_total{endpoint=\"%s\",status=\"%s\"} %llu\n", endpoints[e], label, count);
        }
}

static void put_durations(serve_server *s)
{
    char label[32], line[128];
    put_head("request_seconds", "histogram", "How long requests took.");
    for (size_t e = 0; e < SERVE_ENDPOINTS; e++) {
        unsigned long long count = 0;
        for (size_t b = 0; b < SERVE_BUCKETS; b++) {
            count += atomic_load(&s->metrics[e].buckets[b]);
            (void)snprintf(label, sizeof label, "%g", bounds[b]);
            put_line("stamma_request_seconds_bucket{endpoint=\"%s\",le=\"%s\"} %llu\n", endpoints[e],
                     b + 1 < SERVE_BUCKETS ? label : "+Inf", count);
        }
        tool_put(line, (size_t)snprintf(line, sizeof line,
                                        "stamma_request_seconds_sum{endpoint=\"%s\"} %.6f\n"
                                        "stamma_request_seconds_count{endpoint=\"%s\"} %llu\n",
                                        endpoints[e], (double)atomic_load(&s->metrics[e].microseconds) / 1e6,
                                        endpoints[e], count));
    }
}

bool serve_metrics(serve_exchange *x)
{
    static const serve_headers headers = {.type = "text/plain; version=0.0.4; charset=utf-8"};
    serve_server *server = serve_http_of(x)->server;
    serve *s = x->server;
    serve_sums sum;
    const stamma_output output = tool_buffer_output(&x->body);
    if (!serve_sum_archives(x, &sum))
        return false;
    (void)pthread_mutex_lock(&s->lock);
    unsigned searching = s->searching, waiting = s->waiting;
    (void)pthread_mutex_unlock(&s->lock);
    tool_put_to(&output);
    put_requests(server);
    put_durations(server);
    put_value("games", "gauge", "Games in all archives.", sum.games);
    put_value("archives", "gauge", "Archives.", sum.archives);
    put_value("archives_indexed", "gauge", "Archives whose index is open.", sum.indexed);
    put_value("archives_index_files", "gauge", "Archives whose index is open, in an index file.", sum.index_files);
    put_value("memory_resident_bytes", "gauge", "Memory that is in use, mapped archives included.", system_resident());
    put_value("requests_running", "gauge", "Requests that are being answered.", atomic_load(&server->running));
    put_value("searches_running", "gauge", "Searches that are running.", searching);
    put_value("searches_waiting", "gauge", "Searches that wait for a place.", waiting);
    put_value("searches_cancelled_total", "counter", "Searches ended because their client was gone.",
              atomic_load(&s->cancelled));
    put_value("searches_late_total", "counter", "Searches ended because their time was up.", atomic_load(&s->late));
    put_value("answers_remembered_total", "counter", "Requests answered without a search, as one before.",
              atomic_load(&s->remembered));
    put_value("requests_rejected_total", "counter", "Requests answered with 429 or 503.", atomic_load(&s->rejected));
    tool_put_to(NULL);
    return serve_reply_body(x, &headers);
}
