/* SPDX-License-Identifier: MIT */
/* Numbers the placements of pawns with the same number of pawns of each colour and the same number of opposed pairs;
 * for position_number.c. For each file, the number counts the classes before the file's class, and the codes before the
 * file's code in its class. Each count is multiplied by the number of ways to fill the remaining files. */
#include "encodings/position_number.h"

enum { EMPTY = 0, WHITE = 1, BLACK = 2 }; /* the digits of a file's code */

void stamma_pawns_codes(const stamma_position *p, uint16_t codes[8])
{
    for (unsigned file = 0; file < 8; file++) {
        unsigned code = 0;
        for (unsigned square = 48 + file; square >= 8; square -= 8) {
            bool pawn = p->by_type[STAMMA_PAWN] >> square & 1, black = p->by_color[STAMMA_BLACK] >> square & 1;
            code = 3 * code + (pawn ? black ? BLACK : WHITE : EMPTY);
        }
        codes[file] = (uint16_t)code;
    }
}

unsigned stamma_pawns_pairs(unsigned code)
{
    unsigned free = 0, pairs = 0;
    for (unsigned n = 0; n < 6; n++, code /= 3) {
        free += code % 3 == WHITE;
        if (code % 3 == BLACK && free > 0)
            free--, pairs++;
    }
    return pairs;
}

/* Returns the digit of a rank, 1 to 6 from White's second rank. */
static unsigned digit(unsigned code, unsigned rank)
{
    static const uint16_t powers[7] = {1, 1, 3, 9, 27, 81, 243};
    return code / powers[rank] % 3;
}

/* Returns the `n`-th file in the order of numbering. The two files of en passant come first. */
static unsigned nth_file(unsigned en_passant, unsigned n)
{
    unsigned pushed = en_passant / 2, beside = en_passant & 1 ? pushed + 1 : pushed - 1;
    if (en_passant == 0)
        return n;
    if (n < 2)
        return n == 0 ? pushed : beside;
    uint64_t others = UINT64_C(0xFF) & ~(square_bit(pushed) | square_bit(beside & 7));
    return nth_along_ranks(others, n - 2);
}

/* Returns whether a code is possible on the `n`-th file in the order of numbering. */
static bool may_fill(unsigned en_passant, unsigned n, unsigned code)
{
    if (en_passant == 0 || n > 1)
        return true;
    if (n == 1)
        return digit(code, 4) == WHITE;
    return digit(code, 4) == BLACK && digit(code, 5) == EMPTY && digit(code, 6) == EMPTY;
}

/* Returns the number of codes of a class of files that are possible on the `n`-th file. */
static unsigned codes_that_fill(unsigned en_passant, unsigned n, unsigned group)
{
    unsigned at = stamma_file_classes[group].start, end = stamma_file_classes[group + 1].start, count = 0;
    if (en_passant == 0 || n > 1)
        return end - at;
    for (; at < end; at++)
        count += may_fill(en_passant, n, stamma_file_codes[at]);
    return count;
}

/* Convert a code to its index among the possible codes of its class, and back. */
static unsigned place_of_code(unsigned en_passant, unsigned n, unsigned group, unsigned code)
{
    unsigned place = 0;
    for (unsigned at = stamma_file_classes[group].start; stamma_file_codes[at] != code; at++)
        place += may_fill(en_passant, n, stamma_file_codes[at]);
    return place;
}
static unsigned code_at_place(unsigned en_passant, unsigned n, unsigned group, uint64_t place)
{
    unsigned at = stamma_file_classes[group].start;
    while (!may_fill(en_passant, n, stamma_file_codes[at]) || place-- > 0)
        at++;
    return stamma_file_codes[at];
}

static unsigned class_of_code(unsigned code)
{
    unsigned white = 0, black = 0, group = 0, pairs = stamma_pawns_pairs(code);
    for (unsigned rank = 1; rank <= 6; rank++) {
        white += digit(code, rank) == WHITE;
        black += digit(code, rank) == BLACK;
    }
    while (stamma_file_classes[group].white != white || stamma_file_classes[group].black != black ||
           stamma_file_classes[group].pairs != pairs)
        group++;
    return group;
}

/* The numbers of pawns and pairs of pawns that remain to be placed. */
typedef struct pawns_left {
    unsigned white, black, pairs;
} pawns_left;

/* Subtracts the pawns of a class of files. Returns false if there are not enough left. */
static bool take_class(pawns_left *left, unsigned group)
{
    const file_class *c = &stamma_file_classes[group];
    if (c->white > left->white || c->black > left->black || c->pairs > left->pairs)
        return false;
    *left = (pawns_left){left->white - c->white, left->black - c->black, left->pairs - c->pairs};
    return true;
}

/* Returns the number of ways to fill the files from the `n`-th on. */
static uint64_t ways_from(unsigned en_passant, unsigned n, pawns_left left)
{
    uint64_t ways = 0;
    if (left.pairs > left.white || left.pairs > left.black)
        return 0;
    if (en_passant == 0 || n > 1)
        return stamma_file_ways[8 - n][stamma_pawn_classes[left.white][left.black] + left.pairs];
    for (unsigned group = 0; group < FILE_CLASSES; group++) {
        pawns_left rest = left;
        if (take_class(&rest, group))
            ways += codes_that_fill(en_passant, n, group) * ways_from(en_passant, n + 1, rest);
    }
    return ways;
}

uint64_t stamma_pawns_rank(const position_shape *s, const uint16_t codes[8])
{
    pawns_left left = {s->pawns[0], s->pawns[1], s->pairs};
    uint64_t number = 0;
    for (unsigned n = 0; n < 8; n++) {
        unsigned code = codes[nth_file(s->en_passant, n)], own = class_of_code(code);
        for (unsigned group = 0; group < own; group++) {
            pawns_left rest = left;
            if (take_class(&rest, group))
                number += codes_that_fill(s->en_passant, n, group) * ways_from(s->en_passant, n + 1, rest);
        }
        take_class(&left, own);
        number += place_of_code(s->en_passant, n, own, code) * ways_from(s->en_passant, n + 1, left);
    }
    return number;
}

void stamma_pawns_unrank(const position_shape *s, uint64_t number, uint16_t codes[8])
{
    pawns_left left = {s->pawns[0], s->pawns[1], s->pairs};
    for (unsigned n = 0; n < 8; n++)
        for (unsigned group = 0; group < FILE_CLASSES; group++) {
            pawns_left rest = left;
            if (!take_class(&rest, group))
                continue;
            uint64_t ways = ways_from(s->en_passant, n + 1, rest);
            uint64_t all = codes_that_fill(s->en_passant, n, group) * ways;
            if (number >= all) {
                number -= all;
                continue;
            }
            codes[nth_file(s->en_passant, n)] = (uint16_t)code_at_place(s->en_passant, n, group, number / ways);
            number %= ways;
            left = rest;
            break;
        }
}

uint64_t stamma_pawns_count(const position_shape *s)
{
    unsigned group = stamma_pawn_classes[s->pawns[0]][s->pawns[1]] + s->pairs;
    return s->en_passant ? stamma_en_passant_ways[group] : stamma_file_ways[8][group];
}

void stamma_pawns_put(const uint16_t codes[8], stamma_position *p)
{
    for (unsigned square = 8; square < 56; square++) {
        unsigned piece = digit(codes[square & 7], square >> 3);
        if (piece != EMPTY)
            position_put(p, piece == WHITE ? STAMMA_WHITE : STAMMA_BLACK, STAMMA_PAWN, square);
    }
}
