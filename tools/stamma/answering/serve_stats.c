/* Statistics of games: /stats. */
#include "answering/serve_answers.h"

static bool add_all(serve_exchange *x, stamma_stats *stats, const serve_archive_list *archives)
{
    for (size_t i = 0; i < archives->count; i++) {
        const serve_archive *a = archives->list[i];
        const stamma_search_options options = serve_search_options(x);
        stamma_place place = {.offset = 0};
        stamma_error error = stamma_stats_add_archive(stats, a->handle, x->request.query, &options, &place);
        if (!serve_search_end(x, a, error, place))
            return false;
    }
    return true;
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

static bool search(serve_exchange *x, const serve_archive_list *archives)
{
    stamma_stats *stats = NULL;
    bool right = !stamma_stats_open(NULL, &stats) || serve_fail_memory(&x->fault);
    right = right && serve_search_enter(x) && add_all(x, stats, archives) && write(x, stats);
    serve_search_leave(x);
    stamma_stats_close(stats);
    return right;
}

bool serve_stats(serve_exchange *x)
{
    serve_archive_list archives;
    tool_buffer key;
    if (!serve_archives_take(&x->server->archives, x->request.archive, &archives, &x->fault))
        return false;
    bool known = serve_search_recall(x, &archives, &key);
    bool right = known || search(x, &archives);
    if (right && !known)
        serve_search_remember(x, &key);
    tool_buffer_free(&key);
    serve_archives_release(&x->server->archives, &archives);
    return right && serve_reply_json(x);
}
