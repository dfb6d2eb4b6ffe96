/* SPDX-License-Identifier: MIT */
/* stamma pages: writes files of pages, from which trees are read in few small parts. */
#include "packing/packing.h"
#include "shared/archive_pages.h"

static const char about[] =
    "Writes a file of pages beside each ARCHIVE: games.stamma.pages has the pages of games.stamma.\n"
    "Pages answer which moves were played in a position, for popular positions and for the rare\n"
    "positions that follow. Each answer reads a few kilobytes at known places, so it can be read\n"
    "from a static site. `stamma tree` and `serve` use the pages, too. Pages never change an answer.\n\n"
    "Pages are of one state of their archive: run this command again after `stamma append` and\n"
    "other changes. A file that is current is not written again without -f. The file appears only\n"
    "when it is complete. The index file of the archive is used if there is one; otherwise an index\n"
    "is made in memory.\n\n"
    "  stamma pages games.stamma\n"
    "  stamma pages --min-games 50 --plies 30 -o site/games.pages games.stamma";

typedef struct pages_command {
    const char *out;
    bool force, json, quiet;
    uint64_t min_games, plies;
    stamma_executor executor;
    /* of the archive being read: */
    const char *archive;
    char *path;
    uint64_t games, bytes, positions;
    tool_progress progress;
} pages_command;

/* ---- results ---- */

static void print_object(const pages_command *c, const tool_mapped *archive, bool written)
{
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("archive", c->archive);
    tool_json_string("pages", c->path);
    tool_json_bool("written", written);
    tool_json_number("games", c->games);
    tool_json_number("positions", c->positions);
    tool_json_number("pages_size", c->bytes);
    tool_json_number("archive_size", archive->size);
    tool_json_close('}');
    tool_json_end();
}

static void say_written(const pages_command *c)
{
    char games[TOOL_NUMBER_SIZE], bytes[TOOL_NUMBER_SIZE];
    const double each = c->games > 0 ? (double)c->bytes / (double)c->games : 0;
    tool_say(strcmp(c->path, "-") == 0 ? "standard output" : c->path, "%s game%s in %s bytes (%.1f bytes per game)",
             tool_number(c->games, games), c->games == 1 ? "" : "s", tool_number(c->bytes, bytes), each);
}

/* ---- writing ---- */

typedef struct pages_file {
    pages_command *command;
    tool_output *output;
} pages_file;

static bool write_callback(void *context, const void *bytes, size_t size)
{
    pages_file *f = context;
    f->command->bytes += size;
    return tool_output_write(f->output, bytes, size);
}

static bool show_progress(void *context, uint64_t done, uint64_t total)
{
    pages_command *c = context;
    (void)total;
    tool_progress_show(&c->progress, done, done);
    return true;
}

static void say_unwritten(const pages_command *c, const tool_mapped *archive, stamma_error error)
{
    if (error == STAMMA_ERROR_LIMIT)
        tool_say(c->archive, "the archive has too many games or similar positions for pages");
    else
        tool_index_say_unwritten(c->archive, archive->size >= TOOL_HEAD_SIZE ? archive->bytes : NULL, error);
}

static stamma_error write_to(pages_command *c, stamma_archive *archive, tool_output *output)
{
    pages_file f = {c, output};
    const stamma_output callbacks = {&f, write_callback, NULL};
    const stamma_pages_write_options options = {.size = sizeof options,
                                                .executor = &c->executor,
                                                .context = c,
                                                .progress = show_progress,
                                                .min_games = (uint32_t)c->min_games,
                                                .plies = (uint32_t)c->plies};
    c->bytes = 0;
    c->progress = tool_progress_start("paging", 0, c->quiet);
    const stamma_error error = stamma_pages_write(archive, &options, &callbacks);
    tool_progress_clear();
    return error;
}

/* Writes the file of an open archive atomically. */
static bool write_pages(pages_command *c, const tool_mapped *file, stamma_archive *archive)
{
    tool_output *output = tool_output_rewrite(c->path, true, TOOL_BESIDE);
    if (!output)
        return false;
    const stamma_error error = write_to(c, archive, output);
    if (error && error != STAMMA_ERROR_CANCELLED && !tool_output_failed(output))
        say_unwritten(c, file, error);
    const bool written = !error && tool_output_finish(output);
    tool_output_close(output);
    return written;
}

/* ---- an earlier file ---- */

/* Returns the state of a file of pages: OK, or why it cannot be used. */
static stamma_error look_at(pages_command *c, const tool_mapped *before, const stamma_bytes *archive)
{
    const stamma_bytes file = tool_mapped_bytes(before);
    stamma_pages_state state = {.size = sizeof state};
    stamma_pages *pages = NULL;
    const stamma_error error = stamma_pages_open(&file, archive, NULL, &pages);
    if (error)
        return error;
    (void)stamma_pages_info(pages, &state);
    stamma_pages_close(pages);
    c->games = state.games;
    c->positions = state.positions;
    c->bytes = before->size;
    const bool same =
        (c->min_games == 0 || c->min_games == state.min_games) && (c->plies == 0 || c->plies == state.plies);
    return same ? STAMMA_OK : STAMMA_ERROR_MISMATCH;
}

