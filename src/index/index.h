/* SPDX-License-Identifier: MIT */
/* The index room: the index file of an archive (doc/format/index_files.md). With an index file, searches for positions,
 * players and facts of games do not open blocks.
 *
 * A file has segments. A segment indexes successive blocks and does not depend on the other segments. Its games are
 * numbered by *rank*: first the games that begin in the initial position, in the order of their moves, then the other
 * games. A trie contains the beginnings that at least three different games share; the games of a node are a range of
 * ranks. For positions after a game leaves the trie, there are lists of candidates; a search plays the moves of the
 * candidates. */
#ifndef STAMMA_INDEX_H
#define STAMMA_INDEX_H

#include <stdatomic.h>

#include "archive/handle.h"
#include "block/search_columns.h"
#include "codec/codec.h"
#include "entropy/prefix_column.h"
#include "openings/openings.h"
#include "stats/stats.h"

/* ---- the format ---- */

enum {
    INDEX_VERSION = 3,
    INDEX_ROOT_SIZE = 64,
    INDEX_SLOTS = 2,               /* places for roots in the header page */
    INDEX_SLOT_SPACING = 512,      /* offset of the first of them, and distance of the next */
    INDEX_SECTIONS_LEAST = 28,     /* sections of each segment; the later sections may be missing */
    INDEX_SECTIONS_MAX = 64,       /* of a segment; readers skip sections that they do not know */
    INDEX_PAGE = 4096,             /* unit of checksums; segments begin at a page */
    INDEX_SEGMENT_GAMES = 1 << 24, /* blocks are added to a segment until it has this number of games */
    INDEX_DEPTH_MAX = 250,         /* depth of the trie in plies */
    INDEX_CROWD = 192,             /* a key with more games may be crowded: a finer key is used instead */
    INDEX_CROWD_SHARE = 4096,      /* ... unless it has at most this fraction of the segment's games */
    INDEX_LIST_SIZE = 64,          /* mean size of a list of candidates */
    INDEX_NODE_LIST_SIZE = 16,     /* mean number of nodes in a list of the look-up */
    INDEX_SUMMED = 4096,           /* nodes with more games than this have sums */
    INDEX_EXAMPLES = 15,           /* example games of a node with sums */
    INDEX_FACTS_SIZE = 6,          /* bytes of a game's facts */
    INDEX_ODD_SIZE = 16,
    INDEX_DAY_BITS = 5,
    INDEX_RESULT_BITS = 2,
    INDEX_BLOCK_SIZE = 32, /* bytes of a block's entry in a segment */
    INDEX_LENGTHS_SIZE = PREFIX_TABLES * PREFIX_SYMBOLS / 2,
    INDEX_MIN_SPAN = 64 /* number of nodes per minimum of depths, and of minima per minimum of the next level */
};

/* The sections of a segment, in the order of the file. */
typedef enum index_section {
    SECTION_NODE_DEPTHS,  /* u8 for each node of the trie, in preorder */
    SECTION_NODE_CODES,   /* u8: the move that leads to the node */
    SECTION_NODE_FIRST,   /* ascending: first rank of the games that leave the trie at the node; one more at the end */
    SECTION_DEPTH_MINIMA, /* u8: smallest depth of each INDEX_MIN_SPAN nodes */
    SECTION_DEPTH_MINIMA2,
    SECTION_NODE_STARTS,  /* ascending: start of each list of the look-up of nodes by positions; one more at the end */
    SECTION_NODE_LISTS,   /* bits: nodes */
    SECTION_NODE_PRINTS,  /* u8: bits 3 to 10 of the key of each listed node */
    SECTION_GAMES,        /* bits: index_game of each rank */
    SECTION_FACTS,        /* INDEX_FACTS_SIZE bytes for each rank */
    SECTION_NON_GAMES,    /* u32: records that do not begin a game, ascending */
    SECTION_BLOCKS,       /* INDEX_BLOCK_SIZE bytes for each block */
    SECTION_GROUP_STARTS, /* ascending: start of the codes of each group of records; one more at the end */
    SECTION_LENGTHS,      /* INDEX_LENGTHS_SIZE bytes for each block: lengths of Huffman codes */
    SECTION_OWN_MOVES,    /* codes of blocks whose moves the archive does not store as codes */
    SECTION_CROWDED,      /* u32: keys, ascending */
    SECTION_LIST_STARTS,  /* ascending: start of each list of candidates; one more at the end */
    SECTION_LISTS,
    SECTION_NAME_STARTS, /* ascending: start of each name, by number from 1; one more at the end */
    SECTION_NAMES,       /* names as in the tags, sorted by their folded text */
    SECTION_NAME_LIST_STARTS,
    SECTION_NAME_LISTS, /* ranks of the games of each name */
    SECTION_PLAYERS,    /* bits: numbers of White's and Black's names for each record; 0: none */
    SECTION_ODD,        /* INDEX_ODD_SIZE bytes for each game with an odd rating or month, by rank */
    SECTION_SUM_NODES,  /* u32 node and u32 offset of its sums, ascending */
    SECTION_SUMS,       /* sums of nodes, as numbers in LEB128 */
    SECTION_STATS,      /* statistics of all games, as numbers in LEB128 */
    SECTION_DAYS,       /* bits: INDEX_DAY_BITS for each rank, the day of the month; 0: unknown, or an odd month */
    SECTION_ENDGAMES,   /* varints: the endgames that games have, and the sizes of their lists */
    SECTION_ENDGAME_LISTS,
    SECTION_OPENINGS, /* varints: runs of ranks with the same class of opening */
    SECTION_CODES,    /* the same for ECO codes */
    SECTION_RESULTS,  /* bits: INDEX_RESULT_BITS for each rank, the result of the facts: counting touches fewer pages */
    INDEX_SECTIONS
} index_section;

