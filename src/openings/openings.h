/* SPDX-License-Identifier: MIT */
/* The openings room: the table of openings and its look-up functions (doc/format/archive.md, Annex B). */
#ifndef STAMMA_OPENINGS_H
#define STAMMA_OPENINGS_H

#include "board/board.h"

enum {
    OPENINGS = 3607,
    OPENING_PLIES = 28, /* positions after more plies have no opening */
    OPENING_BUCKETS = 4096,
    OPENING_SEEN_BITS = 15,
    OPENING_WORDS = 2,
    OPENING_NAMES_CHUNK = 4064 /* in bytes */
};

typedef struct opening {
    uint32_t name; /* offset in the names */
    uint8_t name_size;
    char eco[3];
} opening;

extern const opening stamma_openings[OPENINGS]; /* by number - 1 */
/* Keys of the openings' positions, which depend only on the pieces and the side to move, in ascending order; the
 * number of the opening of each key; and the index of the first key for each value of the first 12 bits. */
extern const uint64_t stamma_opening_keys[OPENINGS];
extern const uint16_t stamma_opening_numbers[OPENINGS];
extern const uint16_t stamma_opening_buckets[OPENING_BUCKETS + 1];
/* A bit for each value of a key's first OPENING_SEEN_BITS bits: whether an opening's key begins with it. */
extern const uint64_t stamma_opening_seen[1 << OPENING_SEEN_BITS >> 6];
/* Masks to find games that have left all openings. Pawns do not return to their home squares, and captured pieces do
 * not return. There is a bit for each combination of home pawns and number of captures that occurs in an opening, if no
 * other combination in an opening can be reached from it. The bit is set if the combination can still be reached after
 * a piece has moved from or to a square, and after a number of captures. If no bit is left, no opening can be
 * reached. */
extern const uint64_t stamma_opening_pawns[64][OPENING_WORDS];
extern const uint64_t stamma_opening_captures[33][OPENING_WORDS];
extern const char stamma_opening_names[][OPENING_NAMES_CHUNK];

/* Returns whether an opening may have this key, which depends only on the pieces and the side to move. The test
 * excludes most positions without a look-up in the table. */
STAMMA_INLINE uint64_t opening_may_have(uint64_t key)
{
    uint64_t first = key >> (64 - OPENING_SEEN_BITS);
    return stamma_opening_seen[first >> 6] >> (first & 63) & 1;
}
/* Returns the number of the opening with this key, or 0. */
unsigned stamma_opening_with(uint64_t key);

/* Returns the number, from 1, of the opening of a game of legal moves from the initial position: the opening of the
 * last position that has an opening. Returns 0 if no position has an opening. */
unsigned stamma_opening_find(const stamma_move *moves, size_t count);

/* Finds openings from codes of moves (opening_codes.c). Faster for many games, because boards of common beginnings
 * are cached. */
typedef struct opening_finder {
    const stamma_allocator *allocator;
    struct beginning *beginnings; /* allocated on first use */
} opening_finder;

void stamma_openings_init(opening_finder *f, const stamma_allocator *allocator);
void stamma_openings_release(opening_finder *f);
/* Stores the number of the opening of a game, given the codes of its moves; 0 for none. Only the first OPENING_PLIES
 * codes are used. For bytes that are not codes of legal moves, the result is any opening, or CORRUPT. Other errors:
 * UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_opening_of_codes(opening_finder *f, const uint8_t *codes, size_t count, unsigned *number);

/* Return the code and the name of an opening. `number`: from 1. */
stamma_text stamma_opening_code(unsigned number);
stamma_text stamma_opening_name(unsigned number);

/* Returns whether this value of the tag ECO or Opening is known. If not, the opening is derived from the moves. */
STAMMA_INLINE bool opening_is_known(stamma_text value)
{
    return value.size > 0 && !(value.size == 1 && value.data[0] == '?');
}

#endif
