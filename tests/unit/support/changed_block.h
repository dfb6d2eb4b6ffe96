/* SPDX-License-Identifier: MIT */
/* A block whose columns can be changed. Its head then gets correct checksums. */
#ifndef STAMMA_TESTS_CHANGED_BLOCK_H
#define STAMMA_TESTS_CHANGED_BLOCK_H

#include "archive/archive.h"
#include "archive_support.h"

enum { COLUMNS_IN_BLOCK = 60 };

/* A column of a block, with its bytes. */
typedef struct block_column {
    column_entry entry;
    buffer bytes;
} block_column;

/* The columns of a block, the objects that read the block, and the block's text. Columns in general-purpose codecs are
 * unpacked. */
typedef struct changed_block {
    stamma_allocator allocator;
    uint8_t counts[100]; /* the head before the number of columns */
    size_t counts_size;
    block_column columns[COLUMNS_IN_BLOCK];
    size_t count;
    listing text;
    buffer directory;
    unpack_job job; /* job.payload and job.frame.head_size are the block */
    block_reader reader;
} changed_block;

/* Packs a text, which becomes one block. The text is released with the block. */
changed_block *new_changed_block(int level, listing text);
void release_changed_block(changed_block *f);
/* Makes the payload from the columns. A column without bytes is omitted. */
void make_payload(changed_block *f);
block_column *find_column(changed_block *f, unsigned id);
/* Insert and remove bytes at the start of a column. */
void insert_bytes(changed_block *f, unsigned id, const void *bytes, size_t size);
void remove_bytes(changed_block *f, unsigned id, size_t size);

#endif
