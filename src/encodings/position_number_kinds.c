/* SPDX-License-Identifier: MIT */
/* Numbers the assignments of kinds to a position's pieces that the captures and pawns allow; for position_number.c. The
 * order is by White's excess, Black's excess, White's material, the order of White's pieces, Black's material and the
 * order of Black's pieces. */
#include "encodings/position_number.h"

enum { EXCESS_MAX = 8 };

/* The number of pieces of each kind of a side that are neither pawns nor fixed. The king is not counted. */
typedef struct material {
    unsigned knights, bishops, rooks, queens;
} material;

/* Returns the number of pieces in addition to the pieces of the initial position. `fixed` is the number of rooks fixed
 * by castling. */
static unsigned excess_of(material m, unsigned fixed)
{
    unsigned rooks = m.rooks + fixed;
    return (m.knights > 2 ? m.knights - 2 : 0) + (m.bishops > 2 ? m.bishops - 2 : 0) + (rooks > 2 ? rooks - 2 : 0) +
           (m.queens > 1 ? m.queens - 1 : 0);
}

/* Returns the number of orders of `count` pieces of a material, including the king if it is not fixed. */
static uint64_t orders_of(material m, unsigned fixed, unsigned count)
{
    unsigned places = fixed ? count : count - 1;
    return (fixed ? 1 : count) * stamma_binomials[places][m.knights] * stamma_binomials[places - m.knights][m.bishops] *
           stamma_binomials[places - m.knights - m.bishops][m.rooks];
}

/* Enumerates all material of `count` pieces with an excess. If by_number, stores the material that contains order
 * *number in *m and subtracts the orders before it from *number. Otherwise finds *m and adds the orders before it to
 * *number. Returns false if there is no such material. */
static bool find_material(material *m, unsigned fixed, unsigned count, unsigned excess, uint64_t *number,
                          bool by_number)
{
    unsigned pieces = fixed ? count : count - 1;
    for (unsigned n = 0; n <= pieces; n++)
        for (unsigned b = 0; n + b <= pieces; b++)
            for (unsigned r = 0; n + b + r <= pieces; r++) {
                material one = {n, b, r, pieces - n - b - r};
                if (excess_of(one, fixed) != excess)
                    continue;
                uint64_t orders = orders_of(one, fixed, count);
                if (by_number ? *number < orders : memcmp(&one, m, sizeof one) == 0) {
                    *m = one;
                    return true;
                }
                *number += by_number ? 0 - orders : orders;
            }
    return false;
}

static material material_of(const piece_kinds *kinds)
{
    const uint64_t *places = kinds->places;
    return (material){bits_count(places[STAMMA_KNIGHT]), bits_count(places[STAMMA_BISHOP]),
                      bits_count(places[STAMMA_ROOK]), bits_count(places[STAMMA_QUEEN])};
}

/* Returns the number of the kinds of a side's pieces among all kinds with the same excess. The order of the pieces is
 * coded as the index of the king, if it is not fixed, then the sets of the indices of the knights, bishops and rooks,
 * each among the remaining indices. The queens have the last remaining indices. */
static uint64_t rank_side(const piece_kinds *kinds, unsigned fixed, unsigned count, unsigned excess)
{
    material m = material_of(kinds);
    uint64_t before = 0, rest = square_bit(count) - 1, number = 0;
    find_material(&m, fixed, count, excess, &before, false);
    if (!fixed)
        number = bits_first(kinds->places[STAMMA_KING]);
    rest &= ~kinds->places[STAMMA_KING];
    for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_ROOK; type++) {
        number *= stamma_binomials[bits_count(rest)][bits_count(kinds->places[type])];
        number += stamma_subset_rank(kinds->places[type], rest);
        rest &= ~kinds->places[type];
    }
    return before + number;
}

static void unrank_side(uint64_t number, unsigned fixed, unsigned count, unsigned excess, piece_kinds *kinds)
{
    material m = {0, 0, 0, 0};
    find_material(&m, fixed, count, excess, &number, true);
    unsigned counts[3] = {m.knights, m.bishops, m.rooks}, room = m.queens;
    uint64_t digits[3], rest = square_bit(count) - 1;
    for (unsigned n = 3; n-- > 0;) { /* the digit of the rooks is the lowest */
        room += counts[n];
        digits[n] = number % stamma_binomials[room][counts[n]];
        number /= stamma_binomials[room][counts[n]];
    }
    memset(kinds, 0, sizeof *kinds);
    kinds->places[STAMMA_KING] = fixed ? 0 : square_bit((unsigned)number & 15);
    rest &= ~kinds->places[STAMMA_KING];
    for (unsigned n = 0; n < 3; n++) {
        kinds->places[STAMMA_KNIGHT + n] = stamma_subset_unrank(digits[n], counts[n], rest);
        rest &= ~kinds->places[STAMMA_KNIGHT + n];
    }
    kinds->places[STAMMA_QUEEN] = rest;
}