/* Counts of the contents of a segment. */
typedef enum index_count {
    COUNT_GAMES,
    COUNT_TYPED, /* games that begin in the initial position and whose moves are in the trie and the lists */
    COUNT_RECORDS,
    COUNT_NODES,
    COUNT_NAMES,
    COUNT_GROUPS,
    COUNT_LISTS,
    COUNT_NODE_LISTS,
    COUNT_PLIES, /* limits of the numbers of index_game */
    COUNT_DEPTHS,
    COUNT_BITS,
    INDEX_COUNTS
} index_count;

typedef struct index_part {
    uint64_t at; /* relative to the segment */
    uint64_t size;
} index_part;

/* Numbers of bits of the members of index_game, and their sum. */
typedef struct index_widths {
    uint8_t record, plies, depth, bit, sum;
} index_widths;

STAMMA_INLINE index_widths index_widths_of(const uint32_t counts[INDEX_COUNTS])
{
    const unsigned record = bits_for(counts[COUNT_RECORDS]), plies = bits_for(counts[COUNT_PLIES]),
                   depth = bits_for(counts[COUNT_DEPTHS]), bit = bits_for(counts[COUNT_BITS]);
    return (index_widths){(uint8_t)record, (uint8_t)plies, (uint8_t)depth, (uint8_t)bit,
                          (uint8_t)(record + plies + depth + bit)};
}

typedef struct index_segment {
    uint64_t offset; /* in the file */
    uint64_t size;   /* a multiple of INDEX_PAGE */
    uint32_t first_block;
    uint32_t blocks;
    uint64_t first_game; /* number of games before the segment */
    uint64_t table_size; /* of the table after its pages */
    uint64_t table_check;
    const uint8_t *sections; /* in the table: all sections, including those that this version does not know */
    uint32_t section_count;
    const uint8_t *checks; /* in the table: u32 for each page */
    uint32_t counts[INDEX_COUNTS];
    index_widths widths;
    index_part parts[INDEX_SECTIONS];
} index_segment;

/* The place of the moves of a game. */
typedef struct index_game {
    uint32_t record;
    uint32_t plies; /* number of its codes, including the codes of its beginning in the block */
    uint32_t depth; /* number of codes of this beginning */
    uint32_t bit;   /* first bit of the remaining codes in the group */
} index_game;

/* A block, as described by a commit and by the block's head. */
typedef struct index_block {
    placed_block place;
    uint64_t head_check; /* XXH64 of the block's head, which contains the checksums of all columns */
} index_block;

/* Facts of a game. Ratings and months are stored as in search columns (clause 20.4), with SEARCH_ODD_RATING and
 * SEARCH_ODD_MONTH for values that are only in the tags. */
typedef struct index_facts {
    uint16_t rating[2];
    uint16_t month;
    uint8_t result; /* as in search columns */
    uint8_t speed;  /* stamma_speed */
    uint8_t mode;   /* stamma_mode */
} index_facts;

/* A list of games: numbers in ascending order, stored as Rice codes of the differences minus 1, lowest bits first. */
typedef struct index_list {
    const uint8_t *at;
    const uint8_t *end;
    unsigned bit;
    unsigned shift;
    uint32_t left; /* numbers not read yet */
    uint32_t last;
    bool failed;
} index_list;

/* ---- index_list.c ---- */

