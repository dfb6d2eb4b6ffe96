/* SPDX-License-Identifier: MIT */
/* stamma undo: returns an archive to the state before its last commit. */
#include "updating/updating.h"

static const char about[] =
    "Removes the games that the last append, import or update added: ARCHIVE is then the file that it was\n"
    "before. Each call goes back one step, up to the games that were there first. If an append was\n"
    "interrupted, only the bytes that it left are removed.\n\n"
    "  stamma undo games.stamma --dry-run\n\n"
    "The lines of the files in ARCHIVE.manifest are removed too, so that the files can be imported again,\n"
    "and an index file is brought up to date. Commands that write a new archive (edit, dedupe, merge,\n"
    "compact and others) leave no earlier state.\n\n"
    "The exit status is 1 if there is no earlier state.";

typedef struct undoing {
    const char *archive;
    bool dry, json, no_index;
    tool_packing_options packing; /* for the index file */
    stamma_archive_state now, before;
    bool interrupted; /* only the bytes after the end are removed */
    size_t forgotten; /* lines of the manifest */
} undoing;

static bool fail(const undoing *u, stamma_error error)
{
    tool_archive_say(u->archive, error, (stamma_place){.offset = 0});
    return false;
}

/* Stores the present state and the state before. */
static bool read_states(undoing *u, const tool_archive *archive)
{
    stamma_error error = stamma_archive_state_now(archive->handle, &u->now);
    if (!error && u->now.end < archive->file.size) {
        u->interrupted = true;
        u->before = u->now;
        return true;
    }
    if (!error)
        error = stamma_archive_state_before(archive->handle, &u->now, &u->before);
    return !error || fail(u, error);
}

/* Returns whether the first bytes of the file are the archive of the state before. */
static bool check_before(const undoing *u, tool_archive *archive)
{
    stamma_bytes bytes = tool_file_bytes(&archive->file);
    stamma_archive *opened = NULL;
    stamma_archive_state state = {.end = 0};
    uint64_t games = 0;
    bytes.size = u->before.end;
    stamma_error error = stamma_archive_open(&bytes, NULL, &opened);
    if (!error)
        error = stamma_archive_state_now(opened, &state);
    if (!error)
        error = stamma_archive_games(opened, &games);
    stamma_archive_close(opened);
    if (!error && (state.end != u->before.end || state.check != u->before.check || games != u->before.games))
        error = STAMMA_ERROR_CORRUPT;
    return !error || fail(u, error);
}

/* ---- changes ---- */

/* Removes the lines of the last commit. A line whose games are missing would hide them, so this is done first. */
static bool change_manifest(undoing *u)
{
    import_manifest manifest;
    bool right = import_manifest_open(u->archive, &manifest);
    if (right && !u->interrupted)
        u->forgotten = import_manifest_forget(&manifest, &u->now);
    if (right && u->forgotten > 0 && !u->dry)
        right = import_manifest_write(&manifest);
    import_manifest_close(&manifest);
    return right;
}

static bool cut(const undoing *u, const tool_archive *archive)
{
    tool_output *output = tool_output_grow(archive->file.fd, u->archive);
    const bool right = output && tool_output_cut(output, u->before.end) && tool_output_finish(output);
    tool_output_close(output);
    return right;
}

/* ---- the command ---- */

static void say_summary(const undoing *u)
{
    char less[TOOL_NUMBER_SIZE], games[TOOL_NUMBER_SIZE];
    const uint64_t removed = u->now.games - u->before.games;
    if (u->interrupted)
        tool_say(u->archive, "the bytes of an interrupted append %s", u->dry ? "would be removed" : "were removed");
    else
        tool_say(u->archive, "%s game%s %s, %s left", tool_number(removed, less), removed == 1 ? "" : "s",
                 u->dry ? "would be removed" : "removed", tool_number(u->before.games, games));
    if (u->forgotten > 0)
        tool_say(u->archive, "%zu file%s of the manifest %s be imported again", u->forgotten,
                 u->forgotten == 1 ? "" : "s", u->dry ? "could" : "can");
}

static void print_json(const undoing *u)
{
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("archive", u->archive);
    tool_json_bool("dry_run", u->dry);
    tool_json_bool("interrupted", u->interrupted);
    tool_json_number("games_before", u->now.games);
    tool_json_number("games", u->before.games);
    tool_json_number("archive_size", u->before.end);
    tool_json_number("files", u->forgotten);
    tool_json_close('}');
    tool_json_end();
}

static int run(undoing *u, tool_archive *archive)
{
    if (!read_states(u, archive))
        return TOOL_ERROR;
    if (u->before.end == 0) {
        tool_say(u->archive, "there is no earlier state");
        return TOOL_NOTHING;
    }
    if (!check_before(u, archive) || !change_manifest(u) || (!u->dry && !cut(u, archive)))
        return TOOL_ERROR;
    if (!u->packing.quiet)
        say_summary(u);
    if (u->json)
        print_json(u);
    return TOOL_DONE;
}

static bool open_archive(const undoing *u, tool_archive *archive)
{
    *archive = (tool_archive){.file = {.name = u->archive, .fd = -1}};
    if (!u->dry && !tool_file_open_to_grow(u->archive, &archive->file))
        return false;
    if (u->dry && !tool_file_open(u->archive, &archive->file))
        return false;
    const stamma_bytes bytes = tool_file_bytes(&archive->file);
    stamma_error error = archive->file.regular ? stamma_archive_open(&bytes, NULL, &archive->handle) : STAMMA_OK;
    if (!archive->file.regular)
        tool_say(u->archive, "is not a regular file");
    else if (error)
        (void)tool_archive_fail(archive, error);
    return archive->file.regular && !error;
}

int tool_undo(int argc, char **argv)
{
    undoing u = {.packing = {.memory = TOOL_MEMORY}};
    const tool_option options[] = {
        {'n', "dry-run", NULL, "change nothing; report what would be removed", .flag = &u.dry},
        {.name = "json", .help = "print an object with the numbers of games", .flag = &u.json},
        {.name = "no-index", .help = "do not bring the index file of ARCHIVE up to date", .flag = &u.no_index},
        {TOOL_OPTION_THREADS, .number = &u.packing.threads},
        {TOOL_OPTION_MEMORY, .size = &u.packing.memory},
        {'q', "quiet", NULL, "print no progress and no summary", .flag = &u.packing.quiet},
    };
    const tool_usage usage = {"undo", "ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    tool_archive archive;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    u.archive = argv[0];
    status = open_archive(&u, &archive) ? run(&u, &archive) : TOOL_ERROR;
    tool_archive_close(&archive);
    if (status == TOOL_DONE && !u.dry && !u.no_index)
        tool_indexing_follow(u.archive, &u.packing);
    return status;
}
