/* SPDX-License-Identifier: MIT */
/* stamma pack: packs PGN files into archives. */
#include "packing/packing.h"

static const char about[] =
    "Packs PGN files into archives. With -o, all files are packed into one archive, one after\n"
    "another; without -o, each file gets its own archive: games.pgn becomes games.stamma.\n"
    "`stamma unpack` restores the exact bytes of the input, whatever they are. FILE may be -\n"
    "for standard input, which is also read if no FILE is given; its archive is then written to\n"
    "standard output. Files compressed with gzip, bzip2, xz, zstd or zip are recognised by their\n"
    "content and decompressed. An archive appears only when it is complete.\n\n"
    "A run that a signal or a crash interrupts leaves OUT.partial. Run the same command with\n"
    "--resume to continue; the result is the same archive. Packed games are committed to\n"
    "OUT.partial at least every 24 MiB of text; later games are packed again.\n\n"
    "If the rules of chess or the PGN syntax cannot explain a game, or the rest of a game, that\n"
    "part is kept as text. Standard error lists the first 20 of these games with line and\n"
    "reason (-v: all). With --strict the exit status is then 3; the archive is still written.\n"
    "Unusual spacing and spelling are stored with the game, so nothing is lost: one line counts\n"
    "these games, and -v lists each with the text that was found and the text that was expected.\n\n"
    "Two warnings count games to look at, with the places of the first three: games with two\n"
    "Event tags, and games that end early at text that is not a legal move. Warnings do not\n"
    "change the exit status.";

typedef struct pack_options {
    const char *out;
    tool_packing_options packing; /* force: also overwrite OUT */
} pack_options;

static void print_summary(const tool_packing *p, const stamma_archive_counts *counts)
{
    char games[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE];
    double share = counts->text_size > 0 ? 100 * (double)counts->archive_size / (double)counts->text_size : 0;
    tool_packing_reasons(p, counts);
    tool_say(tool_output_name(p->output), "%s game%s, %s bytes in %s (%.2f %%)", tool_number(counts->games, games),
             counts->games == 1 ? "" : "s", tool_number(counts->text_size, in), tool_number(counts->archive_size, out),
             share);
}

/* ---- data of an interrupted run ---- */

enum { HEADER = 16 }; /* size of the archive header; a committed archive is larger */

/* Decides whether this run resumes the earlier one or starts again. Returns false, after a message, if neither is
 * allowed. */
static bool choose(const tool_packing *p, const pack_options *options, tool_archive *left, bool *resume)
{
    const char *name = left->file.name;
    stamma_error error = tool_archive_try(left);
    bool committed = !error && stamma_archive_reader_end(left->reader) > HEADER;
    *resume = committed && options->packing.resume;
    if (left->file.size < HEADER)
        return true;
    if (error == STAMMA_ERROR_IO || error == STAMMA_ERROR_NO_MEMORY)
        return tool_archive_fail(left, error) == TOOL_DONE;
    if (error == STAMMA_ERROR_NO_ARCHIVE)
        tool_say(name, "exists and is not an unfinished archive");
    else if (error == STAMMA_ERROR_UNSUPPORTED && !options->packing.force)
        tool_say(name, "was written by another version; -f starts again");
    else if (committed && !options->packing.resume && !options->packing.force)
        tool_say(tool_output_name(p->output), "an earlier run was interrupted: --resume continues it, -f starts again");
    else
        return true;
    return false;
}

/* Opens the reader of the earlier run's data if this run resumes it; otherwise truncates the file. */
static bool take_up(const tool_packing *p, const pack_options *options, tool_archive *left)
{
    bool resume;
    if (!choose(p, options, left, &resume))
        return false;
    if (resume) {
        tool_output_resume(p->output, options->packing.force ? 0 : HEADER + 1);
        return true;
    }
    if (options->packing.resume && !left->reader && left->file.size >= HEADER)
        tool_say(left->file.name, "is damaged: packing starts again");
    stamma_archive_reader_close(left->reader);
    left->reader = NULL;
    return tool_output_cut(p->output, 0);
}

/* ---- packing ---- */

static bool open_writer(tool_packing *p, const pack_options *options, tool_archive *left)
{
    if (tool_output_left(p->output, &left->file) && !take_up(p, options, left))
        return false;
    stamma_output output = tool_output_callbacks(p->output);
    stamma_error error = left->reader ? stamma_archive_writer_open_resume(left->reader, &output, tool_output_cut,
                                                                          &p->writing, &p->writer)
                                      : stamma_archive_writer_open(&output, &p->writing, &p->writer);
    if (error)
        return tool_packing_fail(p, error);
    return !error;
}

