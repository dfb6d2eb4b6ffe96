/* SPDX-License-Identifier: MIT */
/* The pages room: files with the answers of popular positions (doc/format/pages.md). A question reads a few kilobytes
 * at known places, so a client can ask an archive that it has not downloaded.
 *
 * Positions that many games reach are *popular*. A *line* is a part of a game between popular positions. The lines that
 * begin at a popular position are stored together. A rare position that lines of several popular positions reach is
 * *transposed*: the file lists these popular positions, or stores the position like a popular one. */
#ifndef STAMMA_PAGES_H
#define STAMMA_PAGES_H

#include <stdatomic.h>

#include "answers/answers.h"
#include "archive/handle.h"
#include "entropy/prefix_column.h"

/* ---- the format ---- */

enum {
    PAGES_VERSION = 1,
    PAGES_HEADER = 4096,      /* bytes of the header, and unit of places of lines */
    PAGES_GAMES_DEFAULT = 20, /* games of a popular position */
    PAGES_PLIES_DEFAULT = 40, /* plies in which it is reached */
    PAGES_PLIES_MAX = 62,     /* the lengths of lines have six bits */
    PAGES_LINE_MAX = PAGES_PLIES_MAX + 1,
    PAGES_LENGTH_BITS = 6,
    PAGES_LINES_BITS = 16, /* of the number of lines of a position */
    PAGES_BUCKET = 3400,   /* mean size of a bucket */
    PAGES_BUCKET_MAX = 65535,
    PAGES_BUCKETS_MAX = 1 << 24,
    PAGES_KEY_SIZE = 6,    /* bytes of a key in a bucket */
    PAGES_TOP = 4,         /* top games, and recent games, of a position */
    PAGES_REFERENCES = 3,  /* popular positions whose lines reach a transposed position */
    PAGES_SPAN_MAX = 16,   /* units that the lines of a position occupy */
    PAGES_PLACE_MAX = 255, /* positions whose lines are in one unit */
    PAGES_ORDERS = 3,
    PAGES_WEIGHTS = 6 * 64 * PAGES_ORDERS * 2,
    PAGES_RANKS = PREFIX_SYMBOLS,
    PAGES_CHECK = 4,
    PAGES_RESULT_BITS = 2,
    PAGES_SPEED_BITS = 3,
    PAGES_KIND_BITS = 5,
    PAGES_SPAN_BITS = 4,
    PAGES_RATING_MAX = 9999,
    PAGES_SHARED_BITS = 2, /* low bits of the number of shared moves */
    PAGES_RATING_BITS = 7, /* low bits of the difference of a rating from the mean */
    PAGES_RATING_ONES = 7  /* a rating that is far from the mean, or unknown, begins with this number of ones */
};
#define PAGES_KEY_MASK ((UINT64_C(1) << 8 * PAGES_KEY_SIZE) - 1)

/* Offsets in the header. */
enum {
    PAGES_AT_VERSION = 8,
    PAGES_AT_MIN_GAMES = 12,
    PAGES_AT_SIZE = 16,
    PAGES_AT_ARCHIVE_SIZE = 24,
    PAGES_AT_ARCHIVE_CHECK = 32,
    PAGES_AT_GAMES = 40,
    PAGES_AT_PLIES = 48,
    PAGES_AT_POSITIONS = 52,
    PAGES_AT_BUCKETS = 56,
    PAGES_AT_UNITS = 60,
    PAGES_AT_WIDTHS = 64,
    PAGES_AT_KIND = 68,
    PAGES_AT_INDEX_BITS = 69,
    PAGES_AT_USUAL = 70,
    PAGES_AT_FIRST_MONTH = 72,
    PAGES_AT_LAST_MONTH = 74,
    PAGES_AT_MEAN = 76,
    PAGES_AT_TABLE_CHECK = 80,
    PAGES_AT_LENGTHS = 128,
    PAGES_AT_WEIGHTS = 256,
    PAGES_AT_CHECK = PAGES_HEADER - PAGES_CHECK
};

