/* SPDX-License-Identifier: MIT */
/* The parts of `position-number`. position_number.c explains the numbers. */
#ifndef STAMMA_POSITION_NUMBER_H
#define STAMMA_POSITION_NUMBER_H

#include "encodings/position_codes.h"

/* A number of 192 bits, lowest 32 bits first (position_number_wide.c). */
typedef struct wide {
    uint32_t limb[6];
} wide;

void stamma_wide_add(wide *a, const wide *b);
void stamma_wide_add_number(wide *a, uint64_t number);
bool stamma_wide_subtract(wide *a, const wide *b); /* false, with *a unchanged, if b is larger */
void stamma_wide_multiply(wide *a, uint64_t factor);
uint64_t stamma_wide_divide(wide *a, uint64_t divisor); /* *a becomes the quotient; returns the remainder */
wide stamma_wide_product(uint64_t a, uint64_t b, uint64_t c);

/* position_number_wide.c: converts a subset of at most 16 bits of `all` to its number among all subsets of the same
 * size, and back. */
uint64_t stamma_subset_rank(uint64_t set, uint64_t all);
uint64_t stamma_subset_unrank(uint64_t number, unsigned count, uint64_t all);

/* The properties by which positions are counted, seen from the side to move, which counts as White. */
typedef struct position_shape {
    unsigned castling[2]; /* 0 none, otherwise 1 to 112: the king and rooks that are fixed on the back rank */
    unsigned fixed[2];    /* number of fixed rooks, 0 to 2; if not 0, the king is fixed too */
    unsigned pawns[2];
    unsigned pairs;      /* opposed pawns: a white pawn below a black pawn on a file; each pawn is in one pair only */
    unsigned en_passant; /* 0 none, otherwise 2 x the pushed pawn's file, + 1 if the capturing pawn is on its h-side */
    unsigned pieces[2];  /* pieces that are neither pawns nor fixed */
} position_shape;

/* Returns the number of pieces that a castling fixes. */
STAMMA_INLINE unsigned shape_fixed_pieces(const position_shape *s, unsigned color)
{
    return s->fixed[color] ? s->fixed[color] + 1 : 0;
}

/* The king and the rooks that may castle, by file; 8 for no rook (position_number_shapes.c). */
typedef struct back_rank {
    unsigned king, h_rook, a_rook;
} back_rank;

/* Stores the castling of `number`, 1 to 112. If `number` is 0, returns the number of *castling instead, or 0 if it has
 * no number. */
unsigned stamma_castling_find(back_rank *castling, unsigned number);

/* Returns the number of squares that remain for other pieces: all squares except the squares of pawns and fixed pieces,
 * and the two squares that must be empty for an en passant square. */
unsigned stamma_shape_squares(const position_shape *shape);
/* stamma_shape_rank returns the number of positions before the positions of a shape. stamma_shape_unrank finds the
 * shape that contains position *number; *number becomes the index among the positions of the shape. It returns false if
 * there are at most *number positions. */
wide stamma_shape_rank(const position_shape *shape);
bool stamma_shape_unrank(wide *number, position_shape *shape);

/* position_number_pawns.c: the pawns of each file as six ternary digits, starting at the second rank: 0 empty, 1 White,
 * 2 Black. */
void stamma_pawns_codes(const stamma_position *position, uint16_t codes[8]);
unsigned stamma_pawns_pairs(unsigned code);
void stamma_pawns_put(const uint16_t codes[8], stamma_position *position);
/* Count the ways to place the pawns of a shape, and convert a placement to its number and back. */
uint64_t stamma_pawns_count(const position_shape *shape);
uint64_t stamma_pawns_rank(const position_shape *shape, const uint16_t codes[8]);
void stamma_pawns_unrank(const position_shape *shape, uint64_t number, uint16_t codes[8]);

/* The kinds of a side's pieces, by piece type from knight to king: the set of the pieces' indices, 0 to 15, in the
 * order of their squares (position_number_kinds.c). */
typedef struct piece_kinds {
    uint64_t places[6];
} piece_kinds;

/* Count the assignments of kinds to the pieces of a shape, and convert an assignment to its number and back.
 * stamma_kinds_rank returns false if no game can lead to the assignment. */
uint64_t stamma_kinds_count(const position_shape *shape);
bool stamma_kinds_rank(const position_shape *shape, const piece_kinds kinds[2], uint64_t *number);
void stamma_kinds_unrank(const position_shape *shape, uint64_t number, piece_kinds kinds[2]);

/* ---- tables (position_number_tables.c) ---- */

/* A class of ways to fill the six squares of a file with pawns: the numbers of pawns, and the number of opposed
 * pairs. `start` is the index of the first way in stamma_file_codes. */
typedef struct file_class {
    uint8_t white, black, pairs;
    uint16_t start;
} file_class;

enum { FILE_CLASSES = 50, PAWN_CLASSES = 285 };

extern const uint64_t stamma_binomials[65][17];
extern const uint16_t stamma_file_codes[729];
extern const file_class stamma_file_classes[FILE_CLASSES + 1];
/* Indices of classes of pawns, by the numbers of White's and Black's pawns. Add the number of pairs. */
extern const uint16_t stamma_pawn_classes[9][9];
/* The number of ways to place pawns on 0 to 8 files, by class of pawns. */
extern const uint64_t stamma_file_ways[9][PAWN_CLASSES];
/* The same for eight files if a black pawn that has just made a double push is on a given file, and a white pawn is
 * next to it on a given adjacent file. */
extern const uint64_t stamma_en_passant_ways[PAWN_CLASSES];
/* The number of sequences of N B R Q and a king (without the king if it is fixed with one or two rooks), by number of
 * fixed rooks, by length, and by the maximum excess. The excess is the number of pieces in addition to the pieces of
 * the initial position, including fixed rooks. */
extern const uint64_t stamma_piece_strings[3][17][9];
/* The number of positions before each class of pawns, and of all positions, by the number of fixed rooks of each
 * side. */
extern const wide stamma_positions_before[3][3][PAWN_CLASSES + 1];

#endif
