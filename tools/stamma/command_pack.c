/* stamma pack: PGN files into one archive. */
#include "tool.h"

#include <unistd.h>

#define CHUNK ((size_t)256 * 1024)
#define NOTICES_ON_TERMINAL 20

static const char about[] = "Packs PGN files, one after another, into one archive. `stamma unpack` gives their bytes\n"
                            "back exactly, whatever they are. FILE may be - for standard input, which is also read\n"
                            "where no FILE is given. A layer of gzip, bzip2 or zstd is recognised by its content and\n"
                            "taken off. The archive of games.pgn is games.stamma beside it, that of standard input\n"
                            "is standard output; several files need -o. The archive appears whole or not at all.\n\n"
                            "A game, or the rest of a game, that cannot be typed is kept as text; standard error\n"
                            "tells which, where and why (on a terminal the first 20; -v: all).\n"
                            "With --strict the exit status is then 3; the archive is written all the same.";

typedef struct pack_options {
    const char *out;
    uint64_t level;
    uint64_t threads;
    uint64_t memory;
    bool raw, resume, strict, force, quiet, verbose;
} pack_options;

/* Where a file begins in the bytes that are packed. */
typedef struct source {
    const char *name;
    uint64_t offset;
    uint64_t line; /* line ends before it */
} source;

typedef struct packing {
    const pack_options *options;
    stamma_archive_writer *writer;
    stamma_executor executor;
    tool_output *output;
    tool_progress progress;
    source *sources;
    size_t source_count;
    uint64_t passed; /* bytes of files (with their layers) behind us */
    uint64_t bytes;  /* bytes of text packed */
    uint64_t lines;  /* line ends in them, counted where several files are packed */
    bool after_return;
    bool notice_limit;
    uint64_t notices;
    uint64_t reasons[STAMMA_REASON_COUNT];
} packing;

/* ---- what could not be typed ---- */

static const char *expected(stamma_archive_reason reason)
{
    switch (reason) {
    case STAMMA_REASON_BAD_FEN: return "expected a legal position in the FEN tag";
    case STAMMA_REASON_VARIANT: return "expected the rules of chess or Chess960";
    case STAMMA_REASON_SYNTAX: return "expected a tag, a move, a comment or a result";
    case STAMMA_REASON_ILLEGAL_MOVE: return "expected a legal move";
    case STAMMA_REASON_AMBIGUOUS_MOVE: return "expected a move that only one piece can make";
    case STAMMA_REASON_DEPTH: return "expected variations nested less deeply";
    case STAMMA_REASON_SIZE: return "expected a smaller game";
    case STAMMA_REASON_LAYOUT: return "expected a layout that repeats";
    case STAMMA_REASON_UNSUPPORTED: return "expected a position with fewer moves";
    default: return "expected a game";
    }
}

static const source *find_source(const packing *p, uint64_t offset)
{
    size_t i = p->source_count;
    while (i > 1 && p->sources[i - 1].offset > offset)
        i--;
    return &p->sources[i > 0 ? i - 1 : 0];
}

/* The first line of what was kept, cut at 40 bytes. */
static void print_excerpt(stamma_text text)
{
    size_t length = 0;
    while (length < text.size && length < 40 && text.data[length] != '\n' && text.data[length] != '\r')
        length++;
    if (length == 0)
        return;
    (void)fputs(" \"", stderr);
    (void)tool_text_print(stderr, (stamma_text){text.data, length});
    (void)fputs(length < text.size ? "...\"" : "\"", stderr);
}

static void take_notice(void *context, const stamma_archive_notice *notice)
{
    packing *p = context;
    p->notices++;
    if (notice->reason < STAMMA_REASON_COUNT)
        p->reasons[notice->reason]++;
    if (p->options->quiet || (p->notice_limit && p->notices > NOTICES_ON_TERMINAL))
        return;
    const source *from = find_source(p, notice->place.offset);
    tool_message_begin(from->name);
    (void)fprintf(stderr, "line %" PRIu64 ", game %" PRIu64 ", after ply %" PRIu32 ": %s",
                  notice->place.line - from->line, notice->game, notice->place.ply,
                  stamma_archive_reason_text(notice->reason));
    print_excerpt(notice->text);
    (void)fprintf(stderr, "; %s\n", expected(notice->reason));
}

static void print_reasons(const packing *p)
{
    char number[TOOL_NUMBER_SIZE];
    const char *before = ": ";
    tool_message_begin(tool_output_name(p->output));
    (void)fprintf(stderr, "%s game%s kept as text or corrected", tool_number(p->notices, number),
                  p->notices == 1 ? "" : "s");
    for (int reason = 1; reason < STAMMA_REASON_COUNT; reason++) {
        if (p->reasons[reason] == 0)
            continue;
        (void)fprintf(stderr, "%s%s %s", before, tool_number(p->reasons[reason], number),
                      stamma_archive_reason_text((stamma_archive_reason)reason));
        before = ", ";
    }
    (void)fputc('\n', stderr);
}

