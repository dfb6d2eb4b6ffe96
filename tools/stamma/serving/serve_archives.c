/* The archives that are served. They are opened again when their files change, and kept for requests that still use
 * them. */
#include "serving/serve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READERS_IDLE = 4, KINDS = 8192 };
#define LOOK_INTERVAL 1.0 /* seconds between two checks of the files */
/* Seconds that an archive with an index file is served as it was, until the new index file is written. */
#define INDEX_PATIENCE 10.0

/* A path, and the archive that is open there. */
typedef struct serve_slot {
    const char *path;
    char *owned, *name; /* of an upload: the path, and the name that is shown; constant once it is counted */
    serve_archive *now; /* NULL: an upload that was closed */
    serve_state seen;   /* at the last check, also if the archive could not be opened */
    char *index_path;
    serve_state index_seen, index_bad; /* the index file when the archive was opened; one that is damaged */
    double changed; /* when it was found that the archive has changed and its index has not; 0: none */
    serve_problem problem;
} serve_slot;

/* A decoder of games, used by one request at a time. */
typedef struct serve_reader {
    struct serve_reader *next;
    tool_mapped file;
    stamma_archive_reader *reader;
    bool damaged;      /* the reader reported damage */
    bool failed;       /* a game could not be read; the reader is closed after use */
    serve_exchange *x; /* the request for which a game is being read; NULL: none */
    unsigned parts;
    tool_walk walk;
} serve_reader;

static serve_state state_of(const struct stat *status)
{
    return (serve_state){status->st_dev, status->st_ino, status->st_size, status->st_mtim};
}

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

static stamma_error reader_open(const serve_archive *a, serve_reader **opened)
{
    serve_reader *r = calloc(1, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    r->file = (tool_mapped){.name = a->name, .bytes = a->bytes, .size = a->size};
    const stamma_input input = tool_mapped_input(&r->file);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = r, .damage = take_damage, .stop = is_stopped};
    stamma_error error = stamma_archive_reader_open(&input, &options, &r->reader);
    if (error)
        reader_close(r);
    else
        *opened = r;
    return error;
}

/* ---- one archive ---- */

