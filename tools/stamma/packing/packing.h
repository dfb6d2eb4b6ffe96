/* What the commands share that write archives from files. */
#ifndef STAMMA_TOOL_PACKING_H
#define STAMMA_TOOL_PACKING_H

#include "shared/tool.h"

/* ---- packing files with an archive writer (packing.c), for pack and append ---- */

typedef struct tool_packing_options {
    uint64_t level;
    uint64_t threads;
    uint64_t memory;
    bool raw, no_check, no_search_columns, strict, resume, quiet, verbose;
} tool_packing_options;

typedef struct tool_packing {
    const tool_packing_options *options;
    char **files;
    size_t file_count;
    bool regular;   /* all files are regular */
    uint64_t total; /* their bytes; 0 if unknown */
    tool_output *output;
    stamma_archive_writer_options writing; /* options to open the writer with */
    stamma_archive_writer *writer;
    stamma_executor executor;
    tool_threads *threads;
    tool_progress progress;
    struct tool_source *sources;
    size_t source_count;
    uint64_t passed; /* bytes of files (compressed or not) read completely */
    uint64_t bytes;  /* bytes of text packed */
    uint64_t lines;  /* line ends in the text, counted if several files are packed */
    bool after_return;
    tool_notices notices;
} tool_packing;

/* Checks that all files can be read. Call tool_packing_end afterwards, also after a failure. */
bool tool_packing_begin(tool_packing *p, const tool_packing_options *options, char **files, size_t count);
/* Sets the output, which must not be one of the files, and starts the threads. */
bool tool_packing_start(tool_packing *p, const char *verb, tool_output *output);
/* Packs the files with p->writer and finishes it. */
bool tool_packing_run(tool_packing *p, stamma_archive_counts *counts);
/* Reports why the writer failed, unless the output has reported it. Returns false. */
bool tool_packing_fail(const tool_packing *p, stamma_error error);
/* Prints a summary of what was kept as text or corrected, if there is any. */
void tool_packing_reasons(const tool_packing *p, const stamma_archive_counts *counts);
/* Returns TOOL_STRICT if --strict is set and games were kept as text. */
int tool_packing_status(const tool_packing *p, const stamma_archive_counts *counts);
void tool_packing_end(tool_packing *p);

#endif
