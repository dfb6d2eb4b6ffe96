/* SPDX-License-Identifier: MIT */
/* `position-number`: converts every position that a game can lead to, including Chess960, to a number below 2^160 and
 * back.
 *
 * The numbered set is a superset of these positions that can be counted by multiplication: pieces on squares. The
 * number of promoted pieces, which are pieces in addition to the pieces of the initial position, is at most the number
 * of missing pawns, and promotions require captures. Pawns start as eight opposed pairs, a white pawn below a black
 * pawn on each file. Only captures end a pair: the capture of a pawn ends at most two pairs (the pair of this pawn, and
 * the pair of a pawn that captures it), and any other capture at most one pair. With c captures, x of them of pawns, at
 * least 8 - c - x pairs are left.
 *
 * Board, side, castling and en passant then need 152.72 bits, and 159.38 with the clock. (The best published ranking,
 * Tromp's of standard positions, needs 152.6 without the clock.) The number is built from these parts, outermost first:
 *
 *     clock, side        digits; if Black is to move, the position is turned, so the side to move is always White
 *     castlings          the king and rooks that are fixed on the back ranks, of 113 for each side
 *     class of pawns     number of white pawns, of black pawns, of opposed pairs    (counts from the table)
 *     en passant         none, or one of 14: the pushed pawn's file, and the side on which a capturing pawn is
 *     pieces             number of white pieces, of black pieces
 *     then, as digits:   the pawns' squares, file by file; the squares of White's pieces, of Black's; their kinds
 *
 * Only sums and products of integers are used. The number is therefore the same on all machines. */
#include "encodings/position_number.h"

enum { NUMBER_BITS = 160, CLOCKS = 101 };

/* Turns the position: exchanges ranks and colours. */
static uint64_t turn_set(uint64_t set)
{
    set = (set >> 8 & UINT64_C(0x00FF00FF00FF00FF)) | (set & UINT64_C(0x00FF00FF00FF00FF)) << 8;
    set = (set >> 16 & UINT64_C(0x0000FFFF0000FFFF)) | (set & UINT64_C(0x0000FFFF0000FFFF)) << 16;
    return set >> 32 | set << 32;
}

static stamma_position turned(const stamma_position *p)
{
    stamma_position other = *p;
    for (unsigned color = 0; color < 2; color++) {
        other.by_color[color] = turn_set(p->by_color[color ^ 1]);
        for (unsigned side = 0; side < 2; side++) {
            stamma_square rook = p->castling[color ^ 1][side];
            other.castling[color][side] = rook == STAMMA_SQUARE_NONE ? rook : rook ^ 56;
        }
    }
    for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
        other.by_type[type] = turn_set(p->by_type[type]);
    other.side ^= 1;
    other.en_passant = p->en_passant == STAMMA_SQUARE_NONE ? p->en_passant : p->en_passant ^ 56;
    return other;
}

/* Returns the squares of fixed pieces. */
static uint64_t fixed_pieces(const stamma_position *p)
{
    uint64_t fixed = 0;
    for (unsigned n = 0; n < 4; n++)
        if (p->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE)
            fixed |= square_bit(p->castling[n / 2][n % 2] & 63u) | position_pieces(p, n / 2, STAMMA_KING);
    return fixed;
}

static unsigned en_passant_number(const stamma_position *p)
{
    if (p->en_passant == STAMMA_SQUARE_NONE)
        return 0;
    unsigned pushed = p->en_passant & 7;
    bool left = pushed > 0 && position_pieces(p, STAMMA_WHITE, STAMMA_PAWN) >> (32 + pushed - 1) & 1;
    return 2 * pushed + !left;
}

static unsigned castling_number(const stamma_position *p, unsigned color)
{
    unsigned h_rook = p->castling[color][STAMMA_KING_SIDE], a_rook = p->castling[color][STAMMA_QUEEN_SIDE];
    back_rank castling = {position_king(p, color) & 7, h_rook == STAMMA_SQUARE_NONE ? 8 : h_rook & 7,
                          a_rook == STAMMA_SQUARE_NONE ? 8 : a_rook & 7};
    return castling.h_rook == 8 && castling.a_rook == 8 ? 0 : stamma_castling_find(&castling, 0);
}

/* Return the pieces of a side that are neither pawns nor fixed, and the squares that remain for them. */
static uint64_t pieces_of(const stamma_position *p, unsigned color)
{
    return p->by_color[color] & ~p->by_type[STAMMA_PAWN] & ~fixed_pieces(p);
}

static uint64_t free_squares(const stamma_position *p)
{
    uint64_t passed = square_bit_or_none(p->en_passant);
    return ~(p->by_type[STAMMA_PAWN] | fixed_pieces(p) | passed | passed << 8);
}

static position_shape shape_of(const stamma_position *p, const uint16_t codes[8])
{
    position_shape s = {.en_passant = en_passant_number(p)};
    for (unsigned file = 0; file < 8; file++)
        s.pairs += stamma_pawns_pairs(codes[file]);
    for (unsigned color = 0; color < 2; color++) {
        s.castling[color] = castling_number(p, color);
        s.fixed[color] = s.castling[color] ? bits_count(fixed_pieces(p) & p->by_color[color]) - 1 : 0;
        s.pawns[color] = bits_count(position_pieces(p, color, STAMMA_PAWN));
        s.pieces[color] = bits_count(pieces_of(p, color));
    }
    return s;
}

static piece_kinds kinds_of(const stamma_position *p, unsigned color)
{
    piece_kinds kinds = {{0}};
    unsigned place = 0;
    for (uint64_t pieces = pieces_of(p, color); pieces; pieces = bits_rest(pieces))
        kinds.places[position_type_at(p, bits_first(pieces))] |= square_bit(place++);
    return kinds;
}

