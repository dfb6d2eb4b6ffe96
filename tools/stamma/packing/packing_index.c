/* SPDX-License-Identifier: MIT */
/* Writes the index files of archives. */
#include "packing/packing.h"

typedef struct running {
    tool_mapped archive; /* pages are returned to the system as they are read */
    tool_progress progress;
} running;

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    running *r = context;
    (void)total;
    tool_mapped_forget(&r->archive, done);
    tool_progress_show(&r->progress, done, done);
    return true;
}

void tool_indexing_add(tool_indexing *x, const char *path)
{
    tool_mapped *files = realloc(x->before, (x->before_count + 1) * sizeof *files);
    if (!files || !tool_inputs_note(path, TOOL_BESIDE))
        return; /* the index is then made without the earlier one */
    x->before = files;
    x->before_count += tool_index_map(path, &files[x->before_count]);
}

void tool_indexing_close(tool_indexing *x)
{
    for (size_t i = 0; i < x->before_count; i++)
        tool_mapped_close(&x->before[i]);
    free(x->before);
    x->before = NULL;
    x->before_count = 0;
}

/* Writes the index of an open archive, and counts its games. */
static bool run(tool_indexing *x, stamma_archive *archive, const stamma_index_write_options *options)
{
    const bool in_place = options->before_count == 1 && !x->compact;
    stamma_error error = tool_index_write(x->archive, x->path, archive, options, in_place, &x->bytes);
    x->games = 0;
    if (!error)
        (void)stamma_archive_games(archive, &x->games);
    return !error;
}

bool tool_indexing_run(tool_indexing *x, const tool_mapped *archive)
{
    running r = {.archive = *archive, .progress = tool_progress_start("indexing", archive->size, x->quiet)};
    stamma_bytes *before = malloc((x->before_count + 1) * sizeof *before);
    const stamma_index_write_options options = {.size = sizeof options,
                                                .executor = x->executor,
                                                .memory = x->memory,
                                                .context = &r,
                                                .progress = show_progress,
                                                .before = before,
                                                .before_count = before ? x->before_count : 0};
    for (size_t i = 0; before && i < x->before_count; i++)
        before[i] = tool_mapped_bytes(&x->before[i]);
    const stamma_bytes bytes = tool_mapped_bytes(archive);
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
    if (error)
        tool_index_say_unwritten(x->archive, archive->size >= TOOL_HEAD_SIZE ? archive->bytes : NULL, error);
    const bool right = !error && run(x, opened, &options);
    stamma_archive_close(opened);
    free(before);
    x->archive_bytes = archive->size;
    return right;
}

void tool_indexing_say(const tool_indexing *x)
{
    char games[TOOL_NUMBER_SIZE], bytes[TOOL_NUMBER_SIZE];
    double share = x->archive_bytes > 0 ? 100 * (double)x->bytes / (double)x->archive_bytes : 0;
    tool_say(strcmp(x->path, "-") == 0 ? "standard output" : x->path, "%s game%s in %s bytes (%.2f %% of the archive)",
             tool_number(x->games, games), x->games == 1 ? "" : "s", tool_number(x->bytes, bytes), share);
}

/* Returns whether the index file is to be written: it is missing, or it is of an earlier state of the archive. */
static bool is_wanted(const tool_index_file *x, const tool_mapped *archive)
{
    const stamma_bytes bytes = tool_mapped_bytes(archive);
    stamma_archive *opened = NULL;
    stamma_error error = tool_index_open_archive(x, &bytes, NULL, &opened);
    const stamma_error problem = error ? STAMMA_ERROR_MISMATCH : tool_index_error(opened);
    const bool foreign = problem == STAMMA_ERROR_NO_ARCHIVE || problem == STAMMA_ERROR_UNSUPPORTED;
    if (foreign)
        tool_index_say(x, opened);
    stamma_archive_close(opened);
    return x->path && (problem || !x->file.bytes) && !foreign;
}

void tool_indexing_update(tool_indexing *x, const char *archive)
{
    tool_mapped file;
    tool_index_file now;
    if (x->before_count == 0 || !tool_mapped_open(archive, &file))
        return;
    tool_index_open(archive, NULL, &now);
    if (file.mapped && is_wanted(&now, &file)) {
        x->archive = archive;
        x->path = now.path;
        bool done = tool_indexing_run(x, &file);
        if (!done)
            tool_say(archive, "is complete, but its index is not up to date; run 'stamma index %s'", archive);
        else if (!x->quiet)
            tool_indexing_say(x);
    }
    tool_index_close(&now);
    tool_mapped_close(&file);
}

void tool_indexing_follow(const char *archive, const tool_packing_options *options)
{
    stamma_executor executor;
    tool_indexing indexing = {.executor = &executor, .memory = options->memory, .quiet = options->quiet};
    char *index = tool_index_path(archive);
    if (index)
        tool_indexing_add(&indexing, index);
    if (indexing.before_count > 0) {
        worker_threads *threads = worker_threads_open(options->threads, &executor);
        tool_indexing_update(&indexing, archive);
        worker_threads_close(threads);
    }
    tool_indexing_close(&indexing);
    free(index);
}
