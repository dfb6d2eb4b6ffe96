/* Keys: numbers that stand for positions. */
#include "board/board.h"

static uint64_t castling_key(const stamma_position *p)
{
    uint64_t key = 0;
    for (unsigned n = 0; n < 4; n++)
        if (p->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE)
            key ^= stamma_key_castling[p->castling[n / 2][n % 2]];
    return key;
}

uint64_t stamma_position_fresh_key(const stamma_position *p)
{
    uint64_t key = castling_key(p) ^ (p->side == STAMMA_BLACK ? stamma_key_black : 0);
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
            for (uint64_t men = position_men(p, color, type); men; men = bits_rest(men))
                key ^= key_man(color, type, bits_first(men));
    return key;
}

uint64_t stamma_position_key(const stamma_position *position)
{
    if (STAMMA_LIKELY(!stamma_position_en_passant_pawns(position)))
        return position->key;
    return position->key ^ stamma_key_en_passant[position->en_passant & 7];
}

static unsigned identity_en_passant(const stamma_position *p)
{
    return stamma_position_en_passant_pawns(p) ? p->en_passant : STAMMA_SQUARE_NONE;
}

bool stamma_position_equal(const stamma_position *a, const stamma_position *b)
{
    return memcmp(a->by_color, b->by_color, sizeof a->by_color) == 0 &&
           memcmp(a->by_type, b->by_type, sizeof a->by_type) == 0 && a->side == b->side &&
           memcmp(a->castling, b->castling, sizeof a->castling) == 0 &&
           identity_en_passant(a) == identity_en_passant(b);
}

/* The book format's numbers: 768 for men (black pawn, white pawn, black knight ...), then castling (white king side
 * first), en passant files, and White to move. */
uint64_t stamma_position_polyglot_key(const stamma_position *position)
{
    enum { CASTLING = 768, EN_PASSANT = 772, WHITE_TO_MOVE = 780 };
    const uint64_t *numbers = stamma_polyglot_numbers;
    uint64_t key = position->side == STAMMA_WHITE ? numbers[WHITE_TO_MOVE] : 0;
    for (unsigned color = 0; color < 2; color++)
        for (unsigned type = STAMMA_PAWN; type <= STAMMA_KING; type++)
            for (uint64_t men = position_men(position, color, type); men; men = bits_rest(men))
                key ^= numbers[64 * (2 * type + (color == STAMMA_WHITE)) + bits_first(men)];
    for (unsigned n = 0; n < 4; n++)
        if (position->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE)
            key ^= numbers[CASTLING + n];
    if (position->en_passant != STAMMA_SQUARE_NONE &&
        (pawn_attacks(position->side ^ 1u, position->en_passant) & position_men(position, position->side, STAMMA_PAWN)))
        key ^= numbers[EN_PASSANT + (position->en_passant & 7)];
    return key;
}