/* ---- both sides ---- */

/* Returns the number of promotions that the shape allows, given the captures that it implies; -1 if no game leads to
 * the shape. */
static int promotions_left(const position_shape *s)
{
    int white = (int)(s->pawns[0] + s->pieces[0] + shape_fixed_pieces(s, 0));
    int black = (int)(s->pawns[1] + s->pieces[1] + shape_fixed_pieces(s, 1));
    int captures = 32 - white - black, pawns_taken = 8 - (int)s->pairs - captures;
    if (white > 16 || black > 16 || pawns_taken > captures)
        return -1;
    return 16 - (int)(s->pawns[0] + s->pawns[1]) - (pawns_taken > 0 ? pawns_taken : 0);
}

/* Return the number of sequences of the kinds of a side's pieces: strings_to with an excess of at most `excess`,
 * strings_of with exactly this excess. The number is 0 if `excess` is negative. */
static uint64_t strings_to(const position_shape *s, unsigned color, int excess)
{
    return excess < 0 ? 0 : stamma_piece_strings[s->fixed[color]][s->pieces[color]][excess];
}
static uint64_t strings_of(const position_shape *s, unsigned color, int excess)
{
    return strings_to(s, color, excess) - strings_to(s, color, excess - 1);
}

/* Returns the largest excess that Black may have if White has `white_excess`; negative if White may not have it. */
static int excess_left(const position_shape *s, int promotions, int white_excess)
{
    int pawns = 8 - (int)s->pawns[1];
    if (white_excess > 8 - (int)s->pawns[0])
        return -1;
    return promotions - white_excess < pawns ? promotions - white_excess : pawns;
}

/* Returns the number of assignments of kinds to the pieces of the shape in which White's excess is below
 * `white_excess`. */
static uint64_t kinds_below(const position_shape *s, int white_excess)
{
    int promotions = promotions_left(s);
    uint64_t count = 0;
    for (int white = 0; white < white_excess && white <= promotions; white++)
        count += strings_of(s, 0, white) * strings_to(s, 1, excess_left(s, promotions, white));
    return count;
}

uint64_t stamma_kinds_count(const position_shape *s)
{
    return kinds_below(s, EXCESS_MAX + 1);
}

bool stamma_kinds_rank(const position_shape *s, const piece_kinds kinds[2], uint64_t *number)
{
    int white = (int)excess_of(material_of(&kinds[0]), s->fixed[0]);
    int black = (int)excess_of(material_of(&kinds[1]), s->fixed[1]);
    if (white > EXCESS_MAX || black > excess_left(s, promotions_left(s), white))
        return false;
    uint64_t before = kinds_below(s, white) + strings_of(s, 0, white) * strings_to(s, 1, black - 1);
    uint64_t first = rank_side(&kinds[0], s->fixed[0], s->pieces[0], (unsigned)white);
    uint64_t second = rank_side(&kinds[1], s->fixed[1], s->pieces[1], (unsigned)black);
    *number = before + first * strings_of(s, 1, black) + second;
    return true;
}

void stamma_kinds_unrank(const position_shape *s, uint64_t number, piece_kinds kinds[2])
{
    int white = 0, black = 0, promotions = promotions_left(s);
    while (kinds_below(s, white + 1) <= number)
        white++;
    number -= kinds_below(s, white);
    while (black < excess_left(s, promotions, white) && strings_of(s, 0, white) * strings_to(s, 1, black) <= number)
        black++;
    number -= strings_of(s, 0, white) * strings_to(s, 1, black - 1);
    uint64_t radix = strings_of(s, 1, black);
    unrank_side(number / radix, s->fixed[0], s->pieces[0], (unsigned)white, &kinds[0]);
    unrank_side(number % radix, s->fixed[1], s->pieces[1], (unsigned)black, &kinds[1]);
}
