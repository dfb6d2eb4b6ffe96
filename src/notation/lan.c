/* SPDX-License-Identifier: MIT */
/* Long algebraic notation: always with the origin square, and with a hyphen or an x between the squares (Forster
 * 2015). */
#include "notation/notation.h"

static size_t write_move(const stamma_position *position, stamma_move move, char *out)
{
    char *at = out;
    stamma_piece piece = stamma_position_piece(position, stamma_move_from(move));
    if ((piece & 7) != STAMMA_PAWN)
        *at++ = NOTATION_PIECE_LETTERS[piece & 7];
    at = square_write(stamma_move_from(move), at);
    *at++ = stamma_move_is_capture(move) ? 'x' : '-';
    at = square_write(stamma_move_to(move), at);
    if ((piece & 7) == STAMMA_PAWN && stamma_move_is_promotion(move)) {
        *at++ = '=';
        *at++ = NOTATION_PIECE_LETTERS[stamma_move_promotion(move)];
    }
    char mark = stamma_san_mark(position, move);
    if (mark != '\0')
        *at++ = mark;
    return (size_t)(at - out);
}

size_t stamma_lan_write(const stamma_position *position, stamma_move move, char *out, size_t size)
{
    if (move == STAMMA_MOVE_NULL || stamma_move_is_castling(move))
        return stamma_san_write(position, move, out, size);
    char text[LAN_LENGTH_MAX];
    return text_give(text, write_move(position, move, text), out, size);
}

stamma_error stamma_lan_read(const stamma_position *position, stamma_text lan, stamma_move *move)
{
    if (!position || !text_is_given(lan) || !move)
        return STAMMA_ERROR_BAD_ARGUMENT;
    san_pattern pattern;
    if ((!stamma_san_parse(lan, false, &pattern) && !stamma_san_parse(lan, true, &pattern)) ||
        (pattern.kind == SAN_MOVE && (pattern.from_file > 7 || pattern.from_rank > 7)))
        return STAMMA_ERROR_SYNTAX;
    return stamma_san_resolve(position, &pattern, move);
}
