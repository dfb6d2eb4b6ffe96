/* SPDX-License-Identifier: MIT */
/* Orders the shapes of positions, and counts the positions before each shape; for position_number.c. */
#include "encodings/position_number.h"

enum { CASTLINGS = 113, EN_PASSANTS = 14, PIECES = 17 /* 0 to 16 */ };

static unsigned fixed_by(unsigned castling)
{
    return castling == 0 ? 0 : castling <= CASTLINGS / 2 ? 1 : 2;
}

/* Castlings with one rook come first. The order is then by the files of king, h-side rook and a-side rook. */
unsigned stamma_castling_find(back_rank *c, unsigned number)
{
    unsigned last = 0;
    for (unsigned n = 0; n < 2 * 8 * 9 * 9; n++) {
        back_rank one = {n / 81 % 8, n / 9 % 9, n % 9};
        bool in_order = one.h_rook > one.king && (one.a_rook < one.king || one.a_rook == 8);
        if (!in_order || (one.h_rook < 8) + (one.a_rook < 8) != (n < 8 * 81 ? 1 : 2))
            continue;
        last++;
        if (number ? last == number : c->king == one.king && c->h_rook == one.h_rook && c->a_rook == one.a_rook) {
            *c = one;
            return last;
        }
    }
    return 0;
}

unsigned stamma_shape_squares(const position_shape *s)
{
    return 64 - s->pawns[0] - s->pawns[1] - shape_fixed_pieces(s, 0) - shape_fixed_pieces(s, 1) -
           (s->en_passant ? 2 : 0);
}

/* Returns the number of ways to place the pieces of the shape. */
static wide ways_of_pieces(const position_shape *s)
{
    unsigned squares = stamma_shape_squares(s);
    uint64_t kinds = stamma_kinds_count(s);
    if (kinds == 0)
        return (wide){{0}};
    return stamma_wide_product(kinds, stamma_binomials[squares][s->pieces[0]],
                               stamma_binomials[squares - s->pieces[0]][s->pieces[1]]);
}

/* Returns the number of ways to place any pieces with the same pawns and fixed pieces. Counts only shapes before `end`,
 * which have fewer pieces of White, or the same number and fewer pieces of Black. Counts all shapes if `end` is
 * NULL. */
static wide ways_before(const position_shape *s, const position_shape *end)
{
    wide ways = {{0}};
    position_shape one = *s;
    for (unsigned n = 0; n < PIECES * PIECES; n++) {
        one.pieces[0] = n / PIECES;
        one.pieces[1] = n % PIECES;
        if (end && one.pieces[0] == end->pieces[0] && one.pieces[1] == end->pieces[1])
            break;
        wide more = ways_of_pieces(&one);
        stamma_wide_add(&ways, &more);
    }
    return ways;
}

/* ---- numbers ---- */

static void add_castlings(const position_shape *s, wide *number)
{
    for (unsigned white = 0; white <= s->castling[0]; white++)
        for (unsigned black = 0; black < (white < s->castling[0] ? CASTLINGS : s->castling[1]); black++)
            stamma_wide_add(number, &stamma_positions_before[fixed_by(white)][fixed_by(black)][PAWN_CLASSES]);
}

/* Returns the number of positions of the same class of pawns whose en passant squares are before this en passant
 * square. */
static wide en_passants_before(const position_shape *s)
{
    position_shape one = *s;
    one.en_passant = 0;
    wide quiet = ways_before(&one, NULL);
    stamma_wide_multiply(&quiet, stamma_pawns_count(&one));
    one.en_passant = 1;
    wide pushed = ways_before(&one, NULL);
    stamma_wide_multiply(&pushed, stamma_pawns_count(&one));
    stamma_wide_multiply(&pushed, s->en_passant - 1);
    stamma_wide_add(&pushed, &quiet);
    return pushed;
}

wide stamma_shape_rank(const position_shape *s)
{
    wide number = {{0}};
    add_castlings(s, &number);
    unsigned group = stamma_pawn_classes[s->pawns[0]][s->pawns[1]] + s->pairs;
    stamma_wide_add(&number, &stamma_positions_before[s->fixed[0]][s->fixed[1]][group]);
    if (s->en_passant) {
        wide more = en_passants_before(s);
        stamma_wide_add(&number, &more);
    }
    wide fewer = ways_before(s, s);
    stamma_wide_multiply(&fewer, stamma_pawns_count(s));
    stamma_wide_add(&number, &fewer);
    return number;
}

static bool unrank_castling(wide *number, position_shape *s)
{
    for (unsigned n = 0; n < CASTLINGS * CASTLINGS; n++) {
        s->castling[0] = n / CASTLINGS;
        s->castling[1] = n % CASTLINGS;
        s->fixed[0] = fixed_by(s->castling[0]);
        s->fixed[1] = fixed_by(s->castling[1]);
        if (!stamma_wide_subtract(number, &stamma_positions_before[s->fixed[0]][s->fixed[1]][PAWN_CLASSES]))
            return true;
    }
    return false;
}

static void unrank_class(wide *number, position_shape *s)
{
    unsigned group = PAWN_CLASSES;
    while (!stamma_wide_subtract(number, &stamma_positions_before[s->fixed[0]][s->fixed[1]][--group]))
        ;
    for (unsigned n = 0; n < 81 && stamma_pawn_classes[n / 9][n % 9] <= group; n++) {
        s->pawns[0] = n / 9;
        s->pawns[1] = n % 9;
        s->pairs = group - stamma_pawn_classes[n / 9][n % 9];
    }
}

static void unrank_en_passant(wide *number, position_shape *s)
{
    for (s->en_passant = 0; s->en_passant < EN_PASSANTS; s->en_passant++) {
        wide ways = ways_before(s, NULL);
        stamma_wide_multiply(&ways, stamma_pawns_count(s));
        if (!stamma_wide_subtract(number, &ways))
            return;
    }
}

static void unrank_pieces(wide *number, position_shape *s)
{
    for (unsigned n = 0; n < PIECES * PIECES; n++) {
        s->pieces[0] = n / PIECES;
        s->pieces[1] = n % PIECES;
        wide ways = ways_of_pieces(s);
        stamma_wide_multiply(&ways, stamma_pawns_count(s));
        if (!stamma_wide_subtract(number, &ways))
            return;
    }
}

bool stamma_shape_unrank(wide *number, position_shape *s)
{
    memset(s, 0, sizeof *s);
    if (!unrank_castling(number, s))
        return false;
    unrank_class(number, s);
    unrank_en_passant(number, s);
    unrank_pieces(number, s);
    return true;
}
