/* SPDX-License-Identifier: MIT */
/* An archive of small blocks that was appended to several times, and functions that modify it. */
#ifndef STAMMA_TESTS_APPENDED_ARCHIVE_H
#define STAMMA_TESTS_APPENDED_ARCHIVE_H

#include "verify_support.h"

enum { APPENDED_MAX = 40 };

typedef struct appended {
    listing archive;
    listing text;
    unsigned blocks;
    size_t texts[APPENDED_MAX + 1];  /* where the text of each block begins; then the end of the text */
    size_t frames[2 * APPENDED_MAX]; /* offsets of the frames; then the end of the archive */
    unsigned frame_count;
    size_t ends[APPENDED_MAX];      /* where finished commits end */
    size_t end_texts[APPENDED_MAX]; /* the size of the text at the end of each finished commit */
    unsigned end_count;
} appended;

/* Makes an archive from the blocks of small_blocks. `appends` contains the number of blocks of each append; 0 ends
 * it. */
appended make_appended(const unsigned *appends);
void release_appended(appended *a);
/* Returns whether the text consists of complete blocks of the archive, each at most once and in order. */
bool are_blocks(const appended *a, const listing *text);
/* Returns the size of the text of an archive that was truncated to `size` bytes. Up to 8 bytes of the end of a
 * commit may be missing. */
size_t full_size(const appended *a, size_t size);
/* Returns the archive with `taken` bytes at `at` replaced by `put`. The caller frees it. */
listing splice_archive(const appended *a, size_t at, size_t taken, const char *put, size_t size);
/* Returns the archive with the frame `which` moved before the frame `before`, or to the end. The caller frees it. */
listing move_frame(const appended *a, unsigned which, unsigned before);

#endif