/* Returns the number of low bits that are stored for each of `count` ascending numbers up to a limit. */
STAMMA_INLINE unsigned index_rice_shift(uint64_t count, uint64_t limit)
{
    return count == 0 || limit / count < 2 ? 0 : bits_last(limit / count);
}

/* Appends `count` ascending numbers below `universe`. */
void stamma_index_list_write(buffer *out, const uint32_t *numbers, size_t count, uint32_t universe);
void stamma_index_list_begin(index_list *list, const uint8_t *bytes, size_t size, uint32_t universe);
/* Stores the next number. Returns false at the end, and if the list is invalid, which sets `failed`. */
bool stamma_index_list_next(index_list *list, uint32_t universe, uint32_t *number);

/* ---- keys of positions ----
 *
 * The keys of a position, from coarse to fine. Successive positions of a game often have the same coarse key, so a game
 * has few different coarse keys. */

enum { INDEX_LEVELS = 5, INDEX_KEY_PLACEMENT = INDEX_LEVELS - 1 };
#define INDEX_KEY_LEVEL UINT64_C(7) /* bits of a key that are its level */

STAMMA_INLINE uint64_t index_key_mix(uint64_t key, uint64_t word)
{
    return (key ^ key >> 32 ^ word) * KEY_MULTIPLIER;
}
/* Returns the files with pawns in the low eight bits, and the number of pawns above them. */
STAMMA_INLINE uint64_t index_pawn_files(uint64_t pawns)
{
    uint64_t files = pawns | pawns >> 32;
    files |= files >> 16;
    return ((files | files >> 8) & 255) | (uint64_t)bits_count(pawns) << 8;
}
/* Returns a word with the numbers of knights, bishops, rooks and queens of both sides. */
STAMMA_INLINE uint64_t index_piece_counts(const uint64_t colors[2], const uint64_t *types)
{
    uint64_t counts = 0;
    for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
        counts = counts << 10 | bits_count(colors[STAMMA_WHITE] & types[type]) << 5 |
                 bits_count(colors[STAMMA_BLACK] & types[type]);
    return counts;
}
/* Returns the key of a position at a level. Level 0: the files with pawns, and the numbers of pawns. 1: also White's
 * pawns. 2: also Black's pawns. 3: also the kings and the numbers of other pieces. 4: level 2, all pieces, and the side
 * to move. The low bits are the level, so a key that is not crowded never equals a crowded key of a later level. */
STAMMA_INLINE uint32_t index_key(const uint64_t colors[2], const uint64_t *types, unsigned side, unsigned level)
{
    uint64_t white = colors[STAMMA_WHITE] & types[STAMMA_PAWN], black = colors[STAMMA_BLACK] & types[STAMMA_PAWN];
    uint64_t key = index_key_mix(level + 1, index_pawn_files(white) << 32 | index_pawn_files(black));
    if (level > 0)
        key = index_key_mix(key, white);
    if (level > 1)
        key = index_key_mix(key, black);
    if (level == 3) {
        key = index_key_mix(key, index_piece_counts(colors, types));
        key = index_key_mix(key, colors[STAMMA_WHITE] & types[STAMMA_KING]);
        key = index_key_mix(key, colors[STAMMA_BLACK] & types[STAMMA_KING]);
    }
    if (level == INDEX_KEY_PLACEMENT) {
        key = index_key_mix(key, colors[STAMMA_WHITE]);
        for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_KING; type++)
            key = index_key_mix(key, types[type]);
        key = index_key_mix(key, side);
    }
    return (uint32_t)((key ^ key >> 29) * KEY_MULTIPLIER >> 32 & ~INDEX_KEY_LEVEL) | level;
}
/* Returns the bits of a key that are stored with a node. */
STAMMA_INLINE uint8_t index_key_print(uint32_t key)
{
    return (uint8_t)(key >> 3);
}
/* Returns the number of the list of a key, below `lists`. Lists are in the order of their keys. */
STAMMA_INLINE uint32_t index_list_of(uint32_t key, uint32_t lists)
{
    return (uint32_t)((uint64_t)key * lists >> 32);
}

/* ---- index_file.c: an open index file ---- */

extern const char stamma_index_magic[8];

/* A root names a state of an archive and the directory of the segments that index this state. */
typedef struct index_root {
    uint64_t number; /* of the root in its file, from 1 */
    uint64_t archive_size;
    uint64_t archive_check;
    uint64_t directory; /* offset */
    uint64_t directory_size;
    uint64_t directory_check;
} index_root;

STAMMA_INLINE uint64_t index_slot_offset(uint64_t root_number)
{
    return (1 + root_number % INDEX_SLOTS) * INDEX_SLOT_SPACING;
}
/* Returns where the next segment may begin: the first page after the bytes that a root reaches, and after its copy in
 * the file that began with it. */
