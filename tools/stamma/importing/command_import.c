/* SPDX-License-Identifier: MIT */
/* stamma import: adds the new games of files that a site offers to an archive. */
#include "importing/import.h"

static const char about[] =
    "Adds the games of FILEs that ARCHIVE does not contain, byte for byte, and records the FILEs in\n"
    "ARCHIVE.manifest. A FILE with the same contents as one in the manifest is skipped, so the same\n"
    "command can run every week. FILE may be compressed. Of a zip file, members that end in .pgn are read,\n"
    "also compressed, and zip files inside it; a message lists the others.\n"
    "With --from lichess-parquet, FILE is a Parquet file as in the data sets of Lichess on Hugging Face:\n"
    "a row for each game, with its moves in the column movetext, and a column for each tag. It is read\n"
    "by pyarrow, which python3 must find. Rows that are not games are reported and skipped.\n"
    "ARCHIVE is created if it does not exist. Warnings are printed as by pack, with the numbers of\n"
    "games in their file.\n\n"
    "With --print-addresses, nothing is imported: the addresses of files are printed, each followed\n"
    "by a tab and a name for the file. Nothing is downloaded. doc/howto/weekly_twic.md has an example.\n\n"
    "ARCHIVE is changed in place and completed before the manifest. If the command is interrupted,\n"
    "run it again: the archive then has the same games.";

/* ---- the command ---- */

static bool check_use(const import_run *m, const import_wanted *wanted, bool print, char **files, int count)
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
    import_run m = {.command = "import", .packing = {.memory = TOOL_MEMORY, .force = true}};
    import_wanted wanted = {.user = NULL};
    bool print = false;
    const tool_option options[] = {
        {.name = "from",
         .value = "SOURCE",
         .help = "where the FILEs are from: lichess, lichess-parquet, chess.com or twic",
         .text = &m.source},
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
    if (!import_source_read(m.source, &wanted.source) || !check_use(&m, &wanted, print, argv, operands))
        return TOOL_ERROR;
    if (print)
        return import_addresses_print(&wanted);
    if (wanted.source == IMPORT_LICHESS_PARQUET)
        m.packing.reader = &import_parquet_reader;
    status = import_run_files(&m, argv, (size_t)operands);
    import_run_close(&m);
    return status;
}
