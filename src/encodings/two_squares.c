/* SPDX-License-Identifier: MIT */
/* `move14` and `move12`: two squares, and a way to distinguish promotions (Forster 2015, "One Move in 12 Bits"). */
#include "encodings/encodings.h"

/* ---- moves from squares ---- */

static bool castles_as_standard(const stamma_position *position, unsigned side)
{
    unsigned rook = position->castling[position->side][side];
    return (position_king(position, position->side) & 7) == 4 && (rook & 7) == (side == STAMMA_KING_SIDE ? 7u : 0u);
}

unsigned stamma_target_square(const stamma_position *position, stamma_move move)
{
    if (!stamma_move_is_castling(move) || castles_as_standard(position, castling_side(move)))
        return stamma_move_to(move);
    return position->castling[position->side][castling_side(move)] & 63;
}

/* Returns the castling move of the king on `from` with this target, or STAMMA_MOVE_NULL if there is none. The move
 * may be illegal. */
static stamma_move castling_of_squares(const stamma_position *position, unsigned from, unsigned target)
{
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++) {
        stamma_move move =
            stamma_move_make(from, castling_king_to(position->side, side),
                             side == STAMMA_KING_SIDE ? STAMMA_FLAG_KING_CASTLE : STAMMA_FLAG_QUEEN_CASTLE);
        if (position->castling[position->side][side] != STAMMA_SQUARE_NONE &&
            stamma_target_square(position, move) == target)
            return move;
    }
    return STAMMA_MOVE_NULL;
}

stamma_move stamma_move_of_squares(const stamma_position *position, unsigned from, unsigned target, unsigned promotion)
{
    stamma_move move = STAMMA_MOVE_NULL;
    if (position->by_type[STAMMA_KING] >> from & 1 && promotion == STAMMA_PIECE_TYPE_NONE)
        move = castling_of_squares(position, from, target);
    if (move == STAMMA_MOVE_NULL)
        move = stamma_plain_move(position, from, target, promotion);
    return stamma_move_is_legal(position, move) ? move : STAMMA_MOVE_NULL;
}

/* Returns whether a piece is a pawn of the side to move, one step from promoting. */
static bool promotes_next(const stamma_position *position, unsigned square)
{
    uint64_t rank = position->side == STAMMA_WHITE ? RANK_7 : RANK_2;
    return position_pieces(position, position->side, STAMMA_PAWN) & rank & square_bit(square);
}

/* Ends a read. Stores the move found, or the null move if the code is 0. */
static stamma_error give_move(const stamma_position *position, const bit_reader *in, unsigned code, stamma_move found,
                              stamma_move *move)
{
    bool is_null = code == 0 && !stamma_position_in_check(position);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

/* ---- move14: target in bits 0-5, origin in 6-11, promotion N B R Q in 12-13. 0 is the null move. ---- */

static stamma_error write_move14(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec;
    unsigned code = (unsigned)stamma_move_from(move) << 6 | stamma_target_square(position, move);
    if (stamma_move_is_promotion(move))
        code |= (stamma_move_flags(move) & 3) << 12;
    stamma_bits_write(out, code, 14);
    return STAMMA_OK;
}

static stamma_error read_move14(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                stamma_move *move)
{
    (void)codec;
    unsigned code = (unsigned)stamma_bits_read(in, 14), from = code >> 6 & 63, promotion = STAMMA_PIECE_TYPE_NONE;
    if (promotes_next(position, from))
        promotion = STAMMA_KNIGHT + (code >> 12);
    else if (code >> 12 != 0)
        return STAMMA_ERROR_CORRUPT;
    return give_move(position, in, code, stamma_move_of_squares(position, from, code & 63, promotion), move);
}

static void explain_move14(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    bool promotes = stamma_move_is_promotion(move);
    stamma_explain_bits(e, promotes ? stamma_move_flags(move) & 3 : 0, 2, "%s%s", promotes ? "promotes to " : "idle",
                        promotes ? stamma_type_name(stamma_move_promotion(move)) : "");
    stamma_explain_square(e, stamma_move_from(move), "origin");
    stamma_explain_square(e, stamma_target_square(position, move), "target");
}

const stamma_codec stamma_codec_move14 = {
    .info = {.name = "move14",
             .source = SOURCE_FORSTER,
             .description = "target, origin and two bits for the promotion piece",
             .kind = STAMMA_CODEC_MOVE},
    .has_null = true,
    .write = write_move14,
    .read = read_move14,
    .explain = explain_move14,
};

/* ---- move12: target in bits 0-5, origin in 6-11. For promotions to a rook, bishop or knight the target is one, two
 * or three ranks before the last, where the pawn cannot go. 0 is the null move. ---- */

static unsigned shortened_target(const stamma_position *position, stamma_move move)
{
    unsigned target = stamma_target_square(position, move);
    if (!stamma_move_is_promotion(move))
        return target;
    unsigned short_by = (unsigned)(STAMMA_QUEEN - stamma_move_promotion(move)) * 8;
    return position->side == STAMMA_WHITE ? target - short_by : target + short_by;
}

static stamma_error write_move12(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec;
    stamma_bits_write(out, (unsigned)stamma_move_from(move) << 6 | shortened_target(position, move), 12);
    return STAMMA_OK;
}

static void explain_move12(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    unsigned target = shortened_target(position, move);
    stamma_explain_square(e, stamma_move_from(move), "origin");
    if (stamma_move_is_promotion(move))
        stamma_explain_bits(e, target, 6, "target %s, and %s says: promotes to %s",
                            stamma_square_name(stamma_move_to(move)).text, stamma_square_name(target).text,
                            stamma_type_name(stamma_move_promotion(move)));
    else
        stamma_explain_square(e, target, "target");
}

static stamma_error read_move12(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                stamma_move *move)
{
    (void)codec;
    unsigned code = (unsigned)stamma_bits_read(in, 12), from = code >> 6, target = code & 63;
    unsigned promotion = STAMMA_PIECE_TYPE_NONE;
    if (promotes_next(position, from)) {
        unsigned last_rank = position->side == STAMMA_WHITE ? 7 : 0, rank = target >> 3;
        unsigned short_by = rank > last_rank ? rank - last_rank : last_rank - rank;
        if (short_by > 3)
            return STAMMA_ERROR_CORRUPT;
        promotion = STAMMA_QUEEN - short_by;
        target = last_rank * 8 + (target & 7);
    }
    return give_move(position, in, code, stamma_move_of_squares(position, from, target, promotion), move);
}

const stamma_codec stamma_codec_move12 = {
    .info = {.name = "move12",
             .source = SOURCE_FORSTER,
             .description = "target and origin; an under-promotion is a target that the pawn cannot reach",
             .kind = STAMMA_CODEC_MOVE},
    .has_null = true,
    .write = write_move12,
    .read = read_move12,
    .explain = explain_move12,
};