/* Numbers of bits of the parts of a game. */
typedef struct pages_widths {
    uint8_t number, rating, month, kind;
    uint8_t only_kind;   /* the kind of all games, if kinds have no bits: speed + 8 * mode */
    uint8_t unit, index; /* of a place */
    uint16_t first_month, last_month;
    uint16_t mean; /* a rating, from which sums of ratings are stored as differences */
} pages_widths;

/* Where lines of a position are stored. */
typedef struct pages_place {
    uint32_t unit;
    uint8_t span; /* units; 0: the position has no lines */
    uint8_t index;
} pages_place;

extern const char stamma_pages_magic[8];

/* ---- pages_order.c: moves as numbers, likely moves first ---- */

typedef struct pages_order {
    uint8_t weights[PAGES_WEIGHTS];
} pages_order;

/* Returns the class of a move, whose weight determines its place. `last` is the target of the move before, or NONE. */
unsigned stamma_pages_class(const stamma_position *p, stamma_move move, unsigned last);
/* Returns the weight of moves that were played in `played` of `available` cases. */
uint8_t stamma_pages_weight(uint64_t played, uint64_t available);
/* Returns the number of a legal move, or of the null move, among the moves of a position, from 0. A number may exceed
 * 255 only in positions that no game from the initial position reaches. */
unsigned stamma_pages_rank(const pages_order *order, const stamma_position *p, stamma_move move, unsigned last);
/* Stores the move with a number. Returns false if there is none. */
bool stamma_pages_move(const pages_order *order, const stamma_position *p, unsigned rank, unsigned last,
                       stamma_move *move);

/* ---- pages_bits.c: strings of bits, lowest first, and games in them ---- */

typedef struct pages_writer {
    buffer *out;
    uint64_t pending; /* bits that are not in `out` yet */
    unsigned bits;
} pages_writer;

void stamma_pages_put(pages_writer *w, uint64_t number, unsigned bits);
/* Appends the bits of the last byte. */
void stamma_pages_put_end(pages_writer *w);

typedef struct pages_reader {
    const uint8_t *bytes;
    size_t size;
    size_t bit;
    bool failed; /* zeros were read after the end */
} pages_reader;

/* Reads at most 57 bits. */
uint64_t stamma_pages_get(pages_reader *r, unsigned bits);
/* Writes or reads ones up to a zero. Reads at most `most` ones; there is no zero after them. */
void stamma_pages_put_ones(pages_writer *w, unsigned ones, unsigned most);
unsigned stamma_pages_get_ones(pages_reader *r, unsigned most);
/* Reads the number of a move. */
unsigned stamma_pages_get_rank(pages_reader *r, const prefix_table table);

STAMMA_INLINE bool pages_widths_are_valid(const pages_widths *w)
{
    return w->number <= 32 && w->rating <= 14 && w->mean <= PAGES_RATING_MAX && w->month <= 16 && w->index <= 8 &&
           w->last_month < SEARCH_ODD_MONTH && (w->kind == 0 || w->kind == PAGES_KIND_BITS);
}
/* Appends or reads a place. */
void stamma_pages_put_place(pages_writer *w, const pages_widths *widths, const pages_place *place);
pages_place stamma_pages_get_place(pages_reader *r, const pages_widths *widths);
/* Appends a game: its number, ratings, month, result, speed and mode. */
void stamma_pages_put_game(pages_writer *w, const pages_widths *widths, const index_example *game);
/* Reads a game, without its code. Returns false if its number is 0 or not below `limit`, or if a value has no meaning.
 */
bool stamma_pages_get_game(pages_reader *r, const pages_widths *widths, uint64_t limit, index_example *game);

/* ---- pages_file.c: an open file ---- */

enum { PAGES_KEPT = 64 };

/* Bytes that were read and checked. */
typedef struct pages_kept {
    uint64_t offset;
    size_t size; /* 0: unused */
    uint64_t used;
    uint8_t *bytes;
} pages_kept;

