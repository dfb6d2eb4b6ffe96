/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of archives: packing and unpacking in memory, sources and outputs that fail, and an allocator
 * that counts bytes. */
#ifndef STAMMA_TESTS_ARCHIVE_SUPPORT_H
#define STAMMA_TESTS_ARCHIVE_SUPPORT_H

#include <stdatomic.h>

#include "container/container.h"
#include "pgn_support.h"

/* A file in memory. Sequential reads return at most `piece_max` bytes. The `fail_at`-th call fails, and at the
 * `change_at`-th call the file becomes `later` (from 1; 0: never). */
typedef struct archive_source {
    const char *bytes;
    size_t size;
    size_t at;
    size_t piece_max;
    unsigned calls;
    unsigned fail_at;
    unsigned change_at;
    const char *later;
    size_t later_size;
} archive_source;

/* Returns the file as a stream, as bytes with random access, or as an input of frames. */
stamma_input source_stream(archive_source *source);
stamma_bytes source_bytes(archive_source *source);
archive_input source_frames(archive_source *source, bool seekable);

/* An output to a listing. The `fail_at`-th write or sync fails (from 1; 0: never). */
typedef struct archive_sink {
    listing bytes;
    unsigned writes;
    unsigned syncs;
    unsigned fail_at;
} archive_sink;

stamma_output archive_output(archive_sink *sink);

/* The context of archive_take_notice: the number of notices and the last notice of a writer. */
typedef struct archive_notices {
    unsigned count;
    stamma_archive_notice last;
} archive_notices;

void archive_take_notice(void *context, const stamma_archive_notice *notice);

/* The context of archive_take_progress: the number of calls and the last progress. The callback asserts that
 * progress grows and stays below the total. The `stop_at`-th call stops the operation (from 1; 0: never). */
typedef struct archive_steps {
    uint64_t last;
    uint64_t total;
    unsigned calls;
    unsigned stop_at;
} archive_steps;

bool archive_take_progress(void *context, uint64_t done, uint64_t total);

/* An allocator that counts bytes; threads may share it. */
typedef struct counted_memory {
    atomic_size_t now;
    atomic_size_t peak;
    atomic_long alive;
} counted_memory;

/* New memory has bytes 255. */
stamma_allocator counting_allocator(counted_memory *memory);

/* Packs `size` bytes, at most `piece_max` bytes in each call. Returns the archive, which the caller frees. */
listing pack_pieces(const void *text, size_t size, size_t piece_max, stamma_archive_counts *counts);
listing pack(const void *text, size_t size, stamma_archive_counts *counts);
/* Like pack, with options of the writer; NULL: none. */
listing pack_with_options(const stamma_archive_writer_options *options, const void *text, size_t size,
                          stamma_archive_counts *counts);
/* Like pack, but without search columns (clause 20). */
listing pack_without_search(const void *text, size_t size);

/* Like pack, at the given level. */
listing pack_at(int level, const void *text, size_t size, stamma_archive_counts *counts);

/* Copies the blocks of several archives into one archive. The caller frees it. */
listing copy_archives(const listing *archives, size_t count, stamma_archive_counts *counts);

/* Returns the offset of the frame after the frame at `at`. */
size_t next_frame(const listing *archive, size_t at);

/* Unpacks an archive and appends the text to `text`. Returns the error of opening or unpacking it. */
stamma_error unpack(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text);

/* Like unpack, but reads game by game with stamma_archive_reader_next. */
stamma_error unpack_games(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text);

/* Asserts that an archive unpacks to a text: from its bytes, from a pipe, and game by game. */
void assert_gives_back(const listing *archive, const void *text, size_t size);
/* Packs a text and asserts that the archive unpacks to it. */
void assert_round_trip(const void *text, size_t size, stamma_archive_counts *counts);

/* Reads all records of a block's payload. Returns the first error. */
stamma_error read_payload(const uint8_t *payload, size_t size, size_t head_size);

/* ---- opening ---- */

/* Opens a reader of an archive in memory. The archive is opened with the allocator, the executor and the memory limit
 * of `options`, which may be NULL; close_reader closes it. Returns the first error. */
stamma_error open_bytes(const void *memory, size_t size, const stamma_archive_reader_options *options,
                        stamma_archive_reader **reader);
/* Like open_bytes, for a source: with random access if `seekable`, otherwise as a stream. */
stamma_error open_source(archive_source *source, bool seekable, const stamma_archive_reader_options *options,
                         stamma_archive_reader **reader);
/* Opens a reader of a source that it initialises, without options. */
stamma_archive_reader *open_archive(archive_source *source, const listing *archive, bool seekable);
/* Asserts that `more` of each game, read in order and by its number, says whether a continuation follows. */
void assert_more_is_right(const listing *archive);
/* Closes a reader and its archive. Accepts NULL. */
void close_reader(stamma_archive_reader *reader);

/* Opens an archive in memory, without an index, or with an index in memory. A NULL index file means no index. */
stamma_archive *open_handle(const listing *archive);
stamma_archive *open_indexed(const listing *archive, const listing *file);
stamma_index_state index_state(const stamma_archive *archive);
/* Returns why an index file of an archive is not used. */
stamma_error index_error(const listing *archive, const void *file, size_t size);

/* ---- files and sweeps ---- */

/* Returns the contents of a file, {NULL} if it cannot be read. */
listing read_file(const char *path);
/* Returns the text of all public headers, with a NUL at the end; the caller releases it. */
listing read_public_headers(void);

/* Returns whether the environment variable LONG is set and not empty. */
bool sweeps_are_long(void);
/* Returns the step of a loop over test cases: `normal`, or 20 * `normal` with a sanitizer. */
size_t thinned_step(size_t normal);
/* Returns the step of a loop over test cases: 2 * `usual`, or 1 with LONG=1. Also 1 with a sanitizer, because
 * thinned_step selects fewer cases then. */
size_t usual_step(size_t usual);

/* ---- index files ---- */

/* Appends the index file of an archive to `file`. Returns the error of stamma_index_write. */
stamma_error append_index(const listing *archive, const stamma_index_write_options *options, listing *file);
/* Returns the index file of an archive. The caller frees it. */
listing index_file_of(const listing *archive);

#endif
