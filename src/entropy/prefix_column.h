/* Codec 6: strings of codes that share their beginnings (doc/format.md, clause 18). A trie has the beginnings that
 * several records' strings share, and each record the number of the node where its string leaves it; what stands behind
 * that, the rest, is stored as Huffman codes, in groups of records that begin at a byte. So a string is to be had
 * without those of other groups, and what follows from a beginning need be found once for all strings that share it.
 * Nothing of chess is known here: where codes are moves from one position, nodes are the positions behind them. */
#ifndef STAMMA_PREFIX_COLUMN_H
#define STAMMA_PREFIX_COLUMN_H

#include "entropy/entropy.h"

enum { CODEC_PREFIXES = 6 };
enum {
    PREFIX_SHARED = 3,    /* strings that a node is made for: one for two would cost readers more than it spares */
    PREFIX_GROUP = 4,     /* records */
    PREFIX_SYMBOLS = 256, /* codes are bytes */
    PREFIX_TABLES = 8,    /* of Huffman codes: one for each PREFIX_STEP codes of a string, the last for all others */
    PREFIX_STEP = 16,
    PREFIX_BITS_MAX = 11,       /* of a Huffman code */
    PREFIX_NODES_MAX = 1 << 24, /* their numbers are stored in three bytes */
    PREFIX_PLAIN_MAX = 1 << 28  /* codes of a column */
};
/* The streams of the head: the children of each node; the codes of all nodes but the root; the low, the middle and the
 * high bytes of the records' nodes; the stored sizes of the groups; the lengths of all Huffman codes. */
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

/* Strings, one behind the other. */
typedef struct prefix_strings {
    const uint8_t *codes;
    const uint32_t *sizes;
    const uint8_t *apart; /* for each: 1 where it must share nothing */
    size_t count;
} prefix_strings;

/* Nodes in preorder, children in ascending order of their codes; node 0 is the root. Each is passed by PREFIX_SHARED
 * strings at least. Set the buffers' allocators. */
typedef struct prefix_trie {
    buffer children; /* uint32_t: how many each node has */
    buffer codes;    /* uint8_t: of each node but the root */
    buffer nodes;    /* uint32_t: the deepest node of each string, */
    buffer depths;   /* uint32_t: and how deep it is */
} prefix_trie;

/* Replaces the trie by that of these strings. NO_MEMORY. */
stamma_error stamma_prefix_trie_build(prefix_trie *t, const prefix_strings *strings);
void stamma_prefix_trie_release(prefix_trie *t);

/* ---- Huffman codes of rests (prefix_codes.c; 18.4) ---- */

/* By the next bits: the code, and in the low byte how many of them it takes; 0: no code. */
typedef uint16_t prefix_table[1 << PREFIX_BITS_MAX];

STAMMA_INLINE size_t prefix_table_of(size_t place)
{
    return place / PREFIX_STEP < PREFIX_TABLES ? place / PREFIX_STEP : PREFIX_TABLES - 1;
}
/* How long the Huffman code of each symbol is that comes so often; 0 where it does not. */
void stamma_prefix_lengths(const uint32_t counts[PREFIX_SYMBOLS], uint8_t lengths[PREFIX_SYMBOLS]);
/* The codes of these lengths, their first bit lowest. False: there are none. */
bool stamma_prefix_codes(const uint8_t lengths[PREFIX_SYMBOLS], uint16_t codes[PREFIX_SYMBOLS]);
bool stamma_prefix_table(const uint8_t lengths[PREFIX_SYMBOLS], prefix_table table);
/* Decodes the codes at bit *at of `size` bytes, from a string's place on, and moves it behind them. False: corrupt. */
bool stamma_prefix_decode(const prefix_table *tables, const uint8_t *bytes, size_t size, size_t *at, size_t place,
                          uint8_t *codes, size_t count);

/* ---- writing (prefix_writer.c) ---- */

/* Appends the column of these strings; nothing where there are more nodes than numbers. NO_MEMORY. */
stamma_error stamma_prefix_column_write(byte_packer *coder, const prefix_strings *strings, buffer *body);

/* ---- reading (prefix_reader.c) ---- */

typedef struct prefix_node {
    uint32_t parent; /* of the root: 0 */
    uint32_t end;    /* nodes from this one up to it are its own and those below it */
    uint32_t depth;  /* codes from the root to here; the root's is 0 */
    uint8_t code;    /* the last of them */
    bool reached;    /* it is the deepest of some record; where it has no children, it always is */
} prefix_node;

typedef struct prefix_record {
    uint32_t node;  /* the deepest that its string reaches; 0: it shares nothing */
    uint32_t begin; /* of its rest in its group's strings */
    uint32_t size;  /* of its rest */
} prefix_record;

/* A column that is open: the trie, and where strings leave it. It stays as it is, so that many may read codes at once.
 * Zero it and set the allocator by init; it may be opened again and again. */
typedef struct prefix_column {
    buffer nodes;   /* prefix_node */
    buffer records; /* prefix_record */
    buffer ends;    /* uint32_t: where each group ends among the stored ones, */
    size_t head;    /* which stand behind so many bytes of the column */
    buffer tables;  /* prefix_table */
    buffer streams[PREFIX_STREAMS];
} prefix_column;

void stamma_prefix_column_init(prefix_column *c, const stamma_allocator *allocator);
void stamma_prefix_column_release(prefix_column *c);
/* Gives back what only opening needs. */
void stamma_prefix_column_trim(prefix_column *c);
/* Reads the trie and the records' nodes. `sizes`: how many codes each of `count` records has, which sum to
 * `plain_size`. CORRUPT, NO_MEMORY. */
stamma_error stamma_prefix_column_open(prefix_column *c, byte_packer *coder, cursor stored, uint64_t plain_size,
                                       const uint32_t *sizes, size_t count);

/* Strings of a column, group by group. Zero it and set the allocator by init. */
typedef struct prefix_reader {
    const prefix_column *column;
    const uint8_t *groups; /* as they are stored: the caller's */
    size_t group;          /* the one that was decoded last; SIZE_MAX: none */
    size_t decoded;        /* its records before this one were, */
    size_t part;           /* of which so many codes were, */
    size_t bit;            /* and the next begins here */
    buffer codes;          /* of those: strings, whose beginnings stand there once they were asked for */
} prefix_reader;

void stamma_prefix_reader_init(prefix_reader *r, const stamma_allocator *allocator);
void stamma_prefix_reader_release(prefix_reader *r);
/* Reads strings of an open column from now on, which must stay, as must the bytes that it was opened from. */
void stamma_prefix_reader_begin(prefix_reader *r, const prefix_column *column, const uint8_t *stored);
/* All codes of record n: those on the way to its node, and its rest. They stay until those of another group are asked
 * for; none is NULL. CORRUPT, NO_MEMORY. */
stamma_error stamma_prefix_reader_codes(prefix_reader *r, size_t n, const uint8_t **codes);
/* Its rest alone, prefix_record.size codes, as long. CORRUPT, NO_MEMORY. */
stamma_error stamma_prefix_reader_rest(prefix_reader *r, size_t n, const uint8_t **rest);
/* The same of its first `count` codes, or of all where it has fewer: no more are decoded than that takes. */
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
/* How many codes record n has. */
STAMMA_INLINE size_t prefix_string_size(const prefix_column *c, size_t n)
{
    const prefix_record *r = &prefix_records(c)[n];
    return (size_t)prefix_nodes(c)[r->node].depth + r->size;
}

#endif
