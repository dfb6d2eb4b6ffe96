/* SPDX-License-Identifier: MIT */
/* Making index files: the indexed data of a block, the sections of a segment, and the layout of the file. */
#ifndef STAMMA_INDEX_BUILD_H
#define STAMMA_INDEX_BUILD_H

#include "index/index.h"

/* ---- index_block.c: the indexed data of a block ---- */

enum { INDEXED_GAME = 1, INDEXED_APART = 2, INDEXED_TYPED = 4 };

/* The values of a record with odd facts. */
typedef struct odd_record {
    uint32_t record;
    index_odd values;
} odd_record;

/* Classes of a game (index_classes). */
typedef struct game_classes {
    uint16_t opening, code;
} game_classes;

typedef struct index_block_job {
    found_block at;
    buffer payload; /* the block's frame, if the archive is not in memory */
    uint64_t memory;
    const stop_check *stop;
    stamma_error error;
    /* the result; for each record: */
    buffer marks;   /* uint8_t: INDEXED_... */
    buffer sizes;   /* uint32_t: number of codes in `codes` */
    buffer plies;   /* uint32_t: number of codes in the groups */
    buffer bits;    /* uint16_t: first bit of the codes in the group; UINT16_MAX: too far */
    buffer depths;  /* uint8_t: of the block's trie of beginnings, at most 255 */
    buffer codes;   /* uint8_t: moves of all records */
    buffer facts;   /* INDEX_FACTS_SIZE bytes */
    buffer days;    /* uint8_t: day of the month; 0: unknown */
    buffer classes; /* game_classes */
    buffer ids;     /* uint32_t: White's and Black's name in `names` */
    buffer odd;     /* odd_record: of records with odd facts */
    text_table names;
    stamma_stats stats;
    buffer group_ends; /* uint32_t */
    uint8_t lengths[INDEX_LENGTHS_SIZE];
    uint64_t moves_at; /* offset of the groups after the frame's header */
    buffer own_moves;  /* the groups, if they are not in the archive */
    bool owns;
    bool continues; /* the block begins within a game */
    bool open;      /* the block ends within a game */
    /* private */
    block_reader block;
    search_columns search;
    XXH64_state_t hash; /* hash of the text of all records so far, and of the records of the group */
    XXH64_state_t group_hash;
    game_batch batch;
    byte_packer coder;
    prefix_column column;
    const stamma_allocator *allocator;
} index_block_job;

extern const job_kind stamma_index_jobs;

/* ---- index_output.c: the layout of a file that is written ---- */

typedef struct index_output {
    void *context;
    bool (*write_at)(void *context, uint64_t offset, const void *bytes, size_t size);
    bool (*sync)(void *context); /* NULL: none */
    uint64_t at;                 /* offset in the file */
    uint64_t begin;              /* of the segment that is written */
    buffer checks;               /* u32 for each of its pages */
    buffer directory;
    uint8_t page[INDEX_PAGE]; /* bytes of the current page, which are not written yet */
    size_t filled;
    stamma_error error;
} index_output;

void stamma_index_output_init(index_output *o, const stamma_allocator *allocator);
void stamma_index_output_release(index_output *o);
/* Writes the header page of a new file. */
void stamma_index_put_header(index_output *o);
/* Begins a segment at the next page. */
void stamma_index_begin_segment(index_output *o);
/* Writes bytes of a segment, or zeros up to an offset of the segment. */
void stamma_index_put(index_output *o, const void *bytes, size_t size);
void stamma_index_put_zeros(index_output *o, uint64_t end);
/* Writes the table of a segment after its pages, and adds the segment to the directory. `s` has the counts and the
 * number of sections; `sections` has their places, and `blocks` the entries of blocks. */
void stamma_index_put_table(index_output *o, const index_segment *s, const uint8_t *sections, const buffer *blocks);
/* Adds a segment to the directory that is in the file already. */
void stamma_index_keep_segment(index_output *o, const index_segment *s);
/* Writes the directory, and stores its place in the root. */
void stamma_index_put_directory(index_output *o, index_root *root);
/* Writes a root at an offset. */
void stamma_index_put_root(index_output *o, const index_root *root, uint64_t offset);
void stamma_index_output_sync(index_output *o);

/* ---- making a segment: index_build.c, index_trie.c, index_postings.c, index_parts.c ---- */

/* The blocks of a segment, until it is written. */
typedef struct index_build {
    const stamma_allocator *allocator;
    const stamma_executor *executor; /* NULL: the calling thread does all work */
    /* for each record, as in index_block_job: */
    buffer marks, sizes, plies, bits, depths, codes, facts, days, classes, ids, odd, own_moves;
    buffer group_starts; /* uint32_t: of all groups so far, one after another; one more at the end */
    buffer lengths;
    buffer blocks; /* entries of SECTION_BLOCKS */
    text_table names;
    stamma_stats stats;
    uint32_t block_count;
    uint32_t records;
    uint32_t games;
    uint32_t group_bytes; /* size of all groups so far */
    /* the trie: */
    buffer node_depths; /* uint8_t */
    buffer node_codes;  /* uint8_t */
    buffer node_first;  /* uint32_t */
    buffer node_keys;   /* uint32_t: the key of each node's placement */
    buffer order;       /* uint32_t: records by rank */
    buffer starts;      /* uint64_t: offset of the codes of each record; with the trie, `codes` has only their rests */
    uint32_t typed;
    buffer crowded; /* uint32_t: keys, ascending */
    buffer sections[INDEX_SECTIONS];
    index_segment segment; /* its counts and parts */
} index_build;

