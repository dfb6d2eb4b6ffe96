/* SPDX-License-Identifier: MIT */
/* A file in memory that is written at its end, or at an offset, and can be truncated, for writers that continue an
 * archive or an index. */
#ifndef STAMMA_TESTS_MEMORY_FILE_H
#define STAMMA_TESTS_MEMORY_FILE_H

#include "archive_support.h"

struct memory_file;

/* A disk under the file. Written bytes go to sectors and are durable only after a sync. A file's `disk` may be NULL. */
typedef struct disk {
    size_t sector;                           /* bytes that are written atomically */
    listing stable;                          /* the file at the last sync or truncation */
    listing writes;                          /* disk_write: the writes since then */
    listing bytes;                           /* the bytes of these writes */
    void (*crash)(struct memory_file *file); /* called after each write, sync and truncation, to simulate a crash */
    void *context;                           /* for `crash` */
} disk;

/* Bytes after `durable` may be lost in a crash. The `fail_at`-th call (from 1; 0: never) fails. */
typedef struct memory_file {
    listing bytes;
    size_t durable;
    size_t written;
    unsigned calls;
    unsigned cuts;
    unsigned fail_at;
    unsigned commits;                        /* counted by `check` */
    void (*check)(struct memory_file *file); /* called after each write */
    const listing *old_text;
    disk *disk;
    const listing *new_text;
} memory_file;

stamma_output memory_file_output(memory_file *file);
/* Write and sync the file, for stamma_index_append. */
bool memory_file_write_at(void *context, uint64_t offset, const void *bytes, size_t size);
bool memory_file_sync(void *context);
/* Truncates the file, for stamma_archive_writer_open_append and stamma_archive_writer_open_resume. */
bool memory_file_cut(void *context, uint64_t size);
/* Calls `take` with states of the file after a crash, in any order, possibly repeated. Each sector that was written
 * since the last sync contains its old contents (zeros after the end of the file), or its contents after any of
 * these writes. The file has its old length, or the length after any of these writes. If there are at most `most`
 * states, passes all of them. Otherwise passes the extremes and a sample of `most` states that `seed` determines. */
void memory_file_crashes(const memory_file *file, size_t most, uint64_t seed,
                         void (*take)(void *context, const listing *left), void *context);
/* Returns a disk with the contents of the file. The caller frees it with disk_release. */
disk disk_of(const memory_file *file, size_t sector);
void disk_release(disk *d);
/* Returns a file with a copy of these bytes. The caller frees `bytes.text`. */
memory_file memory_file_of(const void *bytes, size_t size);
/* Appends text to the archive in a file, as one commit. */
void memory_file_append(memory_file *file, const listing *text);

#endif
