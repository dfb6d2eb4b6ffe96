/* SPDX-License-Identifier: MIT */
/* The opening book: positions that were frequent in the training games, and the moves that were played in them.
 *
 * The book starts with an index of 4,097 numbers of four bytes. Entry n is the offset, from the start of the book,
 * of the first position whose hash begins with the twelve bits n; the last entry is the end of the positions. A
 * position consists of:
 * - two bytes: the next sixteen bits of the hash
 * - a byte: in the high half the number of moves minus one, in the low half the bucket of the position's count, 1 to 15
 * - a byte for each move, most played first. Bits 0-5 are the move's number in the predictor's order. Bits 6-7 are
 *   the decrease of the move's share compared with the previous move, or with 1 for the first move: 0, 1, 2 or 4
 *   half bits. */
#include "model/model.h"

uint64_t stamma_position_hash(const stamma_position *position)
{
    uint64_t hash = 0, rights = position->side;
    for (unsigned type = 0; type < 6; type++)
        hash = predict_mix(hash + position->by_type[type]);
    for (unsigned n = 0; n < 4; n++)
        rights |= (uint64_t)(position->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE) << (n + 1);
    return predict_mix(predict_mix(hash + position->by_color[STAMMA_WHITE]) + rights);
}

book_entry stamma_book_find(const uint8_t *book, uint64_t hash)
{
    const uint8_t *index = book + (hash >> 52) * 4, *end = book + load_u32(index + 4);
    uint16_t tag = (uint16_t)(hash >> 36);
    for (const uint8_t *at = book + load_u32(index); at < end; at += 4 + (at[2] >> 4))
        if (load_u16(at) == tag)
            return (book_entry){at[2] & 15u, (at[2] >> 4) + 1u, at + 3};
    return (book_entry){0, 0, NULL};
}
