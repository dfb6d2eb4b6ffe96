/* SPDX-License-Identifier: MIT */
/* `bcgn-square`: the byte code of archive level 1 (codec/byte_code.c) as a codec. */
#include "encodings/encodings.h"

static stamma_error write_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                               size_t plies, bit_writer *out)
{
    return PIECE_GAME(write_by_square, codec, start, moves, plies, out);
}

static stamma_error read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                              stamma_move *moves, size_t plies)
{
    return PIECE_GAME(read_by_square, codec, start, in, moves, plies);
}

static void explain_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    unsigned from = stamma_move_from(move), type = position_type_at(p, from);
    uint64_t before = p->by_color[p->side] & (square_bit(from) - 1);
    stamma_explain_term(e, pieces_bounds(p, before), "bounds of the %u pieces on lower squares", bits_count(before));
    stamma_explain_term(e, move_index(type, move), "the move to %s among those of a %s on %s",
                        stamma_square_name(stamma_move_to(move)).text, stamma_type_name(type),
                        stamma_square_name(from).text);
}

static const char *fallback(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    return bounds_fit(position) ? NULL : "bounds sum to more than 255";
}

const stamma_codec stamma_codec_bcgn_square = {
    .info = {.name = "bcgn-square",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "one byte: bounds of the pieces on lower squares, plus an index within the piece's moves",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = stamma_byte_write,
    .read = stamma_byte_read,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain_byte,
    .write_game = write_game,
    .read_game = read_game,
};
