/* SPDX-License-Identifier: MIT */
/* Searches: a limited number at once; each is stopped when its client is gone or its time is up. */
#include "answering/serve_answers.h"

#include <errno.h>
#include <time.h>

#define POLL_INTERVAL 0.05 /* seconds between two checks of the client */
#define WAIT_MOST 10.0     /* seconds to wait for a place among the searches */

/* Checks whether the client is connected. Call with the exchange's lock held. */
static bool look_at_client(serve_exchange *x)
{
    double now = tool_clock();
    if (x->gone || atomic_load(&x->server->ending))
        return false;
    double since = x->steady ? x->advanced : x->started;
    if (x->server->seconds > 0 && now - since > (double)x->server->seconds) {
        x->late = true;
        return false;
    }
    if (now - x->polled < POLL_INTERVAL)
        return true;
    x->polled = now;
    if (x->idle && pthread_equal(pthread_self(), x->thread) && !x->reading)
        x->idle(x->idle_context);
    x->gone = x->gone || serve_client_gone(x);
    return !x->gone;
}

bool serve_search_continues(serve_exchange *x)
{
    (void)pthread_mutex_lock(&x->lock);
    bool right = look_at_client(x);
    (void)pthread_mutex_unlock(&x->lock);
    return right;
}

/* Call with the exchange's lock held. */
static bool look_and_advance(serve_exchange *x)
{
    bool right = look_at_client(x);
    if (right)
        x->advanced = tool_clock();
    return right;
}

bool serve_search_advances(serve_exchange *x)
{
    (void)pthread_mutex_lock(&x->lock);
    bool right = look_and_advance(x);
    (void)pthread_mutex_unlock(&x->lock);
    return right;
}

bool serve_search_reads(serve_exchange *x)
{
    if (x->streaming && !x->steady)
        return true;
    x->reading = true;
    bool right = serve_search_advances(x);
    x->reading = false;
    return right;
}

/* ---- places ---- */

/* Returns whether a search can start. Streams leave one place for other searches, because they may run for long. Call
 * with the lock held. */
static bool has_place(const serve_exchange *x)
{
    const serve *s = x->server;
    return s->searching < s->searching_max && !(x->steady && s->streaming + 1 >= s->searching_max);
}

void serve_pause(pthread_cond_t *changed, pthread_mutex_t *lock, double seconds)
{
    struct timespec until;
    (void)timespec_get(&until, TIME_UTC);
    const time_t whole = (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)whole) * 1e9);
    until.tv_sec += whole + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(changed, lock, &until);
}

/* Waits for a place. Call with the lock held; it is released while the client is checked. */
static bool wait_for_place(serve_exchange *x)
{
    serve *s = x->server;
    double began = tool_clock();
    bool right = true;
    s->waiting++;
    while (right && !has_place(x)) {
        serve_pause(&s->left, &s->lock, 0.1);
        (void)pthread_mutex_unlock(&s->lock);
        right = serve_search_continues(x) && tool_clock() - began < WAIT_MOST;
        (void)pthread_mutex_lock(&s->lock);
    }
    s->waiting--;
    return right;
}

bool serve_search_enter(serve_exchange *x)
{
    serve *s = x->server;
    if (!serve_search_in_time(x))
        return false;
    (void)pthread_mutex_lock(&s->lock);
    bool right = has_place(x) || (s->waiting < s->waiting_max && wait_for_place(x));
    s->searching += right;
    s->streaming += right && x->steady;
    (void)pthread_mutex_unlock(&s->lock);
    x->searching = right;
    if (!right)
        atomic_fetch_add(&s->rejected, 1);
    return right || serve_fail(&x->fault, 503, "too many searches at once; try again in a second");
}

void serve_search_leave(serve_exchange *x)
{
    serve *s = x->server;
    if (!x->searching)
        return;
    x->searching = false;
    (void)pthread_mutex_lock(&s->lock);
    s->searching--;
    s->streaming -= x->steady;
    (void)pthread_cond_broadcast(&s->left);
    (void)pthread_mutex_unlock(&s->lock);
}

/* ---- callbacks of a search ---- */

static bool progress(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return serve_search_advances(context);
}

/* While one thread checks the client, the others continue. */
bool serve_search_stops(void *context)
{
    serve_exchange *x = context;
    if (pthread_mutex_trylock(&x->lock) != 0)
        return false;
    bool right = look_and_advance(x);
    (void)pthread_mutex_unlock(&x->lock);
    return !right;
}

stamma_search_options serve_search_options(serve_exchange *x)
{
    const serve *s = x->server;
    return (stamma_search_options){.size = sizeof(stamma_search_options),
                                   .executor = &s->executor,
                                   .memory = s->memory / 2 / s->searching_max,
                                   .context = x,
                                   .progress = progress,
                                   .stop = serve_search_stops};
}

