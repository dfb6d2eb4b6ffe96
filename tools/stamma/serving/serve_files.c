/* SPDX-License-Identifier: MIT */
/* Files of archives: opened, opened again when they change, and uploads. */
#include "serving/serve_files.h"

#include "shared/flags.h"

#define LOOK_INTERVAL 1.0 /* seconds between two checks of the files */
/* Maximum number of seconds for which the old state of an archive is served while its new index file is not written. */
#define INDEX_PATIENCE 10.0

/* A path, and the archive that is open there. */
typedef struct serve_place {
    const char *path;
    char *owned, *name; /* of an upload: the path, and the name that is shown; constant once it is counted */
    serve_file *now;    /* of an archive that the command names */
    serve_state seen;   /* at the last check, also if the archive could not be opened */
    char *index_path, *flags_path;
    serve_state flags_seen;            /* when the archive was opened */
    serve_state index_seen, index_bad; /* the index file when the archive was opened; a damaged index file */
    serve_index_roots roots_seen;      /* of the index file when the archive was opened */
    double changed; /* when it was found that the archive has changed and its index has not; 0: none */
} serve_place;

static serve_state state_of(const system_status *status)
{
    return (serve_state){status->device, status->file, status->size, status->changed};
}

/* ---- one archive ---- */

static void file_close(serve_archive *archive)
{
    serve_file *f = (serve_file *)archive;
    serve_archive_close(archive);
    stamma_flags_close(archive->flags);
    serve_index_close(f);
    tool_pages_close(&f->pages);
    if (archive->bytes.memory)
        system_unmap_guarded(archive->bytes.memory, (size_t)f->state.size);
    free(f);
}

static bool map_file(serve_file *f, serve_state *seen)
{
    system_status status;
    const char *wrong = NULL;
    int fd = system_open(f->path, SYSTEM_READ | SYSTEM_NO_WAIT);
    if (fd < 0 || !system_status_of(fd, &status)) {
        wrong = strerror(errno);
    } else if (status.kind != SYSTEM_REGULAR) {
        wrong = "is not a regular file";
    } else if (status.size == 0) { /* an empty file cannot be mapped */
        wrong = "not a Stamma archive";
    } else {
        *seen = f->state = state_of(&status);
        const void *mapped = system_map_guarded(fd, (size_t)status.size);
        f->archive.bytes = stamma_bytes_of(mapped, (size_t)status.size);
        wrong = mapped ? NULL : strerror(errno);
    }
    if (wrong)
        tool_say(f->path, "%s", wrong);
    if (fd >= 0)
        (void)system_close(fd);
    return !wrong;
}

/* Reads the counts of an archive. Returns false after a message. */
static bool read_counts(const serve_files *s, serve_file *f)
{
    stamma_place place;
    stamma_error error = serve_archive_open(&f->archive, s->executor, &place);
    if (error)
        tool_archive_say(f->path, error, place);
    else if (f->archive.damaged)
        tool_say(f->path, "the archive is damaged: what is sound is served. stamma verify lists the damage, stamma "
                          "repair saves the rest");
    return !error;
}

bool serve_files_continue(void *context, uint64_t done, uint64_t total)
{
    const serve_files *s = context;
    (void)done;
    (void)total;
    return !atomic_load(s->ending);
}

/* Opens an index in memory. If the file has grown, only its new blocks are read. */
static bool open_index(const serve_files *s, serve_file *f, const serve_file *before)
{
    serve_archive *a = &f->archive;
    bool grown = before && before->state.device == f->state.device && before->state.file == f->state.file &&
                 before->archive.bytes.size <= a->bytes.size;
    const stamma_index_keep_options options = {.size = sizeof options,
                                               .memory = s->memory / s->named,
                                               .context = (void *)(uintptr_t)s,
                                               .progress = serve_files_continue,
                                               .before = grown ? before->archive.handle : NULL};
    stamma_index_state state = {.size = sizeof state};
    stamma_error error = stamma_archive_keep_index(a->handle, &options);
    if (error && error != STAMMA_ERROR_CANCELLED)
        tool_archive_say(f->path, error, (stamma_place){.offset = 0});
    if (!stamma_archive_index(a->handle, &state) && state.partial)
        tool_say(f->path,
                 "its index does not fit into --memory: searches open the rest of the archive each time. Increase "
                 "--memory, or write an index file (stamma index), which needs none");
    return !error;
}

/* Opens the file of pages next to an archive, if there is one. */
static bool open_pages(serve_file *f)
{
    tool_pages_open(f->path, &f->archive.bytes, &f->pages);
    f->archive.pages = f->pages.pages;
    return true;
}

