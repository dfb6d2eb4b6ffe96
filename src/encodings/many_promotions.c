/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* `many-promotions`: `many-queens` with one more byte for a side that still has to fall back (the postscript of
 * LMSS's comment on Forster 2015). Promoted pieces are the pieces of a side in addition to one queen, two rooks, two
 * knights and a bishop of each square colour. They are the last pieces of their kind along the files, because the
 * byte may only depend on the position.
 *
 *   1 qq nnnnn   a promoted piece is a queen: promoted piece q, of at most four, makes move n of its moves on an
 *                empty board, in ascending order of squares
 *   1 mmm vvvv   no promoted piece is a queen: promoted piece m, of at most eight, moves by its vector (encodings.h)
 *   0 mmm vvvv   another piece moves (eight_codes.c)
 *
 * Promoted pieces of all kinds are numbered together along the files. The byte is used if the other pieces need at
 * most eight codes and neither `tarrasch` nor the byte of `many-queens` can represent the position. */
/* clang-format on */
#include "encodings/encodings.h"

enum { PROMOTED = 128, PROMOTED_MAX = 8, PROMOTED_MAX_WITH_QUEEN = 4 };

typedef struct pieces {
    uint64_t promoted;
    bool queen; /* at least one of the promoted pieces is a queen */
    eight_codes others;
} pieces;

/* Returns a set of squares without its first `first` squares in the order of the files. */
static uint64_t without_first(uint64_t set, unsigned first)
{
    for (; first > 0 && set; first--)
        set &= ~square_bit(stamma_nth_square(set, 0));
    return set;
}

static pieces pieces_of(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side], bishops = own & p->by_type[STAMMA_BISHOP];
    uint64_t queens = without_first(own & p->by_type[STAMMA_QUEEN], 1);
    uint64_t promoted = queens | without_first(own & p->by_type[STAMMA_ROOK], 2) |
                        without_first(own & p->by_type[STAMMA_KNIGHT], 2) | without_first(bishops & DARK_SQUARES, 1) |
                        without_first(bishops & ~DARK_SQUARES, 1);
    pieces found = {promoted, queens != 0, stamma_eight_codes(p, own & ~promoted)};
    return found;
}

static bool fits(const pieces *of)
{
    return bits_count(of->promoted) <= (of->queen ? PROMOTED_MAX_WITH_QUEEN : PROMOTED_MAX) &&
           of->others.end <= EIGHT_CODES;
}

/* Returns whether the side to move uses this byte. */
static bool applies(const stamma_position *p, pieces *of)
{
    if (STAMMA_LIKELY(!stamma_codec_fallback(&stamma_codec_many_queens, p)))
        return false;
    *of = pieces_of(p);
    return fits(of);
}

static unsigned byte_of(const stamma_position *p, const pieces *of, stamma_move move)
{
    unsigned from = stamma_move_from(move);
    if (move == STAMMA_MOVE_NULL || !(of->promoted >> from & 1))
        return stamma_eight_codes_write(&of->others, p, move);
    unsigned type = position_type_at(p, from), number = bits_count(of->promoted & squares_before(from));
    if (!of->queen)
        return PROMOTED | number << 4 | move_vector(type, move);
    return PROMOTED | number << 5 | bits_count(stamma_reach[type][from] & (square_bit(stamma_move_to(move)) - 1));
}

static stamma_move promoted_move(const stamma_position *p, const pieces *of, unsigned byte)
{
    unsigned from = stamma_nth_square(of->promoted, of->queen ? byte >> 5 & 3 : byte >> 4 & 7);
    if (from == STAMMA_SQUARE_NONE)
        return STAMMA_MOVE_NULL;
    unsigned type = position_type_at(p, from), index = byte & 31;
    if (!of->queen)
        return type == STAMMA_KNIGHT && byte & 8 ? STAMMA_MOVE_NULL
                                                 : stamma_vector_legal_move(p, type, from, byte & 15);
    if (index >= bits_count(stamma_reach[type][from]))
        return STAMMA_MOVE_NULL;
    return stamma_move_of_squares(p, from, nth_along_ranks(stamma_reach[type][from], index), STAMMA_PIECE_TYPE_NONE);
}

static stamma_error write_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec;
    pieces of;
    if (!applies(p, &of))
        return stamma_codec_many_queens.write(&stamma_codec_many_queens, p, move, out);
    stamma_bits_write(out, byte_of(p, &of, move), 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec;
    pieces of;
    if (!applies(p, &of))
        return stamma_codec_many_queens.read(&stamma_codec_many_queens, p, in, move);
    unsigned byte = (unsigned)stamma_bits_read(in, 8);
    bool is_null = byte == EIGHT_CODES_NULL && !stamma_position_in_check(p);
    stamma_move found = byte & PROMOTED ? promoted_move(p, &of, byte) : stamma_eight_codes_read(&of.others, p, byte);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    pieces of;
    unsigned from = stamma_move_from(move);
    if (!applies(p, &of)) {
        stamma_codec_many_queens.explain(&stamma_codec_many_queens, p, move, e);
        return;
    }
    bool promoted = of.promoted >> from & 1;
    stamma_explain_bits(e, promoted, 1, promoted ? "a promoted piece" : "no promoted piece");
    if (!promoted) {
        stamma_eight_codes_explain(&of.others, p, move, e);
        return;
    }
    unsigned byte = byte_of(p, &of, move), type = position_type_at(p, from);
    stamma_explain_bits(e, of.queen ? byte >> 5 & 3 : byte >> 4 & 7, of.queen ? 2 : 3, "the %s on %s",
                        stamma_type_name(type), stamma_square_name(from).text);
    if (of.queen) {
        stamma_explain_bits(e, byte & 31, 5, "move %u on an empty board, from 0", byte & 31);
        return;
    }
    if (type == STAMMA_KNIGHT)
        stamma_explain_bits(e, 0, 1, "idle");
    stamma_explain_vector(e, type, byte & 15);
}

static const char *fallback(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    const char *reason = stamma_codec_fallback(&stamma_codec_many_queens, position);
    pieces of;
    return reason && applies(position, &of) ? NULL : reason;
}

const stamma_codec stamma_codec_many_promotions = {
    .info = {.name = "many-promotions",
             .source = SOURCE_FORSTER,
             .description = "many-queens, with one more byte for promoted pieces of any kind and few others",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .variant = &(const numbered_code){.naming = NAMED_TARRASCH, .slow = stamma_many_queens_leaves_tarrasch},
    .write = write_byte,
    .read = read_byte,
    .fallback = fallback,
    .fallback_means = "legal-index",
    .explain = explain_byte,
    .write_game = stamma_numbered_write_game,
    .read_game = stamma_numbered_read_game,
};
