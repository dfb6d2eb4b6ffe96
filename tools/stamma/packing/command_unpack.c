/* SPDX-License-Identifier: MIT */
/* stamma unpack: restores the bytes that were packed. */
#include "shared/tool.h"
#include "threads/worker_threads.h"

static const char about[] =
    "Writes exactly the bytes that were packed, to standard output or to OUT. OUT appears only\n"
    "when it is complete. ARCHIVE may be - for standard input. The text is written to a\n"
    "terminal only if -o - requests it.\n\n"
    "If the archive is damaged, all undamaged blocks are unpacked. Standard error lists each\n"
    "damaged place with the games and bytes that are missing, and the exit status is 2.";

typedef struct unpacking {
    tool_archive archive;
    tool_output *output;
    tool_progress progress;
    uint64_t bytes;
} unpacking;

static bool write_text(void *context, const void *bytes, size_t size)
{
    unpacking *u = context;
    u->bytes += size;
    tool_progress_show(&u->progress, u->archive.file.offset, u->bytes);
    return tool_output_write(u->output, bytes, size);
}

static int unpack(unpacking *u, bool quiet)
{
    u->progress = tool_progress_start("unpacking", u->archive.file.size, quiet);
    stamma_output text = {u, write_text, NULL};
    stamma_error error = stamma_archive_reader_unpack(u->archive.reader, &text);
    tool_progress_clear();
    if (tool_output_failed(u->output))
        return TOOL_ERROR;
    if (error) /* the text before the error is written; standard output keeps it */
        return tool_archive_fail(&u->archive, error);
    return tool_output_finish(u->output) ? tool_archive_status(&u->archive, TOOL_DONE) : TOOL_ERROR;
}

/* Returns whether the text may be written to the output. An archive's text is not useful on a terminal. */
static bool may_write(const char *out)
{
    if (out || !system_is_terminal(SYSTEM_OUTPUT))
        return true;
    tool_say(NULL, "unpack: set the file to write with -o; -o - writes to the terminal");
    return false;
}

int tool_unpack(int argc, char **argv)
{
    const char *out = NULL;
    bool force = false, quiet = false;
    uint64_t wanted = 0, memory = TOOL_MEMORY;
    const tool_option options[] = {
        {'o', "output", "OUT", "file to write; default: -, standard output", .text = &out},
        {TOOL_OPTION_FORCE, .flag = &force},
        {'q', "quiet", NULL, "print no progress", .flag = &quiet},
        {TOOL_OPTION_THREADS, .number = &wanted},
        {TOOL_OPTION_MEMORY, .size = &memory},
    };
    const tool_usage usage = {"unpack", "ARCHIVE", about, options, sizeof options / sizeof *options, 1, 1};
    int operands, status = TOOL_ERROR;
    if (!tool_options_read(&usage, argc, argv, &operands, &status))
        return status;
    stamma_executor executor;
    worker_threads *threads = worker_threads_open(wanted, &executor);
    stamma_archive_reader_options reader = {.size = sizeof reader, .executor = &executor, .memory = memory};
    unpacking u = {.bytes = 0};
    if (tool_archive_open_with(argv[0], &reader, true, &u.archive)) {
        if (may_write(out))
            u.output = tool_output_open(out ? out : "-", force);
        if (u.output)
            status = unpack(&u, quiet);
        tool_output_close(u.output);
        tool_archive_close(&u.archive);
    }
    worker_threads_close(threads);
    return status;
}
