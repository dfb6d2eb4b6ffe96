/* An archive of small blocks that was appended to several times, and what may be done to it. */
#ifndef STAMMA_TESTS_APPENDED_ARCHIVE_H
#define STAMMA_TESTS_APPENDED_ARCHIVE_H

#include "verify_support.h"

enum { APPENDED_MAX = 40 };

typedef struct appended {
    listing archive;
    listing text;
    unsigned blocks;
    size_t texts[APPENDED_MAX + 1];  /* where the text of each block begins, and the end */
    size_t frames[2 * APPENDED_MAX]; /* offsets of frames, and the end */
    unsigned frame_count;
    size_t ends[APPENDED_MAX];      /* where finished commits end; ... */
    size_t end_texts[APPENDED_MAX]; /* ... how much text there is then */
    unsigned end_count;
} appended;

/* Blocks of small_blocks, so many in each append, up to a 0. */
appended make_appended(const unsigned *appends);
void release_appended(appended *a);
/* Whether these are whole blocks of the text, each once and in order. */
bool are_blocks(const appended *a, const listing *text);
/* The size of the text of what is cut to so many bytes, of which up to 8 of a commit's end may be missing. */
size_t full_size(const appended *a, size_t size);
/* The archive with `taken` bytes at `at` taken out, and `put` put in there. To be freed. */
listing splice_archive(const appended *a, size_t at, size_t taken, const char *put, size_t size);
/* The archive with one of its frames before another one, or at its end. To be freed. */
listing move_frame(const appended *a, unsigned which, unsigned before);

#endif
