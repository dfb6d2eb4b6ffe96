/* stamma merge: joins archives, block by block. */
#include "packing/packing.h"

#include <unistd.h>

static const char about[] =
    "Writes one archive that unpacks to the texts of all ARCHIVEs, one after another, byte for\n"
    "byte. Blocks are copied without packing them again; their checksums are compared (`stamma\n"
    "verify` checks more). The number of games is the sum of the archives' numbers, even if a\n"
    "text ends in the middle of a line. ARCHIVE may be - for standard input. OUT may be one of\n"
    "the ARCHIVEs, because it appears only when it is complete.\n\n"
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
    bool quiet;
} merging;

static bool write_archive(void *context, const void *bytes, size_t size)
{
    merging *m = context;
    m->bytes += size;
    tool_progress_show(&m->progress, m->passed + m->archive.file.offset, m->bytes);
    return tool_output_write(m->output, bytes, size);
}

static bool copy(merging *m, const char *path)
{
    if (!tool_archive_open_sound(path, &m->archive))
        return false;
    stamma_error error = stamma_archive_writer_copy(m->writer, m->archive.reader);
    if (error && !tool_output_failed(m->output))
        (void)tool_archive_fail(&m->archive, error);
    tool_archive_close(&m->archive);
    m->passed += m->archive.file.offset;
    return !error;
}

static void print_summary(const merging *m, const stamma_archive_counts *counts)
{
    char games[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE];
    tool_say(tool_output_name(m->output), "%s game%s, %s bytes of text in %s", tool_number(counts->games, games),
             counts->games == 1 ? "" : "s", tool_number(counts->bytes_in, in), tool_number(counts->bytes_out, out));
}

static int merge(merging *m, char **archives, size_t count)
{
    stamma_output output = {m, write_archive, NULL};
    stamma_archive_counts counts;
    stamma_error error = stamma_archive_writer_open(&output, NULL, &m->writer);
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
    if (!tool_output_finish(m->output))
        return TOOL_ERROR;
    if (!m->quiet)
        print_summary(m, &counts);
    return TOOL_DONE;
}

/* Adds up the sizes of all archives; 0 if the size of one is unknown. A missing archive is detected before any is
 * read. */
static bool measure(char **archives, size_t count, uint64_t *total)
{
    bool all = true;
    *total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        bool regular;
        if (!tool_file_measure(archives[i], &size, &regular))
            return false;
        all = all && regular;
        *total += size;
    }
    if (!all)
        *total = 0;
    return true;
}

static bool check_output(const char *out, bool force)
{
    bool terminal = out && strcmp(out, "-") == 0 && isatty(STDOUT_FILENO);
    if (!out)
        tool_say(NULL, "merge: -o is required: the archive to write");
    else if (terminal && !force)
        tool_say(NULL, "merge: an archive is not written to a terminal; use -o for a file, or -f to write it anyway");
    return out && (!terminal || force);
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

static void update_index(tool_indexing *indexing, const char *out)
{
    if (indexing->before_count == 0 || strcmp(out, "-") == 0)
        return;
    stamma_executor executor;
    tool_threads *threads = tool_threads_open(0, &executor);
    indexing->executor = &executor;
    tool_indexing_update(indexing, out);
    tool_threads_close(threads);
}

int tool_merge(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false, no_index = false;
    merging m = {.bytes = 0};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {.name = "no-index", .help = "write no index file of OUT", .flag = &no_index},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &m.quiet},
    };
    const tool_usage usage = {"merge", "-o OUT ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    uint64_t total;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check_output(out, force) || !measure(argv, (size_t)operands, &total))
        return TOOL_ERROR;
    tool_indexing indexing = {.memory = TOOL_MEMORY, .quiet = m.quiet};
    if (!no_index)
        open_indexes(&indexing, argv, (size_t)operands);
    m.output = tool_output_open(out, force);
    m.progress = tool_progress_start("merging", total, m.quiet);
    if (m.output)
        status = merge(&m, argv, (size_t)operands);
    stamma_archive_writer_close(m.writer);
    tool_output_close(m.output);
    if (status == TOOL_DONE)
        update_index(&indexing, out);
    tool_indexing_close(&indexing);
    return status;
}