static void print_summary(const packing *p, const stamma_archive_counts *counts)
{
    char games[TOOL_NUMBER_SIZE], in[TOOL_NUMBER_SIZE], out[TOOL_NUMBER_SIZE];
    double share = counts->bytes_in > 0 ? 100 * (double)counts->bytes_out / (double)counts->bytes_in : 0;
    if (p->notices > 0)
        print_reasons(p);
    tool_say(tool_output_name(p->output), "%s game%s, %s bytes in %s (%.2f %%)", tool_number(counts->games, games),
             counts->games == 1 ? "" : "s", tool_number(counts->bytes_in, in), tool_number(counts->bytes_out, out),
             share);
}

/* ---- packing ---- */

/* LF, CR LF and a CR alone each end a line. */
static void count_lines(packing *p, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool feed = bytes[i] == '\n';
        bool carriage_return = bytes[i] == '\r';
        p->lines += carriage_return || (feed && !p->after_return);
        p->after_return = carriage_return;
    }
}

/* Why the writer stopped: its output has told already. */
static bool fail_writer(const packing *p, stamma_error error)
{
    if (!tool_output_failed(p->output))
        tool_say(tool_output_name(p->output), "%s", stamma_error_text(error));
    return false;
}

static bool pack_input(packing *p, tool_input *input, bool counts_lines)
{
    static uint8_t bytes[CHUNK];
    for (;;) {
        ptrdiff_t size = tool_input_read(input, bytes, sizeof bytes);
        if (size <= 0)
            return size == 0;
        if (counts_lines)
            count_lines(p, bytes, (size_t)size);
        stamma_error error = stamma_archive_writer_write(p->writer, bytes, (size_t)size);
        if (error)
            return fail_writer(p, error);
        p->bytes += (uint64_t)size;
        tool_progress_show(&p->progress, p->passed + tool_input_offset(input), p->bytes);
    }
}

static bool pack_files(packing *p, char **files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tool_input *input = tool_input_open(files[i], p->options->raw);
        if (!input)
            return false;
        const char *name = strcmp(files[i], "-") == 0 ? "standard input" : files[i];
        p->sources[p->source_count++] = (source){name, p->bytes, p->lines};
        bool done = pack_input(p, input, i + 1 < count);
        p->passed += tool_input_offset(input);
        tool_input_close(input);
        if (!done)
            return false;
    }
    return true;
}

static bool open_writer(packing *p)
{
    stamma_archive_writer_options options = {.size = sizeof options,
                                             .level = (int)p->options->level,
                                             .context = p,
                                             .notice = take_notice,
                                             .executor = &p->executor,
                                             .memory = p->options->memory};
    stamma_output output = tool_output_callbacks(p->output);
    stamma_error error = p->options->level > INT16_MAX ? STAMMA_ERROR_UNSUPPORTED
                                                       : stamma_archive_writer_open(&output, &options, &p->writer);
    if (error == STAMMA_ERROR_UNSUPPORTED)
        tool_say(NULL, "pack: this version has no level %" PRIu64, p->options->level);
    else if (error)
        return fail_writer(p, error);
    return !error;
}

static int pack(packing *p, char **files, size_t count)
{
    stamma_archive_counts counts = {0};
    if (!open_writer(p) || !pack_files(p, files, count))
        return TOOL_ERROR;
    stamma_error error = stamma_archive_writer_finish(p->writer, &counts);
    tool_progress_clear();
    if (error) {
        (void)fail_writer(p, error);
        return TOOL_ERROR;
    }
    if (!tool_output_finish(p->output))
        return TOOL_ERROR;
    if (!p->options->quiet)
        print_summary(p, &counts);
    return p->options->strict && counts.games_verbatim + counts.games_partly_verbatim > 0 ? TOOL_STRICT : TOOL_DONE;
}

/* ---- names and options ---- */

/* Whether `name` ends so, in capitals or not, with something before it; then the end is cut off. */
static bool cut_end(char *name, const char *end)
{
    size_t length = strlen(name), size = strlen(end);
    if (length <= size || name[length - size - 1] == '/')
        return false;
    for (size_t i = 0; i < size; i++)
        if ((name[length - size + i] | 0x20) != end[i])
            return false;
    name[length - size] = 0;
    return true;
}

