/* SPDX-License-Identifier: MIT */
/* Record batches as a Parquet file. A Python program writes the file to its standard output. It reads the batches in
 * Arrow's streaming format from its standard input. */
#include "sql/sql.h"

#ifdef _WIN32

bool export_parquet(export_file *file)
{
    (void)file;
    tool_say(NULL, "Parquet files cannot be written on this system; write an .arrow file");
    return false;
}

#else

#include <signal.h>
#include <sys/wait.h>

/* Exit status of the script if there is no library. */
enum { NO_LIBRARY = 77 };

/* pyarrow writes batch by batch; Polars reads all of them first. The script has no single quotes. */
static const char command[] = "exec python3 -c '"
                              "import importlib.util, sys\n"
                              "source = sys.stdin.buffer\n"
                              "out = open(1, \"wb\", closefd=False)\n"
                              "def has(name): return importlib.util.find_spec(name) is not None\n"
                              "if has(\"pyarrow\"):\n"
                              "    import pyarrow, pyarrow.parquet\n"
                              "    batches = pyarrow.ipc.open_stream(source)\n"
                              "    writer = pyarrow.parquet.ParquetWriter(out, batches.schema, compression=\"zstd\")\n"
                              "    for batch in batches:\n"
                              "        writer.write_batch(batch)\n"
                              "    writer.close()\n"
                              "elif has(\"polars\"):\n"
                              "    import polars\n"
                              "    polars.read_ipc_stream(source).write_parquet(out)\n"
                              "if not has(\"pyarrow\") and not has(\"polars\"):\n"
                              "    sys.exit(77)\n"
                              "out.flush()\n'";

static bool write_pipe(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

static bool say_status(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_LIBRARY)
        tool_say(NULL,
                 "a Parquet file needs pyarrow or Polars: 'pip install pyarrow' for the python3 in PATH, or write "
                 "an .arrow file");
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        tool_say(NULL, "a Parquet file needs python3 with pyarrow or Polars; there is no python3 in PATH");
    else
        tool_say(NULL, "the library that writes Parquet failed");
    return false;
}

bool export_parquet(export_file *file)
{
    if (!export_has_ipc() || !tool_output_take_printed(file->output))
        return false;
    /* A process that ends early is reported by its status. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    (void)sigaction(SIGPIPE, &ignore, &before);
    FILE *pipe = popen(command, "w");
    bool right = pipe != NULL;
    if (!pipe)
        tool_say("python3", "%s", strerror(errno));
    if (pipe) {
        const bool written = export_ipc(file, false, write_pipe, pipe);
        const int status = pclose(pipe);
        right = status == 0 ? written : say_status(status);
    }
    (void)sigaction(SIGPIPE, &before, NULL);
    return right;
}

#endif
