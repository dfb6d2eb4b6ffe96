/* SPDX-License-Identifier: MIT */
/* Identifies a piece of the side to move in three bits, and its move by a vector in four bits: the lower seven bits of
 * the bytes of `many-queens` and `many-promotions` (comments by LMSS on Forster 2015).
 *
 *   mmm vvvv   the piece of code m moves by vector v (encodings.h)
 *
 * Codes are assigned to the king, pairs of knights, bishops, rooks, queens and pawns, in this order. A queen has two
 * codes, as a rook and as a bishop. Pieces of a kind are numbered in the order of the files. The king's vector 15 is
 * the null move. */
#include "encodings/encodings.h"

eight_codes stamma_eight_codes(const stamma_position *p, uint64_t pieces)
{
    eight_codes c = {.knights = pieces & p->by_type[STAMMA_KNIGHT],
                     .bishops = pieces & p->by_type[STAMMA_BISHOP],
                     .rooks = pieces & p->by_type[STAMMA_ROOK],
                     .queens = pieces & p->by_type[STAMMA_QUEEN],
                     .pawns = pieces & p->by_type[STAMMA_PAWN]};
    c.bishop = 1 + (bits_count(c.knights) + 1) / 2;
    c.rook = c.bishop + bits_count(c.bishops);
    c.queen = c.rook + bits_count(c.rooks);
    c.pawn = c.queen + 2 * bits_count(c.queens);
    c.end = c.pawn + bits_count(c.pawns);
    return c;
}

/* Returns the code of the piece of `type` on the move's origin. *number becomes its number among the pieces that
 * share the code. The move determines whether a queen is coded as a rook or as a bishop. */
static unsigned code_of(const eight_codes *c, unsigned type, stamma_move move, unsigned *number)
{
    uint64_t before = squares_before(stamma_move_from(move));
    *number = 0;
    switch (type) {
    case STAMMA_PAWN: return c->pawn + bits_count(c->pawns & before);
    case STAMMA_KNIGHT: *number = bits_count(c->knights & before) & 1; return 1 + bits_count(c->knights & before) / 2;
    case STAMMA_BISHOP: return c->bishop + bits_count(c->bishops & before);
    case STAMMA_ROOK: return c->rook + bits_count(c->rooks & before);
    case STAMMA_QUEEN: return c->queen + 2 * bits_count(c->queens & before) + !is_straight(move);
    default: return 0;
    }
}

unsigned stamma_eight_codes_write(const eight_codes *c, const stamma_position *p, stamma_move move)
{
    if (move == STAMMA_MOVE_NULL)
        return EIGHT_CODES_NULL;
    unsigned type = position_type_at(p, stamma_move_from(move)), number, code = code_of(c, type, move, &number);
    return code << 4 | number << 3 | move_vector(type, move);
}

stamma_move stamma_eight_codes_read(const eight_codes *c, const stamma_position *p, unsigned bits)
{
    unsigned code = bits >> 4 & 7, kind = STAMMA_KING, from = position_king(p, p->side);
    if (code >= c->pawn) {
        kind = STAMMA_PAWN;
        from = stamma_nth_square(c->pawns, code - c->pawn);
    } else if (code >= c->queen) {
        kind = (code - c->queen) % 2 ? STAMMA_BISHOP : STAMMA_ROOK;
        from = stamma_nth_square(c->queens, (code - c->queen) / 2);
    } else if (code >= c->rook) {
        kind = STAMMA_ROOK;
        from = stamma_nth_square(c->rooks, code - c->rook);
    } else if (code >= c->bishop) {
        kind = STAMMA_BISHOP;
        from = stamma_nth_square(c->bishops, code - c->bishop);
    } else if (code >= 1) {
        kind = STAMMA_KNIGHT;
        from = stamma_nth_square(c->knights, (code - 1) << 1 | (bits >> 3 & 1));
    }
    return stamma_vector_legal_move(p, kind, from, bits & 15);
}

void stamma_eight_codes_explain(const eight_codes *c, const stamma_position *p, stamma_move move, explanation *e)
{
    unsigned from = stamma_move_from(move), type = position_type_at(p, from), number;
    unsigned code = code_of(c, type, move, &number);
    stamma_explain_bits(e, code, 3, "code %u: %s on %s", code, stamma_type_name(type), stamma_square_name(from).text);
    if (type == STAMMA_KNIGHT)
        stamma_explain_bits(e, number, 1, number ? "the second of two" : "the first of two");
    stamma_explain_vector(e, vector_kind(type, move), move_vector(type, move));
}
