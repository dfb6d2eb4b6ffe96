/* SPDX-License-Identifier: MIT */
/* Record batches as a Parquet file. A Python program writes the file to its standard output. It reads the batches in
 * Arrow's streaming format from its standard input. */
#include "shared/python_script.h"
#include "sql/sql.h"

/* pyarrow writes batch by batch; Polars reads all of them first. */
static const char any_table[] =
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
    "out.flush()\n";

static bool write_pipe(void *context, const void *bytes, size_t size)
{
    const int *pipe = context;
    return system_write(*pipe, bytes, size);
}

/* Returns whether the script has written the file. A script that ends early is reported by its status. */
static bool end(const python_script *script, system_process *process, bool written)
{
    const int status = python_script_join(script, process);
    if (status != 0 && status != PYTHON_NO_LIBRARY && script->source == any_table)
        tool_say(NULL, "the library that writes Parquet failed");
    return status == 0 && written;
}

static bool run(const python_script *script, export_file *file)
{
    int ends[2];
    system_process process;
    if (!export_has_ipc() || !tool_output_take_printed(file->output))
        return false;
    if (!system_pipe(ends)) {
        tool_say("python3", "%s", strerror(errno));
        return false;
    }
    const bool right = python_script_start(script, (const int[]){ends[0], SYSTEM_OUTPUT, SYSTEM_ERRORS}, &process);
    (void)system_close(ends[0]);
    const bool written = right && export_ipc(file, false, write_pipe, &ends[1]);
    (void)system_close(ends[1]);
    return right && end(script, &process, written);
}

bool export_parquet(export_file *file)
{
    const python_script script = {any_table, "pyarrow or Polars", {NULL}};
    return run(&script, file);
}

bool export_lichess(export_file *file)
{
    const char *name = tool_output_name(file->output);
    const python_script script = {tool_lichess_rows, "pyarrow", {"write", name, file->quiet ? "quiet" : NULL, NULL}};
    file->reported = true;
    return run(&script, file);
}
