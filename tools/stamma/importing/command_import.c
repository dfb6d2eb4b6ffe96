/* SPDX-License-Identifier: MIT */
/* stamma import: adds the new games of files that a site offers to an archive. */
#include <sys/stat.h>

#include "importing/import.h"
#include "packing/packing.h"

static const char about[] =
    "Adds the games of FILEs that ARCHIVE does not contain, byte for byte, and records the FILEs in\n"
    "ARCHIVE.manifest. A FILE with the same contents as one in the manifest is skipped, so the same\n"
    "command can run every week. FILE may be compressed. Of a zip file, members that end in .pgn are read,\n"
    "also compressed, and zip files inside it; a message lists the others.\n"
    "ARCHIVE is created if it does not exist. Warnings are printed as by pack, with the numbers of\n"
    "games in their file.\n\n"
    "With --print-addresses, nothing is imported: the addresses of files are printed, each followed\n"
    "by a tab and a name for the file. Nothing is downloaded. doc/import.md has recipes.\n\n"
    "ARCHIVE is changed in place and completed before the manifest. If the command is interrupted,\n"
    "run it again: the archive then has the same games.";

typedef struct importing {
    const char *from;
    const char *archive;
    bool no_index;
    tool_packing_options packing;
    int strict_status; /* of tool_packing_status */
    import_manifest manifest;
    import_entry *entries; /* files that are not in the manifest */
    char **files;          /* their paths */
    size_t count;
    uint64_t added, skipped; /* games of all files so far */
    tool_output *made;       /* the archive, if it did not exist */
    bool complete;           /* all games are in the archive */
} importing;

/* ---- the archive ---- */

static bool exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 || errno != ENOENT;
}

static bool write_empty(tool_output *file)
{
    stamma_archive_writer *writer = NULL;
    const stamma_output output = tool_output_callbacks(file);
    stamma_error error = stamma_archive_writer_open(&output, NULL, &writer);
    if (!error)
        error = stamma_archive_writer_finish(writer, NULL);
    stamma_archive_writer_close(writer);
    if (error && !tool_output_failed(file))
        tool_say(tool_output_name(file), "%s", stamma_error_text(error));
    return !error;
}

/* Creates an archive without games. It is deleted again unless the import succeeds. */
static bool create(importing *m, tool_archive *archive)
{
    m->made = tool_output_open(m->archive, false);
    if (m->made && !tool_output_is_file(m->made)) {
        tool_say(m->archive, "is not a regular file");
        return false;
    }
    return m->made && write_empty(m->made) && tool_output_place(m->made, &archive->file) &&
           tool_archive_open_file(archive);
}

/* Opens and locks the archive. A manifest without its archive would hide that the games are missing. */
static bool open_archive(importing *m, tool_archive *archive)
{
    import_manifest manifest;
    if (exists(m->archive))
        return tool_archive_open_to_grow(m->archive, archive);
    bool right = import_manifest_open(m->archive, &manifest);
    const bool created = manifest.exists && exists(m->archive); /* by another process */
    if (right && manifest.exists && !created)
        tool_say(manifest.path, "exists, but %s does not; delete the manifest to import its files again", m->archive);
    right = right && (created || !manifest.exists);
    import_manifest_close(&manifest);
    if (right && created)
        return tool_archive_open_to_grow(m->archive, archive);
    return right && create(m, archive);
}

/* ---- files ---- */

static bool is_known(const importing *m, const char *hash)
{
    for (size_t n = 0; n < m->count; n++)
        if (strcmp(m->entries[n].hash, hash) == 0)
            return true;
    return import_manifest_has(&m->manifest, hash);
}

/* Chooses the files that are not in the manifest. */
static bool choose_files(importing *m, char **files, size_t count)
{
    m->entries = calloc(count, sizeof *m->entries);
    m->files = calloc(count, sizeof *m->files);
    if (!m->entries || !m->files)
        return tool_fail_memory(NULL);
    for (size_t n = 0; n < count; n++) {
        import_entry entry = {.file = files[n], .source = m->from};
        if (!import_file_hash(files[n], entry.hash, &entry.size))
            return false;
        if (!is_known(m, entry.hash)) {
            m->files[m->count] = files[n];
            m->entries[m->count++] = entry;
        } else if (!m->packing.quiet) {
            tool_say(files[n], "skipped: the manifest has a file with the same contents");
        }
    }
    return true;
}

/* ---- games ---- */

static void print_counts(const char *name, const import_entry *entry)
{
    char added[TOOL_NUMBER_SIZE], skipped[TOOL_NUMBER_SIZE];
    tool_say(name, "%s game%s added, %s skipped", tool_number(entry->added, added), entry->added == 1 ? "" : "s",
             tool_number(entry->skipped, skipped));
}

/* Counts the games of a file after they were copied. */
static void count_games(void *context, const tool_new_games *n, size_t file)
{
    importing *m = context;
    import_entry *entry = &m->entries[file];
    entry->added = n->added - m->added;
    entry->skipped = n->skipped - m->skipped;
    m->added = n->added;
    m->skipped = n->skipped;
    if (!m->packing.quiet)
        print_counts(m->files[file], entry);
}