STAMMA_INLINE uint64_t index_root_end(const index_root *r)
{
    return (r->directory + r->directory_size + INDEX_ROOT_SIZE + INDEX_PAGE - 1) / INDEX_PAGE * INDEX_PAGE;
}

typedef struct index_file {
    stamma_allocator allocator;
    stamma_bytes source;
    const uint8_t *bytes; /* the file: in the caller's memory, or `room` */
    uint8_t *room;        /* if the file is not in memory: bytes of the chunks that were read; otherwise NULL */
    atomic_uchar *chunks; /* state of each chunk of `room` */
    uint64_t size;
    index_root root;
    bool root_is_last; /* it is only at the end of the file */
    index_block *blocks;
    size_t block_count;
    index_segment *segments;
    size_t segment_count;
    uint64_t games;
    atomic_uchar *checked;   /* bits by page of the file */
    atomic_bool damaged;     /* the checksum of a page was wrong, or the contents of a page were invalid */
    _Atomic(void *) *tables; /* prefix_table[PREFIX_TABLES] by block, built when first needed */
} index_file;

/* Opens an index file, whose bytes must remain valid; bytes that its root does not reach may change. Reads only its
 * roots, its directory and the tables of its segments. If the file is not in memory, its pages are read when they are
 * first needed, and kept.
 * Errors:
 *   NO_ARCHIVE   not an index file
 *   MISMATCH     an earlier version
 *   UNSUPPORTED  a later version
 *   CORRUPT      damaged or truncated
 *   IO, NO_MEMORY */
stamma_error stamma_index_file_open(index_file *x, const stamma_bytes *bytes, const stamma_allocator *allocator);
void stamma_index_file_close(index_file *x);
/* Stores a hash of the end of an archive, which is a commit. Returns false if it cannot be read. */
bool stamma_index_archive_check(const stamma_bytes *archive, uint64_t *check);
/* Returns whether the index belongs to this archive. */
bool stamma_index_file_is_of(const index_file *x, const stamma_bytes *archive);

/* Reads the pages of all segments that were not read. Errors: IO, NO_MEMORY. */
stamma_error stamma_index_read_pages(index_file *x);
/* Reads the pages of a part of a segment if they were not read, checks them, and marks them as checked. `offset` is in
 * the file. Returns false, and sets x->damaged, if a page is damaged or cannot be read. */
bool stamma_index_check_pages(index_file *x, const index_segment *s, uint64_t offset, uint64_t size);
/* Checks the tables and the pages that were used again. Returns false, and sets x->damaged, if they have
 * changed since they were read. */
bool stamma_index_check_again(index_file *x);
/* Records that the contents are invalid although checksums are right. Returns CORRUPT. */
stamma_error stamma_index_damaged(index_file *x);

/* Returns the bytes of a part of a section. If they are damaged or do not exist, returns NULL and sets x->damaged. */
STAMMA_INLINE const uint8_t *index_bytes(index_file *x, const index_segment *s, index_section section, uint64_t at,
                                         uint64_t size)
{
    const index_part *part = &s->parts[section];
    uint64_t offset = s->offset + part->at + at, first = offset / INDEX_PAGE, last = (offset + size) / INDEX_PAGE;
    if (STAMMA_UNLIKELY(at > part->size || size > part->size - at)) {
        (void)stamma_index_damaged(x);
        return NULL;
    }
    bool checked =
        first == last && (atomic_load_explicit(&x->checked[first >> 3], memory_order_acquire) >> (first & 7) & 1);
    if (STAMMA_UNLIKELY(!checked) && size > 0 && !stamma_index_check_pages(x, s, offset, size))
        return NULL;
    return x->bytes + offset;
}
/* Returns element `n` of a section of u32; 0 if it is damaged. */
STAMMA_INLINE uint32_t index_u32(index_file *x, const index_segment *s, index_section section, uint64_t n)
{
    const uint8_t *at = index_bytes(x, s, section, 4 * n, 4);
    return at ? load_u32(at) : 0;
}

/* ---- packed numbers ---- */

