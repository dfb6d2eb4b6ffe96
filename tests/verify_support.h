/* What the tests of verifying share: an archive of small blocks, and what is told of it. */
#ifndef STAMMA_TESTS_VERIFY_SUPPORT_H
#define STAMMA_TESTS_VERIFY_SUPPORT_H

#include "archive/archive.h"
#include "archive_support.h"

/* ---- archives to check ---- */

enum { BLOCKS = 20, GROUPS = 3, GAME_SIZE = 55 };

/* Small blocks with a commit behind 8, 16 and 20 of them; each holds one to three games of GAME_SIZE bytes. To be
 * freed. */
listing small_blocks(void);
unsigned games_of_block(unsigned block);
unsigned games_before(unsigned block);
/* The offset of a block's frame among them, from 0. */
size_t offset_of_block(const listing *archive, unsigned block);
size_t offset_of_commit(const listing *archive, unsigned group);
/* Appends a block's frame as if so many blocks stood before it. */
void list_block(listing *to, const listing *archive, unsigned block, uint32_t number);

/* ---- verifying them ---- */

/* What was told. Zero it and set `at`; free the lines. */
typedef struct told {
    listing lines;
    size_t at;        /* a byte that was changed */
    bool covers;      /* some damage holds it */
    unsigned kinds;   /* a bit for each kind */
    unsigned errors;  /* likewise */
    uint64_t reached; /* offsets ascend */
    unsigned count;
    uint64_t game; /* of the last one */
} told;

/* The callback, whose context is a told. */
void take_damage(void *context, const stamma_archive_damage *damage);
/* `t` may be NULL. */
stamma_error verify_archive(const listing *archive, bool quick, told *t, stamma_archive_verdict *verdict);
/* What is told of an archive that can be read to its end, a line for each damaged place, to be freed. */
listing damage_of(const listing *archive, bool quick, stamma_archive_verdict *verdict);

#endif
