/* SPDX-License-Identifier: MIT */
/* An archive from which requests are answered: its counts, and its games, which a few readers decode. */
#include "answering/serve_exchange.h"

enum { READERS_IDLE = 4, KINDS = 8192 };

/* A decoder of games, used by one request at a time. */
typedef struct serve_reader {
    struct serve_reader *next;
    stamma_archive_reader *reader;
    bool damaged;      /* the reader reported damage */
    bool failed;       /* a game could not be read; the reader is closed after use */
    serve_exchange *x; /* the request for which a game is being read; NULL: none */
    unsigned parts;
    tool_walk walk;
} serve_reader;

/* ---- readers ---- */

static void reader_close(serve_reader *r)
{
    if (r)
        stamma_archive_reader_close(r->reader);
    free(r);
}

/* Records damage. Data of an interrupted append, and damage to the last bytes of a commit, which can be restored, are
 * ignored. */
static void take_damage(void *context, const stamma_archive_damage *d)
{
    serve_reader *r = context;
    r->damaged |= d->kind != STAMMA_DAMAGE_TAIL && d->kind != STAMMA_DAMAGE_END_MARK &&
                  d->kind != STAMMA_DAMAGE_TABLE && d->kind != STAMMA_DAMAGE_SOURCE;
}

static bool is_stopped(void *context)
{
    const serve_reader *r = context;
    return r->x && !serve_search_reads(r->x);
}

static stamma_error reader_open(stamma_archive *archive, serve_reader **opened)
{
    serve_reader *r = calloc(1, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = r, .damage = take_damage, .stop = is_stopped};
    stamma_error error = stamma_archive_reader_open(archive, &options, &r->reader);
    if (error)
        reader_close(r);
    else
        *opened = r;
    return error;
}

/* ---- opening ---- */

static void take_column(void *context, const stamma_archive_column *column)
{
    serve_archive *a = context;
    a->timed |= strcmp(column->name, "tag:TimeControl") == 0;
}

static stamma_error read_counts(serve_archive *a, serve_reader *r)
{
    stamma_archive_counts counts;
    stamma_error error = stamma_archive_reader_info(r->reader, &counts, NULL, 0, take_column, a);
    if (error)
        return error;
    a->damaged = r->damaged;
    a->bytes.size = stamma_archive_reader_end(r->reader);
    a->games = a->last = counts.games;
    (void)stamma_archive_reader_game_count(r->reader, &a->last);
    a->plies = counts.plies;
    memcpy(a->blocks, counts.level_blocks, sizeof a->blocks);
    return STAMMA_OK;
}

/* Opens a handle, reads the counts, and closes the handle, which may include bytes after the end of the archive. */
static stamma_error count(serve_archive *a, stamma_place *place)
{
    stamma_archive *whole = NULL;
    serve_reader *r = NULL;
    stamma_error error = stamma_archive_open(&a->bytes, NULL, &whole);
    if (!error)
        error = reader_open(whole, &r);
    if (!error)
        error = read_counts(a, r);
    if (error && r)
        *place = stamma_archive_reader_place(r->reader);
    reader_close(r);
    stamma_archive_close(whole);
    return error;
}

stamma_error serve_archive_open(serve_archive *a, const stamma_executor *executor, stamma_place *place)
{
    static atomic_ullong serials;
    *place = (stamma_place){.offset = 0};
    a->serial = atomic_fetch_add(&serials, 1);
    a->users = 1;
    a->kinds = calloc(KINDS, sizeof *a->kinds);
    if (!a->kinds)
        return STAMMA_ERROR_NO_MEMORY;
    stamma_error error = a->counted ? STAMMA_OK : count(a, place);
    const stamma_archive_options options = {.size = sizeof options, .executor = executor, .skip_damage = a->damaged};
    return error ? error : stamma_archive_open(&a->bytes, &options, &a->handle);
}

static bool take_asked(serve_exchange *x, serve_archive_list *taken)
{
    const serve_request *r = &x->request;
    serve_archives *s = &x->server->archives;
    return r->chosen_count > 1 ? serve_archives_take_chosen(s, r->chosen, r->chosen_count, taken, &x->fault)
                               : serve_archives_take(s, r->archive, taken, &x->fault);
}

bool serve_archives_asked(serve_exchange *x, serve_archive_list *taken)
{
    if (!take_asked(x, taken))
        return false;
    bool fit = true;
    for (size_t n = 0; n < taken->count && stamma_query_uses_flags(x->request.query) && fit; n++) {
        fit = !taken->list[n]->flags_unfit;
        if (!fit)
            (void)serve_fail(&x->fault, 409, "the file of flags of %s does not fit the archive", taken->list[n]->name);
    }
    if (!fit)
        serve_archives_release(&x->server->archives, taken);
    return fit;
}

void serve_archive_close(serve_archive *a)
{
    while (a->readers) {
        serve_reader *next = a->readers->next;
        reader_close(a->readers);
        a->readers = next;
    }
    stamma_archive_close(a->handle);
    free(a->kinds);
}

bool serve_archive_is_slow(const serve_archive *a)
{
    return a->blocks[2] > 0 || a->blocks[3] > 0;
}

stamma_index_kind serve_archive_index(const serve_archive *a)
{
    stamma_index_state state = {.size = sizeof state};
    return stamma_archive_index(a->handle, &state) ? STAMMA_INDEX_NONE : state.kind;
}

