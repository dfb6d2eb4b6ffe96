/* SPDX-License-Identifier: MIT */
/* stamma compact: writes an archive without bytes that nothing needs. */
#include "updating/updating.h"

static const char about[] =
    "Writes ARCHIVE again without bytes that nothing needs: those that an interrupted append left, the\n"
    "commits of earlier states, and tables of blocks that later tables replace. The blocks are copied,\n"
    "and unpack to the same bytes. The index file is brought up to date and compacted, too. --deleted\n"
    "removes the games with the flag deleted (doc/reference/flags.md); the other games are then packed again, and\n"
    "their flags get the new numbers.\n\n"
    "  stamma compact games.stamma\n"
    "  stamma compact games.stamma --deleted\n\n"
    "Afterwards, ARCHIVE has a single state: `stamma undo` cannot go back. ARCHIVE is replaced when the\n"
    "new file is complete, and stays unchanged if the new file would not be smaller.";

typedef struct compacting {
    const char *path;
    bool dry, json, no_index, quiet, deleted;
    uint64_t threads, memory, level;
    tool_archive archive;
    tool_output *output;
    uint64_t before, after; /* bytes */
    uint64_t removed;       /* games */
    bool written;
    tool_carried carried;
} compacting;

/* Opens the archive without the bytes after its end. */
static bool open_archive(compacting *c)
{
    tool_archive *a = &c->archive;
    stamma_archive_state now = {.end = 0};
    *a = (tool_archive){.file = {.name = c->path, .fd = -1}};
    if (!tool_inputs_note(c->path, TOOL_REWRITTEN) || !tool_file_open(c->path, &a->file))
        return false;
    if (!a->file.regular) {
        tool_say(c->path, "is not a regular file");
        return false;
    }
    c->before = a->file.size;
    if (!import_state_read(a->file.fd, c->path, &now))
        return false;
    a->file.size = now.end < a->file.size ? now.end : a->file.size;
    const stamma_error error = tool_archive_try(a);
    return !error || tool_archive_fail(a, error) == TOOL_DONE;
}

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    compacting *c = context;
    c->after += size;
    return c->dry || tool_output_write(c->output, bytes, size);
}

static bool write_archive(compacting *c)
{
    const stamma_output output = {c, write_bytes, NULL};
    stamma_archive_writer *writer = NULL;
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (!error)
        error = stamma_archive_writer_copy(writer, c->archive.reader);
    if (!error)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    if (error && !(c->output && tool_output_failed(c->output)))
        (void)tool_archive_fail(&c->archive, error);
    return !error;
}

/* Writes the file of flags for the new archive. The games keep their numbers. */
static bool carry_flags(compacting *c)
{
    uint64_t games = 0;
    return stamma_archive_games(c->archive.handle, &games) == STAMMA_OK && tool_carried_note(&c->carried, c->path) &&
           tool_carried_copy(&c->carried, &c->archive, 0) && tool_carried_write(&c->carried, c->path, c->output, games);
}

/* Compacts the archive, unless the new file would not be smaller. */
static bool run(compacting *c)
{
    if (!c->dry)
        c->output = tool_output_rewrite(c->path, true, TOOL_REWRITTEN);
    bool right = (c->dry || c->output) && open_archive(c) && write_archive(c);
    c->written = right && c->after < c->before && !c->dry;
    if (c->written)
        right = carry_flags(c);
    tool_archive_close(&c->archive);
    if (c->written)
        right = right && tool_output_finish(c->output);
    tool_carried_end(&c->carried, right);
    tool_output_close(c->output);
    return right;
}

/* ---- deleted games ---- */

static tool_verdict keep_or_drop(void *context, const stamma_archive_game *game, uint64_t index, tool_buffer *edited)
{
    (void)context;
    (void)index;
    (void)edited;
    return game->flags & STAMMA_FLAG_DELETED ? TOOL_GAME_DROP : TOOL_GAME_KEEP;
}

static bool count_deleted(void *context, const stamma_archive_game *game)
{
    compacting *c = context;
    c->removed += !game->continuation && game->flags & STAMMA_FLAG_DELETED;
    return true;
}

/* Stores the number of games with the flag deleted. */
static bool find_deleted(compacting *c, tool_many *many)
{
    many->flags = true;
    return tool_many_visit(many, 0, count_deleted, c);
}

