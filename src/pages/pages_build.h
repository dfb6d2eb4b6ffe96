/* SPDX-License-Identifier: MIT */
/* Making a file of pages, in passes over the games of an index file in the order of their moves. Successive games share
 * beginnings, which are played once. Tables of positions that would need too much memory are made in parts: a pass for
 * each part of the keys. */
#ifndef STAMMA_PAGES_BUILD_H
#define STAMMA_PAGES_BUILD_H

#include "pages/pages.h"

#include "stamma/pages.h"

/* A game and its facts, with ratings of the tags. */
typedef struct pages_game {
    uint32_t number;
    index_facts facts;
} pages_game;

/* A position that is stored. The first are the popular positions, in the order in which the games first reach them. */
typedef struct pages_stored {
    uint64_t key;
    uint32_t sources[PAGES_REFERENCES]; /* of a transposed position: popular positions whose lines reach it */
    uint8_t source_count;               /* at most PAGES_REFERENCES + 1 */
    bool complete;                      /* it is stored with its moves and games */
} pages_stored;

/* A popular position. */
typedef struct pages_popular {
    uint32_t path;  /* offset of the codes of the moves to it, in `paths` */
    uint8_t length; /* number of these moves */
    uint32_t lines;
    pages_place place;
} pages_popular;

/* A set of keys that may contain others: two bits for each key. */
typedef struct pages_filter {
    uint64_t *bits;
    uint64_t mask; /* of numbers of bits */
} pages_filter;

/* Opens a filter for this number of keys. `bits` is released by the caller. Returns false if memory is exhausted. */
bool stamma_pages_filter_open(pages_filter *f, uint64_t count, const stamma_allocator *allocator);
STAMMA_INLINE void pages_filter_add(pages_filter *f, uint64_t key)
{
    const uint64_t mixed = pages_map_mix(key, 0);
    f->bits[(mixed & f->mask) >> 6] |= UINT64_C(1) << (mixed & 63);
    f->bits[(mixed & f->mask) >> 6] |= UINT64_C(1) << (mixed >> 36 & 63);
}
STAMMA_INLINE bool pages_filter_has(const pages_filter *f, uint64_t key)
{
    const uint64_t mixed = pages_map_mix(key, 0), word = f->bits[(mixed & f->mask) >> 6];
    return word >> (mixed & 63) & word >> (mixed >> 36 & 63) & 1;
}

typedef struct pages_build {
    const stamma_allocator *allocator;
    stamma_archive *archive;
    index_file *file;
    stamma_pages_write_options options;
    uint64_t done, total; /* games of all passes */
    uint64_t typed;
    uint64_t nodes;      /* different beginnings, an upper limit of the number of positions */
    uint64_t lines;      /* of all popular positions */
    uint64_t departures; /* sum of the plies at which lines begin */
    pages_widths widths;
    pages_order order;
    uint8_t lengths[PREFIX_SYMBOLS];
    uint16_t codes[PREFIX_SYMBOLS];
    pages_filter filter; /* positions that games from the initial position reach in the plies of lines */
    buffer late;         /* uint64_t: keys that may be in the filter, of positions that games reach otherwise */
    pages_map map;       /* by key: number in `stored`, from 1 */
    buffer stored;       /* pages_stored */
    buffer popular;      /* pages_popular */
    buffer paths;        /* uint8_t */
    buffer units;        /* the stored lines */
    uint32_t positions;  /* stored positions */
    buffer buckets;      /* the stored buckets ... */
    buffer sizes;        /* ... and their sizes: u16 */
} pages_build;

STAMMA_INLINE pages_stored *build_stored(const pages_build *b)
{
    return (pages_stored *)(void *)b->stored.data;
}
STAMMA_INLINE size_t build_stored_count(const pages_build *b)
{
    return b->stored.size / sizeof(pages_stored);
}
STAMMA_INLINE pages_popular *build_popular(const pages_build *b)
{
    return (pages_popular *)(void *)b->popular.data;
}
STAMMA_INLINE size_t build_popular_count(const pages_build *b)
{
    return b->popular.size / sizeof(pages_popular);
}
/* Returns the number of a stored position, from 1; 0: it is not stored. Popular positions have the lowest numbers. */
STAMMA_INLINE uint32_t build_number(const pages_build *b, uint64_t key)
{
    const uint64_t *number = stamma_pages_map_find(&b->map, key);
    return number ? (uint32_t)*number : 0;
}

/* ---- pages_walk.c ---- */

enum { FILTER_BYTES_MAX = 1 << 26 };

enum { WALK_PLIES = PAGES_LINE_MAX + 1 };