/* Returns the number of bits of a name in SECTION_PLAYERS. */
STAMMA_INLINE unsigned index_name_bits(const index_segment *s)
{
    return bits_for((uint64_t)s->counts[COUNT_NAMES] + 1);
}
/* Returns the size of `count` numbers of `bits` bits, including eight more bytes at the end. */
STAMMA_INLINE uint64_t index_bits_size(uint64_t count, unsigned bits)
{
    return (count * bits + 7) / 8 + 8;
}
/* Returns `bits` bits, at most 32, from a bit of a section that ends with eight more bytes; 0 if it is damaged. */
STAMMA_INLINE uint32_t index_bits(index_file *x, const index_segment *s, index_section section, uint64_t bit,
                                  unsigned bits)
{
    const uint8_t *at = index_bytes(x, s, section, bit / 8, 8);
    return at ? (uint32_t)(load_u64(at) >> bit % 8 & ((UINT64_C(1) << bits) - 1)) : 0;
}

/* ---- index_ascending.c ---- */

/* Appends ascending numbers, at least one, which are passed as u32. */
void stamma_index_ascending_write(buffer *out, const uint8_t *numbers, size_t count);
/* Stores number `n` of a section and the next number; stores the last number twice. Returns false, and stores zeros, if
 * the index is damaged. */
bool stamma_index_ascending(index_file *x, const index_segment *s, index_section section, uint64_t n, uint32_t pair[2]);
/* Returns the place of the last number that is at most `most`; 0 if there is none. */
uint64_t stamma_index_ascending_find(index_file *x, const index_segment *s, index_section section, uint32_t most);

/* ---- index_segment.c: nodes, records and facts ---- */

/* Returns the first rank of the games that leave the trie at a node. After the last node, returns the end of these
 * ranks. */
STAMMA_INLINE uint32_t index_node_first(index_file *x, const index_segment *s, uint64_t node)
{
    uint32_t pair[2];
    (void)stamma_index_ascending(x, s, SECTION_NODE_FIRST, node, pair);
    return pair[0];
}
/* Returns the node after the last descendant of a node. */
uint32_t stamma_index_node_end(index_file *x, const index_segment *s, uint32_t node);
/* Stores the codes of the moves to a node. Returns its depth, or UINT_MAX if the index is damaged. */
unsigned stamma_index_node_path(index_file *x, const index_segment *s, uint32_t node, uint8_t codes[INDEX_DEPTH_MAX]);
/* Returns the node at which a game leaves the trie. `rank` must be below the number of typed games. */
uint32_t stamma_index_node_of(index_file *x, const index_segment *s, uint32_t rank);
/* Returns the record of a rank, and the number of its game in the archive, from 1. */
uint32_t stamma_index_record(index_file *x, const index_segment *s, uint32_t rank);
index_game stamma_index_game_at(index_file *x, const index_segment *s, uint32_t rank);
/* Returns the number of moves of a typed game. */
STAMMA_INLINE uint32_t index_game_plies(index_file *x, const index_segment *s, uint32_t rank)
{
    return index_bits(x, s, SECTION_GAMES, (uint64_t)rank * s->widths.sum + s->widths.record, s->widths.plies);
}
STAMMA_INLINE unsigned index_game_day(index_file *x, const index_segment *s, uint32_t rank)
{
    return index_bits(x, s, SECTION_DAYS, (uint64_t)rank * INDEX_DAY_BITS, INDEX_DAY_BITS);
}
/* Returns the result of a game, as in its facts. */
STAMMA_INLINE unsigned index_game_result(index_file *x, const index_segment *s, uint32_t rank)
{
    if (s->section_count > SECTION_RESULTS)
        return index_bits(x, s, SECTION_RESULTS, (uint64_t)rank * INDEX_RESULT_BITS, INDEX_RESULT_BITS);
    const uint8_t *facts = index_bytes(x, s, SECTION_FACTS, (uint64_t)rank * INDEX_FACTS_SIZE, INDEX_FACTS_SIZE);
    return facts ? facts[5] & 3u : 0;
}
uint64_t stamma_index_game(index_file *x, const index_segment *s, uint32_t record);
/* Returns the segment and the record of a game; NULL if there is no such game. */
const index_segment *stamma_index_find_game(index_file *x, uint64_t game, uint32_t *record);
/* Reads facts from the bytes of a rank, and writes them: White's rating and Black's in 12 bits each, 16 bits for the
 * month, two for the result, three for the speed, and two for the mode. */