static void archive_close(serve_archive *a)
{
    if (!a)
        return;
    while (a->readers) {
        serve_reader *next = a->readers->next;
        reader_close(a->readers);
        a->readers = next;
    }
    serve_index_close(a);
    free(a->kinds);
    if (a->bytes)
        serve_unmap(a->bytes, (size_t)a->state.size);
    free(a);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool map_file(serve_archive *a, serve_state *seen)
{
    struct stat status;
    const char *wrong = NULL;
    int fd = open(a->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0) {
        wrong = strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        wrong = "is not a regular file";
    } else if (status.st_size == 0) { /* an empty file cannot be mapped */
        wrong = "not a Stamma archive";
    } else {
        *seen = a->state = state_of(&status);
        a->size = (size_t)status.st_size;
        a->bytes = serve_map(fd, a->size);
        wrong = a->bytes ? NULL : strerror(errno);
    }
    if (wrong)
        tool_say(a->path, "%s", wrong);
    if (fd >= 0)
        (void)close(fd);
    return !wrong;
}

static void take_column(void *context, const stamma_archive_column *column)
{
    serve_archive *a = context;
    a->timed |= strcmp(column->name, "tag:TimeControl") == 0;
}

/* Reads the counts of an archive. Data that another process is appending may follow its end. */
static bool read_counts(serve_archive *a)
{
    serve_reader *r = NULL;
    stamma_archive_counts counts;
    stamma_error error = reader_open(a, &r);
    stamma_place place = {.offset = 0};
    if (!error)
        error = stamma_archive_reader_info(r->reader, &counts, NULL, 0, take_column, a);
    if (error && r)
        place = stamma_archive_reader_place(r->reader);
    if (error) {
        tool_archive_say(a->path, error, place);
    } else {
        if (r->damaged)
            tool_say(a->path, "the archive is damaged: what is sound is served. stamma verify lists the damage, stamma "
                              "repair saves the rest");
        a->damaged = r->damaged;
        a->size = (size_t)stamma_archive_reader_end(r->reader);
        a->games = a->last = counts.games;
        (void)stamma_archive_reader_game_count(r->reader, &a->last);
        a->plies = counts.plies;
        memcpy(a->blocks, counts.level_blocks, sizeof a->blocks);
    }
    reader_close(r);
    return !error;
}

static atomic_ullong serials;

static bool continues(void *context, uint64_t done, uint64_t total)
{
    const serve_archives *s = context;
    (void)done;
    (void)total;
    return !atomic_load(s->ending);
}

/* Opens an index in memory. If the file has grown, only its new blocks are read. */
static bool open_index(const serve_archives *s, serve_archive *a, const serve_archive *before)
{
    stamma_search_index *index = NULL;
    bool grown = before && before->state.device == a->state.device && before->state.file == a->state.file &&
                 before->size <= a->size;
    const stamma_search_index_options options = {.size = sizeof options,
                                                 .executor = s->executor,
                                                 .memory = s->memory / s->named,
                                                 .context = (void *)(uintptr_t)s,
                                                 .progress = continues,
                                                 .before = grown ? atomic_load(&before->index) : NULL};
    stamma_error error = stamma_search_index_open(a->bytes, a->size, &options, &index);
    if (error && error != STAMMA_ERROR_CANCELLED)
        tool_archive_say(a->path, error, (stamma_place){.offset = 0});
    if (stamma_search_index_is_partial(index))
        tool_say(a->path,
                 "its index does not fit into --memory: searches open the rest of the archive each time. Increase "
                 "--memory, or write an index file (stamma index), which needs none");
    atomic_store(&a->index, index);
    return !error;
}

/* Writes an index file and opens it, or opens an index in memory. */
static bool make_index(const serve_archives *s, const serve_slot *slot, serve_archive *a, const serve_archive *before)
{
    if (s->writes && serve_index_write(s, a, slot->index_path) &&
        serve_index_open(a, slot->index_path, &slot->index_bad, true))
        return true;
    return !atomic_load(s->ending) && open_index(s, a, before);
}

/* Opens the archive of a slot. Returns NULL, after a message, on failure. An index is made at once only if the archive
 * replaces another, `before`. */
static serve_archive *archive_open(const serve_archives *s, serve_slot *slot, long number, const serve_archive *before)
{
    const char *path = slot->path;
    serve_archive *a = calloc(1, sizeof *a);
    atomic_ullong *kinds = calloc(KINDS, sizeof *kinds);
    if (!a || !kinds) {
        tool_say(path, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        free(a);
        free(kinds);
        return NULL;
    }
    a->kinds = kinds;
    a->serial = atomic_fetch_add(&serials, 1);
    a->number = number;
    a->path = path;
    a->name = slot->name ? slot->name : base_name(path);
    a->uploaded = slot->name != NULL;
    a->users = 1;
    slot->index_seen = serve_state_of(slot->index_path);
    if (map_file(a, &slot->seen) && read_counts(a) &&
        (serve_index_open(a, slot->index_path, &slot->index_bad, !s->writes) || !before ||
         make_index(s, slot, a, before)))
        return a;
    archive_close(a);
    return NULL;
}

/* ---- all of them ---- */

bool serve_archives_open(serve_archives *s, char **paths, size_t count)
{
    (void)pthread_mutex_init(&s->lock, NULL);
    s->slots = calloc(s->grows ? SERVE_ARCHIVES_MAX : count + 1, sizeof *s->slots); /* there may be no archive */
    if (!s->slots) {
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        return false;
    }
    s->named = count;
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        s->slots[i].path = paths[i];
        s->slots[i].index_path = tool_index_path(paths[i]);
        s->slots[i].now = s->slots[i].index_path ? archive_open(s, &s->slots[i], (long)i, NULL) : NULL;
        if (!s->slots[i].now)
            return false;
        s->slots[i].problem = s->slots[i].now->damaged ? SERVE_DAMAGED : SERVE_SOUND;
    }
    s->looked = tool_clock();
    return true;
}

void serve_archives_close(serve_archives *s)
{
    for (size_t i = 0; i < s->count; i++) {
        archive_close(s->slots[i].now);
        free(s->slots[i].index_path);
        free(s->slots[i].owned);
        free(s->slots[i].name);
    }
    free(s->slots);
    (void)pthread_mutex_destroy(&s->lock);
}

uint64_t serve_archives_games(const serve_archives *s, size_t index)
{
    return s->slots[index].now->games;
}

bool serve_archive_is_slow(const serve_archive *a)
{
    return a->blocks[2] > 0 || a->blocks[3] > 0;
}

bool serve_archives_slow(const serve_archives *s, size_t index)
{
    const serve_archive *a = s->slots[index].now;
    return serve_archive_is_slow(a) && !a->index_file.bytes && !s->writes;
}

const char *serve_archives_path(const serve_archives *s, size_t index)
{
    return s->slots[index].path;
}

/* Releases an archive. Call with the lock held. */
static void let_go(serve_archive *a)
{
    if (--a->users == 0)
        archive_close(a);
}

static void set_problem(serve_archives *s, serve_slot *slot, serve_problem problem)
{
    (void)pthread_mutex_lock(&s->lock);
    slot->problem = problem;
    (void)pthread_mutex_unlock(&s->lock);
}

/* Returns what is wrong with the file of a slot, compared with its state at the last check. */
static serve_problem problem_of(const serve_slot *slot)
{
    return !serve_state_same(&slot->seen, &slot->now->state) ? SERVE_UNREADABLE
           : slot->now->damaged                              ? SERVE_DAMAGED
                                                             : SERVE_SOUND;
}

/* Returns whether the index file in use is damaged or was changed in place. */
static bool index_is_bad(const serve_archive *a)
{
    return a->index_file.bytes && (stamma_search_index_is_damaged(atomic_load(&a->index)) || serve_index_changed(a));
}

/* Decides whether the archive of a slot is opened again. */
static bool is_due(serve_slot *slot, const serve_state *found)
{
    const serve_archive *a = slot->now;
    serve_state index = serve_state_of(slot->index_path);
    bool changed = !serve_state_same(found, &slot->seen), renewed = !serve_state_same(&index, &slot->index_seen);
    if (index_is_bad(a)) {
        tool_index_say_problem(slot->index_path, slot->path, STAMMA_ERROR_CORRUPT);
        slot->index_bad = a->index_file.state;
        return true;
    }
    if (!changed)
        return renewed && index.size > 0 && !a->index_file.bytes;
    bool shrunk = found->file == a->state.file && found->size < a->state.size;
    if (renewed || shrunk || !a->index_file.bytes)
        return true;
    /* append and merge write the index after the archive */
    double now = tool_clock();
    slot->changed = slot->changed > 0 ? slot->changed : now;
    return now - slot->changed >= INDEX_PATIENCE;
}

/* Opens a file that has changed, while other requests continue with the open archive. A failure is reported once. */
static void look_at(serve_archives *s, serve_slot *slot)
{
    struct stat status;
    if (stat(slot->path, &status) != 0) {
        set_problem(s, slot, SERVE_MISSING);
        return;
    }
    serve_state found = state_of(&status);
    if (!is_due(slot, &found)) {
        set_problem(s, slot, problem_of(slot));
        return;
    }
    slot->seen = found;
    slot->changed = 0;
    serve_archive *opened = archive_open(s, slot, slot->now->number, slot->now);
    if (!opened) {
        set_problem(s, slot, SERVE_UNREADABLE);
        return;
    }
    (void)pthread_mutex_lock(&s->lock);
    serve_archive *before = slot->now;
    slot->now = opened;
    slot->problem = opened->damaged ? SERVE_DAMAGED : SERVE_SOUND;
    let_go(before);
    (void)pthread_mutex_unlock(&s->lock);
}

serve_problem serve_archives_problem(serve_archives *s, size_t index)
{
    (void)pthread_mutex_lock(&s->lock);
    serve_problem problem = s->slots[index].problem;
    (void)pthread_mutex_unlock(&s->lock);
    return problem;
}

const char *serve_problem_text(serve_problem problem)
{
    static const char *const texts[SERVE_PROBLEMS] = {NULL, "damaged", "missing", "unreadable"};
    return texts[problem];
}

static void index_slot(serve_archives *s, serve_slot *slot)
{
    (void)pthread_mutex_lock(&s->lock);
    serve_archive *a = slot->now;
    a->users++;
    (void)pthread_mutex_unlock(&s->lock);
    if (!atomic_load(&a->index)) /* the file has not changed meanwhile */
        (void)make_index(s, slot, a, NULL);
    (void)pthread_mutex_lock(&s->lock);
    let_go(a);
    (void)pthread_mutex_unlock(&s->lock);
}

void serve_archives_index(serve_archives *s)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    for (size_t i = 0; i < s->named && !atomic_load(s->ending); i++)
        index_slot(s, &s->slots[i]);
    for (double looked = 0; s->writes && !atomic_load(s->ending); looked = tool_clock()) {
        for (size_t i = 0; i < s->named && !atomic_load(s->ending); i++)
            look_at(s, &s->slots[i]);
        while (tool_clock() - looked < LOOK_INTERVAL && !atomic_load(s->ending))
            (void)nanosleep(&pause, NULL);
    }
}

