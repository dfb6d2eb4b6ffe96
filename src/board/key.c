/* SPDX-License-Identifier: MIT */
/* Keys: hashes of positions. */
#include "board/board.h"

uint64_t stamma_position_fresh_key(const stamma_position *p)
{
    uint64_t key = castling_key(p) ^ (p->side == STAMMA_BLACK ? stamma_key_black : 0);
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
            for (uint64_t pieces = position_pieces(p, color, type); pieces; pieces = bits_rest(pieces))
                key ^= key_piece(color, type, bits_first(pieces));
    return key;
}

uint64_t stamma_position_key(const stamma_position *position)
{
    if (STAMMA_LIKELY(!position_en_passant_pawns(position)))
        return position->key;
    return position->key ^ stamma_key_en_passant[position->en_passant & 7];
}

static unsigned identity_en_passant(const stamma_position *p)
{
    return position_en_passant_pawns(p) ? p->en_passant : STAMMA_SQUARE_NONE;
}

bool stamma_position_equal(const stamma_position *a, const stamma_position *b)
{
    return memcmp(a->by_color, b->by_color, sizeof a->by_color) == 0 &&
           memcmp(a->by_type, b->by_type, sizeof a->by_type) == 0 && a->side == b->side &&
           memcmp(a->castling, b->castling, sizeof a->castling) == 0 &&
           identity_en_passant(a) == identity_en_passant(b);
}
