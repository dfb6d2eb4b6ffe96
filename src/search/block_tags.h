/* What some tags of a block's records say, without reading games: the different values of each tag, and which of them
 * each record has. */
#ifndef STAMMA_BLOCK_TAGS_H
#define STAMMA_BLOCK_TAGS_H

#include "base/tables.h"
#include "search/block_index.h"
#include "search/search.h"

enum { BLOCK_TAGS_MAX = 16 };

typedef struct tag_values {
    stamma_text name;
    bool known;     /* else values may follow from moves, so that games must be read */
    uint8_t texts;  /* which table: the same for White and Black */
    buffer numbers; /* uint32_t: of each record's value in the table, 0: it has no such tag; empty: no record has one */
    buffer map;     /* uint32_t: the same by dictionary index, while values are read */
} tag_values;

/* Texts of a table without case and accents, in their order. */
typedef struct folded_texts {
    buffer bytes; /* of all, one behind the other */
    buffer ends;  /* uint32_t: where those of each number end, from 0, which has none */
    buffer order; /* uint32_t: numbers; empty: it was not made */
} folded_texts;

/* Those tags outside rosters are not in it: records that have such are marked so in the block's index. */
typedef struct block_tags {
    const stamma_allocator *allocator;
    search_limits *limits; /* the caller's, looked at while a block is opened; NULL: none */
    bool keeps_openings;   /* the caller's: openings are wanted, too */
    buffer opened; /* uint16_t: by record the opening of its game, if that begins in the initial position; empty where
                      the moves have no beginnings, or they are not wanted */
    size_t count;
    tag_values values[BLOCK_TAGS_MAX];
    text_table texts[BLOCK_TAGS_MAX];
    folded_texts folded[BLOCK_TAGS_MAX];
    /* private */
    byte_packer coder;
    tag_reader reader;
    opening_finder openings;
    prefix_reader codes;
    bool plays;                  /* some column that is read follows from the opening */
    buffer rosters, roster_list; /* as columns */
    buffer picks;                /* of all rosters: columns that are read, ascending */
    buffer ends;                 /* uint32_t: where each roster's end */
} block_tags;

void stamma_block_tags_init(block_tags *t, const stamma_allocator *allocator);
void stamma_block_tags_release(block_tags *t);
/* Gives back what only opening needs. */
void stamma_block_tags_trim(block_tags *t);
size_t stamma_block_tags_memory(const block_tags *t);
/* Reads the values of these tags, BLOCK_TAGS_MAX at most, whose names must stay, of a block whose index is open.
 * CORRUPT, UNSUPPORTED, NO_MEMORY, CANCELLED. */
stamma_error stamma_block_tags_open(block_tags *t, const block_index *x, const found_block *at,
                                    const stamma_text *names, size_t count);
/* Folds and sorts all texts, so that names are soon found. NO_MEMORY. */
stamma_error stamma_block_tags_fold(block_tags *t);
/* Makes 1 in `matches`, a byte for each number, which are 0, of those texts that are as a folded pattern says; false
 * where they were not folded. */
bool stamma_block_tags_match(const block_tags *t, const tag_values *v, stamma_text pattern, uint8_t *matches);
/* NULL where it is not among them, or not known. */
const tag_values *stamma_block_tags_find(const block_tags *t, stamma_text name);

/* The codes of a record's first moves, `most` or all, of a block whose moves have beginnings. CORRUPT, NO_MEMORY. */
stamma_error stamma_block_first_codes(prefix_reader *reader, const prefix_column *c, size_t record, size_t most,
                                      uint8_t *codes);
/* The opening of a record's game that begins in the initial position, 0 for none. CORRUPT, UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_block_opening(opening_finder *f, prefix_reader *reader, const block_index *x, size_t record,
                                  unsigned *opening);

/* The number of a record's value. */
STAMMA_INLINE uint32_t tag_values_number(const tag_values *v, size_t record)
{
    return v->numbers.size == 0 ? 0 : ((const uint32_t *)(const void *)v->numbers.data)[record];
}
/* Of a record whose opening was kept. */
STAMMA_INLINE unsigned block_tags_opening(const block_tags *t, size_t record)
{
    return ((const uint16_t *)(const void *)t->opened.data)[record];
}
/* Of number 0, too: {NULL, 0}. */
STAMMA_INLINE stamma_text block_tags_text(const block_tags *t, const tag_values *v, uint32_t number)
{
    return number == 0 ? (stamma_text){NULL, 0} : text_table_at(&t->texts[v->texts], number);
}

#endif