/* Checks the files, except those of uploads, which only the server has. The first request after the interval does this;
 * others do not wait for it. */
static void look(serve_archives *s)
{
    double now = tool_clock();
    (void)pthread_mutex_lock(&s->lock);
    bool mine = !s->writes && !s->looking && now - s->looked >= LOOK_INTERVAL;
    s->looking |= mine;
    (void)pthread_mutex_unlock(&s->lock);
    if (!mine)
        return;
    for (size_t i = 0; i < s->named; i++)
        look_at(s, &s->slots[i]);
    (void)pthread_mutex_lock(&s->lock);
    s->looking = false;
    s->looked = tool_clock();
    (void)pthread_mutex_unlock(&s->lock);
}

static bool fail_number(const serve_archives *s, long which, serve_fault *fault)
{
    const size_t count = s->count;
    if ((size_t)which < count)
        return serve_fail(fault, 404, "archive: the uploaded archive %ld was closed", which);
    if (count == 0)
        return serve_fail(fault, 404, "archive: there is no archive %ld; none is served", which);
    return serve_fail(fault, 404, "archive: there is no archive %ld; they are 0 to %zu", which, count - 1);
}

bool serve_archives_take(serve_archives *s, long which, serve_archive_list *taken, serve_fault *fault)
{
    size_t first = which == SERVE_ALL ? 0 : (size_t)which, end = which == SERVE_ALL ? s->count : first + 1;
    *taken = (serve_archive_list){NULL, 0};
    if (end > s->count)
        return fail_number(s, which, fault);
    taken->list = malloc((end - first + 1) * sizeof *taken->list); /* there may be no archive */
    if (!taken->list)
        return serve_fail_memory(fault);
    look(s);
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = first; i < end; i++) {
        if (!s->slots[i].now)
            continue;
        taken->list[taken->count] = s->slots[i].now;
        taken->list[taken->count++]->users++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (taken->count > 0 || which == SERVE_ALL)
        return true;
    free(taken->list);
    taken->list = NULL;
    return fail_number(s, which, fault);
}

