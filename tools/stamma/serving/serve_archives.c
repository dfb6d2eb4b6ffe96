/* The archives that are served. They are opened again when their files change, and kept for requests that still use
 * them. */
#include "serving/serve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READERS_IDLE = 4, KINDS = 8192 };
#define LOOK_INTERVAL 1.0 /* seconds between two checks of the files */

/* State of a file, which shows changes. */
typedef struct serve_state {
    dev_t device;
    ino_t file;
    off_t size;
    struct timespec changed;
} serve_state;

/* A path, and the archive that is open there. */
typedef struct serve_slot {
    const char *path;
    serve_archive *now;
    serve_state seen; /* at the last check, also if the archive could not be opened */
    serve_problem problem;
} serve_slot;

/* A decoder of games, used by one request at a time. */
typedef struct serve_reader {
    struct serve_reader *next;
    tool_mapped file;
    stamma_archive_reader *reader;
    bool damaged; /* the reader reported damage */
    unsigned parts;
    tool_walk walk;
} serve_reader;

static serve_state state_of(const struct stat *status)
{
    return (serve_state){status->st_dev, status->st_ino, status->st_size, status->st_mtim};
}

static bool same_state(const serve_state *a, const serve_state *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
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
    bool *damaged = context;
    *damaged |= d->kind != STAMMA_DAMAGE_TAIL && d->kind != STAMMA_DAMAGE_END_MARK;
}

static stamma_error reader_open(const serve_archive *a, serve_reader **opened)
{
    serve_reader *r = calloc(1, sizeof *r);
    if (!r)
        return STAMMA_ERROR_NO_MEMORY;
    r->file = (tool_mapped){.name = a->name, .bytes = a->bytes, .size = a->size};
    const stamma_input input = tool_mapped_input(&r->file);
    const stamma_archive_reader_options options = {
        .size = sizeof options, .context = &r->damaged, .damage = take_damage};
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
    stamma_search_index_close(atomic_load(&a->index));
    free(a->kinds);
    if (a->bytes)
        serve_unmap(a->bytes, (size_t)a->state->size);
    free(a->state);
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
        *seen = *a->state = state_of(&status);
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
    (void)done;
    (void)total;
    return !context || !atomic_load((const atomic_bool *)context);
}

/* Opens the index. If the file has grown, only its new blocks are read. `ending` may be NULL. */
static bool open_index(const serve_archives *s, serve_archive *a, const serve_archive *before,
                       const atomic_bool *ending)
{
    stamma_search_index *index = NULL;
    bool grown = before && before->state->device == a->state->device && before->state->file == a->state->file &&
                 before->size <= a->size;
    const stamma_search_index_options options = {.size = sizeof options,
                                                 .executor = s->executor,
                                                 .memory = s->memory / s->count,
                                                 .context = (void *)(uintptr_t)ending,
                                                 .progress = continues,
                                                 .before = grown ? atomic_load(&before->index) : NULL};
    stamma_error error = stamma_search_index_open(a->bytes, a->size, &options, &index);
    if (error && error != STAMMA_ERROR_CANCELLED)
        tool_archive_say(a->path, error, (stamma_place){.offset = 0});
    atomic_store(&a->index, index);
    return !error;
}

/* Opens an archive. Returns NULL, after a message, on failure. The index is opened at once only if the archive
 * replaces another. */
static serve_archive *archive_open(const serve_archives *s, const char *path, long number, const serve_archive *before,
                                   serve_state *seen)
{
    serve_archive *a = calloc(1, sizeof *a);
    serve_state *state = malloc(sizeof *state);
    atomic_ullong *kinds = calloc(KINDS, sizeof *kinds);
    if (!a || !state || !kinds) {
        tool_say(path, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        free(a);
        free(state);
        free(kinds);
        return NULL;
    }
    a->kinds = kinds;
    a->serial = atomic_fetch_add(&serials, 1);
    a->number = number;
    a->path = path;
    a->name = base_name(path);
    a->state = state;
    a->users = 1;
    if (map_file(a, seen) && read_counts(a) && (!before || open_index(s, a, before, NULL)))
        return a;
    archive_close(a);
    return NULL;
}

/* ---- all of them ---- */

bool serve_archives_open(serve_archives *s, char **paths, size_t count)
{
    (void)pthread_mutex_init(&s->lock, NULL);
    s->slots = calloc(count, sizeof *s->slots);
    if (!s->slots) {
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
        return false;
    }
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        s->slots[i].path = paths[i];
        s->slots[i].now = archive_open(s, paths[i], (long)i, NULL, &s->slots[i].seen);
        if (!s->slots[i].now)
            return false;
        s->slots[i].problem = s->slots[i].now->damaged ? SERVE_DAMAGED : SERVE_SOUND;
    }
    s->looked = tool_clock();
    return true;
}

