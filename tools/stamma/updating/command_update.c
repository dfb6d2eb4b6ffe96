/* SPDX-License-Identifier: MIT */
/* stamma update: keeps an archive up to date with the files of a folder. */
#include "updating/updating.h"

static const char about[] =
    "Adds the games of files that ARCHIVE does not contain, and brings its index file up to date.\n"
    "The same command can run at any time: it changes nothing if nothing is new.\n\n"
    "  stamma update games.stamma --from downloads\n"
    "  stamma update games.stamma --from twic*g.zip\n\n"
    "--from names a folder or a file; FILEs are further folders or files. Of a folder, the files whose\n"
    "names end with .pgn, also compressed, and .zip are read, in the order of their names. The steps are\n"
    "  1. skip files that ARCHIVE.manifest contains (see stamma import)\n"
    "  2. replace names by the decisions of ARCHIVE.names, if there is this table (see stamma names)\n"
    "  3. write ECO, Opening, Variation, PlyCount and Result where they are missing or unknown\n"
    "     (see stamma classify)\n"
    "  4. skip games that are the same game as one in ARCHIVE, or as an earlier one (doc/reference/duplicates.md);\n"
    "     with --dedupe also games that differ in spelling, length or some moves (stamma dedupe)\n"
    "  5. append the others, in one commit, and record the files in ARCHIVE.manifest\n"
    "  6. write the index file ARCHIVE.index, or bring it up to date\n"
    "A game is skipped if ARCHIVE has it as it is in the file, or with the changes of steps 2 and 3.\n\n"
    "ARCHIVE is created if it does not exist. If the command is interrupted, run it again. `stamma undo`\n"
    "returns to the archive before. The exit status is 1 if --dry-run finds nothing to add.";

typedef struct updating {
    tool_values from;
    const char *table;
    bool no_names, no_classify, json;
    char *beside; /* ARCHIVE.names */
    import_run run;
    update_files files;
    update_changes changes;
} updating;

/* ---- reports ---- */

static void say_summary(const updating *u)
{
    char added[TOOL_NUMBER_SIZE], skipped[TOOL_NUMBER_SIZE], named[TOOL_NUMBER_SIZE], classified[TOOL_NUMBER_SIZE],
        all[TOOL_NUMBER_SIZE];
    const import_run *r = &u->run;
    if (u->changes.named + u->changes.classified > 0)
        tool_say(NULL, "of the games read, %s had other names, and %s lacked tags",
                 tool_number(u->changes.named, named), tool_number(u->changes.classified, classified));
    if (r->different > 0)
        tool_say(NULL, "of the games skipped, %s differ from the game that is kept (--dedupe)",
                 tool_number(r->different, named));
    tool_say(r->archive, "%s game%s %sadded, %s skipped; %zu file%s read, %zu skipped; %s games",
             tool_number(r->added, added), r->added == 1 ? "" : "s", r->dry ? "would be " : "",
             tool_number(r->skipped, skipped), r->count, r->count == 1 ? "" : "s", r->known,
             tool_number(r->games, all));
}

static void print_file(const import_entry *entry)
{
    tool_json_open(NULL, '{');
    tool_json_string("file", entry->file);
    tool_json_number("size", entry->size);
    tool_json_string("sha256", entry->hash);
    tool_json_number("games", entry->added + entry->skipped);
    tool_json_number("added", entry->added);
    tool_json_number("skipped", entry->skipped);
    tool_json_close('}');
}

static void print_json(const updating *u)
{
    const import_run *r = &u->run;
    tool_json_begin();
    tool_json_open(NULL, '{');
    tool_json_string("archive", r->archive);
    tool_json_bool("dry_run", r->dry);
    tool_json_open("files", '[');
    for (size_t n = 0; n < r->count; n++)
        print_file(&r->entries[n]);
    tool_json_close(']');
    tool_json_number("files_skipped", r->known);
    tool_json_number("games", r->games);
    tool_json_number("added", r->added);
    tool_json_number("skipped", r->skipped);
    tool_json_number("duplicates", r->different);
    tool_json_number("named", u->changes.named);
    tool_json_number("classified", u->changes.classified);
    tool_json_close('}');
    tool_json_end();
}

/* ---- the command ---- */