STAMMA_INLINE index_facts index_facts_read(const uint8_t *at)
{
    uint32_t low = load_u32(at), high = load_u16(at + 4);
    return (index_facts){{(uint16_t)(low & 4095), (uint16_t)(low >> 12 & 4095)},
                         (uint16_t)(low >> 24 | (high & 255) << 8),
                         (uint8_t)(high >> 8 & 3),
                         (uint8_t)(high >> 10 & 7),
                         (uint8_t)(high >> 13 & 3)};
}
STAMMA_INLINE void index_facts_write(const index_facts *f, uint8_t at[INDEX_FACTS_SIZE])
{
    store_u32(at, f->rating[0] | (uint32_t)f->rating[1] << 12 | (uint32_t)f->month << 24);
    store_u16(at + 4, (uint16_t)(f->month >> 8 | f->result << 8 | f->speed << 10 | f->mode << 13));
}
/* Values of tags that do not fit in the facts. */
typedef struct index_odd {
    uint16_t rating[2]; /* 0: unknown */
    uint32_t first;     /* first and last day that the date may be (stamma_date); 0: unknown */
    uint32_t last;
} index_odd;

STAMMA_INLINE bool index_facts_are_odd(const index_facts *f)
{
    return f->rating[0] == SEARCH_ODD_RATING || f->rating[1] == SEARCH_ODD_RATING || f->month == SEARCH_ODD_MONTH;
}
/* Reads the facts of a rank. Odd ratings are replaced by the ratings in the tags. If the facts are odd, and `odd` is
 * not NULL, stores the values of the tags. Returns false if the index is damaged. */
bool stamma_index_facts(index_file *x, const index_segment *s, uint32_t rank, index_facts *facts, index_odd *odd);
/* Reads the numbers of the names of both players of a record. */
bool stamma_index_players(index_file *x, const index_segment *s, uint32_t record, uint32_t names[2]);

/* ---- index_names.c ---- */

/* Returns a name as in the tag; {NULL, 0} if the index is damaged. */
stamma_text stamma_index_name(index_file *x, const index_segment *s, uint32_t name);
/* Sets the byte of each name that matches a folded pattern (query room). `matches` has one byte before the first name
 * and one byte for each name; all are 0 before the call. Returns the number of names that match; SIZE_MAX if memory is
 * exhausted or the index is damaged. */
size_t stamma_index_names_match(index_file *x, const index_segment *s, stamma_text pattern, uint8_t *matches);
/* Begins to read the ranks of a name's games. Returns false if the index is damaged. */
bool stamma_index_name_games(index_file *x, const index_segment *s, uint32_t name, index_list *list);

/* ---- index_games.c: the moves of games ---- */

/* Reads the moves of one game after another. */
typedef struct index_moves {
    index_file *file;
    const stamma_bytes *archive;
    buffer group; /* bytes of a group of an archive that is not in memory */
    uint8_t path[INDEX_DEPTH_MAX];
    unsigned depth; /* of the path: the depth at which the game leaves the trie */
    buffer rest;    /* uint8_t: codes from `begin` on */
    unsigned begin;
    uint32_t plies;
} index_moves;

void stamma_index_moves_init(index_moves *m, index_file *file, const stamma_bytes *archive,
                             const stamma_allocator *allocator);
void stamma_index_moves_release(index_moves *m);
/* Reads the path of a game in the trie. Errors: CORRUPT. */
stamma_error stamma_index_moves_begin(index_moves *m, const index_segment *s, uint32_t rank);
/* Reads at most `count` codes of the same game after its path. Otherwise like stamma_index_moves_read. */
stamma_error stamma_index_moves_continue(index_moves *m, const index_segment *s, uint32_t rank, uint32_t count,
                                         const uint8_t **codes, uint32_t *available);
/* Reads the game of a rank: its path in the trie, and at most `count` codes after the path. *codes receives the codes,
 * valid until the next call, and *available their number. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_index_moves_read(index_moves *m, const index_segment *s, uint32_t rank, uint32_t count,
                                     const uint8_t **codes, uint32_t *available);

/* ---- index_line.c ---- */

/* Stores the first rank of the typed games with exactly these moves, or if `begins` of those that begin with them, and
 * the rank after the last. Both are equal if there is none. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_index_line_find(index_moves *m, const index_segment *s, const uint8_t *codes, uint32_t count,
                                    bool begins, uint32_t ranks[2]);

/* ---- index_endgames.c: the games that have an endgame ---- */

/* An endgame is the numbers of pieces of both sides. Its number depends on them; the order of numbers is that of
 * index_material. */
enum { ENDGAME_PIECES = 4, ENDGAME_PAWNS = 9, ENDGAMES = 495 * ENDGAME_PAWNS * ENDGAME_PAWNS };

STAMMA_INLINE bool index_is_endgame(const uint64_t *types)
{
    return bits_count(types[STAMMA_KNIGHT] | types[STAMMA_BISHOP] | types[STAMMA_ROOK] | types[STAMMA_QUEEN]) <=
           ENDGAME_PIECES;
}
/* Returns the numbers of pieces of an endgame: White's knights, bishops, rooks and queens, then Black's, in three bits
 * each, then White's and Black's pawns in four bits each. */
