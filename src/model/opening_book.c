/* The book: positions that came often in the games for training, and the moves that were played from them.
 *
 * 4,097 numbers of four bytes: where the positions begin whose hashes begin with these twelve bits, and where the last
 * end, from the book's begin. A position: the hash's next sixteen bits; a byte, the number of its moves less one in the
 * high half, the bucket of its count in the low half, 1 to 15; a byte for each move, the most played first: its number
 * in the predictor's order, and from bit 6 by how many half bits its share is less than that of the one before, or than
 * all: 0, 1, 2 or 4. */
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
