/* SPDX-License-Identifier: MIT */
/* `packed`: this library's short form of a position, at most 24 bytes, including Chess960. Equal positions have equal
 * bytes, so the code can be used as a key.
 *
 *     64 bits   the occupied squares, h8 first
 *      1, 7     side (1: White), clock up to 100
 *      6, 6     the squares of White's and Black's king
 *      7 each   two of the other pieces, in the order of their squares: 11 x the first + the second
 *      4        the last piece, if their number is odd
 *
 * Pieces are P N B R Q of White 0-4, of Black 5-9, and 10 for a marked piece. The meaning of the mark depends on the
 * square. On the first and last rank it is a rook that may castle. On the fourth and fifth rank it is a pawn that has
 * just made a double push and that an adjacent pawn may be able to capture. Thirty pieces and two kings need 64 + 8 +
 * 12 + 15 x 7 = 189 bits. */
#include "encodings/position_codes.h"

enum { MARKED = 10, KINDS = 11, PAIR_BITS = 7, ONE_BITS = 4 };

/* Returns the squares of marked pieces: castling rooks and the pawn that may be captured en passant. */
static uint64_t marks_of(const stamma_position *p)
{
    uint64_t marks = 0;
    for (unsigned n = 0; n < 4; n++)
        marks |= square_bit_or_none(p->castling[n / 2][n % 2]);
    uint64_t passed = square_bit_or_none(p->en_passant);
    return marks | (p->side == STAMMA_WHITE ? passed >> 8 : passed << 8);
}

static unsigned kind_at(const stamma_position *p, uint64_t marks, unsigned square)
{
    if (marks >> square & 1)
        return MARKED;
    return position_type_at(p, square) + 5 * (unsigned)(p->by_color[STAMMA_BLACK] >> square & 1);
}

static const char *mark_text(const stamma_position *p, uint64_t marks, unsigned square)
{
    return !(marks >> square & 1) ? "" : p->by_type[STAMMA_ROOK] >> square & 1 ? ", may castle" : ", en passant";
}

static void explain_pair(explanation *parts, const stamma_position *p, uint64_t marks, unsigned a, unsigned b)
{
    EXPLAIN(parts, "11 x %u + %u: %s %s %s%s, %s %s %s%s", kind_at(p, marks, a), kind_at(p, marks, b),
            stamma_color_name(p->by_color[1] >> a & 1), stamma_type_name(position_type_at(p, a)),
            stamma_square_name(a).text, mark_text(p, marks, a), stamma_color_name(p->by_color[1] >> b & 1),
            stamma_type_name(position_type_at(p, b)), stamma_square_name(b).text, mark_text(p, marks, b));
}

static stamma_error write_packed(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                                 explanation *parts)
{
    (void)codec;
    uint64_t marks = marks_of(p), pieces = position_occupied(p) & ~p->by_type[STAMMA_KING];
    stamma_bits_write(out, position_occupied(p), 64);
    EXPLAIN(parts, "occupied squares, h8 to a1");
    stamma_bits_write(out, p->side == STAMMA_WHITE, 1);
    EXPLAIN(parts, "%s to move", stamma_color_name(p->side));
    stamma_bits_write(out, p->halfmove_clock, 7);
    EXPLAIN(parts, "clock %u", p->halfmove_clock);
    for (unsigned color = 0; color < 2; color++) {
        stamma_bits_write(out, position_king(p, color), 6);
        EXPLAIN(parts, "%s king %s", stamma_color_name(color), stamma_square_name(position_king(p, color)).text);
    }
    for (; pieces && bits_rest(pieces); pieces = bits_rest(bits_rest(pieces))) {
        unsigned first = bits_first(pieces), second = bits_first(bits_rest(pieces));
        stamma_bits_write(out, KINDS * kind_at(p, marks, first) + kind_at(p, marks, second), PAIR_BITS);
        explain_pair(parts, p, marks, first, second);
    }
    if (pieces) {
        stamma_bits_write(out, kind_at(p, marks, bits_first(pieces)), ONE_BITS);
        stamma_explain_piece(parts, p, bits_first(pieces));
    }
    return STAMMA_OK;
}

/* The side of a castling right depends on whether the rook is on a higher file than the king. */
static void put_marked(stamma_position *p, unsigned square)
{
    unsigned rank = square >> 3, color = rank >= 4;
    if (rank == 0 || rank == 7) {
        unsigned side = square > position_king(p, color) ? STAMMA_KING_SIDE : STAMMA_QUEEN_SIDE;
        p->castling[color][side] = (stamma_square)square;
        position_put(p, color, STAMMA_ROOK, square);
    } else {
        p->en_passant = (stamma_square)(color ? square + 8 : square - 8);
        position_put(p, color, STAMMA_PAWN, square);
    }
}

static void put_kind(stamma_position *p, unsigned kind, unsigned square)
{
    if (kind < MARKED)
        position_put(p, kind / 5, kind % 5, square);
    else
        put_marked(p, square);
}

static bool read_packed(bit_reader *in, stamma_position *p)
{
    uint64_t pieces = stamma_bits_read(in, 64);
    p->side = stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK;
    p->halfmove_clock = (uint16_t)stamma_bits_read(in, 7);
    for (unsigned color = 0; color < 2; color++) {
        unsigned king = (unsigned)stamma_bits_read(in, 6);
        position_put(p, color, STAMMA_KING, king);
        pieces &= ~square_bit(king);
    }
    for (; pieces && bits_rest(pieces); pieces = bits_rest(bits_rest(pieces))) {
        unsigned pair = (unsigned)stamma_bits_read(in, PAIR_BITS);
        if (pair >= KINDS * KINDS)
            return false;
        put_kind(p, pair / KINDS, bits_first(pieces));
        put_kind(p, pair % KINDS, bits_first(bits_rest(pieces)));
    }
    if (pieces) {
        unsigned kind = (unsigned)stamma_bits_read(in, ONE_BITS);
        if (kind >= KINDS)
            return false;
        put_kind(p, kind, bits_first(pieces));
    }
    return true;
}

const stamma_position_codec stamma_position_codec_packed = {
    .info = {.name = "packed",
             .source = "",
             .description = "the occupied squares and seven bits for two pieces, at most 24 bytes; a key"},
    .write = write_packed,
    .read = read_packed,
};
