/* The openings room: the table of openings and its look-up (doc/format.md, Annex B). */
#ifndef STAMMA_OPENINGS_H
#define STAMMA_OPENINGS_H

#include "board/board.h"

enum {
    OPENINGS = 3607,
    OPENING_PLIES = 28, /* a position behind more is that of no opening */
    OPENING_BUCKETS = 4096,
    OPENING_SEEN_BITS = 15,
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
extern const char stamma_opening_names[][OPENING_NAMES_CHUNK];

/* The number of the opening of a game of legal moves from the initial position, from 1: that of the last position which
 * has one; 0 where none has. */
unsigned stamma_opening_find(const stamma_move *moves, size_t count);
/* By number. */
stamma_text stamma_opening_code(unsigned number);
stamma_text stamma_opening_name(unsigned number);

#endif
