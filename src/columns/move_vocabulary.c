/* SPDX-License-Identifier: MIT */
/* Converts moves to indices of a small vocabulary, for models that choose moves. */
#include "columns/columns.h"

enum { PAIRS = 1792, PROMOTION_PAIRS = 22, PROMOTION_PIECES = 3, PROMOTIONS = PROMOTION_PAIRS * PROMOTION_PIECES };

/* By origin: the number of pairs of squares with a lower origin. */
static const uint16_t first_pair[64] = {
    0,    23,   47,   72,   97,   122,  147,  171,  194,  218,  245,  274,  303,  332,  361,  388,
    412,  437,  466,  499,  532,  565,  598,  627,  652,  677,  706,  739,  774,  809,  842,  871,
    896,  921,  950,  983,  1018, 1053, 1086, 1115, 1140, 1165, 1194, 1227, 1260, 1293, 1326, 1355,
    1380, 1404, 1431, 1460, 1489, 1518, 1547, 1574, 1598, 1621, 1645, 1670, 1695, 1720, 1745, 1769,
};

/* Returns the squares at the distance of a queen's or a knight's move. */
static uint64_t targets(unsigned from)
{
    return queen_attacks(from, 0) | knight_attacks(from);
}

/* Returns the square to which the move goes in the vocabulary; STAMMA_SQUARE_NONE if there is none. */
static unsigned target_of(const stamma_position *position, stamma_move move)
{
    if (!stamma_move_is_castling(move))
        return stamma_move_to(move);
    return position->castling[position->side & 1][castling_side(move)];
}

stamma_error stamma_vocabulary_index(const stamma_position *position, stamma_move move, uint16_t *index)
{
    if (!position || !index)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const unsigned from = stamma_move_from(move), to = target_of(position, move);
    if (to >= 64 || !(targets(from) >> to & 1))
        return STAMMA_ERROR_UNSUPPORTED;
    if (stamma_move_is_promotion(move) && stamma_move_promotion(move) != STAMMA_QUEEN) {
        const int step = (int)(to & 7) - (int)(from & 7), last = position->side == STAMMA_WHITE ? 7 : 0;
        if (step < -1 || step > 1 || (int)(to >> 3) != last || (int)(from >> 3) != (last == 7 ? 6 : 1))
            return STAMMA_ERROR_UNSUPPORTED;
        const unsigned pair = (unsigned)(3 * (int)(from & 7) + step);
        const unsigned piece = (unsigned)stamma_move_promotion(move) - (unsigned)STAMMA_KNIGHT;
        const unsigned first = (unsigned)PAIRS + (position->side == STAMMA_WHITE ? 0u : (unsigned)PROMOTIONS);
        *index = (uint16_t)(first + pair * (unsigned)PROMOTION_PIECES + piece);
        return STAMMA_OK;
    }
    *index = (uint16_t)(first_pair[from] + bits_count(targets(from) & (((uint64_t)1 << to) - 1)));
    return STAMMA_OK;
}

stamma_error stamma_vocabulary_move(const stamma_position *position, unsigned index, stamma_move *move)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    uint16_t number = STAMMA_VOCABULARY_SIZE;
    if (!position || !move || index >= STAMMA_VOCABULARY_SIZE)
        return STAMMA_ERROR_BAD_ARGUMENT;
    const size_t count = stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++) {
        (void)stamma_vocabulary_index(position, moves[n], &number); /* has all legal moves */
        if (number == index) {
            *move = moves[n];
            return STAMMA_OK;
        }
    }
    return STAMMA_ERROR_ILLEGAL;
}
