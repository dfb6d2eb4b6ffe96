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

/* Returns 0 if the archive cannot be read, which stamma_index_write reports. */
static uint64_t count_games(const tool_mapped *archive)
{
    stamma_archive_reader *reader = NULL;
    uint64_t games = 0;
    if (!stamma_archive_reader_open_memory(archive->bytes, archive->size, NULL, &reader))
        (void)stamma_archive_reader_game_count(reader, &games);
    stamma_archive_reader_close(reader);
    return games;
}

bool tool_indexing_run(tool_indexing *x, const tool_mapped *archive)
{
    running r = {.archive = *archive, .progress = tool_progress_start("indexing", archive->size, x->quiet)};
    stamma_text *before = malloc((x->before_count + 1) * sizeof *before);
    const stamma_index_write_options options = {.size = sizeof options,
                                                .executor = x->executor,
                                                .memory = x->memory,
                                                .context = &r,
                                                .progress = show_progress,
                                                .before = before,
                                                .before_count = before ? x->before_count : 0};
    for (size_t i = 0; before && i < x->before_count; i++)
        before[i] = (stamma_text){(const char *)x->before[i].bytes, x->before[i].size};
    stamma_error error = tool_index_write(x->archive, x->path, archive->bytes, archive->size, &options, &x->bytes);
    free(before);
    x->games = error ? 0 : count_games(archive);
    x->archive_bytes = archive->size;
    return !error;
}

void tool_indexing_say(const tool_indexing *x)
{
    char games[TOOL_NUMBER_SIZE], bytes[TOOL_NUMBER_SIZE];
    double share = x->archive_bytes > 0 ? 100 * (double)x->bytes / (double)x->archive_bytes : 0;
    tool_say(strcmp(x->path, "-") == 0 ? "standard output" : x->path, "%s game%s in %s bytes (%.2f %% of the archive)",
             tool_number(x->games, games), x->games == 1 ? "" : "s", tool_number(x->bytes, bytes), share);
}

/* Returns whether the index file is to be written: it is missing, or it is of an earlier state of the archive. */
static bool is_wanted(const tool_index_file *x)
{
    bool foreign = x->error == STAMMA_ERROR_NO_ARCHIVE || x->error == STAMMA_ERROR_UNSUPPORTED;
    if (foreign)
        tool_index_say(x);
    return x->path && !x->index && !foreign;
}

void tool_indexing_update(tool_indexing *x, const char *archive)
{
    tool_mapped file;
    tool_index_file now;
    if (x->before_count == 0 || !tool_mapped_open(archive, &file))
        return;
    tool_index_open(archive, NULL, file.bytes, file.size, &now);
    if (file.mapped && is_wanted(&now)) {
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
        tool_threads *threads = tool_threads_open(options->threads, &executor);
        tool_indexing_update(&indexing, archive);
        tool_threads_close(threads);
    }
    tool_indexing_close(&indexing);
    free(index);
}
