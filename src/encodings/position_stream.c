/* SPDX-License-Identifier: MIT */
/* `stream`: the board from a1 to h8 in codes of four bits (Wikipedia, "Stream based").
 *
 *     0-11    P N B R Q K of White, then of Black         12-14   1, 2 or 3 empty squares
 *     15      followed by four bits n: 4 + n empty squares, at most 19
 *
 * A long gap is split, with the largest codes first. The board is preceded by the side (1 bit), the clock (7), the
 * castling rights (4) and the file of en passant, or 8 (4). A right belongs to the outermost rook on its side of the
 * king. Most Chess960 positions can therefore be represented. */
#include "encodings/position_codes.h"

enum { GAP_1 = 12, GAP_4 = 15 };
#define GAP_MAX 19u
#define NO_FILE 8u

/* Returns the outermost rook of a colour on a side of its king on the back rank, or NONE. */
static unsigned outermost_rook(const stamma_position *p, unsigned color, unsigned side)
{
    uint64_t back_rank = color == STAMMA_WHITE ? RANK_1 : RANK_8,
             king = position_pieces(p, color, STAMMA_KING) & back_rank;
    uint64_t rooks = position_pieces(p, color, STAMMA_ROOK) & back_rank;
    rooks &= side == STAMMA_KING_SIDE ? ~(king | (king - 1)) : king - 1;
    if (!king || !rooks)
        return STAMMA_SQUARE_NONE;
    return side == STAMMA_KING_SIDE ? bits_last(rooks) : bits_first(rooks);
}

static stamma_error write_castling(const stamma_position *p, bit_writer *out, explanation *parts)
{
    for (unsigned n = 0; n < 4; n++) {
        unsigned rook = p->castling[n / 2][n % 2];
        if (rook != STAMMA_SQUARE_NONE && rook != outermost_rook(p, n / 2, n % 2))
            return STAMMA_ERROR_UNSUPPORTED;
        stamma_bits_write(out, rook != STAMMA_SQUARE_NONE, 1);
    }
    EXPLAIN(parts, "castling K Q k q");
    return STAMMA_OK;
}

static void write_gap(bit_writer *out, unsigned squares, explanation *parts)
{
    unsigned all = squares;
    for (; squares >= 4; squares -= squares < GAP_MAX ? squares : GAP_MAX) {
        stamma_bits_write(out, GAP_4, 4);
        stamma_bits_write(out, (squares < GAP_MAX ? squares : GAP_MAX) - 4, 4);
    }
    if (squares > 0)
        stamma_bits_write(out, GAP_1 + squares - 1, 4);
    EXPLAIN(parts, "%u empty", all);
}

static stamma_error write_stream(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                                 explanation *parts)
{
    (void)codec;
    stamma_bits_write(out, p->side == STAMMA_WHITE, 1);
    EXPLAIN(parts, "%s to move", stamma_color_name(p->side));
    stamma_bits_write(out, p->halfmove_clock, 7);
    EXPLAIN(parts, "clock %u", p->halfmove_clock);
    stamma_error error = write_castling(p, out, parts);
    if (error != STAMMA_OK)
        return error;
    stamma_bits_write(out, p->en_passant == STAMMA_SQUARE_NONE ? NO_FILE : p->en_passant & 7u, 4);
    EXPLAIN(parts, p->en_passant == STAMMA_SQUARE_NONE ? "no en passant" : "en passant on the %c-file",
            'a' + (p->en_passant & 7));
    unsigned next = 0; /* the square after the last piece */
    for (uint64_t pieces = position_occupied(p); pieces; pieces = bits_rest(pieces)) {
        unsigned square = bits_first(pieces), color = p->by_color[STAMMA_BLACK] >> square & 1;
        write_gap(out, square - next, parts);
        stamma_bits_write(out, position_type_at(p, square) + 6 * color, 4);
        stamma_explain_piece(parts, p, square);
        next = square + 1;
    }
    write_gap(out, 64 - next, parts);
    return STAMMA_OK;
}

static bool read_board(bit_reader *in, stamma_position *p)
{
    unsigned square = 0;
    while (square < 64 && !in->failed) {
        unsigned code = (unsigned)stamma_bits_read(in, 4);
        if (code < GAP_1)
            position_put(p, code / 6, code % 6, square++);
        else
            square += code < GAP_4 ? code - GAP_1 + 1 : 4 + (unsigned)stamma_bits_read(in, 4);
    }
    return square == 64;
}

static bool read_stream(bit_reader *in, stamma_position *p)
{
    p->side = stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK;
    p->halfmove_clock = (uint16_t)stamma_bits_read(in, 7);
    unsigned rights = (unsigned)stamma_bits_read(in, 4), file = (unsigned)stamma_bits_read(in, 4);
    if (!read_board(in, p) || file > NO_FILE)
        return false;
    for (unsigned n = 0; n < 4; n++)
        if (rights >> (3 - n) & 1)
            p->castling[n / 2][n % 2] = (stamma_square)outermost_rook(p, n / 2, n % 2);
    if (file != NO_FILE)
        p->en_passant = (stamma_square)((p->side == STAMMA_WHITE ? 40 : 16) + file);
    return true;
}

const stamma_position_codec stamma_position_codec_stream = {
    .info = {.name = "stream",
             .source = SOURCE_BOARDS,
             .description = "four bits a piece, four or eight a gap, and two bytes of state"},
    .write = write_stream,
    .read = read_stream,
};
