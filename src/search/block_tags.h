/* SPDX-License-Identifier: MIT */
/* The values of some tags in all records of a block, read without decoding moves: the distinct values of each tag, and
 * for each record the number of its value. */
#ifndef STAMMA_BLOCK_TAGS_H
#define STAMMA_BLOCK_TAGS_H

#include "base/tables.h"
#include "search/block_index.h"
#include "search/search.h"

enum { BLOCK_TAGS_MAX = 16 };

typedef struct tag_values {
    stamma_text name;
    bool known;    /* false: values may depend on moves, and games must be read */
    uint8_t texts; /* index of its table; White and Black share a table */
    /* uint32_t per record: number of its value in the table; 0: the record does not have the tag. Empty: no record has
     * the tag */
    buffer numbers;
    buffer map; /* uint32_t: the same numbers by dictionary index, used while values are read */
} tag_values;

/* The texts of a table without case and accents, and their order. */
typedef struct folded_texts {
    buffer bytes; /* all texts, concatenated */
    buffer ends;  /* uint32_t: end of each number's text; number 0 has an empty text */
    buffer order; /* uint32_t: numbers in the order of their texts; empty: not sorted */
} folded_texts;

/* The tags of a block. Tags outside rosters are not included: the block's index marks records that have them. */
typedef struct block_tags {
    const stamma_allocator *allocator;
    search_limits *limits; /* set by the caller, checked while a block is opened; NULL: none */
    bool keeps_openings;   /* set by the caller: openings are needed, too */
    /* uint16_t per record: opening of its game, 0 unless it begins in the initial position; empty if openings are not
     * kept or moves have no shared beginnings */
    buffer opened;
    size_t count;
    tag_values values[BLOCK_TAGS_MAX];
    text_table texts[BLOCK_TAGS_MAX];
    folded_texts folded[BLOCK_TAGS_MAX];
    /* private */
    byte_packer coder;
    tag_reader reader;
    opening_finder openings;
    prefix_reader codes;
    bool plays;                  /* a column that is read depends on the opening */
    buffer rosters, roster_list; /* columns */
    buffer picks;                /* pick: for each roster the columns that are read, ascending */
    buffer ends;                 /* uint32_t: end of each roster's picks */
} block_tags;

void stamma_block_tags_init(block_tags *t, const stamma_allocator *allocator);
void stamma_block_tags_release(block_tags *t);
/* Releases the memory that is only needed for opening. */
void stamma_block_tags_trim(block_tags *t);
size_t stamma_block_tags_memory(const block_tags *t);
/* Reads the values of at most BLOCK_TAGS_MAX tags of a block whose index is open. The names must remain valid. Errors:
 * CORRUPT, UNSUPPORTED, NO_MEMORY, CANCELLED. */
stamma_error stamma_block_tags_open(block_tags *t, const block_index *x, const found_block *at,
                                    const stamma_text *names, size_t count);
/* Folds and sorts all texts, for fast searches by name. Returns NO_MEMORY on failure. */
stamma_error stamma_block_tags_fold(block_tags *t);
/* Sets the bytes in `matches` to 1 for the numbers of texts that match a folded pattern. `matches` has a byte for each
 * number, initially 0. Returns false if the texts were not folded. */
bool stamma_block_tags_match(const block_tags *t, const tag_values *v, stamma_text pattern, uint8_t *matches);
/* Returns the values of a tag, or NULL if they were not read or are not known. */
const tag_values *stamma_block_tags_find(const block_tags *t, stamma_text name);

/* Stores the codes of a record's first `most` moves, or of all if there are fewer. The block's moves must have shared
 * beginnings. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_block_first_codes(prefix_reader *reader, const prefix_column *c, size_t record, size_t most,
                                      uint8_t *codes);
/* Finds the opening of a record whose game begins in the initial position; 0: none. Errors: CORRUPT, UNSUPPORTED,
 * NO_MEMORY. */
stamma_error stamma_block_opening(opening_finder *f, prefix_reader *reader, const block_index *x, size_t record,
                                  unsigned *opening);

/* Returns the number of a record's value. */
STAMMA_INLINE uint32_t tag_values_number(const tag_values *v, size_t record)
{
    return v->numbers.size == 0 ? 0 : ((const uint32_t *)(const void *)v->numbers.data)[record];
}
/* Returns the opening of a record. Openings must have been kept. */
STAMMA_INLINE unsigned block_tags_opening(const block_tags *t, size_t record)
{
    return ((const uint16_t *)(const void *)t->opened.data)[record];
}
/* Returns the text of a number; {NULL, 0} for number 0. */
STAMMA_INLINE stamma_text block_tags_text(const block_tags *t, const tag_values *v, uint32_t number)
{
    return number == 0 ? (stamma_text){NULL, 0} : text_table_at(&t->texts[v->texts], number);
}

#endif
