/* SPDX-License-Identifier: MIT */
/* Writing one block: converts records to columns, and checks that the columns decode to the same text. */
#ifndef STAMMA_BLOCK_WRITER_H
#define STAMMA_BLOCK_WRITER_H

#include "block/block.h"

/* ---- records to columns (block_writer.c) ---- */

/* Lower than the limits of the format (5.4). Tags beyond these limits are stored outside the roster, in the same
 * space. */
enum { WRITER_TAGS_MAX = 256, WRITER_ROSTERS_MAX = 1024 };

typedef struct block_writer {
    const stamma_allocator *allocator;
    style_search search;
    buffer columns[COLUMN_IDS];
    buffer tags[WRITER_TAGS_MAX]; /* values of each tag column */
    size_t tag_count;
    text_table names;      /* names of tag columns, numbered from 1 */
    text_table rosters;    /* numbered from 1: numbers of tag columns, two bytes each; roster 0 is empty */
    buffer roster;         /* the roster being looked up */
    buffer comment_counts; /* uint32_t for each record */
    buffer games;          /* game_facts for each record */
    buffer set_ups;        /* for each record a byte: whether it has a FEN tag */
    buffer entries;        /* search_entry for each record */
    bool no_search_columns;
    size_t exchanged[2]; /* tag columns that are exchanged to make FEN one of the first TAG_CODED_MAX */
    size_t last_roster;
    uint64_t record_count;
    uint64_t next_reason;
    bool continues; /* the first record continues the last game of the previous block */
    stamma_archive_counts counts;
    XXH64_state_t hash;              /* of the text */
    XXH64_state_t group_hash;        /* of the text of the last group (3.6) */
    buffer ends;                     /* uint32_t for each record: the end of its text in the text of the block */
    uint64_t steps;                  /* slots examined in the last block's table of values */
    int level;                       /* 2 and above: moves are predicted; 3: adaptively */
    const stamma_executor *executor; /* NULL: everything runs on this thread */
    predicted_writer predicted;
    comment_lines_writer lines;
    size_t first_post_game; /* tag column, in the order of the block */
} block_writer;

void stamma_block_writer_init(block_writer *w, const stamma_allocator *allocator);
void stamma_block_writer_clear(block_writer *w);
void stamma_block_writer_release(block_writer *w);
/* Adds a record. *added is false if no style renders it. NO_MEMORY. */
stamma_error stamma_block_writer_add(block_writer *w, parsed_record *parsed, bool *added);
/* Appends the head and the stored columns to the two buffers. Adds the stored size of the moves column to
 * *moves_bytes. */
stamma_error stamma_block_writer_finish(block_writer *w, field_packer *packer, uint64_t *moves_bytes, buffer *head,
                                        buffer *body);

/* ---- the round-trip check (block_check.c) ---- */

/* The text from which a block was made. */
typedef struct block_source {
    stamma_text text;
    const uint32_t *ends; /* ends of its records in the text */
    size_t records;
    bool searched;                   /* the block has search columns */
    bool begins_in_game;             /* the previous block ends within a game */
    bool ends_in_game;               /* this block ends within a game (4.6) */
    const stamma_executor *executor; /* NULL: everything runs on this thread */
    const stop_check *stop;          /* NULL: none */
} block_source;

/* Decodes a block from the bytes to be stored, like a reader, and compares it with its text. *same is true if they are
 * equal. Otherwise the bytes of *faulty, one for each record, are 1 for records whose text differs, and all 0 if it is
 * unknown which differ. Errors: NO_MEMORY, CANCELLED; SELF_CHECK if the text is the same, but search columns contradict
 * the games, are missing, or must not exist. */
stamma_error stamma_block_check(const block_source *source, const buffer *head, const buffer *body, buffer *faulty,
                                bool *same);

#endif