/* games.pgn.gz becomes games.stamma. To be freed; NULL where there is no memory. */
static char *default_name(const char *file, bool raw)
{
    static const char *const layers[] = {".gz", ".bz2", ".zst"};
    char *name = malloc(strlen(file) + sizeof ".stamma");
    if (!name)
        return NULL;
    (void)memcpy(name, file, strlen(file) + 1);
    for (size_t i = 0; i < sizeof layers / sizeof *layers && !raw; i++)
        if (cut_end(name, layers[i]))
            break;
    (void)cut_end(name, ".pgn");
    (void)memcpy(name + strlen(name), ".stamma", sizeof ".stamma");
    return name;
}

/* The bytes of all files together, 0 where one of them does not tell. So a missing one is found before any is packed.
 */
static bool measure(char **files, size_t count, uint64_t *total, bool *regular)
{
    *total = 0;
    *regular = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        bool is_regular;
        if (!tool_file_measure(files[i], &size, &is_regular))
            return false;
        *regular = *regular && is_regular;
        *total += size;
    }
    if (!*regular)
        *total = 0;
    return true;
}

/* Opens what `out` names, or what follows from the one FILE. */
static tool_output *open_output(const pack_options *options, char **files, size_t count, bool regular)
{
    bool from_stdin = count == 1 && strcmp(files[0], "-") == 0;
    const char *out = options->out ? options->out : from_stdin ? "-" : NULL;
    if (!out && (count > 1 || !regular)) {
        tool_say(NULL, "pack: -o is needed to name the archive of %s", count > 1 ? "several files" : files[0]);
        return NULL;
    }
    if (out && strcmp(out, "-") == 0 && isatty(STDOUT_FILENO) && !options->force) {
        tool_say(NULL, "pack: an archive is nothing for a terminal; -o names a file, -f writes it all the same");
        return NULL;
    }
    char *name = out ? NULL : default_name(files[0], options->raw);
    if (!out && !name)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    tool_output *output = out || name ? tool_output_open(out ? out : name, options->force) : NULL;
    free(name);
    return output;
}

static int pack_named(const pack_options *options, char **files, size_t count)
{
    packing p = {.options = options, .notice_limit = !options->verbose && isatty(STDERR_FILENO)};
    uint64_t total;
    bool regular;
    int status = TOOL_ERROR;
    if (!measure(files, count, &total, &regular))
        return status;
    p.sources = malloc(count * sizeof *p.sources);
    if (!p.sources)
        tool_say(NULL, "%s", stamma_error_text(STAMMA_ERROR_NO_MEMORY));
    p.output = p.sources ? open_output(options, files, count, regular) : NULL;
    p.progress = tool_progress_start("packing", total, options->quiet);
    tool_threads *threads = p.output ? tool_threads_open(options->threads, &p.executor) : NULL;
    if (p.output)
        status = pack(&p, files, count);
    stamma_archive_writer_close(p.writer);
    tool_threads_close(threads);
    tool_output_close(p.output);
    free(p.sources);
    return status;
}

static bool check_options(const pack_options *options)
{
    if (options->resume)
        tool_say(NULL, "pack: --resume is not in this version (" STAMMA_VERSION ")");
    else
        return tool_memory_check("pack", options->memory);
    return false;
}

int tool_pack(int argc, char **argv)
{
    pack_options o = {.memory = TOOL_MEMORY};
    const tool_option options[] = {
        {'o', "output", "OUT", "the archive to write; - is standard output", .text = &o.out},
        {.name = "level", .value = "N", .help = "1: one byte a move; 0: the default, level 1", .number = &o.level},
        {'T', "threads", "N",
         "threads to use; 0, the default: as many as there are cores.\n"
         "The archive does not depend on it",
         .number = &o.threads},
        {.name = "memory",
         .value = "SIZE",
         .help = "memory that may be used: 512M is the default, 128M the least\n"
                 "(a zstd input made with --long brings its own window).\n"
                 "The archive does not depend on it",
         .size = &o.memory},
        {.name = "raw", .help = "pack files as they lie, compressed or not", .flag = &o.raw},
        {.name = "resume", .help = "go on with an archive that was not finished (not yet there)", .flag = &o.resume},
        {.name = "strict", .help = "exit status 3 where anything had to be kept as text", .flag = &o.strict},
        {'f', "force", NULL, "overwrite OUT where it exists", .flag = &o.force},
        {'q', "quiet", NULL, "no progress, no notices, no summary; errors only", .flag = &o.quiet},
        {'v', "verbose", NULL, "name every game kept as text, on a terminal too", .flag = &o.verbose},
    };
    const tool_usage usage = {"pack", "[FILE...]", about, options, sizeof options / sizeof *options, 0, -1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!check_options(&o))
        return TOOL_ERROR;
    char dash[] = "-";
    char *standard_input[] = {dash};
    return operands > 0 ? pack_named(&o, argv, (size_t)operands) : pack_named(&o, standard_input, 1);
}
