/* stamma repair: writes the sound blocks of a damaged archive to a new archive. */
#include "shared/tool.h"

static const char about[] = "Copies every sound block of ARCHIVE, unchanged, to a new archive, OUT. Each block is\n"
                            "unpacked to check it. Blocks are found even if headers or commits are damaged, or if\n"
                            "blocks were moved. Blocks of an interrupted append are kept. Standard error lists each\n"
                            "damaged place and the games and bytes that are lost. ARCHIVE must be a file; it is not\n"
                            "changed.\n\n"
                            "The exit status is 0 if OUT contains everything that was packed, and 2 if something is\n"
                            "missing or may be missing. OUT is a valid archive in both cases.";

typedef struct repairing {
    tool_file file;
    tool_output *output;
    tool_progress progress;
    bool quiet;
} repairing;

static ptrdiff_t read_archive(void *context, void *bytes, size_t size)
{
    repairing *r = context;
    ptrdiff_t got = tool_file_read(&r->file, bytes, size);
    tool_progress_show(&r->progress, r->file.offset, r->file.offset);
    return got;
}

static bool seek_archive(void *context, uint64_t offset)
{
    repairing *r = context;
    return tool_file_seek(&r->file, offset);
}

static void take_damage(void *context, const stamma_archive_damage *damage)
{
    const repairing *r = context;
    tool_damage_say(r->file.name, damage);
}

/* Prints "1,200 of 1,234 games". */
static void say_share(uint64_t kept, uint64_t all, bool known, const char *noun, const char *end)
{
    char number[TOOL_NUMBER_SIZE];
    (void)fprintf(stderr, "%s ", tool_number(kept, number));
    if (known && kept != all)
        (void)fprintf(stderr, "of %s ", tool_number(all, number));
    (void)fprintf(stderr, "%s%s%s", noun, (known ? all : kept) == 1 ? "" : "s", end);
}

static void say_result(const repairing *r, const stamma_archive_repair_result *result)
{
    tool_message_begin(tool_output_name(r->output));
    say_share(result->kept.games, result->all.games, result->known, "game", ", ");
    say_share(result->kept_blocks, result->all_blocks, result->known, "block", ", ");
    say_share(result->kept.bytes_in, result->all.bytes_in, result->known, "byte", " of text");
    if (result->repacked_blocks > 0)
        (void)fprintf(stderr, "; %" PRIu64 " block%s packed again, with parts of incomplete games",
                      result->repacked_blocks, result->repacked_blocks == 1 ? "" : "s");
    (void)fputs(result->whole   ? "; nothing is lost\n"
                : result->known ? "; the rest is lost\n"
                                : "; if there was more, it is lost\n",
                stderr);
}

static int fail(const repairing *r, stamma_error error)
{
    if (error == STAMMA_ERROR_NO_ARCHIVE)
        tool_say(r->file.name, "not a Stamma archive");
    else if (error == STAMMA_ERROR_UNSUPPORTED)
        tool_say(r->file.name, "this version (" STAMMA_VERSION ") cannot read this archive");
    else if (error == STAMMA_ERROR_LIMIT)
        tool_say(r->file.name, TOOL_MEMORY_LIMIT);
    else if (!tool_output_failed(r->output) && !r->file.failed)
        tool_say(r->file.name, "%s", stamma_error_text(error));
    return TOOL_ERROR;
}

static int repair(repairing *r, const stamma_executor *executor, uint64_t memory)
{
    stamma_input input = {.context = r, .read = read_archive, .seek = seek_archive};
    stamma_output output = tool_output_callbacks(r->output);
    stamma_archive_reader_options options = {
        .size = sizeof options, .executor = executor, .memory = memory, .context = r, .damage = take_damage};
    stamma_archive_repair_result result = {.size = sizeof result};
    r->progress = tool_progress_start("repairing", r->file.size, r->quiet);
    stamma_error error = stamma_archive_repair(&input, &output, &options, &result);
    tool_progress_clear();
    if (error)
        return fail(r, error);
    if (!tool_output_finish(r->output))
        return TOOL_ERROR;
    if (!r->quiet)
        say_result(r, &result);
    return result.whole ? TOOL_DONE : TOOL_ERROR;
}

static int repair_file(repairing *r, const char *path, const char *out, bool force, const stamma_executor *executor,
                       uint64_t memory)
{
    int status = TOOL_ERROR;
    if (!tool_file_open(path, &r->file))
        return TOOL_ERROR;
    if (!r->file.regular)
        tool_say(r->file.name, "must be a file");
    else
        r->output = tool_output_open(out, force);
    if (r->output && tool_output_is(r->output, path))
        tool_say(r->file.name, "cannot be repaired in place: OUT must be another file");
    else if (r->output)
        status = repair(r, executor, memory);
    tool_output_close(r->output);
    tool_file_close(&r->file);
    return status;
}

int tool_repair(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false;
    uint64_t wanted = 0, memory = TOOL_MEMORY;
    repairing r = {.output = NULL};
    const tool_option options[] = {
        {'o', "output", "OUT", "archive to write; required", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {'q', "quiet", NULL, "print damage only, no progress and no summary", .flag = &r.quiet},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {TOOL_OPTION_MEMORY, .size = &memory},
    };
    const tool_usage usage = {"repair", "-o OUT ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    if (!out) {
        tool_say(NULL, "repair: -o is required: the archive to write");
        return TOOL_ERROR;
    }
    stamma_executor executor;
    tool_threads *threads = tool_threads_open(wanted, &executor);
    status = repair_file(&r, argv[0], out, force, &executor, memory);
    tool_threads_close(threads);
    return status;
}
