/* What the archive's tests share: packing and unpacking in memory, inputs that seek, outputs that fail, and memory that
 * is counted. */
#ifndef STAMMA_TESTS_ARCHIVE_SUPPORT_H
#define STAMMA_TESTS_ARCHIVE_SUPPORT_H

#include "pgn_support.h"

/* An input over memory that may seek, with at most `piece_max` bytes a read; fails at the `fail_at`-th call (from 1; 0:
 * never). */
typedef struct archive_source {
    const char *bytes;
    size_t size;
    size_t at;
    size_t piece_max;
    unsigned calls;
    unsigned fail_at;
} archive_source;

stamma_input archive_input(archive_source *source, bool seekable);

/* An output into a listing that fails at the `fail_at`-th write or sync (from 1; 0: never). */
typedef struct archive_sink {
    listing bytes;
    unsigned writes;
    unsigned syncs;
    unsigned fail_at;
} archive_sink;

stamma_output archive_output(archive_sink *sink);

/* How many notices a writer gave, and the last; the context of archive_take_notice. */
typedef struct archive_notices {
    unsigned count;
    stamma_archive_notice last;
} archive_notices;

void archive_take_notice(void *context, const stamma_archive_notice *notice);

/* How often progress was told, and how far; the context of archive_take_progress, which asserts that it grows and stays
 * below the total, and stops at the `stop_at`-th call (from 1; 0: never). */
typedef struct archive_steps {
    uint64_t last;
    uint64_t total;
    unsigned calls;
    unsigned stop_at;
} archive_steps;

bool archive_take_progress(void *context, uint64_t done, uint64_t total);

/* An allocator that counts bytes. */
typedef struct counted_memory {
    size_t now;
    size_t peak;
    long alive;
} counted_memory;

stamma_allocator counting_allocator(counted_memory *memory);

/* Packs `size` bytes, handing over at most `piece_max` at a time. The archive, which the caller frees. */
listing pack_pieces(const void *text, size_t size, size_t piece_max, stamma_archive_counts *counts);
listing pack(const void *text, size_t size, stamma_archive_counts *counts);
/* The same without search columns (clause 19). */
listing pack_without_search(const void *text, size_t size);

/* The same at another level than 1. */
listing pack_at(int level, const void *text, size_t size, stamma_archive_counts *counts);

/* One archive of the blocks of several, which the caller frees. */
listing copy_archives(const listing *archives, size_t count, stamma_archive_counts *counts);

/* The offset of the frame behind the one at `at`. */
size_t next_frame(const listing *archive, size_t at);

/* Appends what an archive unpacks to, and gives the error of opening or unpacking it. */
stamma_error unpack(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text);

/* The same, game by game through stamma_archive_reader_next. */
stamma_error unpack_games(const listing *archive, bool seekable, const stamma_allocator *allocator, listing *text);

/* Asserts that an archive gives a text, by seek, by pipe and game by game. */
void assert_gives_back(const listing *archive, const void *text, size_t size);
/* Packs a text and asserts that it comes back. */
void assert_round_trip(const void *text, size_t size, stamma_archive_counts *counts);

/* Reads all records of a block's payload, and gives the first error. */
stamma_error read_payload(const uint8_t *payload, size_t size, size_t head_size);

stamma_archive_reader *open_archive(archive_source *source, const listing *archive, bool seekable);

/* A whole file, or {NULL} where there is none. */
listing read_file(const char *path);

/* A step through what is tested: seven times as long where a sanitizer makes each test slow. */
size_t thinned_step(size_t normal);

#endif
