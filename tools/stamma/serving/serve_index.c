/* SPDX-License-Identifier: MIT */
/* Index files of served archives. If another program changes used bytes of an index file in place, the server does not
 * use the file any more, and does not send answers that were made from the changed file. */
#include "serving/serve_files.h"

#include <pthread.h>

/* ---- states of files ---- */

static serve_state state_of(const system_status *status)
{
    if (status->kind != SYSTEM_REGULAR)
        return (serve_state){.size = 0};
    return (serve_state){status->device, status->file, status->size, status->changed};
}

serve_state serve_state_of(const char *path)
{
    system_status status;
    return system_status_at(path, &status) ? state_of(&status) : (serve_state){.size = 0};
}

bool serve_state_same(const serve_state *a, const serve_state *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* ---- opening ---- */

/* Maps an index file. Returns false if there is none. */
static bool map_file(const char *path, serve_index_file *file)
{
    system_status status;
    int fd = system_open(path, SYSTEM_READ | SYSTEM_NO_WAIT);
    *file = (serve_index_file){.path = path};
    if (fd >= 0 && system_status_of(fd, &status))
        file->state = state_of(&status);
    if (file->state.size > 0)
        file->bytes = system_map_guarded(fd, (size_t)file->state.size);
    if (fd >= 0)
        (void)system_close(fd);
    return file->bytes != NULL;
}

static void unmap_file(serve_index_file *file)
{
    if (file->bytes)
        system_unmap_guarded(file->bytes, (size_t)file->state.size);
    file->bytes = NULL;
}

static stamma_bytes bytes_of(const serve_index_file *file)
{
    return stamma_bytes_of(file->bytes, (size_t)file->state.size);
}

bool serve_index_open(serve_file *f, const char *path, const serve_state *bad, bool says)
{
    serve_index_file file;
    if (!map_file(path, &file))
        return false;
    const stamma_bytes bytes = bytes_of(&file);
    bool known = serve_state_same(&file.state, bad);
    f->index_file = file;
    stamma_error error = known ? STAMMA_ERROR_CORRUPT : stamma_archive_use_index(f->archive.handle, &bytes);
    if (!error)
        return true;
    if (!known && (says || error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_UNSUPPORTED))
        tool_index_say_problem(path, f->path, error);
    unmap_file(&f->index_file);
    return false;
}

void serve_index_close(serve_file *f)
{
    unmap_file(&f->index_file);
}

/* Checks the used bytes of a file whose state has changed, once for each state. */
static bool is_sound(const serve_archive *a, const serve_state *now)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    serve_index_file *file = &((serve_file *)(uintptr_t)a)->index_file;
    (void)pthread_mutex_lock(&lock);
    if (!serve_state_same(now, &file->checked)) {
        file->sound = stamma_archive_check_index(a->handle) == STAMMA_OK;
        file->checked = *now;
    }
    const bool sound = file->sound;
    (void)pthread_mutex_unlock(&lock);
    return sound;
}

bool serve_index_changed(const serve_archive *a)
{
    const serve_index_file *file = &serve_file_of(a)->index_file;
    if (serve_archive_index(a) != STAMMA_INDEX_FILE)
        return false;
    const serve_state *opened = &file->state;
    serve_state now = serve_state_of(file->path);
    /* another file with this name does not change the mapped file */
    return now.device == opened->device && now.file == opened->file && !serve_state_same(&now, opened) &&
           !is_sound(a, &now);
}

/* ---- roots ---- */

serve_index_roots serve_index_roots_of(const char *path)
{
    enum { SPACING = 512 };
    serve_index_roots roots = {.file = 0};
    system_status status;
    int fd = system_open(path, SYSTEM_READ | SYSTEM_NO_WAIT);
    if (fd >= 0 && system_status_of(fd, &status) && status.kind == SYSTEM_REGULAR) {
        roots.device = status.device;
        roots.file = status.file;
        for (unsigned n = 0; n < SERVE_ROOTS; n++)
            if (system_read_at(fd, roots.bytes[n], SERVE_ROOT_SIZE, (n + 1) * SPACING) != SERVE_ROOT_SIZE)
                memset(roots.bytes[n], 0, SERVE_ROOT_SIZE);
    }
    if (fd >= 0)
        (void)system_close(fd);
    return roots;
}

bool serve_index_roots_same(const serve_index_roots *a, const serve_index_roots *b)
{
    return a->device == b->device && a->file == b->file && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* ---- writing ---- */

/* Returns whether a file with the name of an index may be replaced. Otherwise serve_index_open has reported it. */
static bool is_replaceable(const serve_archive *a, const serve_index_file *before)
{
    const stamma_bytes index = bytes_of(before);
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&a->bytes, &options, &opened);
    if (!error)
        error = tool_index_error(opened);
    stamma_archive_close(opened);
    return error != STAMMA_ERROR_NO_ARCHIVE && error != STAMMA_ERROR_UNSUPPORTED;
}

bool serve_index_write(const serve_files *s, const serve_file *f, const char *path)
{
    const serve_archive *a = &f->archive;
    serve_index_file before;
    char games[TOOL_NUMBER_SIZE], size[TOOL_NUMBER_SIZE];
    uint64_t written = 0;
    bool mapped = map_file(path, &before), right = !mapped || is_replaceable(a, &before);
    const stamma_bytes bytes = bytes_of(&before);
    const stamma_index_write_options options = {.size = sizeof options,
                                                .executor = s->executor,
                                                .memory = s->memory,
                                                .context = (void *)(uintptr_t)s,
                                                .progress = serve_files_continue,
                                                .before = &bytes,
                                                .before_count = mapped};
    right = right && !tool_index_write(f->path, path, a->handle, &options, mapped, &written);
    if (right)
        tool_say(path, "%s games in %s bytes", tool_number(a->games, games), tool_number(written, size));
    unmap_file(&before);
    return right;
}
