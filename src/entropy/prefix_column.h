/* SPDX-License-Identifier: MIT */
/* Codec 6: strings of codes with common prefixes (doc/format/block_columns.md, clause 19). A trie contains the prefixes
 * that several strings share. Each record stores the number of the node where its string leaves the trie. The rest of
 * the string is stored as Huffman codes, in groups of records that start at a byte. A string can therefore be decoded
 * without the strings of other groups, and a result for a prefix needs to be computed only once for all strings that
 * share the prefix. This file does not depend on chess. If codes are moves from one position, nodes are the
 * positions after them. */
#ifndef STAMMA_PREFIX_COLUMN_H
#define STAMMA_PREFIX_COLUMN_H

#include "entropy/entropy.h"

enum { CODEC_PREFIXES = 6 };
enum {
    PREFIX_SHARED = 3,    /* strings needed for a node; a node for two strings costs readers more time than it saves */
    PREFIX_COPIES = 8,    /* equal strings needed for a node; fewer need fewer bytes without nodes */
    PREFIX_GROUP = 4,     /* records in a group */
    PREFIX_SYMBOLS = 256, /* codes are bytes */
    PREFIX_TABLES = 8,    /* of Huffman codes: one for each PREFIX_STEP codes of a string, the last for the rest */
    PREFIX_STEP = 16,
    PREFIX_BITS_MAX = 11,       /* maximum length of a Huffman code */
    PREFIX_NODES_MAX = 1 << 24, /* their numbers are stored in three bytes */
    PREFIX_PLAIN_MAX = 1 << 28  /* codes in a column */
};
/* The streams of the header: the number of children of each node; the codes of all nodes except the root; the low,
 * middle and high bytes of the records' nodes; the stored sizes of the groups; the lengths of all Huffman codes. */
enum {
    PREFIX_CHILDREN,
    PREFIX_CODES,
    PREFIX_LOW,
    PREFIX_MIDDLE,
    PREFIX_HIGH,
    PREFIX_SIZES,
    PREFIX_LENGTHS,
    PREFIX_STREAMS
};

/* ---- the trie (prefix_trie.c) ---- */

/* Concatenated strings. */
typedef struct prefix_strings {
    const uint8_t *codes;
    const uint32_t *sizes;
    const uint8_t *apart; /* for each string: 1 if it must not share a prefix */
    size_t count;
} prefix_strings;

/* The nodes in preorder, children in ascending order of their codes. Node 0 is the root. At least PREFIX_SHARED
 * strings pass each other node. Set the buffers' allocators before use. */
typedef struct prefix_trie {
    buffer children; /* uint32_t: number of children of each node */
    buffer codes;    /* uint8_t: code of each node except the root */
    buffer nodes;    /* uint32_t: deepest node of each string */
    buffer depths;   /* uint32_t: depth of this node */
    buffer order;    /* uint32_t: see stamma_prefix_trie_build_different */
} prefix_trie;

/* Replaces the trie by the trie of these strings. Returns OK or NO_MEMORY. */
stamma_error stamma_prefix_trie_build(prefix_trie *t, const prefix_strings *strings);
/* The same for strings that may have many copies: a node is passed by PREFIX_SHARED different strings or by
 * PREFIX_COPIES strings, or is above the depth in `least`, the least depth of the node of each string (NULL: 0). Also
 * stores the numbers of the strings that are not apart in `order`, sorted by the strings and then by number. Returns OK
 * or NO_MEMORY. */
stamma_error stamma_prefix_trie_build_different(prefix_trie *t, const prefix_strings *strings, const uint8_t *least);
void stamma_prefix_trie_release(prefix_trie *t);

/* ---- Huffman codes of rests (prefix_codes.c; 18.4) ---- */

/* By the next bits of the input: the code in the high byte, and the number of its bits in the low byte; 0: no code. */
typedef uint16_t prefix_table[1 << PREFIX_BITS_MAX];

STAMMA_INLINE size_t prefix_table_of(size_t place)
{
    return place / PREFIX_STEP < PREFIX_TABLES ? place / PREFIX_STEP : PREFIX_TABLES - 1;
}
/* Computes the length of the Huffman code of each symbol from the symbols' counts; 0 for symbols that do not occur. */
void stamma_prefix_lengths(const uint32_t counts[PREFIX_SYMBOLS], uint8_t lengths[PREFIX_SYMBOLS]);
/* Compute the codes of these lengths, first bit lowest, and a decoding table. Return false if the lengths are
 * invalid. */
bool stamma_prefix_codes(const uint8_t lengths[PREFIX_SYMBOLS], uint16_t codes[PREFIX_SYMBOLS]);
bool stamma_prefix_table(const uint8_t lengths[PREFIX_SYMBOLS], prefix_table table);
/* Decodes `count` codes, the first of which has index `place` in its string, from bit *at of `size` bytes. Advances
 * *at. Returns false if the data is corrupt. */
