/* SPDX-License-Identifier: MIT */
/* `two-index-bits`: the number of the piece in ceil(log2(pieces of the side)) bits, then the number of its destination
 * in the fewest bits (last comment on Forster 2015). Destinations are the squares that the piece attacks, except the
 * squares of the side's other pieces. A pawn's destinations are its pushes and captures, each four times on the seventh
 * rank. The king's destinations include the remaining castling rights. Pieces and destinations are numbered in
 * canonical order. */
#include "encodings/encodings.h"

static unsigned own_pieces(const stamma_position *p)
{
    return bits_count(p->by_color[p->side]);
}

/* Returns the number of the own piece on a square. */
static unsigned piece_number(const stamma_position *p, unsigned square)
{
    return bits_count(p->by_color[p->side] & squares_before(square));
}

static stamma_error write_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec;
    const unsigned from = stamma_move_from(move);
    const move_set set = stamma_move_set_attacks(p, from);
    stamma_bits_write(out, piece_number(p, from), bits_for(own_pieces(p)));
    stamma_bits_write(out, stamma_move_set_index(&set, p, move), bits_for(move_set_size(&set)));
    return STAMMA_OK;
}

static stamma_error read_code(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec;
    const unsigned piece = (unsigned)stamma_bits_read(in, bits_for(own_pieces(p)));
    if (piece >= own_pieces(p))
        return STAMMA_ERROR_CORRUPT;
    const move_set set = stamma_move_set_attacks(p, stamma_nth_square(p->by_color[p->side], piece));
    const size_t index = (size_t)stamma_bits_read(in, bits_for(move_set_size(&set)));
    if (in->failed || index >= move_set_size(&set))
        return STAMMA_ERROR_CORRUPT;
    stamma_move found = stamma_move_set_at(&set, p, index);
    if (!stamma_move_is_legal(p, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    const unsigned from = stamma_move_from(move), number = piece_number(p, from), pieces = own_pieces(p);
    const move_set set = stamma_move_set_attacks(p, from);
    stamma_explain_bits(e, number, bits_for(pieces), "piece %u of %u, from 0: %s on %s", number, pieces,
                        stamma_type_name(position_type_at(p, from)), stamma_square_name(from).text);
    stamma_explain_index(e, stamma_move_set_index(&set, p, move), move_set_size(&set), bits_for(move_set_size(&set)),
                         "destinations");
}

const stamma_codec stamma_codec_two_index_bits = {
    .info = {.name = "two-index-bits",
             .source = SOURCE_FORSTER,
             .description = "the piece, then its destination, each in the fewest whole bits",
             .kind = STAMMA_CODEC_POSITION},
    .write = write_code,
    .read = read_code,
    .explain = explain_code,
};
