/* SPDX-License-Identifier: MIT */
/* Scripts for Parquet files, which python3 runs in another process with a library that reads and writes them. */
#ifndef STAMMA_TOOL_PYTHON_SCRIPT_H
#define STAMMA_TOOL_PYTHON_SCRIPT_H

#include "shared/tool.h"

/* The file python/stamma/lichess_rows.py (build/lichess_rows.c). Its first arguments are "read" or "write". */
extern const char tool_lichess_rows[];

/* Exit statuses of scripts. */
enum { PYTHON_SKIPPED_ROWS = 76, PYTHON_NO_LIBRARY = 77 };

typedef struct python_script {
    const char *source;
    const char *libraries;    /* one of them is needed: "pyarrow or Polars" */
    const char *arguments[4]; /* end with NULL */
} python_script;

/* Starts a script. `files` are its standard input, output and error. Returns false after a message. */
bool python_script_start(const python_script *script, const int files[3], system_process *process);
/* Waits until the script ends. Returns its exit status after a message, unless the script has written one. */
int python_script_join(const python_script *script, system_process *process);

#endif
