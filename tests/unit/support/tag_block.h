/* SPDX-License-Identifier: MIT */
/* A block's tags for tests: values by column and record, written, read and skipped. */
#ifndef STAMMA_TESTS_TAG_BLOCK_H
#define STAMMA_TESTS_TAG_BLOCK_H

#include "tags/tags.h"

enum { BLOCK_RECORDS = 10000, BLOCK_COLUMNS = 12 /* maxima */ };

typedef struct tag_block {
    tag_table table;
    const char *names[BLOCK_COLUMNS];
    size_t columns;
    size_t records;
    bool spells; /* texts may be spelt */
    buffer values[BLOCK_COLUMNS];
    bool present[BLOCK_COLUMNS][BLOCK_RECORDS];
    game_facts games[BLOCK_RECORDS];
    /* the written columns, in file order */
    size_t order[BLOCK_COLUMNS];
    unsigned codecs[BLOCK_COLUMNS];
    buffer stored[BLOCK_COLUMNS];
    size_t written;
    uint64_t random; /* state of block_random */
} tag_block;

extern tag_block block;

/* Returns a number below a limit, the same in each run. */
uint32_t block_random(uint32_t limit);

/* Begins another block, whose random numbers are always the same. */
void begin_block(size_t records);
size_t add_column(const char *name);
/* Sets values of a column in the order of records. */
void set_value(size_t column, size_t record, const char *text);
void set_number(size_t column, size_t record, int number, bool plus);
/* Makes block.table, which release_tag_table releases also if this fails. Errors: NO_MEMORY. */
stamma_error fill_tag_table(const stamma_allocator *allocator);
void release_tag_table(void);
/* Writes the columns. Replaces columns that were written before. Errors: NO_MEMORY. */
stamma_error write_block_with(const stamma_allocator *allocator);
void write_block(void);
void release_block(void);

/* Return the number of bytes and the codec of a column, and the number of columns written with a codec. */
size_t size_of(size_t column);
unsigned codec_of(size_t column);
size_t written_in(unsigned codec);

stamma_error load_block(tag_reader *r, byte_packer *coder);
/* Alternately reads `read` records and skips `passed` records. With `demanded`, asserts that the values equal the
 * written values. Returns false if they are corrupt. */
bool read_some(tag_reader *r, bool demanded, size_t read, size_t passed);
/* Writes the block, and asserts that its values are read, also after skipped records. */
void demand_round_trip(void);

#endif