STAMMA_INLINE uint32_t index_material(const uint64_t colors[2], const uint64_t *types)
{
    uint32_t material = 0;
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_KNIGHT; type < STAMMA_KING; type++)
            material = material << 3 | bits_count(colors[color] & types[type]);
    return material << 8 | bits_count(colors[STAMMA_WHITE] & types[STAMMA_PAWN]) << 4 |
           bits_count(colors[STAMMA_BLACK] & types[STAMMA_PAWN]);
}
/* Return the number, below ENDGAMES, of an endgame, and the endgame of a number. */
uint32_t stamma_endgame_number(uint32_t material);
uint32_t stamma_endgame_material(uint32_t number);

/* Reads the endgames of a segment, in ascending order. */
typedef struct index_endgames {
    index_file *file;
    const index_segment *segment;
    cursor in;
    uint32_t material;
    uint64_t at, size; /* of the list */
} index_endgames;

/* Returns whether a segment lists its endgames. The first section is empty if no game has one. */
STAMMA_INLINE bool index_has_endgames(const index_segment *s)
{
    return s->section_count > SECTION_ENDGAME_LISTS;
}
/* Begins to read. Returns false if the index is damaged. */
bool stamma_index_endgames_begin(index_file *x, const index_segment *s, index_endgames *e);
/* Reads the next endgame. Returns false at the end, and if the index is damaged. */
bool stamma_index_endgames_next(index_endgames *e);
/* Begins to read the ranks of the typed games that have the endgame. Returns false if the index is damaged. */
bool stamma_index_endgame_games(const index_endgames *e, index_list *list);

/* ---- index_classes.c: openings and ECO codes of games ---- */

/* The class of a game's opening is 0 (none) or its number; that of the tag ECO is 0 (it does not begin with a letter
 * from A to E) or 1 for A00 to 500 for E99. CLASS_OTHER: only the tag has the value. */
enum { CLASS_OPENINGS = OPENINGS, CLASS_CODES = 500, CLASS_OTHER = UINT16_MAX };

/* Returns the class of a tag ECO. */
uint16_t stamma_index_code_class(stamma_text tag);
/* Returns the class of a tag Opening, given the number of the opening that was played, or 0. */
uint16_t stamma_index_opening_class(stamma_text tag, unsigned played);
/* Writes the code of a class. Returns false if the class has none. */
bool stamma_index_code_text(unsigned class, char text[3]);

/* Reads the classes of a segment: runs of ranks. */
typedef struct index_classes {
    index_file *file;
    const index_segment *segment;
    cursor in;
    uint32_t begin, end; /* ranks of the run */
    uint16_t class;
} index_classes;

/* Returns whether a segment has classes. */
STAMMA_INLINE bool index_has_classes(const index_segment *s)
{
    return s->section_count > SECTION_CODES;
}
/* Begins to read SECTION_OPENINGS or SECTION_CODES. Returns false if the index is damaged. */
bool stamma_index_classes_begin(index_file *x, const index_segment *s, index_section section, index_classes *c);
/* Reads the next run. Returns false after the last rank, and if the index is damaged. */
bool stamma_index_classes_next(index_classes *c);

/* ---- index_positions.c: the games that reach a position ---- */

/* A node of the trie with the position. The games that pass it have ranks from `begin` to `end`, exclusive. */
typedef struct index_place {
    uint32_t node;
    uint32_t depth;
    uint32_t begin;
    uint32_t end;
} index_place;

/* A game that reaches the position after it leaves the trie. */
typedef struct index_stray {
    uint32_t rank;
    uint32_t ply;
    uint16_t next; /* code of the next move; INDEX_NO_MOVE: the game ends there */
} index_stray;
enum { INDEX_NO_MOVE = 256 };

typedef struct index_hunt {
    const board_goal *goal; /* must be exact */
    index_moves *moves;
    const stop_check *stop; /* NULL: none */
    /* Returns whether a game is wanted. NULL: all games are. */
    bool (*wants)(void *context, uint32_t rank);
    void *context;
    /* Returns false if the position cannot be reached from a board. */
    bool (*may_follow)(const void *target, const piece_board *board);
    const void *target;
    /* Called with each stray. Returns true to end the hunt. NULL: is not called. */
    bool (*enough)(void *context, uint32_t rank);
    buffer places; /* index_place: in the order of the ranks, without overlap */
    buffer strays; /* index_stray: in the order of the ranks, without games in places */
} index_hunt;