void stamma_index_build_init(index_build *b, const stamma_allocator *allocator, const stamma_executor *executor);
void stamma_index_build_release(index_build *b);
/* Adds a block. Errors: NO_MEMORY. */
stamma_error stamma_index_build_add(index_build *b, const index_block_job *job);
/* Makes the sections of the segment. Errors: NO_MEMORY. */
stamma_error stamma_index_build_finish(index_build *b);
void stamma_index_build_clear(index_build *b);

/* Makes the trie and the order of ranks. */
stamma_error stamma_index_make_trie(index_build *b);
/* Makes the keys of nodes, and the lists of candidates. */
stamma_error stamma_index_make_postings(index_build *b);
/* Makes the sections of sums. */
stamma_error stamma_index_make_sums(index_build *b);
/* Makes the section of statistics. Call it after the sections of names are made. Returns false if there is no
 * memory. */
bool stamma_index_make_stats(index_build *b);

/* ---- index_classes.c ---- */

/* Writes runs of classes. */
typedef struct class_writer {
    buffer *out;
    uint16_t class;
    uint32_t games; /* of the current run */
} class_writer;

void stamma_index_add_class(class_writer *w, uint16_t class);
/* Writes the last run. */
void stamma_index_end_classes(class_writer *w);

/* ---- index_posting_lists.c: lists of ranks, made from the postings of ranges of ranks ---- */

enum {
    POSTING_RANGES = 128, /* maximum number of ranges */
    POSTING_PARTS = 16    /* the lists are made in this number of parts */
};

/* The postings of a range of ranks. */
typedef struct range_postings {
    buffer found;                    /* uint64_t: list in the high, rank in the low 32 bits; ranks ascend */
    buffer packed;                   /* differences of lists and ranks */
    size_t parts[POSTING_PARTS + 1]; /* where the lists of each part begin */
    uint32_t first;                  /* rank */
} range_postings;

typedef struct posting_lists {
    const index_build *b;
    uint32_t lists; /* number of lists; set before ranges are packed */
    size_t ranges;
    range_postings of[POSTING_RANGES];
    buffer bytes[POSTING_PARTS], sizes[POSTING_PARTS]; /* of the lists of each part, uint32_t sizes */
} posting_lists;

void stamma_posting_lists_init(posting_lists *p, const index_build *b, uint32_t lists);
void stamma_posting_lists_release(posting_lists *p);
/* Packs the postings of a range. If memory is exhausted, sets `found.failed` of the range. */
void stamma_posting_lists_pack(posting_lists *p, size_t range);
/* Appends the lists, and the uint32_t sizes of all lists; the size of a list without games is 0. Errors: NO_MEMORY. */
stamma_error stamma_posting_lists_make(posting_lists *p, buffer *lists, buffer *sizes);

/* Returns the number of groups of records. */
STAMMA_INLINE uint32_t build_groups(const index_build *b)
{
    return b->group_starts.size == 0 ? 0 : (uint32_t)(b->group_starts.size / sizeof(uint32_t)) - 1;
}
/* Returns the size of a block's groups. Every block has a record, so there is a group. */
STAMMA_INLINE uint32_t index_job_bytes(const index_block_job *j)
{
    return ((const uint32_t *)(const void *)j->group_ends.data)[j->group_ends.size / sizeof(uint32_t) - 1];
}
/* Returns the codes of a typed game after it leaves the trie. */
STAMMA_INLINE const uint8_t *build_rest(const index_build *b, uint32_t record)
{
    return b->codes.data + ((const uint64_t *)(const void *)b->starts.data)[record];
}
/* Releases the memory that a buffer does not use. Returns false if memory is exhausted. */
STAMMA_INLINE bool build_trim(buffer *b)
{
    stamma_buffer_trim(b);
    return b->capacity == b->size;
}
/* Adds bits to numbers that were 0. */
STAMMA_INLINE void index_put_bits(uint8_t *bytes, uint64_t bit, uint64_t number)
{
    uint8_t *at = bytes + bit / 8;
    store_u64(at, load_u64(at) | number << bit % 8);
}
/* Append a number in little-endian order. */
STAMMA_INLINE void index_add_u32(buffer *out, uint32_t number)
{
    uint8_t bytes[4];
    store_u32(bytes, number);
    buffer_add(out, bytes, sizeof bytes);
}
STAMMA_INLINE void index_add_u64(buffer *out, uint64_t number)
{
    uint8_t bytes[8];
    store_u64(bytes, number);
    buffer_add(out, bytes, sizeof bytes);
}
/* Returns the odd values of a record, which must have odd facts. */
STAMMA_INLINE const odd_record *build_odd(const index_build *b, uint32_t record)
{
    const odd_record *all = (const odd_record *)(const void *)b->odd.data;
    size_t low = 0, high = b->odd.size / sizeof *all - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].record < record)
            low = middle + 1;
        else
            high = middle;
    }
    return &all[low];
}
STAMMA_INLINE uint32_t build_size(const index_build *b, uint32_t record)
{
    return ((const uint32_t *)(const void *)b->sizes.data)[record];
}

#endif
