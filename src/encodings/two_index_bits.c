/* `two-index-bits`: the number of the piece in ceil(log2(pieces of the side)) bits, then the number of its destination
 * in the fewest bits (last comment on Forster 2015). Destinations are the squares that the piece attacks, except the
 * squares of the side's other pieces. A pawn's destinations are its pushes and captures, each four times on the seventh
 * rank. The king's destinations include the remaining castling rights. Pieces and destinations are numbered in
 * canonical order. */
#include "encodings/encodings.h"

static size_t destinations(const move_set *set)
{
    return (size_t)set->times * bits_count(set->targets);
}

static stamma_error write_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_attacks(p, &sets);
    unsigned piece = bits_count(p->by_color[p->side] & squares_before(stamma_move_from(move)));
    const move_set *set = &sets.of[piece];
    stamma_bits_write(out, piece, bits_for(sets.pieces));
    stamma_bits_write(out, stamma_move_sets_index(&sets, p, move) - set->before, bits_for(destinations(set)));
    return STAMMA_OK;
}

static stamma_error read_code(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_attacks(p, &sets);
    size_t piece = (size_t)stamma_bits_read(in, bits_for(sets.pieces));
    if (piece >= sets.pieces)
        return STAMMA_ERROR_CORRUPT;
    const move_set *set = &sets.of[piece];
    size_t index = (size_t)stamma_bits_read(in, bits_for(destinations(set)));
    if (in->failed || index >= destinations(set))
        return STAMMA_ERROR_CORRUPT;
    stamma_move found = stamma_move_sets_at(&sets, p, set->before + index);
    if (!stamma_move_is_legal(p, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_attacks(p, &sets);
    unsigned from = stamma_move_from(move), number = bits_count(p->by_color[p->side] & squares_before(from));
    const move_set *set = &sets.of[number];
    stamma_explain_bits(e, number, bits_for(sets.pieces), "piece %u of %u, from 0: %s on %s", number, sets.pieces,
                        stamma_type_name(position_type_at(p, from)), stamma_square_name(from).text);
    stamma_explain_index(e, stamma_move_sets_index(&sets, p, move) - set->before, destinations(set),
                         bits_for(destinations(set)), "destinations");
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
