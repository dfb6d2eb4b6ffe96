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

/* ---- the layout (doc/format/index_files.md) ---- */

/* In a root, in the entry of a segment in the directory, and in the table of a segment. */
enum {
    AT_ROOT_NUMBER = 8,
    AT_ROOT_ARCHIVE = 16,
    AT_DIRECTORY = 32,
    AT_DIRECTORY_SIZE = 40,
    AT_HASH = 48,
    AT_CHECK = 60
};
enum { AT_SEGMENT_SIZE = 8, AT_TABLE_SIZE = 16, AT_TABLE_HASH = 24, ENTRY_SIZE = 32 };
enum { AT_SECTION_COUNT = 4, AT_COUNTS = 8, AT_PARTS = AT_COUNTS + 4 * INDEX_COUNTS, BLOCK_SIZE = 48 };

/* Returns the root at the end of a new file. */
uint8_t *index_root_of(const listing *file);
uint8_t *index_entry(const listing *file, unsigned segment);
uint8_t *index_table(const listing *file, unsigned segment);
/* Returns the entry of a block in the table of its segment. */
uint8_t *index_block_entry(const listing *file, unsigned segment, unsigned block);
/* Returns the bytes of a section, and stores their number. */
uint8_t *index_section_of(const listing *file, unsigned segment, index_section section, size_t *size);
/* Recomputes the checksums of pages, of tables, of the directory and of the root at the end of the file, as far as the
 * sizes are valid. */
void index_seal(const listing *file);
listing index_copy(const listing *file);

#endif