const char *serve_archive_index_word(const serve_archive *a)
{
    const stamma_index_kind kind = serve_archive_index(a);
    return kind == STAMMA_INDEX_NONE ? NULL : kind == STAMMA_INDEX_FILE ? "file" : "memory";
}

/* ---- games ---- */

/* Returns the reader that was last used for these parts, because it has blocks open. If there is none, returns the
 * reader that was used last. Call with the lock held. */
static serve_reader **best_reader(serve_archive *a, unsigned parts)
{
    for (serve_reader **r = &a->readers; *r; r = &(*r)->next)
        if ((*r)->parts == parts)
            return r;
    return &a->readers;
}

static stamma_error take_reader(serve_archives *s, serve_archive *a, unsigned parts, serve_reader **taken)
{
    (void)pthread_mutex_lock(&s->lock);
    serve_reader **best = best_reader(a, parts);
    bool other = *best && (*best)->parts != parts && a->reader_count < READERS_IDLE;
    *taken = other ? NULL : *best; /* there is room for one reader of each kind */
    if (*taken) {
        *best = (*taken)->next;
        a->reader_count--;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return *taken ? STAMMA_OK : reader_open(a->handle, taken);
}

static void give_back(serve_archives *s, serve_archive *a, serve_reader *r)
{
    (void)pthread_mutex_lock(&s->lock);
    bool kept = a->reader_count < READERS_IDLE && !r->failed;
    if (kept) {
        r->next = a->readers;
        a->readers = r;
        a->reader_count++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (!kept)
        reader_close(r);
}

static stamma_error select_parts(serve_reader *r, unsigned parts)
{
    r->walk.stopped = false;
    if (r->parts == parts && r->walk.reader)
        return STAMMA_OK;
    r->parts = parts;
    r->walk = (tool_walk){.reader = r->reader}; /* moves to the next game requested */
    return stamma_archive_reader_select(r->reader, parts);
}

static bool fail_read(const serve_archive *a, uint64_t game, stamma_error error, serve_fault *fault)
{
    return serve_fail(fault, error == STAMMA_ERROR_NO_MEMORY ? 503 : 500, "%s, game %" PRIu64 ": %s", a->name, game,
                      stamma_error_text(error ? error : STAMMA_ERROR_CORRUPT));
}

serve_reader *serve_reader_take(serve_archives *s, serve_archive *a, unsigned parts, serve_fault *fault)
{
    serve_reader *r = NULL;
    stamma_error error = take_reader(s, a, parts, &r);
    if (!error)
        return r;
    (void)fail_read(a, 1, error, fault);
    return NULL;
}

bool serve_reader_read(serve_exchange *x, serve_reader *r, const serve_archive *a, uint64_t game, unsigned parts,
                       bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    bool any = false;
    r->x = x;
    stamma_error error = select_parts(r, parts);
    if (!error) {
        r->walk.visit = visit;
        r->walk.context = context;
        error = tool_walk_visit(&r->walk, game, game, &any);
    }
    r->x = NULL;
    r->failed = error || !any;
    if (error == STAMMA_ERROR_CANCELLED)
        return serve_search_fail(x, a, error, (stamma_place){.offset = 0});
    return !r->failed || fail_read(a, game, error, &x->fault);
}

void serve_reader_give_back(serve_archives *s, serve_archive *a, serve_reader *r)
{
    if (r)
        give_back(s, a, r);
}

bool serve_archive_read(serve_exchange *x, serve_archive *a, uint64_t game, unsigned parts,
                        bool (*visit)(void *context, const stamma_archive_game *game), void *context)
{
    serve_archives *s = &x->server->archives;
    if (game < 1 || game > a->last)
        return serve_fail(&x->fault, 404, "there is no game %" PRIu64 " in archive %ld; the last one is %" PRIu64, game,
                          a->number, a->last);
    serve_reader *r = serve_reader_take(s, a, parts, &x->fault);
    bool right = r && serve_reader_read(x, r, a, game, parts, visit, context);
    serve_reader_give_back(s, a, r);
    return right;
}

/* ---- cached facts of games: the number, and speed and mode in the low byte ---- */

static bool take_kind(void *context, const stamma_archive_game *game)
{
    serve_kind *kind = context;
    if (game->continuation)
        return true;
    kind->speed = stamma_speed_read(stamma_archive_game_tag(game, stamma_text_of("TimeControl")));
    kind->mode = stamma_mode_read(stamma_archive_game_tag(game, stamma_text_of("Event")));
    return true;
}

serve_kind serve_archive_kind(serve_exchange *x, serve_archive *a, uint64_t game, bool reads)
{
    serve_kind kind = {STAMMA_SPEED_NONE, STAMMA_MODE_UNKNOWN};
    if (!a->timed)
        return kind;
    atomic_ullong *place = &a->kinds[game % KINDS];
    unsigned long long known = atomic_load(place);
    if (known >> 8 == game)
        return (serve_kind){(stamma_speed)(known & 15), (stamma_mode)(known >> 4 & 15)};
    if (!reads)
        return kind;
    if (serve_archive_read(x, a, game, STAMMA_GAME_TAGS, take_kind, &kind))
        atomic_store(place, game << 8 | (unsigned)kind.mode << 4 | (unsigned)kind.speed);
    else
        x->fault = (serve_fault){.status = 0}; /* the answer does not have these facts */
    return kind;
}
