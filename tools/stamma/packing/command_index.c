/* SPDX-License-Identifier: MIT */
/* stamma index: writes index files, which make searches fast. */
#include "packing/packing.h"

static const char about[] =
    "Writes an index file beside each ARCHIVE: games.stamma.index is the index of games.stamma.\n"
    "`stamma find`, `tree`, `stats` and `serve` then use the index, and need not read all games\n"
    "for an answer. An index never changes an answer.\n\n"
    "An index is of one state of its archive. `stamma append` and `stamma merge` bring it up to\n"
    "date. After other changes, run this command again: only what is new in the archive is\n"
    "indexed, and added to the index file in place. An index that is current is not written again\n"
    "without -f. A new index file appears only when it is complete. If more than half of the bytes\n"
    "of an index file would be unused after many changes, it is replaced by a new file.\n\n"
    "  stamma index games.stamma\n"
    "  stamma index --memory 2G 2024.stamma 2025.stamma";

typedef struct index_command {
    const char *out;
    bool force, json;
    tool_indexing indexing;
} index_command;

static void print_object(const tool_indexing *x, bool written)
{
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("archive", x->archive);
    tool_json_string("index", x->path);
    tool_json_bool("written", written);
    tool_json_number("games", x->games);
    tool_json_number("index_size", x->bytes);
    tool_json_number("archive_size", x->archive_bytes);
    tool_json_close('}');
    tool_json_end();
}

static int write_index(index_command *c, const tool_mapped *archive)
{
    tool_indexing *x = &c->indexing;
    if (!tool_indexing_run(x, archive))
        return TOOL_ERROR;
    if (!x->quiet)
        tool_indexing_say(x);
    if (c->json)
        print_object(x, true);
    return TOOL_DONE;
}

/* Returns why an earlier index cannot be used, as tool_index_error does, and stores the number of games. */
static stamma_error open_before(const tool_mapped *archive, const tool_mapped *before, uint64_t *games)
{
    const stamma_bytes bytes = tool_mapped_bytes(archive), index = tool_mapped_bytes(before);
    const stamma_archive_options options = {.size = sizeof options, .index = &index};
    stamma_archive *opened = NULL;
    stamma_error error = stamma_archive_open(&bytes, &options, &opened);
    if (!error)
        error = tool_index_error(opened);
    if (!error)
        (void)stamma_archive_games(opened, games);
    stamma_archive_close(opened);
    return error;
}

/* Decides by an earlier index whether to write another. */
static int renew_index(index_command *c, const tool_mapped *archive)
{
    tool_indexing *x = &c->indexing;
    const tool_mapped *before = &x->before[0];
    stamma_error error = open_before(archive, before, &x->games);
    if (error == STAMMA_ERROR_NO_ARCHIVE || error == STAMMA_ERROR_UNSUPPORTED) {
        tool_say(x->path, "exists and %s; -f overwrites it", tool_index_problem(error));
        return TOOL_ERROR;
    }
    if (error || x->compact)
        return write_index(c, archive);
    x->bytes = before->size;
    x->archive_bytes = archive->size;
    if (!x->quiet)
        tool_say(x->path, "is current; -f writes it again");
    if (c->json)
        print_object(x, false);
    return TOOL_DONE;
}

static int index_mapped(index_command *c, const tool_mapped *archive)
{
    tool_indexing *x = &c->indexing;
    if (!archive->mapped && archive->size > 0) {
        tool_say(x->archive, "is not a regular file");
        return TOOL_ERROR;
    }
    if (!c->force)
        tool_indexing_add(x, x->path);
    int status = x->before_count > 0 ? renew_index(c, archive) : write_index(c, archive);
    tool_indexing_close(x);
    return status;
}

static int index_archive(void *context, const char *archive)
{
    index_command *c = context;
    char *path = c->out ? strdup(c->out) : tool_index_path(archive);
    tool_mapped file;
    int status = TOOL_ERROR;
    c->indexing.archive = archive;
    c->indexing.path = path;
    c->indexing.games = 0;
    if (path && tool_mapped_open(archive, &file)) {
        status = index_mapped(c, &file);
        tool_mapped_close(&file);
    }
    free(path);
    return status;
}

static bool check(const index_command *c, char **archives, int count)
{
    bool output = c->out && strcmp(c->out, "-") == 0;
    for (int i = 0; i < count; i++)
        if (strcmp(archives[i], "-") == 0) {
            tool_say(NULL, "index: ARCHIVE must be a file, not standard input");
            return false;
        }
    if (c->out && count > 1)
        tool_say(NULL, "index: -o requires a single ARCHIVE");
    else if (output && c->json)
        tool_say(NULL, "index: --json and -o - cannot be used together");
    else
        return tool_output_fits("index", "an index", c->out, c->force);
    return false;
}

int tool_index(int argc, char **argv)
{
    index_command c = {.indexing = {.memory = 4 * TOOL_MEMORY}};
    uint64_t wanted = 0;
    const tool_option options[] = {
        {'o', "output", "OUT", "index file to write instead of ARCHIVE.index; -: standard output", .text = &c.out},
        {'f', "force", NULL, "write an index that is current again, and overwrite other files", .flag = &c.force},
        {.name = "compact",
         .help =
             "replace an earlier index by a file without unused bytes; its parts are\ncopied, and no games read again",
         .flag = &c.indexing.compact},
        {.name = "json", .help = "print a JSON object for each archive", .flag = &c.json},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {.name = "memory",
         .value = "SIZE",
         .least = TOOL_MEMORY_MIN,
         .help = "memory limit; default 2G, minimum 128M. With 2G, each part of an index\n"
                 "has about three million games. Less memory makes more parts, and\n"
                 "searches take longer",
         .size = &c.indexing.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &c.indexing.quiet},
    };
    const tool_usage usage = {"index", "ARCHIVE...", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check(&c, argv, operands))
        return TOOL_ERROR;
    stamma_executor executor;
    c.indexing.executor = &executor;
    worker_threads *threads = worker_threads_open(wanted, &executor);
    status = tool_archives_each(argv, operands, index_archive, &c);
    worker_threads_close(threads);
    return status;
}
