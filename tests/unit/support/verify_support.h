/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of verifying: an archive of small blocks, and a list of reported damage. */
#ifndef STAMMA_TESTS_VERIFY_SUPPORT_H
#define STAMMA_TESTS_VERIFY_SUPPORT_H

#include "archive/archive.h"
#include "archive_support.h"

/* ---- archives to check ---- */

enum { BLOCKS = 20, GROUPS = 3, GAME_SIZE = 55 };

/* Returns an archive of small blocks with commits after 8, 16 and 20 blocks. Each block has one to three games of
 * GAME_SIZE bytes. The caller frees it. */
listing small_blocks(void);
unsigned games_of_block(unsigned block);
unsigned games_before(unsigned block);
/* Returns the offset of a block's frame, from 0. */
size_t offset_of_block(const listing *archive, unsigned block);
size_t offset_of_commit(const listing *archive, unsigned group);
/* Returns an archive of a small valid block and a corrupt block. The head of the corrupt block requires so much memory
 * that the block is decoded separately. The caller frees it. */
listing small_and_large_block(void);
/* Appends a block's frame with the block number `number`. */
void list_block(listing *to, const listing *archive, unsigned block, uint32_t number);

/* ---- verifying them ---- */

/* The reported damage. Initialise with zeros and set `at`; free the lines. */
typedef struct reports {
    listing lines;
    size_t at;        /* the byte that was changed */
    bool covers;      /* some damage contains `at` */
    unsigned kinds;   /* one bit for each kind */
    unsigned errors;  /* one bit for each error */
    uint64_t reached; /* offsets ascend */
    unsigned count;
    uint64_t game; /* of the last damage */
} reports;

/* The callback. Its context is a `reports`. */
void take_damage(void *context, const stamma_archive_damage *damage);
/* Verifies an archive: as a stream, or quickly as an open archive. `t` may be NULL. */
stamma_error verify_archive(const listing *archive, bool quick, reports *t, stamma_archive_verdict *verdict);
/* Returns the damage that is reported for an archive, one line per damage. The archive must be readable to its end. The
 * caller frees it. */
listing damage_of(const listing *archive, bool quick, stamma_archive_verdict *verdict);

#endif