void serve_archives_release(serve_archives *s, serve_archive_list *taken)
{
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < taken->count; i++)
        let_go(taken->list[i]);
    (void)pthread_mutex_unlock(&s->lock);
    free(taken->list);
    *taken = (serve_archive_list){NULL, 0};
}

serve_archive *serve_archive_numbered(const serve_archive_list *taken, long number)
{
    for (size_t i = 0; i < taken->count; i++)
        if (taken->list[i]->number == number)
            return taken->list[i];
    return NULL;
}

void serve_archives_drop(serve_archives *s, serve_archive_list *taken, const bool *drops)
{
    size_t kept = 0;
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < taken->count; i++)
        if (drops[i])
            let_go(taken->list[i]);
        else
            taken->list[kept++] = taken->list[i];
    (void)pthread_mutex_unlock(&s->lock);
    taken->count = kept;
}

/* ---- uploads ---- */

static void slot_clear(serve_slot *slot)
{
    archive_close(slot->now);
    free(slot->index_path);
    free(slot->owned);
    free(slot->name);
    *slot = (serve_slot){.path = NULL};
}

/* Opens the archive of an upload. Returns false with an error. */
static bool open_upload(const serve_archives *s, serve_slot *slot, const char *path, const char *name,
                        serve_fault *fault)
{
    slot->path = slot->owned = strdup(path);
    slot->name = strdup(name);
    slot->index_path = slot->owned && slot->name ? tool_index_path(path) : NULL;
    if (!slot->index_path)
        return serve_fail_memory(fault);
    slot->now = archive_open(s, slot, (long)s->count, NULL);
    if (!slot->now)
        return serve_fail(fault, 500, "the archive cannot be opened");
    return slot->now->plies > 0 || serve_fail(fault, 422, "the file contains no game with moves");
}

long serve_archives_add(serve_archives *s, const char *path, const char *name, serve_fault *fault)
{
    const size_t number = s->count;
    if (number >= SERVE_ARCHIVES_MAX) {
        (void)serve_fail(fault, 409, "there were %d archives: start the server again", SERVE_ARCHIVES_MAX);
        return -1;
    }
    if (!open_upload(s, &s->slots[number], path, name, fault)) {
        slot_clear(&s->slots[number]);
        return -1;
    }
    (void)pthread_mutex_lock(&s->lock);
    s->count = number + 1;
    (void)pthread_mutex_unlock(&s->lock);
    return (long)number;
}

bool serve_archives_remove(serve_archives *s, long number)
{
    serve_archive *removed = NULL;
    if (number < 0 || (size_t)number < s->named || (size_t)number >= s->count)
        return false;
    (void)pthread_mutex_lock(&s->lock);
    removed = s->slots[number].now;
    s->slots[number].now = NULL;
    s->slots[number].problem = SERVE_SOUND;
    if (removed)
        let_go(removed);
    (void)pthread_mutex_unlock(&s->lock);
    return removed != NULL;
}

/* ---- games ---- */

/* Returns the reader that was used last for these parts, because it has blocks open, or else the reader used last.
 * Call with the lock held. */
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
    return *taken ? STAMMA_OK : reader_open(a, taken);
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
