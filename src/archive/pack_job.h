/* SPDX-License-Identifier: MIT */
/* Packing one block on one thread.
 *
 * The end of a block depends only on the ends of its records (3.4). Finding these ends is ten times faster than
 * packing. Therefore several blocks can be packed in parallel. */
#ifndef STAMMA_PACK_JOB_H
#define STAMMA_PACK_JOB_H

#include "archive/archive.h"
#include "block/block_writer.h"

/* Size of input that contains any block and determines its end. */
enum { PACK_JOB_TEXT = BLOCK_TEXT_MAX + PARSER_NEEDS };

/* A notice or a warning about a record of the block. */
typedef struct job_notice {
    stamma_archive_notice notice; /* relative to the start of the block; without its text */
    stamma_warning warning;       /* 0; otherwise a warning, of which only the place is in `notice` */
    size_t size;
    size_t found_size; /* size of the text found, which is at the beginning of `text` */
    size_t expected_size;
    char text[NOTICE_TEXT_MAX];
    char expected[STAMMA_SAN_SIZE + 2];
} job_notice;

/* Records to keep as text because the round-trip check failed. */
typedef enum pack_retry { RETRY_NONE, RETRY_MARKED, RETRY_ALL } pack_retry;

typedef struct pack_job {
    buffer text; /* text of the block, followed by more text */
    bool final;  /* the input ends with this text */
    bool notices_wanted;
    const stop_check *stop; /* NULL: none */
    bool no_check;          /* skip the round-trip check */
    bool started;           /* passed to the executor, and not waited for yet */
    pgn_lexer lexer;        /* state before the block; after packing or splitting, state after the block */
    bool continuing;
    pgn_lexer lexer_before; /* state before the block */
    bool continuing_before;
    stamma_error error;
    bool begun;     /* a part of the block was read, and the block is not complete */
    size_t used;    /* bytes of text in the block so far */
    size_t found;   /* size of the block if it was split; otherwise 0 */
    uint64_t lines; /* line ends in the block, if notices are requested */
    size_t counted; /* end of the counted part of the text */
    pack_retry retry;
    buffer faulty;     /* for each record a byte: not 0 if the round-trip check failed */
    uint64_t faults;   /* games kept as text because of this */
    buffer notices;    /* job_notice */
    buffer head, body; /* of the frame */
    uint64_t moves_bytes;
    parser parser;
    block_writer block;
    field_packer packer;
} pack_job;

void stamma_pack_job_init(pack_job *j, const stamma_allocator *allocator, bool notices_wanted);
void stamma_pack_job_release(pack_job *j);
/* Packs the first block of the text, which must have PACK_JOB_TEXT bytes or be final. `argument` is the job. */
void stamma_pack_job_run(void *argument);
/* Packs the next records of the block as far as the text contains them. The block is complete if `begun` is false
 * afterwards; the caller then removes its text. Returns the number of bytes used; 0 if no record is complete, which
 * cannot happen with PARSER_NEEDS bytes. */
size_t stamma_pack_job_take(pack_job *j);
/* Finds the end of the block without packing it; the job can then run. `finder` is a parser used only for this. */
stamma_error stamma_pack_job_split(pack_job *j, parser *finder, pgn_lexer *lexer, bool *continuing, size_t *used);
/* Returns the number of line ends in the text up to `end`. */
uint64_t stamma_pack_job_lines(const pack_job *j, size_t end);

#endif
