/* SPDX-License-Identifier: MIT */
/* Writing archives: copies of archives, sources, and data that an interrupted writer left. */
#ifndef STAMMA_ARCHIVE_WRITER_H
#define STAMMA_ARCHIVE_WRITER_H

#include "archive/reader.h"

/* ---- copying (merge.c, recompress.c) and sources (sources.c) ---- */

/* Sizes of blocks that were copied. */
typedef struct merged_bytes {
    uint64_t text;
    uint64_t moves; /* stored */
} merged_bytes;

/* Copies all blocks of an archive that was just opened (merge.c), and adds up their sizes. Returns CORRUPT,
 * UNSUPPORTED, IO or NO_MEMORY of the archive, with its place, or out->error. */
stamma_error stamma_merge_archive(stamma_archive_reader *r, frame_writer *out, merged_bytes *copied);

/* Calls `source` for each source of an archive that was just opened (sources.c). The calls occur before this function
 * returns, or, if the input cannot seek, when the source is read. IO, NO_MEMORY. */
stamma_error stamma_reader_pass_sources(stamma_archive_reader *r,
                                        void (*source)(void *context, const stamma_archive_source *source),
                                        void *context);

/* The sources that a writer writes before its last commit. */
typedef struct source_list {
    buffer sources;  /* stamma_archive_source, without names */
    buffer names;    /* their names, one after another */
    uint64_t end;    /* end of the text of the last source, from the writer's first byte */
    uint64_t copied; /* where the text of the archive that is copied begins */
} source_list;

void stamma_source_list_init(source_list *list, const stamma_allocator *allocator);
void stamma_source_list_release(source_list *list);
/* Adds a source. Its offset is counted from the writer's first byte. */
void stamma_source_list_add(source_list *list, const stamma_archive_source *source);
/* Writes all sources. The writer's first byte has this offset in the archive's text. */
void stamma_source_list_write(const source_list *list, uint64_t offset, frame_writer *out);
/* Adds the sources of an archive whose text is copied from the offset `at` on (stamma_reader_pass_sources). */
stamma_error stamma_source_list_copy(source_list *list, stamma_archive_reader *r, uint64_t at);

/* Ends the input. The text that is written next is a new input (writer.c). Returns the writer's error. */
stamma_error stamma_writer_end_input(stamma_archive_writer *w);
/* Returns whether the caller stops the writer. */
bool stamma_writer_is_stopped(const stamma_archive_writer *w);
/* Returns the number of bytes of input. */
uint64_t stamma_writer_given(const stamma_archive_writer *w);
/* Copies the sources of an archive whose text is written next. IO, NO_MEMORY. */
stamma_error stamma_writer_copy_sources(stamma_archive_writer *w, stamma_archive_reader *reader);
/* Records a failure, if there was none yet. Returns the writer's error. */
stamma_error stamma_writer_fail(stamma_archive_writer *w, stamma_error error);
/* Writes a stored block between inputs. Returns the writer's error. */
stamma_error stamma_writer_add_block(stamma_archive_writer *w, const buffer *payload, size_t head_size,
                                     const stamma_archive_counts *counts);

/* ---- data that an interrupted writer left (resume.c) ---- */

/* An output to a file that may already contain the bytes to be written. Must be zero if it may be closed without being
 * opened. */
typedef struct resumption {
    stamma_archive_reader *reader; /* reads the file; NULL after the first difference, and at the end of the file */
    stamma_output output;          /* receives the bytes after that */
    bool (*cut)(void *context, uint64_t size);
    uint64_t from;          /* offset of the first byte to be written */
    uint64_t at;            /* end of the bytes found equal */
    uint64_t end;           /* the file is never cut before this offset */
    int level;              /* level that blocks after `end` must have to be kept */
    bool no_search_columns; /* whether these must have no search columns */
    bool failed;            /* the file cannot be read */
    bool differs;           /* something before `end` differs, although the beginning is equal */
    unpack_job check;       /* checks the block that was read */
} resumption;

typedef struct resumed_block {
    stamma_archive_counts counts; /* except archive_size */
    frame frame;
} resumed_block;

/* Opens a resumption after a commit, or at the start of the file if `from` is zero. The reader must be able to seek
 * and live as long as the resumption. */
void stamma_resumption_open(resumption *k, stamma_archive_reader *reader, const commit_mark *from,
                            const stamma_output *output, bool (*cut)(void *context, uint64_t size));
void stamma_resumption_close(resumption *k);
/* Returns an output. Bytes that the file already contains are kept; at the first difference the file is cut, and the
 * rest is passed to the resumption's output. */
stamma_output stamma_resumption_output(resumption *k);
/* Keeps the next block of the file if it has this text and its columns are sound; otherwise the file is cut there.
 * Must not be called if k->reader is NULL. IO, NO_MEMORY. */
stamma_error stamma_resumption_take(resumption *k, stamma_text text, bool continues, resumed_block *block, bool *taken);
/* Cuts the file after the kept bytes, unless it was cut already. Returns false if that is impossible or not allowed. */
bool stamma_resumption_end(resumption *k);

#endif
