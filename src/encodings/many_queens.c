/* SPDX-License-Identifier: MIT */
/* `many-queens`: `tarrasch` with another byte for a side with two to four queens (comments by LMSS on Forster 2015).
 * This byte is used if the other pieces, with knights counted in pairs, need at most eight codes; otherwise `tarrasch`
 * is used:
 *
 *   1 qq nnnnn   queen q makes move n of its moves on an empty board, in ascending order of squares
 *   0 mmm vvvv   another piece moves (eight_codes.c)
 *
 * Queens are numbered along the files. */
#include "encodings/encodings.h"

enum { QUEENS_MIN = 2, QUEENS_MAX = 4, QUEEN_MOVE = 128 };

typedef struct pieces {
    uint64_t queens;
    eight_codes others;
} pieces;

static pieces pieces_of(const stamma_position *p)
{
    uint64_t own = p->by_color[p->side], queens = own & p->by_type[STAMMA_QUEEN];
    pieces found = {queens, stamma_eight_codes(p, own & ~queens)};
    return found;
}

static bool applies(const pieces *of)
{
    unsigned queens = bits_count(of->queens);
    return queens >= QUEENS_MIN && queens <= QUEENS_MAX && of->others.end <= EIGHT_CODES;
}

static unsigned byte_of(const stamma_position *p, const pieces *of, stamma_move move)
{
    unsigned from = stamma_move_from(move);
    if (move == STAMMA_MOVE_NULL || !(of->queens >> from & 1))
        return stamma_eight_codes_write(&of->others, p, move);
    return QUEEN_MOVE | bits_count(of->queens & squares_before(from)) << 5 |
           bits_count(queen_attacks(from, 0) & (square_bit(stamma_move_to(move)) - 1));
}

/* Returns the legal move of queen `number` to square `index` of the squares that it attacks on an empty board. */
static stamma_move queen_move(const stamma_position *p, const pieces *of, unsigned number, unsigned index)
{
    unsigned from = stamma_nth_square(of->queens, number);
    if (from == STAMMA_SQUARE_NONE || index >= bits_count(queen_attacks(from, 0)))
        return STAMMA_MOVE_NULL;
    return stamma_move_of_squares(p, from, nth_along_ranks(queen_attacks(from, 0), index), STAMMA_PIECE_TYPE_NONE);
}

/* ---- as a codec ---- */

static stamma_error write_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, bit_writer *out)
{
    (void)codec;
    pieces of = pieces_of(p);
    if (STAMMA_LIKELY(!applies(&of)))
        return stamma_codec_tarrasch.write(&stamma_codec_tarrasch, p, move, out);
    stamma_bits_write(out, byte_of(p, &of, move), 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_codec *codec, const stamma_position *p, bit_reader *in, stamma_move *move)
{
    (void)codec;
    pieces of = pieces_of(p);
    if (STAMMA_LIKELY(!applies(&of)))
        return stamma_codec_tarrasch.read(&stamma_codec_tarrasch, p, in, move);
    unsigned byte = (unsigned)stamma_bits_read(in, 8);
    bool is_null = byte == EIGHT_CODES_NULL && !stamma_position_in_check(p);
    stamma_move found =
        byte & QUEEN_MOVE ? queen_move(p, &of, byte >> 5 & 3, byte & 31) : stamma_eight_codes_read(&of.others, p, byte);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_byte(const stamma_codec *codec, const stamma_position *p, stamma_move move, explanation *e)
{
    (void)codec;
    pieces of = pieces_of(p);
    unsigned byte = byte_of(p, &of, move);
    if (!applies(&of)) {
        stamma_codec_tarrasch.explain(&stamma_codec_tarrasch, p, move, e);
    } else if (byte & QUEEN_MOVE) {
        stamma_explain_bits(e, 1, 1, "a queen");
        stamma_explain_bits(e, byte >> 5 & 3, 2, "the queen on %s", stamma_square_name(stamma_move_from(move)).text);
        stamma_explain_bits(e, byte & 31, 5, "move %u on an empty board, from 0", byte & 31);
    } else {
        stamma_explain_bits(e, 0, 1, "no queen");
        stamma_eight_codes_explain(&of.others, p, move, e);
    }
}

static const char *fallback(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    pieces of = pieces_of(position);
    return applies(&of) ? NULL : stamma_codec_fallback(&stamma_codec_tarrasch, position);
}

const char *stamma_many_queens_leaves_tarrasch(const stamma_codec *codec, const stamma_position *position)
{
    (void)codec;
    return stamma_codec_fallback(&stamma_codec_tarrasch_one_queen, position);
}

const stamma_codec stamma_codec_many_queens = {
    .info = {.name = "many-queens",
             .source = SOURCE_FORSTER,
             .description = "tarrasch, with a separate byte for two to four queens and few other pieces",
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