static int pack(tool_packing *p, const pack_options *options, tool_archive *left)
{
    stamma_archive_counts counts = {0};
    if (!open_writer(p, options, left) || !tool_packing_run(p, &counts) || !tool_output_finish(p->output))
        return TOOL_ERROR;
    if (!options->packing.quiet && left->reader)
        tool_packing_say_resumed(p, "run", tool_output_kept(p->output), stamma_archive_reader_end(left->reader));
    if (!options->packing.quiet)
        print_summary(p, &counts);
    return tool_packing_status(p, &counts);
}

/* ---- names and options ---- */

/* Returns the default name of an archive: games.pgn.gz becomes games.stamma. Free with free(). NULL: out of memory. */
static char *default_name(const char *file, bool raw)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t size = strlen(name);
    if (!raw && !tool_layer_cut_ending(name, &size))
        (void)tool_cut_ending(name, &size, ".zip");
    (void)tool_cut_ending(name, &size, ".pgn");
    size += (size_t)(name - file);
    char *made = malloc(size + sizeof ".stamma");
    if (made) {
        memcpy(made, file, size);
        memcpy(made + size, ".stamma", sizeof ".stamma");
    }
    return made;
}

/* Opens the file named by -o, or the default archive of the only FILE. */
static tool_output *open_output(const pack_options *options, char **files, size_t count, bool regular)
{
    bool from_stdin = count == 1 && strcmp(files[0], "-") == 0;
    const char *out = options->out ? options->out : from_stdin ? "-" : NULL;
    if (!out && !regular) {
        tool_say(NULL, "pack: -o is required for the archive of %s", files[0]);
        return NULL;
    }
    if (!tool_output_fits("pack", "an archive", out, options->packing.force))
        return NULL;
    if (out && strcmp(out, "-") == 0 && options->packing.resume) {
        tool_say(NULL, "pack: --resume requires an archive in a file; set it with -o");
        return NULL;
    }
    char *name = out ? NULL : default_name(files[0], options->packing.raw);
    if (!out && !name)
        (void)tool_fail_memory(NULL);
    tool_output *output = out || name ? tool_output_open_partial(out ? out : name, options->packing.force) : NULL;
    free(name);
    return output;
}

static int pack_named(const pack_options *options, char **files, size_t count)
{
    tool_packing p;
    tool_archive left = {.file = {.fd = -1}};
    int status = TOOL_ERROR;
    tool_output *output = NULL;
    if (tool_packing_begin(&p, &options->packing, files, count))
        output = open_output(options, files, count, p.regular);
    if (output) {
        tool_packing_start(&p, "packing", output);
        status = pack(&p, options, &left);
    }
    tool_packing_end(&p);
    tool_archive_close(&left);
    tool_output_close(output);
    return status;
}

/* Packs each file into its own archive. A failure does not stop the others. */
static int pack_each(const pack_options *options, char **files, int count)
{
    int worst = TOOL_DONE;
    for (int i = 0; i < count; i++) {
        if (count > 1 && strcmp(files[i], "-") == 0) {
            tool_say(NULL, "pack: -o is required if standard input is packed with other files");
            return TOOL_ERROR;
        }
    }
    for (int i = 0; i < count; i++) {
        int status = pack_named(options, &files[i], 1);
        if (worst != TOOL_ERROR && status != TOOL_DONE)
            worst = status;
    }
    return worst;
}

int tool_pack(int argc, char **argv)
{
    pack_options o = {.packing = {.memory = TOOL_MEMORY}};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; -: standard output", .text = &o.out},
        TOOL_PACKING_OPTIONS(o.packing),
        {'f', "force", NULL, "overwrite OUT if it exists, and delete the data of an interrupted run",
         .flag = &o.packing.force},
        {TOOL_OPTION_PACK_QUIET, .flag = &o.packing.quiet},
        {TOOL_OPTION_VERBOSE, .flag = &o.packing.verbose},
    };
    const tool_usage usage = {"pack", "[FILE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!tool_level_fits("pack", o.packing.level))
        return TOOL_ERROR;
    char dash[] = "-";
    char *standard_input[] = {dash};
    if (operands == 0)
        return pack_named(&o, standard_input, 1);
    return o.out ? pack_named(&o, argv, (size_t)operands) : pack_each(&o, argv, operands);
}