/* Writes an index file and opens it, or opens an index in memory. */
static bool make_index(const serve_files *s, const serve_place *place, serve_file *f, const serve_file *before)
{
    if (s->writes && serve_index_write(s, f, place->index_path) &&
        serve_index_open(f, place->index_path, &place->index_bad, true))
        return true;
    return !atomic_load(s->ending) && open_index(s, f, before);
}

/* Reads the flags of the games. Flags that cannot be used are reported. */
static void open_flags(serve_place *place, serve_file *f)
{
    bool exists;
    serve_archive *a = &f->archive;
    place->flags_seen = serve_state_of(place->flags_path);
    a->flags_unfit = !tool_flags_read(place->flags_path, a->handle, &exists, &a->flags);
    (void)stamma_archive_use_flags(a->handle, a->flags);
}

/* Opens the archive of a place. Returns NULL, after a message, on failure. An index is made at once only if the archive
 * replaces another, `before`. */
static serve_file *file_open(const serve_files *s, serve_place *place, long number, const serve_file *before)
{
    serve_file *f = calloc(1, sizeof *f);
    if (!f) {
        (void)tool_fail_memory(place->path);
        return NULL;
    }
    f->path = place->path;
    f->archive.number = number;
    f->archive.name = place->name ? place->name : system_base_name(f->path);
    f->archive.uploaded = place->name != NULL;
    f->archive.is_changed = serve_index_changed;
    f->archive.close = file_close;
    place->roots_seen = serve_index_roots_of(place->index_path);
    place->index_seen = serve_state_of(place->index_path);
    const bool opened = map_file(f, &place->seen) && read_counts(s, f) && open_pages(f);
    if (opened)
        open_flags(place, f);
    if (opened && (serve_index_open(f, place->index_path, &place->index_bad, !s->writes) || !before ||
                   make_index(s, place, f, before)))
        return f;
    file_close(&f->archive);
    return NULL;
}

/* ---- changes ---- */

/* Returns the problem of the file of a place, compared with its state at the last check. */
static serve_problem problem_of(const serve_place *place)
{
    return !serve_state_same(&place->seen, &place->now->state) ? SERVE_UNREADABLE
           : place->now->archive.damaged                       ? SERVE_DAMAGED
                                                               : SERVE_SOUND;
}

/* Returns whether the index file in use is damaged or was changed in place. */
static bool index_is_bad(const serve_file *f)
{
    return f->index_file.bytes &&
           (tool_index_error(f->archive.handle) == STAMMA_ERROR_CORRUPT || serve_index_changed(&f->archive));
}

/* Decides whether the archive of a place is opened again. */
static bool is_due(serve_place *place, const serve_state *found)
{
    const serve_file *f = place->now;
    serve_state index = serve_state_of(place->index_path), flags = serve_state_of(place->flags_path);
    if (!serve_state_same(&flags, &place->flags_seen))
        return true;
    bool changed = !serve_state_same(found, &place->seen), renewed = !serve_state_same(&index, &place->index_seen);
    if (index_is_bad(f)) {
        tool_index_say_problem(place->index_path, place->path, STAMMA_ERROR_CORRUPT);
        place->index_bad = f->index_file.state;
        return true;
    }
    if (!changed)
        return renewed && index.size > 0 && !f->index_file.bytes;
    bool shrunk = found->file == f->state.file && found->size < f->state.size;
    const serve_index_roots roots = serve_index_roots_of(place->index_path);
    if (!serve_index_roots_same(&roots, &place->roots_seen) || shrunk || !f->index_file.bytes)
        return true;
    /* append and merge write the index after the archive */
    double now = tool_clock();
    place->changed = place->changed > 0 ? place->changed : now;
    return now - place->changed >= INDEX_PATIENCE;
}

/* Opens a file that has changed, while other requests continue with the open archive. A failure is reported once. */
static void look_at(serve_files *s, size_t number)
{
    serve_place *place = &s->places[number];
    system_status status;
    if (!system_status_at(place->path, &status)) {
        serve_archives_set_problem(s->archives, number, SERVE_MISSING);
        return;
    }
    serve_state found = state_of(&status);
    if (!is_due(place, &found)) {
        serve_archives_set_problem(s->archives, number, problem_of(place));
        return;
    }
    place->seen = found;
    place->changed = 0;
    serve_file *opened = file_open(s, place, (long)number, place->now);
    if (!opened) {
        serve_archives_set_problem(s->archives, number, SERVE_UNREADABLE);
        return;
    }
    serve_archives_replace(s->archives, &opened->archive);
    place->now = opened;
}

static void index_archive(serve_files *s, size_t number)
{
    serve_archive *a = serve_archives_hold(s->archives, number);
    if (serve_archive_index(a) == STAMMA_INDEX_NONE) /* the file has not changed meanwhile */
        (void)make_index(s, &s->places[number], (serve_file *)a, NULL);
    serve_archives_let_go(s->archives, a);
}

