/* SPDX-License-Identifier: MIT */
/* stamma merge: joins archives, block by block. */
#include "packing/packing.h"
#include "shared/flags.h"

static const char about[] =
    "Writes one archive that unpacks to the texts of all ARCHIVEs, one after another, byte for\n"
    "byte. Blocks are copied without packing them again; their checksums are compared (`stamma\n"
    "verify` checks more). The number of games is the sum of the archives' numbers, even if a\n"
    "text ends in the middle of a line. ARCHIVE may be - for standard input. OUT may be one of\n"
    "the ARCHIVEs, because it appears only when it is complete.\n\n"
    "--unique writes each game once: the exact bytes of the first of several games that are the\n"
    "same game. The games are then packed again.\n\n"
    "If there is an index file beside one of the ARCHIVEs, an index file of OUT is written from\n"
    "these index files afterwards. If that fails, it is reported, and the exit status does not\n"
    "change.";

typedef struct merging {
    stamma_archive_writer *writer;
    tool_output *output;
    tool_archive archive; /* the archive being copied */
    tool_progress progress;
    uint64_t passed; /* bytes of the archives before it */
    uint64_t bytes;  /* bytes written */
    bool quiet, unique;
    uint64_t level, memory;
    tool_new_games games; /* with `unique` */
    const char *out;
    tool_carried carried;
    uint64_t before; /* games of the archives before it */
} merging;

static bool write_archive(void *context, const void *bytes, size_t size)
{
    merging *m = context;
    m->bytes += size;
    tool_progress_show(&m->progress, m->passed + m->archive.file.offset, m->bytes);
    return tool_output_write(m->output, bytes, size);
}

/* Keeps the flags of the games of the archive. */
static bool carry_flags(merging *m)
{
    uint64_t games = 0;
    if (!m->carried.any)
        return true;
    const stamma_error error = stamma_archive_reader_game_count(m->archive.reader, &games);
    if (error)
        (void)tool_archive_fail(&m->archive, error);
    const bool right = !error && tool_carried_copy(&m->carried, &m->archive, m->before);
    m->before += games;
    return right;
}

static bool copy(merging *m, const char *path)
{
    /* Another process may have replaced the archive before the output was locked. */
    if (!tool_inputs_note(path, TOOL_REWRITTEN) || !tool_archive_open_sound(path, &m->archive))
        return false;
    bool right;
    if (m->unique) {
        right = tool_new_games_copy(&m->games, &m->archive);
    } else {
        stamma_error error = stamma_archive_writer_copy(m->writer, m->archive.reader);
        right = !error && carry_flags(m);
        if (error && !tool_output_failed(m->output))
            (void)tool_archive_fail(&m->archive, error);
    }
    tool_archive_close(&m->archive);
    m->passed += m->archive.file.offset;
    return right;
}

static void print_summary(const merging *m, const stamma_archive_counts *counts)
{
    char games[TOOL_NUMBER_SIZE];
    tool_archive_say_counts(tool_output_name(m->output), counts->games, counts);
    if (m->unique)
        tool_say(NULL, "%s game%s skipped that occurred before", tool_number(m->games.skipped, games),
                 m->games.skipped == 1 ? "" : "s");
}

/* Opens the writer. The hashes of all games and the writer share the memory. */
static stamma_error open_writer(merging *m, const stamma_executor *executor)
{
    const stamma_output output = {m, write_archive, NULL};
    const uint64_t half = m->memory / 2;
    const stamma_archive_writer_options options = {.size = sizeof options,
                                                   .level = (int)m->level,
                                                   .executor = executor,
                                                   .memory = half > TOOL_MEMORY_MIN ? half : TOOL_MEMORY_MIN};
    stamma_error error = stamma_archive_writer_open(&output, m->unique ? &options : NULL, &m->writer);
    m->games.writer = m->writer;
    m->games.output = m->output;
    return error;
}

/* Finds out whether archives have flags. The numbers of games of --unique are not known before they are written. */
static bool note_flags(merging *m, char **archives, size_t count)
{
    bool right = true;
    for (size_t i = 0; i < count && right; i++)
        right = tool_carried_note(&m->carried, archives[i]);
    if (m->carried.any && m->unique)
        tool_say(m->out, "the flags of games are not written with --unique");
    m->carried.any &= !m->unique;
    return right;
}

