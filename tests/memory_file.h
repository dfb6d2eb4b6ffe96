/* A file in memory that is written at its end and can be cut: what an archive is written to by those who go on with
 * one. */
#ifndef STAMMA_TESTS_MEMORY_FILE_H
#define STAMMA_TESTS_MEMORY_FILE_H

#include "archive_support.h"

struct memory_file;

/* A disk below the file: what is written goes to sectors, and is sure to be there only after a sync. NULL where that
 * does not matter. */
typedef struct disk {
    size_t sector;                           /* bytes that are written whole or not at all */
    listing stable;                          /* the file as it was at the last sync or cut */
    listing writes;                          /* disk_write: what was written since */
    listing bytes;                           /* of these */
    void (*crash)(struct memory_file *file); /* called after each write, sync and cut: the machine may stop here */
    void *context;                           /* its */
} disk;

/* Bytes behind `durable` may be lost in a crash. The `fail_at`-th call (from 1; 0: never) fails. */
typedef struct memory_file {
    listing bytes;
    size_t durable;
    size_t written;
    unsigned calls;
    unsigned cuts;
    unsigned fail_at;
    unsigned commits;                        /* met by `check` */
    void (*check)(struct memory_file *file); /* called after each write */
    const listing *old_text;
    disk *disk;
    const listing *new_text;
} memory_file;

stamma_output memory_file_output(memory_file *file);
/* For stamma_archive_writer_open_append and stamma_archive_writer_open_resume. */
bool memory_file_cut(void *context, uint64_t size);
/* Gives what the file may be after a crash here, in any order and some of it more than once: each sector that was
 * written since the last sync holds what it held before, zeros where the file ended, or what any of these writes made
 * of it, and the file has its old length, or that after any of these writes. All that is possible where that is no more
 * than `most`, else the extremes and a sample of so many, which `seed` chooses. */
void memory_file_crashes(const memory_file *file, size_t most, uint64_t seed,
                         void (*take)(void *context, const listing *left), void *context);
/* A disk that holds what the file does; disk_release frees it. */
disk disk_of(const memory_file *file, size_t sector);
void disk_release(disk *d);
/* One that holds these bytes; its own are to be freed. */
memory_file memory_file_of(const void *bytes, size_t size);

#endif
