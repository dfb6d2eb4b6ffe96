/* SPDX-License-Identifier: MIT */
/* Archives made frame by frame from the clauses of the format, valid or invalid, for the tests of scans. */
#ifndef STAMMA_TESTS_MADE_ARCHIVE_H
#define STAMMA_TESTS_MADE_ARCHIVE_H

#include "archive_support.h"
#include "container/container.h"

enum { MADE_GAMES = 2, MADE_TEXT = 20, MADE_BLOCK = FRAME_HEADER_SIZE + 30 }; /* of each block; its frame */

typedef struct made {
    listing bytes;
    uint16_t id;
    uint32_t blocks; /* the number before the next frame, for its header */
    uint64_t games;  /* totals of the next commit */
    uint64_t text;
    uint64_t start;    /* end of the last commit */
    uint64_t previous; /* its offset */
    block_place places[2 * COMMIT_BLOCKS_MAX];
    size_t place_count;
    size_t at; /* offset of the frame that was added last */
} made;

/* An archive without frames. The caller frees bytes.text. */
made make_archive(void);
/* Adds a frame whose payload is only a head. `announced` is the size that its header contains. */
void make_frame(made *m, unsigned type, unsigned flags, const void *payload, size_t size, size_t announced);
/* Adds a block, and lists it for the next commit. */
void make_block(made *m);
/* Adds a block with a payload, whose head has `head_size` bytes, and lists it with this number of games and bytes. */
void make_block_of(made *m, const listing *payload, size_t head_size, uint64_t games, uint64_t text);
/* Adds a block whose payload is empty, and lists it like other blocks. */
void make_empty_block(made *m);
/* Adds a commit of the listed blocks. */
void make_commit(made *m, bool finished);
/* Adds a table of the blocks since the last commit. */
void make_table(made *m);
/* Adds a source. */
void make_source(made *m, uint64_t offset, uint64_t size, const char *name, size_t name_size);
/* Inverts a bit of the last byte of the last frame. */
void spoil_payload(made *m);

#endif
