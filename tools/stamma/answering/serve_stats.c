/* SPDX-License-Identifier: MIT */
/* Statistics of games: /stats. */
#include "answering/serve_answers.h"

typedef struct summing {
    serve_exchange *x;
    serve_archive_list archives;
} summing;

static bool add_all(serve_exchange *x, stamma_stats *stats, const serve_archive_list *archives)
{
    serve_scan s = {.archives = archives};
    while (serve_scan_next(x, &s))
        s.error =
            stamma_stats_add_archive(stats, s.archive->handle, x->request.query, &s.options, &s.place);
    return !s.failed;
}

static bool write(serve_exchange *x, stamma_stats *stats)
{
    size_t length = 0, rows = (size_t)x->request.rows;
    stamma_error error = stamma_stats_write_json(stats, rows, NULL, 0, &length);
    tool_buffer *b = &x->body;
    b->bytes = error ? NULL : malloc(length + 1);
    if (!b->bytes || stamma_stats_write_json(stats, rows, b->bytes, length + 1, &length))
        return serve_fail_memory(&x->fault);
    b->room = length + 1;
    b->size = length;
    return true;
}

static bool search(void *context)
{
    const summing *s = context;
    serve_exchange *x = s->x;
    stamma_stats *stats = NULL;
    bool right = !stamma_stats_open(NULL, &stats) || serve_fail_memory(&x->fault);
    right = right && serve_search_enter(x) && add_all(x, stats, &s->archives) && write(x, stats);
    serve_search_leave(x);
    stamma_stats_close(stats);
    return right;
}

bool serve_stats(serve_exchange *x)
{
    summing s = {.x = x};
    if (!serve_archives_asked(x, &s.archives))
        return false;
    const bool right = serve_search_cached(x, &s.archives, search, &s);
    serve_archives_release(&x->server->archives, &s.archives);
    return right && serve_reply_json(x);
}
