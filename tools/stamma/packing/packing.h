/* What the commands that write archives from files share. */
#ifndef STAMMA_TOOL_PACKING_H
#define STAMMA_TOOL_PACKING_H

#include "shared/tool.h"

/* ---- files into an archive's writer (packing.c): what pack and append share ---- */

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
    bool regular;   /* all files are */
    uint64_t total; /* bytes in them, 0 where it is not known */
    tool_output *output;
    stamma_archive_writer_options writing; /* to open the writer with */
    stamma_archive_writer *writer;
    stamma_executor executor;
    tool_threads *threads;
    tool_progress progress;
    struct tool_source *sources;
    size_t source_count;
    uint64_t passed; /* bytes of files (with their layers) behind us */
    uint64_t bytes;  /* bytes of text packed */
    uint64_t lines;  /* line ends in them, counted where several files are packed */
    bool after_return;
    tool_notices notices;
} tool_packing;

/* Sees whether all files can be read. To be ended whether it succeeds or not. */
bool tool_packing_begin(tool_packing *p, const tool_packing_options *options, char **files, size_t count);
/* Where the writer is going to write; none of the files may be that. Starts the threads. */
bool tool_packing_start(tool_packing *p, const char *verb, tool_output *output);
/* Packs the files by p->writer and finishes it. */
bool tool_packing_run(tool_packing *p, stamma_archive_counts *counts);
/* Tells why the writer failed, unless its output has; false. */
bool tool_packing_fail(const tool_packing *p, stamma_error error);
/* Sums up what was kept as text or corrected, if anything was. */
void tool_packing_reasons(const tool_packing *p, const stamma_archive_counts *counts);
/* TOOL_STRICT where that is asked for and games were kept as text. */
int tool_packing_status(const tool_packing *p, const stamma_archive_counts *counts);
void tool_packing_end(tool_packing *p);

#endif
