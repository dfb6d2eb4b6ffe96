/* The openings room: the table of openings and its look-up (doc/format.md, Annex B). */
#ifndef STAMMA_OPENINGS_H
#define STAMMA_OPENINGS_H

#include "board/board.h"

enum {
    OPENINGS = 3607,
    OPENING_PLIES = 28, /* a position behind more is that of no opening */
    OPENING_BUCKETS = 4096,
    OPENING_SEEN_BITS = 15,
    OPENING_WORDS = 2,
    OPENING_NAMES_CHUNK = 4064 /* bytes */
};

typedef struct opening {
    uint32_t name; /* where it stands in the names */
    uint8_t name_size;
    char eco[3];
} opening;

extern const opening stamma_openings[OPENINGS]; /* by number, less 1 */
/* Keys of their positions, of the pieces and the side to move alone; the number that belongs to each; and where the
 * keys with each of the first 12 bits begin. */
extern const uint64_t stamma_opening_keys[OPENINGS];
extern const uint16_t stamma_opening_numbers[OPENINGS];
extern const uint16_t stamma_opening_buckets[OPENING_BUCKETS + 1];
/* A bit for each beginning of OPENING_SEEN_BITS bits that a key may have: whether one has it. */
extern const uint64_t stamma_opening_seen[1 << OPENING_SEEN_BITS >> 6];
/* Home pawns do not come back, nor do captured pieces. A bit for each set of pawns that some opening has, and no other
 * comes behind: whether it may come when a piece has moved from or to a square, and after so many captures. Where none
 * may, no opening does. */
extern const uint64_t stamma_opening_pawns[64][OPENING_WORDS];
extern const uint64_t stamma_opening_captures[33][OPENING_WORDS];
extern const char stamma_opening_names[][OPENING_NAMES_CHUNK];

/* Whether an opening may have this key, of the pieces and the side to move alone: most positions of a game are told so
 * from those of openings, without a look at the table. */
STAMMA_INLINE uint64_t opening_may_have(uint64_t key)
{
    uint64_t first = key >> (64 - OPENING_SEEN_BITS);
    return stamma_opening_seen[first >> 6] >> (first & 63) & 1;
}
/* The number of the opening with this key; 0 for none. */
unsigned stamma_opening_with(uint64_t key);

/* The number of the opening of a game of legal moves from the initial position, from 1: that of the last position which
 * has one; 0 where none has. */
unsigned stamma_opening_find(const stamma_move *moves, size_t count);

/* The same from codes of moves (opening_codes.c), for many games: it keeps boards of beginnings that they share. */
typedef struct opening_finder {
    const stamma_allocator *allocator;
    struct beginning *beginnings; /* NULL at first */
} opening_finder;

void stamma_openings_init(opening_finder *f, const stamma_allocator *allocator);
void stamma_openings_release(opening_finder *f);
/* The opening of a game from its moves' codes, of which the first OPENING_PLIES count; 0 for none. Bytes that are no
 * codes of legal moves give any opening, or CORRUPT. UNSUPPORTED, NO_MEMORY. */
stamma_error stamma_opening_of_codes(opening_finder *f, const uint8_t *codes, size_t count, unsigned *number);

/* By number. */
stamma_text stamma_opening_code(unsigned number);
stamma_text stamma_opening_name(unsigned number);

#endif
