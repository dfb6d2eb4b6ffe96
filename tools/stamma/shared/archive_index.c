/* SPDX-License-Identifier: MIT */
/* Index files next to archives: games.stamma.index is the index of games.stamma. */
#include "shared/archive_pages.h"
#include "shared/pending.h"

char *tool_path_beside(const char *archive, const char *ending)
{
    const size_t size = strlen(archive), more = strlen(ending) + 1;
    char *path = malloc(size + more);
    if (!path) {
        (void)tool_fail_memory(archive);
        return NULL;
    }
    memcpy(path, archive, size);
    memcpy(path + size, ending, more);
    return path;
}

char *tool_index_path(const char *archive)
{
    return tool_path_beside(archive, ".index");
}

bool tool_inputs_note_archives(char **paths, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        char *index = tool_index_path(paths[n]), *pages = tool_pages_path(paths[n]);
        const bool right = index && pages && tool_inputs_note(paths[n], TOOL_INPUT) &&
                           tool_inputs_note(index, TOOL_INPUT) && tool_inputs_note(pages, TOOL_INPUT);
        free(index);
        free(pages);
        if (!right)
            return false;
    }
    return true;
}

bool tool_index_map(const char *path, tool_mapped *file)
{
    system_status status;
    *file = (tool_mapped){.bytes = NULL};
    return system_status_at(path, &status) && status.kind == SYSTEM_REGULAR && tool_mapped_open(path, file);
}

void tool_index_open(const char *archive, const char *path, tool_index_file *x)
{
    *x = (tool_index_file){.path = path ? strdup(path) : tool_index_path(archive), .archive = strdup(archive)};
    if (x->path && x->archive)
        (void)tool_index_map(x->path, &x->file);
}

stamma_error tool_index_open_archive(const tool_index_file *x, const stamma_bytes *bytes,
                                     const stamma_archive_options *options, stamma_archive **archive)
{
    const stamma_bytes index = tool_mapped_bytes(&x->file);
    stamma_archive_options all = {.size = sizeof all};
    if (options)
        all = *options;
    all.index = x->file.bytes ? &index : NULL;
    return stamma_archive_open(bytes, &all, archive);
}

stamma_error tool_index_error(const stamma_archive *archive)
{
    stamma_index_state state = {.size = sizeof state};
    stamma_error error = stamma_archive_index(archive, &state);
    return error ? error : state.damaged ? STAMMA_ERROR_CORRUPT : state.error;
}

const char *tool_index_problem(stamma_error error)
{
    switch (error) {
    case STAMMA_ERROR_NO_ARCHIVE: return "is not an index file";
    case STAMMA_ERROR_MISMATCH:
        return "is of an earlier state of the archive or an earlier version, or of another archive";
    case STAMMA_ERROR_CORRUPT: return "is damaged";
    case STAMMA_ERROR_UNSUPPORTED: return "was written by another version";
    default: return NULL;
    }
}

/* Returns whether the index can only be written again with -f: a damaged index may look current, and a file that is not
 * an index is not replaced without -f. */
static bool needs_force(stamma_error error)
{
    return error != STAMMA_ERROR_MISMATCH;
}

void tool_index_say_problem(const char *path, const char *archive, stamma_error error)
{
    const char *problem = tool_index_problem(error);
    if (problem)
        tool_say(path, "%s, and is not used; run 'stamma index %s%s'", problem, needs_force(error) ? "-f " : "",
                 archive);
    else if (error)
        tool_say(path, "is not used: %s", stamma_error_text(error));
}

void tool_index_say(const tool_index_file *x, const stamma_archive *archive)
{
    if (archive)
        tool_index_say_problem(x->path, x->archive, tool_index_error(archive));
}

void tool_index_close(tool_index_file *x)
{
    if (x->file.bytes)
        tool_mapped_close(&x->file);
    free(x->path);
    free(x->archive);
    *x = (tool_index_file){.path = NULL};
}

/* ---- writing ---- */

typedef struct index_file {
    tool_output *output;
    uint64_t written;
} index_file;

static bool write_callback(void *context, const void *bytes, size_t size)
{
    index_file *f = context;
    f->written += size;
    return tool_output_write(f->output, bytes, size);
}

void tool_index_say_unwritten(const char *archive, const void *head, stamma_error error)
{
    char text[TOOL_UNSUPPORTED_SIZE];
    switch (error) {
    case STAMMA_ERROR_NO_ARCHIVE: tool_say_no_archive(archive); break;
    case STAMMA_ERROR_CORRUPT:
        tool_say(archive, "cannot be indexed: the archive is damaged or cut short; 'stamma repair' first");
        break;
    case STAMMA_ERROR_UNSUPPORTED:
        tool_say(archive, "cannot be indexed: %s",
                 head ? tool_unsupported(head, text) : "this version (" STAMMA_VERSION ") cannot read this archive");
        break;
    case STAMMA_ERROR_LIMIT:
        tool_say(archive, "cannot be indexed: a block needs more memory than the limit (--memory)");
        break;
    default: tool_say(archive, "cannot be indexed: %s", stamma_error_text(error));
    }
}