bool stamma_prefix_decode(const prefix_table *tables, const uint8_t *bytes, size_t size, size_t *at, size_t place,
                          uint8_t *codes, size_t count);

/* ---- writing (prefix_writer.c) ---- */

/* Appends the column of these strings. Appends nothing if there are more nodes than PREFIX_NODES_MAX. Returns OK or
 * NO_MEMORY. */
stamma_error stamma_prefix_column_write(byte_packer *coder, const prefix_strings *strings, buffer *body);

/* ---- reading (prefix_reader.c) ---- */

typedef struct prefix_node {
    uint32_t parent; /* 0 for the root */
    uint32_t end;    /* number of the first node that is neither this node nor a descendant */
    uint32_t depth;  /* number of codes from the root to this node; 0 for the root */
    uint8_t code;    /* the last of these codes */
    bool reached;    /* deepest node of some record; always set for nodes without children */
} prefix_node;

typedef struct prefix_record {
    uint32_t node;  /* deepest node of its string; 0: no shared prefix */
    uint32_t begin; /* offset of its rest in the strings of its group */
    uint32_t size;  /* size of its rest */
} prefix_record;

/* An open column: the trie, and the nodes at which strings leave it. The column is not modified after opening, so
 * several readers may use it concurrently. Initialize with stamma_prefix_column_init. The column may be opened
 * again. */
typedef struct prefix_column {
    buffer nodes;   /* prefix_node */
    buffer records; /* prefix_record */
    buffer ends;    /* uint32_t: the end of each stored group, relative to `head` */
    size_t head;    /* offset of the stored groups in the column */
    buffer tables;  /* prefix_table */
    buffer starts;  /* uint32_t: the bit of its group at which each record's rest starts; empty: unknown */
    buffer streams[PREFIX_STREAMS];
} prefix_column;

void stamma_prefix_column_init(prefix_column *c, const stamma_allocator *allocator);
void stamma_prefix_column_release(prefix_column *c);
/* Frees the memory that is only needed for opening. */
void stamma_prefix_column_trim(prefix_column *c);
/* Reads the trie and the records' nodes. `sizes`: the number of codes of each of `count` records; they must sum to
 * `plain_size`. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_prefix_column_open(prefix_column *c, byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const uint32_t *sizes, size_t count);

/* Finds the start of each record's rest. Readers then need not decode the preceding records of the group. `stored`:
 * the bytes that the column was opened from. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_prefix_column_find_starts(prefix_column *c, const uint8_t *stored);

/* Reads the strings of a column, group by group. Initialize with stamma_prefix_reader_init. */
typedef struct prefix_reader {
    const prefix_column *column;
    const uint8_t *groups; /* the stored groups, owned by the caller */
    size_t group;          /* the group decoded last; SIZE_MAX: none */
    size_t first;          /* the first decoded record */
    size_t decoded;        /* the first record that is not completely decoded */
    size_t part;           /* number of decoded codes of record `decoded` */
    size_t bit;            /* the bit at which its next code starts */
    buffer codes;          /* strings of the group; prefixes are filled in when requested */
} prefix_reader;

void stamma_prefix_reader_init(prefix_reader *r, const stamma_allocator *allocator);
void stamma_prefix_reader_release(prefix_reader *r);
/* Begins to read strings of an open column. The column, and the bytes that it was opened from, must stay valid. */
void stamma_prefix_reader_begin(prefix_reader *r, const prefix_column *column, const uint8_t *stored);
/* Stores all codes of record n: the codes on the path to its node, and its rest. The pointer is valid until codes of
 * another group are requested, and is never NULL. Returns OK, CORRUPT or NO_MEMORY. */
stamma_error stamma_prefix_reader_codes(prefix_reader *r, size_t n, const uint8_t **codes);
/* Stores only the rest, prefix_record.size codes, which are valid for the same time. Returns OK, CORRUPT or
 * NO_MEMORY. */
stamma_error stamma_prefix_reader_rest(prefix_reader *r, size_t n, const uint8_t **rest);
/* Stores the first `count` codes of the rest, or all if there are fewer. Decodes no more codes than necessary. */
stamma_error stamma_prefix_reader_first(prefix_reader *r, size_t n, size_t count, const uint8_t **rest);

STAMMA_INLINE const prefix_node *prefix_nodes(const prefix_column *c)
{
    return (const prefix_node *)(const void *)c->nodes.data;
}
STAMMA_INLINE size_t prefix_node_count(const prefix_column *c)
{
    return c->nodes.size / sizeof(prefix_node);
}
STAMMA_INLINE const prefix_record *prefix_records(const prefix_column *c)
{
    return (const prefix_record *)(const void *)c->records.data;
}
/* Returns the number of codes of record n. */
STAMMA_INLINE size_t prefix_string_size(const prefix_column *c, size_t n)
{
    const prefix_record *r = &prefix_records(c)[n];
    return (size_t)prefix_nodes(c)[r->node].depth + r->size;
}

#endif