static bool add_files(updating *u, char **paths, size_t count)
{
    bool right = true;
    for (size_t n = 0; n < u->from.count && right; n++)
        right = update_files_add(&u->files, u->from.list[n].text);
    for (size_t n = 0; n < count && right; n++)
        right = update_files_add(&u->files, paths[n]);
    for (size_t n = 0; n < u->files.count && right; n++)
        if (strcmp(u->files.paths[n], "-") == 0) {
            tool_say(NULL, "update: files are read twice, so standard input cannot be used");
            return false;
        }
    return right;
}

/* Chooses the table of names: of --names, or the one next to the archive. */
static bool choose_table(updating *u)
{
    if (u->table || u->no_names) {
        u->changes.table = u->table;
        return !u->table || tool_inputs_note(u->table, TOOL_INPUT);
    }
    u->beside = tool_path_beside(u->run.archive, ".names");
    if (!u->beside)
        return false;
    if (!system_exists(u->beside))
        return true;
    u->changes.table = u->beside;
    return tool_inputs_note(u->beside, TOOL_INPUT);
}

static int update(updating *u)
{
    u->changes.classifies = !u->no_classify;
    u->changes.run = &u->run;
    if (!choose_table(u) || !update_changes_open(&u->changes))
        return TOOL_ERROR;
    u->run.change = u->changes.table || u->changes.classifies ? update_changes_apply : NULL;
    u->run.context = &u->changes;
    if (u->files.count == 0) {
        tool_say(NULL, "update: there are no files of games");
        return u->run.dry ? TOOL_NOTHING : TOOL_DONE;
    }
    int status = import_run_files(&u->run, u->files.paths, u->files.count);
    if (status == TOOL_ERROR)
        return status;
    if (!u->run.packing.quiet)
        say_summary(u);
    if (u->json)
        print_json(u);
    return status == TOOL_DONE && u->run.dry && u->run.added == 0 ? TOOL_NOTHING : status;
}

static bool check_use(const updating *u, int operands)
{
    if (u->from.count == 0 && operands < 2)
        tool_say(NULL, "update: --from is required: a folder or files");
    else if (u->table && u->no_names)
        tool_say(NULL, "--names and --no-names cannot be used together");
    else if (strcmp(u->run.archive, "-") == 0)
        tool_say(NULL, "update: ARCHIVE must be a file, not standard input");
    else
        return tool_level_fits("update", u->run.packing.level);
    return false;
}

int tool_update(int argc, char **argv)
{
    updating u = {.run = {.command = "update", .makes_index = true, .packing = {.memory = TOOL_MEMORY, .force = true}}};
    const tool_option options[] = {
        {.name = "from", .value = "PATH", .help = "folder or file to read; may be repeated", .values = &u.from},
        {'n', "dry-run", NULL, "write nothing; report what would be added", .flag = &u.run.dry},
        {.name = "names", .value = "TABLE", .help = "table of names to use instead of ARCHIVE.names", .text = &u.table},
        {.name = "no-names", .help = "replace no names", .flag = &u.no_names},
        {.name = "no-classify", .help = "write no tags", .flag = &u.no_classify},
        {.name = "dedupe",
         .help = "also skip duplicates that differ a little, as stamma dedupe without\nprobable ones; the earlier game "
                 "is kept",
         .flag = &u.run.dedupes},
        {.name = "no-index", .help = "write no index file", .flag = &u.run.no_index},
        {.name = "json", .help = "print an object with the files and the numbers of games", .flag = &u.json},
        {TOOL_OPTION_LEVEL, .number = &u.run.packing.level},
        {TOOL_OPTION_THREADS, .number = &u.run.packing.threads},
        {TOOL_OPTION_MEMORY, .size = &u.run.packing.memory},
        {TOOL_OPTION_STRICT, .flag = &u.run.packing.strict},
        {'q', "quiet", NULL, "no progress, no summary; errors only", .flag = &u.run.packing.quiet},
    };
    const tool_usage usage = {
        "update", "ARCHIVE --from PATH [FILE...]", about, options, sizeof options / sizeof *options, 1, -1};
    int operands, status = TOOL_ERROR;
    if (tool_options_read(&usage, argc, argv, &operands, &status)) {
        status = TOOL_ERROR;
        u.run.archive = argv[0];
        if (check_use(&u, operands) && add_files(&u, argv + 1, (size_t)operands - 1))
            status = update(&u);
    }
    import_run_close(&u.run);
    update_changes_close(&u.changes);
    update_files_free(&u.files);
    free(u.from.list);
    free(u.beside);
    return status;
}