void serve_archives_close(serve_archives *s)
{
    for (size_t i = 0; i < s->count; i++)
        archive_close(s->slots[i].now);
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
    return serve_archive_is_slow(s->slots[index].now);
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

void serve_archives_index(serve_archives *s, const atomic_bool *ending)
{
    for (size_t i = 0; i < s->count && !atomic_load(ending); i++) {
        (void)pthread_mutex_lock(&s->lock);
        serve_archive *a = s->slots[i].now;
        a->users++;
        (void)pthread_mutex_unlock(&s->lock);
        if (!atomic_load(&a->index)) /* the file has not changed meanwhile */
            (void)open_index(s, a, NULL, ending);
        (void)pthread_mutex_lock(&s->lock);
        let_go(a);
        (void)pthread_mutex_unlock(&s->lock);
    }
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
    return !same_state(&slot->seen, slot->now->state) ? SERVE_UNREADABLE
           : slot->now->damaged                       ? SERVE_DAMAGED
                                                      : SERVE_SOUND;
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
    if (same_state(&found, &slot->seen)) {
        set_problem(s, slot, problem_of(slot));
        return;
    }
    slot->seen = found;
    serve_archive *opened = archive_open(s, slot->path, slot->now->number, slot->now, &slot->seen);
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

/* Checks the files. The first request after the interval does this; others do not wait for it. */
static void look(serve_archives *s)
{
    double now = tool_clock();
    (void)pthread_mutex_lock(&s->lock);
    bool mine = !s->looking && now - s->looked >= LOOK_INTERVAL;
    s->looking |= mine;
    (void)pthread_mutex_unlock(&s->lock);
    if (!mine)
        return;
    for (size_t i = 0; i < s->count; i++)
        look_at(s, &s->slots[i]);
    (void)pthread_mutex_lock(&s->lock);
    s->looking = false;
    s->looked = tool_clock();
    (void)pthread_mutex_unlock(&s->lock);
}

bool serve_archives_take(serve_archives *s, long which, serve_archive_list *taken, serve_fault *fault)
{
    size_t first = which == SERVE_ALL ? 0 : (size_t)which, end = which == SERVE_ALL ? s->count : first + 1;
    *taken = (serve_archive_list){NULL, 0};
    if (end > s->count)
        return serve_fail(fault, 404, "archive: there is no archive %ld; they are 0 to %zu", which, s->count - 1);
    taken->list = malloc((end - first) * sizeof *taken->list);
    if (!taken->list)
        return serve_fail(fault, 503, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    look(s);
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = first; i < end; i++) {
        taken->list[taken->count] = s->slots[i].now;
        taken->list[taken->count++]->users++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return true;
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
    bool kept = a->reader_count < READERS_IDLE;
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

bool serve_archive_read(serve_archives *s, serve_archive *a, uint64_t game, unsigned parts,
                        bool (*visit)(void *context, const stamma_archive_game *game), void *context,
                        serve_fault *fault)
{
    serve_reader *r = NULL;
    bool any = false;
    if (game < 1 || game > a->last)
        return serve_fail(fault, 404, "there is no game %" PRIu64 " in archive %ld; the last one is %" PRIu64, game,
                          a->number, a->last);
    stamma_error error = take_reader(s, a, parts, &r);
    if (!error)
        error = select_parts(r, parts);
    if (!error) {
        r->walk.visit = visit;
        r->walk.context = context;
        error = tool_walk_visit(&r->walk, game, game, &any);
    }
    if (!error && any) {
        give_back(s, a, r);
        return true;
    }
    reader_close(r);
    return serve_fail(fault, error == STAMMA_ERROR_NO_MEMORY ? 503 : 500, "%s, game %" PRIu64 ": %s", a->name, game,
                      stamma_error_text(error ? error : STAMMA_ERROR_CORRUPT));
}

/* ---- cached facts of games: the number, and speed and mode in the low byte ---- */

static bool begins(stamma_text text, const char *word)
{
    for (size_t i = 0; word[i]; i++)
        if (i >= text.size || (text.data[i] | 0x20) != word[i])
            return false;
    return true;
}

static bool take_kind(void *context, const stamma_archive_game *game)
{
    serve_kind *kind = context;
    stamma_text event = stamma_archive_game_tag(game, stamma_text_of("Event"));
    if (game->continuation)
        return true;
    kind->speed = stamma_speed_read(stamma_archive_game_tag(game, stamma_text_of("TimeControl")));
    kind->mode = begins(event, "rated ") ? SERVE_RATED : begins(event, "casual ") ? SERVE_CASUAL : SERVE_MODE_NONE;
    return true;
}

serve_kind serve_archive_kind(serve_archives *s, serve_archive *a, uint64_t game, bool reads)
{
    serve_kind kind = {STAMMA_SPEED_NONE, SERVE_MODE_NONE};
    serve_fault fault;
    if (!a->timed)
        return kind;
    atomic_ullong *place = &a->kinds[game % KINDS];
    unsigned long long known = atomic_load(place);
    if (known >> 8 == game)
        return (serve_kind){(stamma_speed)(known & 15), (serve_mode)(known >> 4 & 15)};
    if (reads && serve_archive_read(s, a, game, STAMMA_GAME_TAGS, take_kind, &kind, &fault))
        atomic_store(place, game << 8 | (unsigned)kind.mode << 4 | (unsigned)kind.speed);
    return kind;
}