bool serve_search_end(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place)
{
    if (error)
        return serve_search_fail(x, archive, error, place);
    return !archive->is_changed || !archive->is_changed(archive) ||
           serve_fail(&x->fault, 503, "%s: its index was changed during the search; try again", archive->name);
}

/* Sets the error of a search that was cancelled, and counts it once for the request. */
static bool fail_cancelled(serve_exchange *x)
{
    serve *s = x->server;
    const bool ending = !x->gone && atomic_load(&s->ending);
    if (!x->ended && !ending)
        atomic_fetch_add(x->gone ? &s->cancelled : &s->late, 1);
    x->ended = true;
    if (x->gone)
        return serve_fail(&x->fault, 499, "the client is gone");
    if (ending)
        return serve_fail(&x->fault, 503, "the server is ending");
    return serve_fail(&x->fault, 504, "the search %s %" PRIu64 " s",
                      x->steady ? "made no progress for" : "took longer than", s->seconds);
}

bool serve_search_fail(serve_exchange *x, const serve_archive *archive, stamma_error error, stamma_place place)
{
    if (error == STAMMA_ERROR_CANCELLED)
        return fail_cancelled(x);
    if (error == STAMMA_ERROR_NO_MEMORY)
        return serve_fail(&x->fault, 503, "%s", stamma_error_text(error));
    if (error == STAMMA_ERROR_BAD_ARGUMENT) /* its index does not belong to the archive */
        return serve_fail(&x->fault, 500, "%s: the file is not what it was when it was opened", archive->name);
    return serve_fail(&x->fault, 500, "%s: %s at byte %" PRIu64, archive->name, stamma_error_text(error), place.offset);
}

bool serve_search_in_time(serve_exchange *x)
{
    return serve_search_continues(x) || serve_search_fail(x, NULL, STAMMA_ERROR_CANCELLED, (stamma_place){.offset = 0});
}

/* ---- the games of a query ---- */

static bool take_matches(serve_exchange *x, const serve_archive_list *archives, size_t index, stamma_search *search,
                         serve_take *take, void *context, bool *enough)
{
    const stamma_match *match = NULL;
    while (!*enough) {
        stamma_error error = stamma_search_next(search, &match);
        if (error)
            return serve_search_fail(x, archives->list[index], error, stamma_search_place(search));
        if (!match)
            return true;
        const serve_step step = take(context, index, match);
        if (step == SERVE_FAILED)
            return false;
        *enough = step == SERVE_ENOUGH;
    }
    return true;
}

bool serve_search_matches(serve_exchange *x, const serve_archive_list *archives, serve_take *take, void *context)
{
    bool right = true, enough = false;
    for (size_t i = 0; i < archives->count && right && !enough; i++) {
        const serve_archive *a = archives->list[i];
        const stamma_search_options options = serve_search_options(x);
        stamma_search *search = NULL;
        stamma_error error = stamma_search_open(a->handle, x->request.query, &options, &search);
        right = error ? serve_search_fail(x, a, error, (stamma_place){.offset = 0})
                      : take_matches(x, archives, i, search, take, context, &enough);
        stamma_search_close(search);
        right = right && serve_search_end(x, a, STAMMA_OK, (stamma_place){.offset = 0});
    }
    return right;
}

bool serve_search_read(serve_exchange *x, serve_archive *archive, uint64_t game, unsigned parts,
                       bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    if (!serve_archive_read(x, archive, game, parts, visit, context) && !serve_skip_damaged(x, archive))
        return false;
    return serve_search_in_time(x);
}

bool serve_scan_next(serve_exchange *x, serve_scan *s)
{
    s->failed = s->archive && !serve_search_end(x, s->archive, s->error, s->place);
    if (s->failed || s->next == s->archives->count)
        return false;
    s->archive = s->archives->list[s->next++];
    s->options = serve_search_options(x);
    s->place = (stamma_place){.offset = 0};
    return true;
}

/* ---- cached answers ---- */

bool serve_search_cached(serve_exchange *x, const serve_archive_list *archives, bool (*make)(void *context),
                         void *context)
{
    tool_buffer key = {NULL, 0, 0, false};
    bool right = serve_cache_key(&x->request, archives, &key) && serve_cache_get(x->server->cache, &key, &x->body);
    if (right) {
        atomic_fetch_add(&x->server->remembered, 1);
    } else {
        right = make(context);
        if (right)
            serve_cache_put(x->server->cache, &key, &x->body);
    }
    tool_buffer_free(&key);
    return right;
}