/* Writes the file atomically; it replaces an earlier one. */
static stamma_error write_new(const char *name, const char *path, stamma_archive *archive,
                              const stamma_index_write_options *options, uint64_t *size)
{
    index_file f = {.output = tool_output_rewrite(path, true, TOOL_BESIDE)};
    const stamma_output output = {&f, write_callback, NULL};
    if (!f.output)
        return STAMMA_ERROR_IO;
    stamma_error error = stamma_index_write(archive, options, &output);
    tool_progress_clear();
    if (error && error != STAMMA_ERROR_CANCELLED && !tool_output_failed(f.output))
        tool_index_say_unwritten(name, NULL, error);
    if (!error && !tool_output_finish(f.output))
        error = STAMMA_ERROR_IO;
    tool_output_close(f.output);
    *size = f.written;
    return error;
}

/* ---- in place ---- */

typedef struct index_place {
    const char *path;
    int fd;
    uint64_t last; /* offset of the last write */
    bool failed;
} index_place;

static bool fail_place(index_place *p)
{
    tool_progress_clear();
    if (!p->failed)
        tool_say(p->path, "%s", strerror(errno));
    p->failed = true;
    return false;
}

static bool write_at(void *context, uint64_t offset, const void *bytes, size_t size)
{
    index_place *p = context;
    p->last = offset;
    return system_write_at(p->fd, bytes, size, offset) || fail_place(p);
}

static bool sync_place(void *context)
{
    index_place *p = context;
    return system_sync(p->fd) || fail_place(p);
}

/* Removes the bytes after an index that could not be brought up to date, unless their root may have been written. */
static void remove_rest(const index_place *p, uint64_t size)
{
    enum { HEADER = 4096 };
    if (p->last >= HEADER)
        (void)system_truncate(p->fd, size);
}

/* Locks the file. Returns OK, MISMATCH if it is to be replaced, or IO after a message. */
static stamma_error lock_place(const index_place *p)
{
    const int locked = tool_file_lock(p->path, p->fd);
    if (locked != 0)
        return locked > 0 ? STAMMA_OK : STAMMA_ERROR_MISMATCH;
    tool_say(p->path, "is being written by another process");
    return STAMMA_ERROR_IO;
}

static stamma_error append_to(index_place *p, stamma_archive *archive, const stamma_index_write_options *options,
                              uint64_t *size)
{
    const stamma_index_output output = {p, write_at, sync_place};
    stamma_index_write_options all = *options;
    system_status status;
    stamma_error error = lock_place(p);
    if (error)
        return error;
    if (!system_status_of(p->fd, &status) || status.kind != SYSTEM_REGULAR || status.size == 0)
        return STAMMA_ERROR_MISMATCH;
    const size_t before = (size_t)status.size;
    const void *bytes = system_map(p->fd, before);
    if (!bytes)
        return STAMMA_ERROR_MISMATCH;
    const stamma_bytes file = stamma_bytes_of(bytes, before);
    all.before = NULL;
    all.before_count = 0;
    error = stamma_index_append(archive, &file, &all, &output);
    system_unmap(bytes, before);
    if (error)
        remove_rest(p, before);
    if (system_status_of(p->fd, &status))
        *size = status.size;
    return error;
}

/* Brings an index file up to date in place. Returns MISMATCH if it is to be replaced. */
static stamma_error append_in_place(const char *name, const char *path, stamma_archive *archive,
                                    const stamma_index_write_options *options, uint64_t *size)
{
    index_place p = {.path = path, .fd = system_open(path, SYSTEM_WRITE | SYSTEM_NO_WAIT)};
    if (p.fd < 0)
        return STAMMA_ERROR_MISMATCH;
    const stamma_error error = append_to(&p, archive, options, size);
    (void)system_close(p.fd);
    tool_progress_clear();
    if (error && error != STAMMA_ERROR_MISMATCH && error != STAMMA_ERROR_CANCELLED && error != STAMMA_ERROR_IO)
        tool_index_say_unwritten(name, NULL, error);
    return error;
}

stamma_error tool_index_write(const char *name, const char *path, stamma_archive *archive,
                              const stamma_index_write_options *options, bool in_place, uint64_t *size)
{
    const stamma_error appended =
        in_place ? append_in_place(name, path, archive, options, size) : STAMMA_ERROR_MISMATCH;
    return appended == STAMMA_ERROR_MISMATCH ? write_new(name, path, archive, options, size) : appended;
}
