/* SPDX-License-Identifier: MIT */
/* Record batches as a Parquet file. A Python program writes the file to its standard output. It reads the batches in
 * Arrow's streaming format from its standard input. */
#include "sql/sql.h"

/* Exit status of the script if there is no library. */
enum { NO_LIBRARY = 77 };

/* pyarrow writes batch by batch; Polars reads all of them first. */
static const char script[] = "import importlib.util, sys\n"
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
                             "out.flush()\n";

static bool write_pipe(void *context, const void *bytes, size_t size)
{
    const int *pipe = context;
    return system_write(*pipe, bytes, size);
}

static bool say_status(int status)
{
    tool_say(NULL, status == NO_LIBRARY ? "a Parquet file needs pyarrow or Polars: 'pip install pyarrow' for the "
                                          "python3 in PATH, or write an .arrow file"
                                        : "the library that writes Parquet failed");
    return false;
}

/* Starts the script. `input` is its standard input. */
static bool start(system_process *process, int input)
{
    static const char *const arguments[] = {"python3", "-c", script, NULL};
    const int error =
        system_process_start(process, arguments, true, (const int[]){input, SYSTEM_OUTPUT, SYSTEM_ERRORS});
    if (error == ENOENT)
        tool_say(NULL, "a Parquet file needs python3 with pyarrow or Polars; there is no python3 in PATH");
    else if (error)
        tool_say("python3", "%s", strerror(error));
    return !error;
}

/* A process that ends early is reported by its status. */
bool export_parquet(export_file *file)
{
    int ends[2];
    system_process process;
    if (!export_has_ipc() || !tool_output_take_printed(file->output))
        return false;
    if (!system_pipe(ends)) {
        tool_say("python3", "%s", strerror(errno));
        return false;
    }
    bool right = start(&process, ends[0]);
    (void)system_close(ends[0]);
    const bool written = right && export_ipc(file, false, write_pipe, &ends[1]);
    (void)system_close(ends[1]);
    if (right) {
        const int status = system_process_join(&process);
        right = status == 0 ? written : say_status(status);
    }
    return right;
}
