/* SPDX-License-Identifier: MIT */
/* Moves in the coordinate notation of the Universal Chess Interface (Grand Chess Tree). */
#include "notation/notation.h"

size_t stamma_uci_write(const stamma_position *position, stamma_move move, bool chess960, char *out, size_t size)
{
    if (move == STAMMA_MOVE_NULL)
        return text_give("0000", 4, out, size);
    unsigned to = stamma_move_to(move);
    if (chess960 && stamma_move_is_castling(move)) {
        unsigned rook = position->castling[position->side][stamma_move_flags(move) & 1];
        to = rook < 64 ? rook : to;
    }
    char text[STAMMA_UCI_SIZE];
    char *at = square_write(to, square_write(stamma_move_from(move), text));
    if (stamma_move_is_promotion(move))
        *at++ = "nbrq"[stamma_move_flags(move) & 3];
    return text_give(text, (size_t)(at - text), out, size);
}

static unsigned read_square(const char *text)
{
    unsigned file = (unsigned)(text[0] - 'a'), rank = (unsigned)(text[1] - '1');
    return file < 8 && rank < 8 ? rank * 8 + file : STAMMA_SQUARE_NONE;
}

/* Reads castling as king takes rook, or as the king's two squares. Returns STAMMA_MOVE_NULL if castling is not legal.
 */
static stamma_move read_castling(const stamma_position *position, unsigned from, unsigned to)
{
    if (from != position_king(position, position->side))
        return STAMMA_MOVE_NULL;
    for (unsigned side = STAMMA_KING_SIDE; side <= STAMMA_QUEEN_SIDE; side++) {
        unsigned target = castling_king_to(position->side, side);
        stamma_move move = stamma_move_make(from, target, STAMMA_FLAG_KING_CASTLE + side);
        if ((to == position->castling[position->side][side] || to == target) && stamma_move_is_legal(position, move))
            return move;
    }
    return STAMMA_MOVE_NULL;
}

stamma_error stamma_uci_read(const stamma_position *position, stamma_text uci, stamma_move *move)
{
    if (!position || !text_is_given(uci) || !move)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (uci.size == 4 && memcmp(uci.data, "0000", 4) == 0) {
        if (stamma_position_in_check(position))
            return STAMMA_ERROR_ILLEGAL;
        *move = STAMMA_MOVE_NULL;
        return STAMMA_OK;
    }
    if (uci.size != 4 && uci.size != 5)
        return STAMMA_ERROR_SYNTAX;
    unsigned from = read_square(uci.data), to = read_square(uci.data + 2), promotion = STAMMA_PIECE_TYPE_NONE;
    if (uci.size == 5) {
        const char *letter = (const char *)memchr("nbrqNBRQ", uci.data[4], 8);
        promotion = letter ? STAMMA_KNIGHT + ((unsigned)(letter - "nbrqNBRQ") & 3) : (unsigned)STAMMA_KING;
    }
    if (from == STAMMA_SQUARE_NONE || to == STAMMA_SQUARE_NONE || promotion == STAMMA_KING)
        return STAMMA_ERROR_SYNTAX;
    stamma_move read = stamma_plain_move(position, from, to, promotion);
    if (!stamma_move_is_legal(position, read))
        read = promotion == STAMMA_PIECE_TYPE_NONE ? read_castling(position, from, to) : STAMMA_MOVE_NULL;
    if (read == STAMMA_MOVE_NULL)
        return STAMMA_ERROR_ILLEGAL;
    *move = read;
    return STAMMA_OK;
}
