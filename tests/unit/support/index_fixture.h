/* SPDX-License-Identifier: MIT */
/* Small archives with index files, for tests that change the files. */
#ifndef STAMMA_TESTS_INDEX_FIXTURE_H
#define STAMMA_TESTS_INDEX_FIXTURE_H

#include "archive_support.h"
#include "index/index.h"

enum { INDEX_FIXTURE_BLOCKS = 3 };

typedef struct index_fixture {
    listing archive;
    listing file; /* a segment for the first two blocks, and one for the third */
} index_fixture;

/* Returns games with common beginnings, games that deviate from them, a game from a set-up, and unusual ratings and
 * dates. */
listing index_fixture_text(unsigned part);
/* Packs the texts of three parts as a block each, and makes an index whose segments contain at least this number of
 * games. */
void index_fixture_init(index_fixture *f, listing (*make)(unsigned part), uint32_t games);
void index_fixture_release(index_fixture *f);

/* ---- the layout (doc/index.md) ---- */

enum { AT_SIZE = 24, AT_PAGES_END = 32, AT_DIRECTORY_SIZE = 40, AT_HASH = 48, AT_CHECK = 60 };
enum {
    HEAD_SIZE = 8,
    BLOCK_SIZE = 48,
    AT_COUNTS = 20,
    AT_PARTS = AT_COUNTS + 4 * INDEX_COUNTS,
    SEGMENT_SIZE = AT_PARTS + 16 * INDEX_SECTIONS
};

uint8_t *index_footer(const listing *file);
uint8_t *index_directory(const listing *file);
uint8_t *index_segment_entry(const listing *file, unsigned number);
/* Recomputes the checksums of pages, of the directory and of the footer, as far as the sizes are valid. */
void index_seal(const listing *file);
listing index_copy(const listing *file);

#endif
