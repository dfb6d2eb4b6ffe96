/* SPDX-License-Identifier: MIT */
/* Makes archives of blocks that a test changes. */
#ifndef STAMMA_TESTS_ARCHIVE_MAKER_H
#define STAMMA_TESTS_ARCHIVE_MAKER_H

#include "archive/archive.h"
#include "archive_support.h"

typedef struct maker {
    stamma_allocator allocator;
    archive_sink sink;
    stamma_output output;
    frame_writer out;
} maker;

void begin_archive(maker *m);
/* Adds a block with the payload of `size` bytes, whose head begins with correct counts. Returns the offset of its
 * frame. */
size_t add_payload(maker *m, const char *payload, size_t head_size, size_t size);
/* Ends the archive, and returns it. The caller frees it. */
listing end_archive(maker *m);

#endif