/* Stores whether the file is to be written. Returns false, after a message, if another file must not be replaced. */
static bool is_wanted(pages_command *c, const stamma_bytes *archive, bool *wanted)
{
    tool_mapped before;
    *wanted = true;
    if (strcmp(c->path, "-") == 0)
        return true;
    if (!tool_inputs_note(c->path, TOOL_BESIDE))
        return false;
    if (c->force || !tool_index_map(c->path, &before))
        return true;
    const stamma_error error = look_at(c, &before, archive);
    tool_mapped_close(&before);
    *wanted = error != STAMMA_OK;
    if (error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_UNSUPPORTED) {
        tool_say(c->path, "exists and %s; -f overwrites it",
                 error == STAMMA_ERROR_NO_ARCHIVE ? "is not a file of pages" : tool_index_problem(error));
        return false;
    }
    return true;
}

/* ---- archives ---- */

/* Stores the numbers of a file that was written. */
static void read_state(pages_command *c)
{
    const uint64_t bytes = c->bytes;
    tool_mapped file;
    if (strcmp(c->path, "-") == 0 || !tool_index_map(c->path, &file))
        return;
    (void)look_at(c, &file, NULL);
    c->bytes = bytes;
    tool_mapped_close(&file);
}

static int write_opened(pages_command *c, const tool_mapped *file, const tool_index_file *index)
{
    const stamma_bytes bytes = tool_mapped_bytes(file);
    stamma_archive *archive = NULL;
    stamma_error error = tool_index_open_archive(index, &bytes, NULL, &archive);
    if (error)
        say_unwritten(c, file, error);
    else
        tool_index_say(index, archive);
    const bool written = !error && write_pages(c, file, archive);
    if (written)
        (void)stamma_archive_games(archive, &c->games);
    stamma_archive_close(archive);
    if (!written)
        return TOOL_ERROR;
    read_state(c);
    if (!c->quiet)
        say_written(c);
    if (c->json)
        print_object(c, file, true);
    return TOOL_DONE;
}

static int page_mapped(pages_command *c, const tool_mapped *file)
{
    const stamma_bytes bytes = tool_mapped_bytes(file);
    tool_index_file index;
    bool wanted;
    if (!file->mapped && file->size > 0) {
        tool_say(c->archive, "is not a regular file");
        return TOOL_ERROR;
    }
    if (!is_wanted(c, &bytes, &wanted))
        return TOOL_ERROR;
    if (!wanted) {
        if (!c->quiet)
            tool_say(c->path, "is current; -f writes it again");
        if (c->json)
            print_object(c, file, false);
        return TOOL_DONE;
    }
    tool_index_open(c->archive, NULL, &index);
    const int status = write_opened(c, file, &index);
    tool_index_close(&index);
    return status;
}

static int page_archive(void *context, const char *archive)
{
    pages_command *c = context;
    tool_mapped file;
    int status = TOOL_ERROR;
    c->archive = archive;
    c->path = c->out ? strdup(c->out) : tool_pages_path(archive);
    if (c->path && tool_mapped_open(archive, &file)) {
        status = page_mapped(c, &file);
        tool_mapped_close(&file);
    }
    free(c->path);
    return status;
}

static bool check(const pages_command *c, char **archives, int count)
{
    enum { PLIES_MAX = 62 };
    const bool output = c->out && strcmp(c->out, "-") == 0;
    for (int i = 0; i < count; i++)
        if (strcmp(archives[i], "-") == 0) {
            tool_say(NULL, "pages: ARCHIVE must be a file, not standard input");
            return false;
        }
    if (c->out && count > 1)
        tool_say(NULL, "pages: -o requires a single ARCHIVE");
    else if (output && c->json)
        tool_say(NULL, "pages: --json and -o - cannot be used together");
    else if (c->min_games == 1 || c->min_games > UINT32_MAX)
        tool_say(NULL, "pages: --min-games is at least 2");
    else if (c->plies > PLIES_MAX)
        tool_say(NULL, "pages: --plies is at most %d", PLIES_MAX);
    else
        return tool_output_fits("pages", "a file of pages", c->out, c->force);
    return false;
}

int tool_page_files(int argc, char **argv)
{
    pages_command c = {.out = NULL};
    uint64_t wanted = 0;
    const tool_option options[] = {
        {'o', "output", "OUT", "file to write instead of ARCHIVE.pages; -: standard output", .text = &c.out},
        {'f', "force", NULL, "write a file that is current again, and overwrite other files", .flag = &c.force},
        {.name = "min-games",
         .value = "N",
         .help = "number of games that make a position popular; default 20, minimum 2. Rare\n"
                 "positions are answered, too, from the games that follow a popular one",
         .number = &c.min_games},
        {.name = "plies",
         .value = "N",
         .help = "depth of the pages in plies; default 40, at most 62",
         .number = &c.plies},
        {.name = "json", .help = "print a JSON object for each archive", .flag = &c.json},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &c.quiet},
    };
    const tool_usage usage = {"pages", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check(&c, argv, operands))
        return TOOL_ERROR;
    worker_threads *threads = worker_threads_open(wanted, &c.executor);
    status = tool_archives_each(argv, operands, page_archive, &c);
    worker_threads_close(threads);
    return status;
}
