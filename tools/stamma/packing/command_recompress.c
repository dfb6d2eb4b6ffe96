/* SPDX-License-Identifier: MIT */
/* stamma recompress: changes the level of an archive. */
#include "shared/flags.h"
#include "threads/worker_threads.h"

static const char about[] = "Packs the contents of ARCHIVE at another level. OUT unpacks to the same bytes, and does\n"
                            "not depend on the level of ARCHIVE. ARCHIVE may be - for standard input. OUT may be\n"
                            "ARCHIVE, because it appears only when it is complete.";

typedef struct recompressing {
    stamma_archive_writer_options writing;
    stamma_archive_writer *writer;
    tool_output *output;
    tool_archive archive;
    tool_progress progress;
    uint64_t bytes; /* bytes written */
    bool quiet;
    const char *path, *out;
    tool_carried carried;
} recompressing;

static bool write_archive(void *context, const void *bytes, size_t size)
{
    recompressing *r = context;
    r->bytes += size;
    tool_progress_show(&r->progress, r->archive.file.offset, r->bytes);
    return tool_output_write(r->output, bytes, size);
}

/* Writes a file of flags for the new archive, if the old archive has one. */
static bool carry_flags(recompressing *r)
{
    uint64_t games = 0;
    if (r->archive.handle && stamma_archive_games(r->archive.handle, &games))
        return false;
    return tool_carried_note(&r->carried, r->path) && tool_carried_copy(&r->carried, &r->archive, 0) &&
           tool_carried_write(&r->carried, r->out, r->output, games);
}

static int recompress(recompressing *r)
{
    stamma_output output = {r, write_archive, NULL};
    stamma_archive_counts counts;
    stamma_error error = stamma_archive_writer_open(&output, &r->writing, &r->writer);
    if (!error) {
        error = stamma_archive_writer_recompress(r->writer, r->archive.reader);
        if (error && !tool_output_failed(r->output)) {
            tool_progress_clear();
            return tool_archive_fail(&r->archive, error);
        }
    }
    if (!error)
        error = stamma_archive_writer_finish(r->writer, &counts);
    tool_progress_clear();
    if (error && !tool_output_failed(r->output))
        tool_say(tool_output_name(r->output), "%s", stamma_error_text(error));
    if (error || !carry_flags(r) || !tool_output_finish(r->output))
        return TOOL_ERROR;
    tool_carried_end(&r->carried, true);
    if (!r->quiet)
        tool_archive_say_counts(tool_output_name(r->output), counts.games, &counts);
    return TOOL_DONE;
}

static bool check_options(const char *out, uint64_t level, bool force)
{
    if (!out)
        tool_say(NULL, "recompress: -o is required: the archive to write");
    else if (level == 0)
        tool_say(NULL, "recompress: --level is required");
    else
        return tool_output_fits("recompress", "an archive", out, force) && tool_level_fits("recompress", level);
    return false;
}

/* Opens the output before the archive, because the output locks the archive that it replaces. */
static tool_output *open_output(const char *out, bool force, const char *archive)
{
    uint64_t size;
    bool regular;
    if (!tool_file_measure(archive, &size, &regular) || !tool_inputs_note(archive, TOOL_REWRITTEN))
        return NULL;
    return tool_output_rewrite(out, force, TOOL_REWRITTEN);
}

int tool_recompress(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false, no_check = false, no_search = false;
    uint64_t level = 0, wanted = 0, memory = TOOL_MEMORY;
    recompressing r = {.bytes = 0};
    const tool_option options[] = {
        {TOOL_OPTION_LEVEL, .number = &level},
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &out},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {TOOL_OPTION_MEMORY, .size = &memory},
        {TOOL_OPTION_NO_CHECK, .flag = &no_check},
        {TOOL_OPTION_NO_SEARCH, .flag = &no_search},
        {TOOL_OPTION_FORCE, .flag = &force},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &r.quiet},
    };
    const tool_usage usage = {"recompress", "-o OUT ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check_options(out, level, force))
        return TOOL_ERROR;
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(wanted, &executor);
    r.writing = (stamma_archive_writer_options){.size = sizeof r.writing,
                                                .allocator = &tool_large_pages,
                                                .level = (int)level,
                                                .executor = &executor,
                                                .memory = memory,
                                                .no_check = no_check,
                                                .no_search_columns = no_search};
    r.path = argv[0];
    r.out = out;
    r.output = open_output(out, force, argv[0]);
    /* Another process may have replaced the archive before the output was locked. */
    if (r.output && tool_inputs_note(argv[0], TOOL_REWRITTEN) && tool_archive_open_sound(argv[0], &r.archive)) {
        r.progress = tool_progress_start("recompressing", r.archive.file.size, r.quiet);
        status = recompress(&r);
        stamma_archive_writer_close(r.writer);
        tool_archive_close(&r.archive);
    }
    tool_carried_end(&r.carried, false);
    tool_output_close(r.output);
    worker_threads_close(threads);
    return status;
}
