/* A file in memory that is written at its end and can be cut: what an archive is written to by those who go on with
 * one. */
#ifndef STAMMA_TESTS_MEMORY_FILE_H
#define STAMMA_TESTS_MEMORY_FILE_H

#include "archive_support.h"

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
    const listing *new_text;
} memory_file;

stamma_output memory_file_output(memory_file *file);
/* For stamma_archive_append_open and stamma_archive_resume_open. */
bool memory_file_cut(void *context, uint64_t size);
/* One that holds these bytes; its own are to be freed. */
memory_file memory_file_of(const void *bytes, size_t size);

#endif