static int merge(merging *m, char **archives, size_t count, const stamma_executor *executor)
{
    stamma_archive_counts counts;
    stamma_error error = open_writer(m, executor);
    for (size_t i = 0; i < count && !error; i++)
        if (!copy(m, archives[i]))
            return TOOL_ERROR;
    if (!error)
        error = stamma_archive_writer_finish(m->writer, &counts);
    tool_progress_clear();
    if (error) {
        if (!tool_output_failed(m->output))
            tool_say(tool_output_name(m->output), "%s", stamma_error_text(error));
        return TOOL_ERROR;
    }
    if (!tool_carried_write(&m->carried, m->out, m->output, m->before) || !tool_output_finish(m->output))
        return TOOL_ERROR;
    tool_carried_end(&m->carried, true);
    if (!m->quiet)
        print_summary(m, &counts);
    return TOOL_DONE;
}

static bool check_level(const merging *m)
{
    if (m->level == 0 || m->unique)
        return tool_level_fits("merge", m->level);
    tool_say(NULL, "--level requires --unique: other games keep their level");
    return false;
}

static bool check_output(const char *out, bool force)
{
    if (!out)
        tool_say(NULL, "merge: -o is required: the archive to write");
    return out && tool_output_fits("merge", "an archive", out, force);
}

/* Maps the index files of the archives, before OUT replaces one of these archives. */
static void open_indexes(tool_indexing *indexing, char **archives, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *path = strcmp(archives[i], "-") == 0 ? NULL : tool_index_path(archives[i]);
        if (path)
            tool_indexing_add(indexing, path);
        free(path);
    }
}

/* Merges the archives with threads, if games are packed. */
static int run(merging *m, char **archives, size_t count)
{
    stamma_executor executor;
    if (!m->unique)
        return merge(m, archives, count, NULL);
    if (!tool_new_games_open(&m->games, m->memory / 2))
        return TOOL_ERROR;
    m->games.blocks = true;
    worker_threads *threads = worker_threads_open(0, &executor);
    int status = merge(m, archives, count, &executor);
    stamma_archive_writer_close(m->writer);
    m->writer = NULL;
    worker_threads_close(threads);
    tool_new_games_close(&m->games);
    return status;
}

static void update_index(tool_indexing *indexing, const char *out)
{
    if (indexing->before_count == 0 || strcmp(out, "-") == 0)
        return;
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(0, &executor);
    indexing->executor = &executor;
    tool_indexing_update(indexing, out);
    worker_threads_close(threads);
}

int tool_merge(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false, no_index = false;
    merging m = {.memory = TOOL_MEMORY};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {.name = "unique",
         .help = "write each game once (doc/reference/duplicates.md). Half of the memory limit is\n"
                 "for the hashes of all games, about 80 bytes per game",
         .flag = &m.unique},
        {TOOL_OPTION_LEVEL, .number = &m.level},
        {TOOL_OPTION_MEMORY, .size = &m.memory},
        {.name = "no-index", .help = "write no index file of OUT", .flag = &no_index},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &m.quiet},
    };
    const tool_usage usage = {"merge", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    uint64_t total;
    bool regular;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check_level(&m) || !check_output(out, force) || !tool_files_measure(argv, (size_t)operands, &total, &regular))
        return TOOL_ERROR;
    tool_indexing indexing = {.memory = TOOL_MEMORY, .quiet = m.quiet};
    if (!no_index)
        open_indexes(&indexing, argv, (size_t)operands);
    if (tool_inputs_note_all(argv, (size_t)operands, TOOL_REWRITTEN))
        m.output = tool_output_rewrite(out, force, TOOL_REWRITTEN);
    m.progress = tool_progress_start("merging", total, m.quiet);
    m.out = out;
    if (m.output && note_flags(&m, argv, (size_t)operands))
        status = run(&m, argv, (size_t)operands);
    stamma_archive_writer_close(m.writer);
    tool_carried_end(&m.carried, false);
    tool_output_close(m.output);
    if (status == TOOL_DONE)
        update_index(&indexing, out);
    tool_indexing_close(&indexing);
    return status;
}