void serve_files_index(serve_files *s)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    for (size_t i = 0; i < s->named && !atomic_load(s->ending); i++)
        index_archive(s, i);
    for (double looked = 0; s->writes && !atomic_load(s->ending); looked = tool_clock()) {
        for (size_t i = 0; i < s->named && !atomic_load(s->ending); i++)
            look_at(s, i);
        while (tool_clock() - looked < LOOK_INTERVAL && !atomic_load(s->ending))
            (void)nanosleep(&pause, NULL);
    }
}

/* Checks the files. Files of uploads do not change. The first request after the interval does this; other requests do
 * not wait for it. */
static void look(void *context)
{
    serve_files *s = context;
    double now = tool_clock();
    (void)pthread_mutex_lock(&s->archives->lock);
    bool mine = !s->writes && !s->looking && now - s->looked >= LOOK_INTERVAL;
    s->looking |= mine;
    (void)pthread_mutex_unlock(&s->archives->lock);
    if (!mine)
        return;
    for (size_t i = 0; i < s->named; i++)
        look_at(s, i);
    (void)pthread_mutex_lock(&s->archives->lock);
    s->looking = false;
    s->looked = tool_clock();
    (void)pthread_mutex_unlock(&s->archives->lock);
}

/* ---- all of them ---- */

static void place_clear(serve_place *place)
{
    free(place->index_path);
    free(place->flags_path);
    free(place->owned);
    free(place->name);
    *place = (serve_place){.path = NULL};
}

static bool open_named(serve_files *s, serve_place *place, const char *path, size_t number)
{
    place->path = path;
    place->index_path = tool_index_path(path);
    place->flags_path = tool_flags_path(path);
    place->now = place->index_path && place->flags_path ? file_open(s, place, (long)number, NULL) : NULL;
    if (place->now)
        serve_archives_add(s->archives, &place->now->archive, path);
    return place->now != NULL;
}

bool serve_files_open(serve_files *s, char **paths, size_t count)
{
    s->places = calloc(s->archives->room + 1, sizeof *s->places); /* there may be no archive */
    if (!s->places)
        return tool_fail_memory(NULL);
    s->named = count;
    for (size_t i = 0; i < count; i++)
        if (!open_named(s, &s->places[i], paths[i], i))
            return false;
    s->looked = tool_clock();
    s->archives->look = look;
    s->archives->context = s;
    return true;
}

void serve_files_close(serve_files *s)
{
    for (size_t i = 0; s->places && i < s->archives->room; i++)
        place_clear(&s->places[i]);
    free(s->places);
}

uint64_t serve_files_games(const serve_files *s, size_t index)
{
    return s->places[index].now->archive.games;
}

bool serve_files_slow(const serve_files *s, size_t index)
{
    const serve_file *f = s->places[index].now;
    return serve_archive_is_slow(&f->archive) && !f->index_file.bytes && !s->writes;
}

const char *serve_files_path(const serve_files *s, size_t index)
{
    return s->places[index].path;
}

/* ---- uploads ---- */

/* Opens the archive of an upload. Returns NULL with an error. */
static serve_file *open_upload(const serve_files *s, serve_place *place, const char *path, const char *name,
                               serve_fault *fault)
{
    place->path = place->owned = strdup(path);
    place->name = strdup(name);
    place->index_path = place->owned && place->name ? tool_index_path(path) : NULL;
    place->flags_path = place->index_path ? tool_flags_path(path) : NULL;
    if (!place->flags_path) {
        (void)serve_fail_memory(fault);
        return NULL;
    }
    serve_file *f = file_open(s, place, (long)s->archives->count, NULL);
    if (!f)
        (void)serve_fail(fault, 500, "the archive cannot be opened");
    if (!f || f->archive.plies > 0)
        return f;
    (void)serve_fail(fault, 422, "the file contains no game with moves");
    file_close(&f->archive);
    return NULL;
}

long serve_files_add(serve_files *s, const char *path, const char *name, serve_fault *fault)
{
    const size_t number = s->archives->count;
    if (number >= s->archives->room) {
        (void)serve_fail(fault, 409, "there were %d archives: start the server again", SERVE_ARCHIVES_MAX);
        return -1;
    }
    serve_file *f = open_upload(s, &s->places[number], path, name, fault);
    if (!f) {
        place_clear(&s->places[number]);
        return -1;
    }
    serve_archives_add(s->archives, &f->archive, s->places[number].path);
    return (long)number;
}

bool serve_files_remove(serve_files *s, long number)
{
    return number >= 0 && (size_t)number >= s->named && serve_archives_remove(s->archives, (size_t)number);
}