static bool add_games(importing *m, tool_packing *p, tool_archive *archive)
{
    stamma_archive_counts counts = {0};
    tool_new_games n;
    bool right = tool_new_games_append(&n, p, archive, &counts, count_games, m) && tool_output_finish(p->output);
    if (right && !m->packing.quiet)
        tool_packing_reasons(p, &counts);
    m->strict_status = tool_packing_status(p, &counts);
    return right;
}

static bool write_manifest(importing *m)
{
    for (size_t n = 0; n < m->count; n++)
        if (!import_manifest_add(&m->manifest, &m->entries[n]))
            return false;
    return import_manifest_write(&m->manifest);
}

/* Imports the files that are not in the manifest. The archive is locked from before the manifest is read until it is
 * written. */
static bool import_files(importing *m, tool_archive *archive, char **files, size_t count)
{
    tool_packing p;
    if (!import_manifest_open(m->archive, &m->manifest) || !tool_inputs_check(m->manifest.path, TOOL_BESIDE) ||
        !choose_files(m, files, count))
        return false;
    if (m->count == 0)
        return true;
    tool_output *output = NULL;
    if (tool_packing_begin(&p, &m->packing, m->files, m->count))
        output = tool_output_grow(archive->file.fd, m->archive);
    if (output)
        tool_packing_start(&p, "importing", output);
    m->complete = output && add_games(m, &p, archive);
    if (m->complete && m->made)
        tool_output_settle(m->made);
    const bool right = m->complete && write_manifest(m);
    tool_packing_end(&p);
    tool_output_close(output);
    return right;
}

static int import(importing *m, char **files, size_t count)
{
    tool_archive archive = {.file = {.fd = -1}};
    bool right = tool_inputs_note_all(files, count, TOOL_INPUT) && open_archive(m, &archive);
    if (right) {
        right = import_files(m, &archive, files, count);
        tool_archive_close(&archive);
    }
    tool_output_close(m->made);
    if (m->complete && !m->no_index)
        tool_indexing_follow(m->archive, &m->packing);
    import_manifest_close(&m->manifest);
    free(m->entries);
    free(m->files);
    return right ? m->strict_status : TOOL_ERROR;
}

/* ---- the command ---- */

static bool check_use(const importing *m, const import_wanted *wanted, bool print, char **files, int count)
{
    for (int n = 0; n < count; n++)
        if (strcmp(files[n], "-") == 0) {
            tool_say(NULL, "import: files are read twice, so standard input cannot be used");
            return false;
        }
    if (print && (count > 0 || m->archive))
        tool_say(NULL, "--print-addresses cannot be used with -o and FILE");
    else if (!print && (wanted->user || wanted->since || wanted->until || wanted->issue))
        tool_say(NULL, "--user, --since, --until and --issue require --print-addresses");
    else if (!print && !m->archive)
        tool_say(NULL, "import: -o is required: the archive to add games to");
    else if (!print && count == 0)
        tool_say(NULL, "import: FILE is missing");
    else
        return tool_level_fits("import", m->packing.level);
    return false;
}

int tool_import(int argc, char **argv)
{
    importing m = {.packing = {.memory = TOOL_MEMORY, .force = true}};
    import_wanted wanted = {.user = NULL};
    bool print = false;
    const tool_option options[] = {
        {.name = "from",
         .value = "SOURCE",
         .help = "where the FILEs are from: lichess, chess.com or twic",
         .text = &m.from},
        {'o', "output", "ARCHIVE", "archive to add games to", .text = &m.archive, .earlier = "into"},
        {.name = "print-addresses", .help = "print the addresses of files, and names for them", .flag = &print},
        {.name = "user", .value = "NAME", .help = "addresses of the games of a user", .text = &wanted.user},
        {.name = "since",
         .value = "MONTH",
         .help = "addresses from this month on, such as 2024-01",
         .text = &wanted.since},
        {.name = "until",
         .value = "MONTH",
         .help = "addresses up to this month; default: this month",
         .text = &wanted.until},
        {.name = "issue",
         .value = "RANGE",
         .help = "addresses of these issues of The Week in Chess: 1500..1520 or 1500..",
         .text = &wanted.issue},
        {TOOL_OPTION_LEVEL, .number = &m.packing.level},
        {TOOL_OPTION_THREADS, .number = &m.packing.threads},
        {TOOL_OPTION_MEMORY, .size = &m.packing.memory},
        {.name = "no-index", .help = "do not bring the index file of ARCHIVE up to date", .flag = &m.no_index},
        {TOOL_OPTION_STRICT, .flag = &m.packing.strict},
        {'q', "quiet", NULL, "no progress, no summary; errors only", .flag = &m.packing.quiet},
    };
    const tool_usage usage = {
        "import", "--from SOURCE -o ARCHIVE FILE...", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!import_source_read(m.from, &wanted.source) || !check_use(&m, &wanted, print, argv, operands))
        return TOOL_ERROR;
    return print ? import_addresses_print(&wanted) : import(&m, argv, (size_t)operands);
}
