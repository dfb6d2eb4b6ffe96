/* SPDX-License-Identifier: MIT */
/* stamma append: adds PGN files to an archive. */
#include "packing/packing.h"

static const char about[] =
    "Packs PGN files and adds their games at the end of ARCHIVE. ARCHIVE then unpacks to its\n"
    "previous bytes followed by the bytes of FILE...; game numbers continue. FILE may be - for\n"
    "standard input. Compressed files are decompressed, and warnings printed, as by pack.\n"
    "Games already in the archive keep their level. --new adds only games that ARCHIVE does not\n"
    "contain.\n\n"
    "The archive is changed in place. Until the last byte is written, readers see the old games\n"
    "only; if the command fails or the machine stops, the archive still has its old games and\n"
    "no others. Only one process at a time can append to an archive. If a block of the last\n"
    "commit is damaged, nothing is added; earlier blocks are not read (`stamma verify`).\n\n"
    "If a signal or a crash interrupts a long run, the new blocks stay after the end of the\n"
    "archive. Run the same command with --resume to continue; the result is the same archive.\n"
    "Packed games are committed at least every 24 MiB of text; later games are packed again.\n\n"
    "If ARCHIVE has records of files (--record), all files appended are recorded, and a file with\n"
    "the same contents as a recorded file is refused, unless -f is given. --new records nothing.\n\n"
    "If there is an index file beside ARCHIVE, it is then brought up to date. The archive is\n"
    "complete before that. If the index cannot be written, this is reported, and the exit status\n"
    "does not change.";

typedef struct append_options {
    bool no_index, only_new;
    tool_packing_options packing;
} append_options;

static void print_summary(const tool_packing *p, const stamma_archive_counts *counts, uint64_t games_before)
{
    char games[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE];
    tool_packing_reasons(p, counts);
    tool_say(tool_output_name(p->output), "%s game%s appended, %s bytes in %s; %s in all",
             tool_number(counts->games, games), counts->games == 1 ? "" : "s", tool_number(counts->text_size, in),
             tool_number(counts->archive_size, out), tool_number(games_before + counts->games, all));
}

static void print_resumed(const tool_packing *p, const tool_archive *archive, const stamma_archive_counts *counts)
{
    const uint64_t end = stamma_archive_reader_end(archive->reader);
    const uint64_t left = stamma_archive_reader_interrupted_end(archive->reader) - end;
    if (left > 0)
        tool_packing_say_resumed(p, "append", tool_output_kept(p->output) - end, left);
    else if (p->bytes > 0 && counts->text_size == 0)
        tool_say(tool_output_name(p->output), "nothing is appended: the last append had the same input");
}

static void print_skipped(const tool_packing *p, const tool_new_games *n)
{
    char number[TOOL_NUMBER_SIZE];
    tool_say(tool_output_name(p->output), "%s game%s skipped: the archive contains %s", tool_number(n->skipped, number),
             n->skipped == 1 ? "" : "s", n->skipped == 1 ? "it" : "them");
}

static int append(tool_packing *p, const append_options *options, tool_archive *archive, tool_recorded *recorded)
{
    tool_new_games n = {.skipped = 0};
    stamma_archive_counts counts = {0};
    uint64_t games_before = 0;
    if (!options->only_new && !tool_recorded_read(archive, recorded))
        return TOOL_ERROR;
    p->record = options->packing.record || recorded->count > 0;
    p->contained = options->packing.force ? NULL : recorded;
    stamma_error error = stamma_archive_reader_game_count(archive->reader, &games_before);
    if (error)
        return tool_archive_fail(archive, error);
    bool right = options->only_new ? tool_new_games_append(&n, p, archive, &counts, NULL, NULL)
                                   : tool_packing_open_append(p, archive) && tool_packing_run(p, &counts);
    if (!right || !tool_output_finish(p->output))
        return TOOL_ERROR;
    if (!p->options->quiet && options->packing.resume)
        print_resumed(p, archive, &counts);
    if (!p->options->quiet)
        print_summary(p, &counts, games_before);
    if (!p->options->quiet && options->only_new)
        print_skipped(p, &n);
    return tool_packing_status(p, &counts);
}

static int append_files(const append_options *options, const char *path, char **files, size_t count)
{
    tool_packing p;
    tool_archive archive = {.file = {.fd = -1}};
    tool_output *output = NULL;
    tool_recorded recorded = {.count = 0};
    int status = TOOL_ERROR;
    if (tool_packing_begin(&p, &options->packing, files, count) && tool_archive_open_to_grow(path, &archive))
        output = tool_output_grow(archive.file.fd, path);
    if (output) {
        tool_packing_start(&p, "appending", output);
        status = append(&p, options, &archive, &recorded);
    }
    tool_recorded_free(&recorded);
    tool_packing_end(&p);
    tool_output_close(output);
    tool_archive_close(&archive);
    if (status != TOOL_ERROR && !options->no_index)
        tool_indexing_follow(path, &options->packing);
    return status;
}

int tool_append(int argc, char **argv)
{
    append_options o = {.packing = {.memory = TOOL_MEMORY}};
    const tool_option options[] = {
        {.name = "new",
         .help = "add only games that ARCHIVE does not contain (doc/reference/duplicates.md);\n"
                 "the exact bytes of these games are added",
         .flag = &o.only_new},
        TOOL_PACKING_OPTIONS(o.packing),
        {.name = "no-index", .help = "do not bring the index file of ARCHIVE up to date", .flag = &o.no_index},
        {'f', "force", NULL, "append also files that ARCHIVE contains, and delete the data of an\ninterrupted run",
         .flag = &o.packing.force},
        {TOOL_OPTION_PACK_QUIET, .flag = &o.packing.quiet},
        {TOOL_OPTION_VERBOSE, .flag = &o.packing.verbose},
    };
    const tool_usage usage = {"append", "ARCHIVE FILE...", about, options, sizeof options / sizeof *options, 2, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!tool_level_fits("append", o.packing.level))
        return TOOL_ERROR;
    if (strcmp(argv[0], "-") == 0) {
        tool_say(NULL, "append: ARCHIVE must be a file, not standard input");
        return TOOL_ERROR;
    }
    if (o.only_new && (o.packing.resume || o.packing.record)) {
        tool_say(NULL, "--new and --%s cannot be used together", o.packing.resume ? "resume" : "record");
        return TOOL_ERROR;
    }
    return append_files(&o, argv[0], argv + 1, (size_t)operands - 1);
}