void stamma_index_hunt_init(index_hunt *h, const stamma_allocator *allocator);
void stamma_index_hunt_release(index_hunt *h);
/* Finds the typed games of a segment that reach the position. Errors: CORRUPT, NO_MEMORY, CANCELLED. */
stamma_error stamma_index_hunt_run(index_hunt *h, const index_segment *s);
/* The two steps of stamma_index_hunt_run: find the places, then the strays. */
stamma_error stamma_index_hunt_places(index_hunt *h, const index_segment *s);
stamma_error stamma_index_hunt_strays(index_hunt *h, const index_segment *s);

/* ---- index_sums.c: sums of the games of a node, by the move played there ---- */

/* A candidate for an example game. */
typedef struct index_example {
    uint32_t rating; /* sum of both ratings; 0: one is unknown */
    uint32_t month;
    uint64_t game; /* 0: not numbered yet (index_sums.file) */
    uint32_t rank;
    uint16_t code;
    index_facts facts;
} index_example;

/* Games in which the same move was played in a position. */
typedef struct index_sum {
    uint64_t results[4]; /* by result */
    uint64_t rated;      /* games with both ratings, and the sum of both */
    uint64_t rating_sum;
    uint64_t opposed[2]; /* by color: finished games with a rating of the opponent, the sum of these ratings ... */
    uint64_t opposed_sum[2];
    uint64_t half_points[2]; /* ... and this side's points: 2 for a win, 1 for a draw */
    uint16_t last_month;
    index_example top, recent; /* only the rank and the code are stored */
} index_sum;

typedef struct index_example_list {
    size_t count;
    index_example games[INDEX_EXAMPLES];
} index_example_list;

enum { INDEX_SUM_CODES = INDEX_NO_MOVE + 1, INDEX_MONTHS = 1 << 16 };

/* The sums of games that reach a position. */
typedef struct index_sums {
    index_sum of[INDEX_SUM_CODES]; /* by code; the last element is for games that end in the position */
    index_example_list top, recent;
    /* the file and the segment that contain the numbers of games; NULL: all examples are numbered */
    index_file *file;
    const index_segment *segment;
    uint64_t (*months)[3]; /* by month, INDEX_MONTHS of them: White's wins, Black's wins, draws; NULL: not counted */
} index_sums;

/* Return whether a game ranks before another. Top games: highest sum of ratings, then latest month, then lowest number.
 * Recent games: latest month, then highest number. */
bool stamma_index_is_higher(const index_example *a, const index_example *b);
bool stamma_index_is_later(const index_example *a, const index_example *b);
/* Makes an example of a game from its facts. */
STAMMA_INLINE index_example index_example_of(const index_facts *f, uint64_t game, uint32_t rank, unsigned code)
{
    const unsigned white = f->rating[STAMMA_WHITE], black = f->rating[STAMMA_BLACK];
    return (index_example){.rating = white > 0 && black > 0 ? white + black : 0,
                           .month = f->month == SEARCH_ODD_MONTH ? 0 : f->month,
                           .game = game,
                           .rank = rank,
                           .code = (uint16_t)code,
                           .facts = *f};
}
/* Adds a game. The ratings in `facts` are the ratings in the tags. `e` contains the game's code, rank and number. */
void stamma_index_sums_add(index_sums *sums, const index_facts *facts, const index_example *e);
/* Returns the number of games with a code. */
STAMMA_INLINE uint64_t index_sum_games(const index_sum *s)
{
    return s->results[0] + s->results[1] + s->results[2] + s->results[3];
}
/* Adds the sums that are stored for a node. *found is false if the node has none. Errors: CORRUPT. */
stamma_error stamma_index_sums_read(index_file *x, const index_segment *s, uint32_t node, index_sums *sums,
                                    bool *found);

/* ---- index_stats.c: statistics of all games ---- */

/* Adds the statistics of a segment. After an error, a part of them may have been added. Errors: CORRUPT, NO_MEMORY. */
stamma_error stamma_index_stats_read(index_file *x, const index_segment *s, stamma_stats *stats);

/* ---- index_parts.c ---- */

/* Calls `run` for each of `parts` parts of a work, in parallel. Parts must not depend on each other. `executor` NULL:
 * the calling thread does all work. Errors: NO_MEMORY. */
stamma_error stamma_index_run_parts(const stamma_allocator *allocator, const stamma_executor *executor, size_t parts,
                                    void (*run)(void *context, size_t part), void *context);
/* Sorts numbers by `bits` of their bits, from bit `low` on; equal numbers keep their order. `spare` has the same
 * size. */
void stamma_index_sort(uint64_t *numbers, uint64_t *spare, size_t count, unsigned low, unsigned bits);

#endif
