/* SPDX-License-Identifier: MIT */
/* `bcgn`: a move in one byte, numbered by the side's pieces in the order of their types (Chess Programming Wiki, the
 * second listing; comment by Sopel on Forster 2015).
 *
 * Each piece has a number of codes, its bound: the largest number of moves that its type has from one square. A code is
 * the sum of three terms: the bounds of all pieces of lower types, the bounds of the pieces of the moving type on lower
 * squares, and the index of the move among its piece's moves. For the second term the listing's upper_bound(piece_type)
 * can only mean the bound of that type. If the bounds sum to more than 256, the same number is written in two bytes. */
#include "encodings/encodings.h"

/* Returns the sum of the bounds of the moving side's pieces of types below `type`. */
static unsigned bounds_below(const stamma_position *p, unsigned type)
{
    unsigned sum = 0;
    for (unsigned below = STAMMA_PAWN; below < type; below++)
        sum += type_bound(below) * bits_count(position_pieces(p, p->side, below));
    return sum;
}

static unsigned code_bits(const stamma_position *p)
{
    return bounds_below(p, STAMMA_PIECE_TYPE_NONE) <= 256 ? 8 : 16;
}

static stamma_error write_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec;
    unsigned from = stamma_move_from(move), type = position_type_at(p, from);
    uint64_t before = position_pieces(p, p->side, type) & (square_bit(from) - 1);
    unsigned code = bounds_below(p, type) + type_bound(type) * bits_count(before) + move_index(type, move);
    stamma_bits_write(out, code, code_bits(p));
    return STAMMA_OK;
}

static stamma_error read_code(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec;
    unsigned code = (unsigned)stamma_bits_read(in, code_bits(p)), type = STAMMA_PAWN;
    uint64_t pieces = position_pieces(p, p->side, type);
    while (type < STAMMA_KING && code >= type_bound(type) * bits_count(pieces)) {
        code -= type_bound(type) * bits_count(pieces);
        pieces = position_pieces(p, p->side, ++type);
    }
    for (; pieces && code >= type_bound(type); code -= type_bound(type))
        pieces = bits_rest(pieces);
    stamma_move found = pieces ? piece_move_at(p, bits_first(pieces), code) : STAMMA_MOVE_NULL;
    if (in->failed || found == STAMMA_MOVE_NULL || !stamma_move_is_legal(p, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static stamma_error write_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves,
                               size_t plies, bit_writer *out)
{
    return PIECE_GAME(write_by_type, codec, start, moves, plies, out);
}

static stamma_error read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                              stamma_move *moves, size_t plies)
{
    return PIECE_GAME(read_by_type, codec, start, in, moves, plies);
}

static const char *fallback(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    return code_bits(position) == 8 ? NULL : "bounds sum to more than 256: two bytes";
}

static void explain_code(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    unsigned from = stamma_move_from(move), type = position_type_at(p, from);
    unsigned before = bits_count(position_pieces(p, p->side, type) & (square_bit(from) - 1));
    stamma_explain_term(e, bounds_below(p, type), "bounds of the pieces of lower types");
    stamma_explain_term(e, type_bound(type) * before, "of the %ss on lower squares: %u x %u", stamma_type_name(type),
                        before, type_bound(type));
    stamma_explain_term(e, move_index(type, move), "the move to %s among those of a %s on %s",
                        stamma_square_name(stamma_move_to(move)).text, stamma_type_name(type),
                        stamma_square_name(from).text);
}

const stamma_codec stamma_codec_bcgn = {
    .info = {.name = "bcgn",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "one byte: bounds of the pieces of lower types, plus an index within the piece's moves",
             .kind = STAMMA_CODEC_POSITION},
    .write = write_code,
    .read = read_code,
    .fallback = fallback,
    .fallback_means = "the sum in sixteen bits",
    .explain = explain_code,
    .write_game = write_game,
    .read_game = read_game,
};
