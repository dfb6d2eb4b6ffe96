/* SPDX-License-Identifier: MIT */
/* Games of Parquet files, in the schema of Lichess/standard-chess-games. A Python program reads the file and writes its
 * games as PGN to a pipe. */
#include "importing/import.h"
#include "shared/python_script.h"

struct import_parquet {
    python_script script;
    system_process process;
};

static tool_input *open_input(void *context, const char *path)
{
    struct import_parquet *p = context;
    int ends[2];
    p->script = (python_script){tool_lichess_rows, "pyarrow", {"read", path, NULL}};
    if (!system_pipe(ends)) {
        tool_say("python3", "%s", strerror(errno));
        return NULL;
    }
    const bool started =
        python_script_start(&p->script, (const int[]){SYSTEM_INPUT, ends[1], SYSTEM_ERRORS}, &p->process);
    (void)system_close(ends[1]);
    if (!started) {
        (void)system_close(ends[0]);
        return NULL;
    }
    tool_input *input = tool_input_open_descriptor(ends[0], path, true);
    if (!input)
        (void)python_script_join(&p->script, &p->process);
    return input;
}

static bool close_input(void *context, tool_input *input, uint64_t *skipped)
{
    struct import_parquet *p = context;
    tool_input_close(input); /* ends a script that still writes */
    const int status = python_script_join(&p->script, &p->process);
    *skipped = status == PYTHON_SKIPPED_ROWS;
    return status == 0 || status == PYTHON_SKIPPED_ROWS;
}

const tool_packing_reader import_parquet_reader = {&(struct import_parquet){.process.id = 0}, open_input, close_input};