/* Writes the archive without the games that have the flag deleted. */
static bool write_others(compacting *c, tool_many *many)
{
    tool_rewriting writing = {.command = "compact",
                              .out = c->path,
                              .force = true,
                              .level = c->level,
                              .threads = c->threads,
                              .memory = c->memory,
                              .rewrite = keep_or_drop};
    const bool right = tool_rewriting_open(&writing) && tool_rewriting_run(&writing, many);
    tool_rewriting_close(&writing);
    return right;
}

/* Removes the games with the flag deleted, if there are any. */
static bool remove_deleted(compacting *c)
{
    char *paths[] = {(char *)(uintptr_t)c->path};
    uint64_t before = 0;
    bool regular;
    tool_many many;
    bool right = tool_many_open(&many, "compact", paths, 1) && tool_file_measure(c->path, &before, &regular) &&
                 find_deleted(c, &many) && (c->removed == 0 || c->dry || write_others(c, &many));
    tool_many_close(&many);
    if (!right || c->removed == 0 || c->dry)
        return right;
    c->written = true;
    c->before = before;
    return tool_file_measure(c->path, &c->after, &regular);
}

/* ---- the index file ---- */

/* The parts of the earlier index file are copied. */
static bool follow(const compacting *c)
{
    stamma_executor executor;
    tool_mapped archive;
    tool_indexing indexing = {.archive = c->path,
                              .path = tool_index_path(c->path),
                              .executor = &executor,
                              .memory = c->memory,
                              .quiet = c->quiet,
                              .compact = true};
    bool right = indexing.path != NULL;
    if (right)
        tool_indexing_add(&indexing, indexing.path);
    if (indexing.before_count > 0 && tool_mapped_open(c->path, &archive)) {
        worker_threads *threads = worker_threads_open(c->threads, &executor);
        right = tool_indexing_run(&indexing, &archive);
        if (right && !c->quiet)
            tool_indexing_say(&indexing);
        worker_threads_close(threads);
        tool_mapped_close(&archive);
    }
    tool_indexing_close(&indexing);
    free((char *)(uintptr_t)indexing.path);
    return right;
}

/* ---- the command ---- */

static void say_summary(const compacting *c)
{
    char before[TOOL_NUMBER_SIZE], after[TOOL_NUMBER_SIZE], games[TOOL_NUMBER_SIZE];
    if (c->removed > 0)
        tool_say(c->path, "%s game%s with the flag deleted %s", tool_number(c->removed, games),
                 c->removed == 1 ? "" : "s", c->dry ? "would be removed" : "removed");
    if (c->removed > 0 && c->dry)
        return;
    if (c->after < c->before)
        tool_say(c->path, "%s of %s bytes %s", tool_number(c->after, after), tool_number(c->before, before),
                 c->dry ? "would be left" : "are left");
    else
        tool_say(c->path, "is compact");
}

static void print_json(const compacting *c)
{
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("archive", c->path);
    tool_json_bool("dry_run", c->dry);
    tool_json_bool("written", c->written);
    tool_json_number("removed", c->removed);
    tool_json_number("archive_size_before", c->before);
    tool_json_number("archive_size", c->after < c->before ? c->after : c->before);
    tool_json_close('}');
    tool_json_end();
}

int tool_compact(int argc, char **argv)
{
    compacting c = {.memory = TOOL_MEMORY, .archive = {.file = {.fd = -1}}};
    const tool_option options[] = {
        {'n', "dry-run", NULL, "write nothing; report how many bytes would be left", .flag = &c.dry},
        {.name = "deleted", .help = "remove the games with the flag deleted", .flag = &c.deleted},
        {.name = "json", .help = "print an object with the sizes", .flag = &c.json},
        {.name = "no-index", .help = "do not change the index file of ARCHIVE", .flag = &c.no_index},
        {.name = "level", .value = "N", .help = "with --deleted: level of the games; default 1", .number = &c.level},
        {TOOL_OPTION_THREADS, .number = &c.threads},
        {TOOL_OPTION_MEMORY, .size = &c.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &c.quiet},
    };
    const tool_usage usage = {"compact", "ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    c.path = argv[0];
    if (c.level > 0 && !c.deleted) {
        tool_say(NULL, "--level requires --deleted: other games keep their level");
        return TOOL_ERROR;
    }
    if ((c.deleted && !remove_deleted(&c)) || (c.removed == 0 && !run(&c)))
        return TOOL_ERROR;
    if (!c.quiet)
        say_summary(&c);
    if (!c.dry && !c.no_index && !follow(&c))
        return TOOL_ERROR;
    if (c.json)
        print_json(&c);
    return TOOL_DONE;
}
