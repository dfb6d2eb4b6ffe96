/* stamma append: more PGN files behind what an archive holds. */
#include "tool.h"

static const char about[] =
    "Packs PGN files behind the games of ARCHIVE, which then unpacks to its old bytes and,\n"
    "right behind them, those of FILE...; the games are numbered on. FILE may be - for standard\n"
    "input; a layer of gzip, bzip2 or zstd is taken off, as pack does.\n\n"
    "The archive is written in place and stays as it was until all is there: when anything\n"
    "goes wrong, or the machine stops, it holds its old games and no others. Two cannot append\n"
    "to it at the same time; reading it meanwhile shows the old games.";

static void print_summary(const tool_packing *p, const stamma_archive_counts *counts, uint64_t games_before)
{
    char games[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE], all[TOOL_NUMBER_SIZE];
    tool_packing_reasons(p);
    tool_say(tool_output_name(p->output), "%s game%s appended, %s bytes in %s; %s in all",
             tool_number(counts->games, games), counts->games == 1 ? "" : "s", tool_number(counts->bytes_in, in),
             tool_number(counts->bytes_out, out), tool_number(games_before + counts->games, all));
}

static int append(tool_packing *p, tool_archive *archive)
{
    stamma_archive_counts counts = {0};
    uint64_t games_before = 0;
    stamma_output output = tool_output_callbacks(p->output);
    stamma_error error = stamma_archive_game_count(archive->reader, &games_before);
    if (!error)
        error = stamma_archive_append_open(archive->reader, &output, tool_output_cut, &p->writing, &p->writer);
    if (error == STAMMA_ERROR_CORRUPT)
        tool_say(tool_output_name(p->output), "was never finished: nothing can be appended to it");
    else if (error)
        (void)tool_packing_fail(p, error);
    if (error)
        return TOOL_ERROR;
    if (!tool_packing_run(p, &counts) || !tool_output_finish(p->output))
        return TOOL_ERROR;
    if (!p->options->quiet)
        print_summary(p, &counts, games_before);
    return tool_packing_status(p, &counts);
}

static int append_files(const tool_packing_options *options, const char *path, char **files, size_t count)
{
    tool_packing p;
    tool_archive archive;
    int status = TOOL_ERROR;
    if (tool_packing_begin(&p, options, files, count) && tool_archive_open_to_grow(path, &archive)) {
        tool_output *output = tool_output_grow(archive.file.fd, path);
        if (output && tool_packing_start(&p, "appending", output))
            status = append(&p, &archive);
        tool_output_close(output);
        tool_archive_close(&archive);
    }
    tool_packing_end(&p);
    return status;
}

int tool_append(int argc, char **argv)
{
    tool_packing_options o = {.memory = TOOL_MEMORY};
    const tool_option options[] = {
        {'T', "threads", "N",
         "threads to use; 0, the default: as many as there are cores.\n"
         "The archive does not depend on it",
         .number = &o.threads},
        {.name = "memory",
         .value = "SIZE",
         .help = "memory that may be used: 512M is the default, 128M the least",
         .size = &o.memory},
        {.name = "raw", .help = "pack files as they lie, compressed or not", .flag = &o.raw},
        {.name = "strict", .help = "exit status 3 where anything had to be kept as text", .flag = &o.strict},
        {'q', "quiet", NULL, "no progress, no notices, no summary; errors only", .flag = &o.quiet},
        {'v', "verbose", NULL, "name every game kept as text, on a terminal too", .flag = &o.verbose},
    };
    const tool_usage usage = {"append", "ARCHIVE FILE...", about, options, sizeof options / sizeof *options, 2, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!tool_memory_check("append", o.memory))
        return TOOL_ERROR;
    if (strcmp(argv[0], "-") == 0) {
        tool_say(NULL, "append: ARCHIVE has to be a file, not standard input");
        return TOOL_ERROR;
    }
    return append_files(&o, argv[0], argv + 1, (size_t)operands - 1);
}