/* A pass over the typed games, by rank. */
typedef struct pages_walk {
    pages_build *build;
    uint32_t step; /* only every step-th game */
    bool complete; /* the moves after the stored plies are needed, too */
    size_t segment;
    uint32_t rank;
    uint32_t number; /* of the game in the pass, from 1 */
    index_moves moves;
    unsigned shared;  /* plies that are the same as those of the game before */
    unsigned length;  /* plies that were played: at most one more than those of positions */
    unsigned deepest; /* last ply of `length` whose position counts */
    uint8_t codes[WALK_PLIES];
    stamma_move played[WALK_PLIES];
    stamma_position positions[WALK_PLIES + 1];
    uint64_t keys[WALK_PLIES + 1];
    const uint8_t *rest; /* if complete: codes after `length` */
    uint32_t rest_count;
    buffer line;        /* uint8_t: all codes of the game */
    buffer moves_after; /* stamma_move: moves of `rest` */
    buffer san_facts;
} pages_walk;

/* Calls `visit` for each typed game. Errors: as `visit`; CORRUPT, CANCELLED, NO_MEMORY. */
stamma_error stamma_pages_walk(pages_build *b, uint32_t step, bool complete,
                               stamma_error (*visit)(void *context, pages_walk *w), void *context);
/* Reads the facts of a game of the pass. */
stamma_error stamma_pages_walk_game(const pages_walk *w, pages_game *game);
/* Returns whether the position at a ply is not the same as an earlier one of the game. */
bool stamma_pages_walk_is_new(const pages_walk *w, unsigned ply);

/* A position of a game: the move played there, or NULL at the end of the game. */
typedef stamma_error (*pages_visit)(void *context, const stamma_position *p, uint64_t key, const stamma_move *move);

/* Calls `visit` for the positions of a game after the stored plies, and for the last of these if `all` is set. */
stamma_error stamma_pages_walk_rest(pages_walk *w, pages_visit visit, void *context);
/* Calls `begin` for each game that is not typed, then `visit` for its positions. */
stamma_error stamma_pages_other_games(pages_build *b, stamma_error (*begin)(void *context, const pages_game *game),
                                      pages_visit visit, void *context);
/* Counts a step of the work. Errors: CANCELLED. */
stamma_error stamma_pages_report(pages_build *b);

/* Returns the number of parts for tables of keys, each of which needs `bytes` bytes. */
uint32_t stamma_pages_parts(const pages_build *b, uint64_t count, uint64_t bytes);
/* Returns the part of a key. */
STAMMA_INLINE bool pages_is_in_part(uint64_t key, uint32_t part, uint32_t parts)
{
    return (uint32_t)((key & UINT32_MAX) * parts >> 32) == part;
}

/* ---- pages_popular.c ---- */

/* Finds the popular positions, the widths of games, the weights of moves and the codes of their numbers. */
stamma_error stamma_pages_find_popular(pages_build *b);

/* ---- pages_transposed.c ---- */

/* Finds the rare positions that must be stored. */
stamma_error stamma_pages_find_transposed(pages_build *b);

/* ---- pages_clusters.c ---- */

/* Makes the lines of all popular positions. */
stamma_error stamma_pages_make_lines(pages_build *b);

/* ---- pages_sums.c, pages_buckets.c ---- */

/* Makes the buckets. */
stamma_error stamma_pages_make_buckets(pages_build *b);

/* Sums of the games in which a move was played. */
typedef struct pages_move_sums {
    stamma_move move;
    uint16_t rank;
    bool ended; /* the games end in the position; there is no move */
    uint16_t last_month;
    uint32_t results[4]; /* by result of facts */
    uint32_t rated;
    uint32_t opposed[2];
    uint32_t half_points[2];
    uint64_t rating_sum;
    uint64_t opposed_sum[2];
    pages_game game; /* the first */
} pages_move_sums;

/* An example game, and its place among the moves. */
typedef struct pages_example {
    pages_game game;
    uint32_t move;
} pages_example;

typedef struct pages_examples {
    uint32_t count;
    pages_example games[PAGES_TOP];
} pages_examples;

typedef struct pages_sums {
    uint32_t stored;    /* number in `stored`, from 0 */
    uint32_t last_game; /* that was counted */
    buffer moves;       /* pages_move_sums */
    pages_examples top, recent;
} pages_sums;

/* Adds a game. Errors: NO_MEMORY, UNSUPPORTED. */
stamma_error stamma_pages_sums_add(pages_build *b, pages_sums *s, const stamma_position *p, const stamma_move *move,
                                   const pages_game *game);
/* Appends the moves and games of a position. Errors: NO_MEMORY. */
stamma_error stamma_pages_sums_write(const pages_build *b, pages_sums *s, buffer *out);

/* An entry of a bucket. */
typedef struct pages_body {
    uint64_t key;
    uint64_t at; /* in the bodies */
    uint64_t size;
} pages_body;

/* Makes buckets of entries, which are then in another order. Errors: LIMIT, NO_MEMORY. */
stamma_error stamma_pages_cut_buckets(pages_build *b, pages_body *entries, size_t count, const buffer *bodies);

#endif