struct stamma_pages {
    stamma_allocator allocator;
    stamma_bytes source;
    uint32_t min_games, plies, positions, buckets, units;
    uint32_t usual; /* ply before which most games leave popular positions */
    uint64_t games;
    pages_widths widths;
    pages_order order;
    prefix_table table;
    uint64_t *starts;  /* offsets of buckets in the file; one more at the end */
    uint64_t units_at; /* offset of unit 0 */
    atomic_bool damaged;
    short_lock lock; /* of `kept` */
    uint64_t clock;
    pages_kept kept[PAGES_KEPT]; /* only if the file is not in memory */
};

/* Records that the file is damaged. Returns CORRUPT. */
stamma_error stamma_pages_fail(stamma_pages *x);
/* Stores the bytes of a part of the file that ends with its checksum in *bytes: in the file, or in `room`. Errors:
 * CORRUPT, IO, NO_MEMORY. */
stamma_error stamma_pages_bytes(stamma_pages *x, uint64_t offset, size_t size, buffer *room, const uint8_t **bytes);
/* Returns whether stamma_pages_bytes would return the bytes without reading. */
bool stamma_pages_are_kept(stamma_pages *x, uint64_t offset, size_t size);
STAMMA_INLINE uint32_t pages_bucket_of(const stamma_pages *x, uint64_t key)
{
    return (uint32_t)((key >> 32) * x->buckets >> 32);
}

/* ---- pages_entry.c: positions in buckets ---- */

/* The first byte of a body. */
enum { PAGES_OTHER, PAGES_WITHOUT_LINES, PAGES_WITH_LINES };

/* A position in a bucket. */
typedef struct pages_entry {
    bool found;
    bool popular;
    unsigned references; /* number of places of lines that reach a transposed position; 0: there is a body */
    pages_place places[PAGES_REFERENCES]; /* with a body: the place of the lines that begin at the position */
    cursor body;                          /* the moves and games */
} pages_entry;

/* Finds a key. `room` contains the bytes of the entry's body. Errors: CORRUPT, IO, NO_MEMORY. */
stamma_error stamma_pages_find(stamma_pages *x, uint64_t key, buffer *room, pages_entry *entry);
/* Adds the games of a body to sums of the position. Errors: CORRUPT. */
stamma_error stamma_pages_read_body(stamma_pages *x, const stamma_position *p, cursor body, index_sums *sums);

/* ---- pages_lines.c: lines ---- */

/* Adds the games of lines that reach a position. `from` is the position in which the lines begin; NULL: not compared.
 * *found is set if there is one. Errors: CORRUPT, IO, NO_MEMORY. */
stamma_error stamma_pages_read_lines(stamma_pages *x, const pages_place *place, const stamma_position *from,
                                     const stamma_position *target, index_sums *sums, bool *found);

/* ---- pages_map.c: numbers of positions, by key ---- */

typedef struct pages_map {
    const stamma_allocator *allocator;
    uint64_t secret;
    uint64_t *keys; /* 0: unused */
    uint64_t *values;
    size_t count;
    size_t capacity; /* a power of two */
} pages_map;

void stamma_pages_map_init(pages_map *m, const stamma_allocator *allocator);
void stamma_pages_map_release(pages_map *m);
/* Returns the value of a key; NULL: there is none. */
uint64_t *stamma_pages_map_find(const pages_map *m, uint64_t key);
/* Returns the value of a key, which is added with value 0. NULL: out of memory. Values move when keys are added. */
uint64_t *stamma_pages_map_add(pages_map *m, uint64_t key);
STAMMA_INLINE uint64_t pages_map_mix(uint64_t key, uint64_t secret)
{
    const uint64_t mixed = (key ^ secret) * KEY_MULTIPLIER;
    return (mixed ^ mixed >> 32) * KEY_MULTIPLIER >> 20;
}
/* A key will be needed soon. */
STAMMA_INLINE void pages_map_prefetch(const pages_map *m, uint64_t key)
{
    if (m->capacity > 0)
        STAMMA_PREFETCH(m->keys + ((size_t)pages_map_mix(key, m->secret) & (m->capacity - 1)));
}

#endif