/* Stores the number of a position with White to move. Returns false if no game leads to the position. */
static bool rank_position(const stamma_position *p, wide *number)
{
    uint16_t codes[8];
    stamma_pawns_codes(p, codes);
    position_shape s = shape_of(p, codes);
    piece_kinds kinds[2] = {kinds_of(p, STAMMA_WHITE), kinds_of(p, STAMMA_BLACK)};
    uint64_t kinds_number, white = pieces_of(p, STAMMA_WHITE), all = free_squares(p);
    unsigned squares = stamma_shape_squares(&s);
    if (!stamma_kinds_rank(&s, kinds, &kinds_number))
        return false;
    wide place = stamma_wide_product(stamma_pawns_rank(&s, codes), stamma_binomials[squares][s.pieces[0]], 1);
    stamma_wide_add_number(&place, stamma_subset_rank(white, all));
    stamma_wide_multiply(&place, stamma_binomials[squares - s.pieces[0]][s.pieces[1]]);
    stamma_wide_add_number(&place, stamma_subset_rank(pieces_of(p, STAMMA_BLACK), all & ~white));
    stamma_wide_multiply(&place, stamma_kinds_count(&s));
    stamma_wide_add_number(&place, kinds_number);
    *number = stamma_shape_rank(&s);
    stamma_wide_add(number, &place);
    return true;
}

static void put_castling(unsigned number, unsigned color, stamma_position *p)
{
    back_rank c = {8, 8, 8};
    if (number == 0 || stamma_castling_find(&c, number) == 0)
        return;
    position_put(p, color, STAMMA_KING, 56 * color + c.king);
    unsigned rooks[2] = {c.h_rook, c.a_rook};
    for (unsigned side = 0; side < 2; side++)
        if (rooks[side] < 8) {
            position_put(p, color, STAMMA_ROOK, 56 * color + rooks[side]);
            p->castling[color][side] = (stamma_square)(56 * color + rooks[side]);
        }
}

static void put_pawns(const position_shape *s, uint64_t number, stamma_position *p)
{
    uint16_t codes[8] = {0};
    stamma_pawns_unrank(s, number, codes);
    stamma_pawns_put(codes, p);
    if (s->en_passant)
        p->en_passant = (stamma_square)(40 + s->en_passant / 2);
}

static void put_pieces(const piece_kinds *kinds, uint64_t squares, unsigned color, stamma_position *p)
{
    for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_KING; type++)
        for (uint64_t set = kinds->places[type]; set; set = bits_rest(set))
            position_put(p, color, type, nth_along_ranks(squares, bits_first(set)));
}

static bool unrank_position(wide *number, stamma_position *p)
{
    position_shape s;
    if (!stamma_shape_unrank(number, &s))
        return false;
    unsigned squares = stamma_shape_squares(&s);
    uint64_t kinds_number = stamma_wide_divide(number, stamma_kinds_count(&s));
    uint64_t black = stamma_wide_divide(number, stamma_binomials[squares - s.pieces[0]][s.pieces[1]]);
    uint64_t white = stamma_wide_divide(number, stamma_binomials[squares][s.pieces[0]]);
    put_castling(s.castling[0], STAMMA_WHITE, p);
    put_castling(s.castling[1], STAMMA_BLACK, p);
    put_pawns(&s, (uint64_t)number->limb[1] << 32 | number->limb[0], p);
    uint64_t all = free_squares(p);
    uint64_t white_squares = stamma_subset_unrank(white, s.pieces[0], all);
    uint64_t black_squares = stamma_subset_unrank(black, s.pieces[1], all & ~white_squares);
    piece_kinds kinds[2];
    stamma_kinds_unrank(&s, kinds_number, kinds);
    put_pieces(&kinds[0], white_squares, STAMMA_WHITE, p);
    put_pieces(&kinds[1], black_squares, STAMMA_BLACK, p);
    return true;
}

static stamma_error write_number(const stamma_position_codec *codec, const stamma_position *position, bit_writer *out,
                                 explanation *parts)
{
    (void)codec;
    stamma_setup setup = stamma_position_setup(position);
    stamma_position p = position->side == STAMMA_WHITE ? *position : turned(position);
    wide number;
    if (stamma_setup_problems(&setup) || !rank_position(&p, &number))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_wide_multiply(&number, 2);
    stamma_wide_add_number(&number, position->side);
    stamma_wide_multiply(&number, CLOCKS);
    stamma_wide_add_number(&number, position->halfmove_clock);
    for (unsigned n = NUMBER_BITS / 32; n-- > 0;)
        stamma_bits_write(out, number.limb[n], 32);
    EXPLAIN(parts, "((place x 2) + side %u) x 101 + clock %u; place by castling, pawns, en passant, pieces",
            position->side, position->halfmove_clock);
    return STAMMA_OK;
}

static bool read_number(bit_reader *in, stamma_position *p)
{
    wide number = {{0}};
    for (unsigned n = NUMBER_BITS / 32; n-- > 0;)
        number.limb[n] = (uint32_t)stamma_bits_read(in, 32);
    uint16_t clock = (uint16_t)stamma_wide_divide(&number, CLOCKS);
    bool black = stamma_wide_divide(&number, 2);
    if (!unrank_position(&number, p))
        return false;
    if (black)
        *p = turned(p);
    p->halfmove_clock = clock;
    return true;
}

const stamma_position_codec stamma_position_codec_number = {
    .info = {.name = "position-number",
             .source = "",
             .description = "a number below 2^160 for every position that a game can lead to"},
    .write = write_number,
    .read = read_number,
};
