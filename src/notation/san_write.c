/* SPDX-License-Identifier: MIT */
/* Writes strict SAN (PGN standard 8.2.3) from a move and its SAN facts (board.h). */
#include "notation/notation.h"

/* Writes castling, which has no squares in SAN. */
static size_t write_castling(stamma_move move, unsigned san_facts, char *out)
{
    size_t length = castling_side(move) == STAMMA_KING_SIDE ? 3 : 5;
    memcpy(out, "O-O-O", length);
    out[length] = san_facts & SAN_FACT_MATE ? '#' : '+';
    return length + ((san_facts & SAN_FACT_CHECK) != 0);
}

/* Hot path: each character is written in any case, and the position advances only if the character is needed. This
 * avoids branches that are hard to predict. */
size_t stamma_san_spell(stamma_move move, unsigned san_facts, char *out)
{
    char *at = out;
    unsigned from = stamma_move_from(move), type = san_facts & SAN_FACT_TYPE;
    if (STAMMA_UNLIKELY(move == STAMMA_MOVE_NULL)) {
        memcpy(out, "--", 2);
        return 2;
    }
    if (STAMMA_UNLIKELY(stamma_move_is_castling(move)))
        return write_castling(move, san_facts, out);
    *at = NOTATION_PIECE_LETTERS[type];
    at += type != STAMMA_PAWN;
    *at = (char)('a' + (from & 7));
    at += (san_facts & SAN_FACT_FILE) != 0;
    *at = (char)('1' + (from >> 3));
    at += (san_facts & SAN_FACT_RANK) != 0;
    *at = 'x';
    at += stamma_move_is_capture(move);
    at = square_write(stamma_move_to(move), at);
    /* the predictable condition is first */
    if (STAMMA_UNLIKELY(stamma_move_is_promotion(move)) && type == STAMMA_PAWN) {
        *at++ = '=';
        *at++ = NOTATION_PIECE_LETTERS[stamma_move_promotion(move)];
    }
    *at = san_facts & SAN_FACT_MATE ? '#' : '+';
    return (size_t)(at - out) + ((san_facts & SAN_FACT_CHECK) != 0);
}

char stamma_san_mark(const stamma_position *position, stamma_move move)
{
    unsigned san_facts = stamma_move_check_san_facts(position, move);
    return san_facts & SAN_FACT_MATE ? '#' : san_facts & SAN_FACT_CHECK ? '+' : '\0';
}

size_t stamma_san_write(const stamma_position *position, stamma_move move, char *out, size_t size)
{
    char text[SAN_LENGTH_MAX];
    if (STAMMA_UNLIKELY(size < STAMMA_SAN_SIZE))
        return text_give(text, stamma_san_spell(move, move_san_facts(position, move), text), out, size);
    size_t length = stamma_san_spell(move, move_san_facts(position, move), out);
    out[length] = '\0';
    return length;
}
