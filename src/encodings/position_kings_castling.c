/* SPDX-License-Identifier: MIT */
/* `kings-castling`: both kings and all castling rights in 12 bits (end of Wikipedia's article).
 *
 *     0 - 3611   no rights: the kings on any two squares that are not adjacent
 *     3612 ...   3 x 58, only White has rights: White's king on e1, rights K, Q or both, Black's king on any square
 *                except e1 and the squares adjacent to it
 *     3786 ...   3 x 58, only Black has rights
 *     3960 ...   3 x 3, both have rights: 3,969 in all
 *
 * Other consequences of castling rights reduce the 357 numbers with rights. There are 349 if no king is on the
 * square of a rook that may castle. There are 333 if, in addition, no king is on g1 or h2, or on b1 or a2, next to
 * this rook, because no game can lead to these checks. The source says 329, which excludes Black's king on c1
 * (White's on c8) against both rights. Games lead to these positions, with a knight on b1. */
#include "encodings/position_codes.h"

enum { WITHOUT_RIGHTS = 3612, AWAY = 58, ONE_SIDE = 3 * AWAY };

/* Returns the squares on which the other king may be. */
static uint64_t squares_left(unsigned king)
{
    return ~(king_attacks(king) | square_bit(king));
}

/* Returns the rights of a colour as a number: 1 K, 2 Q, 3 both. */
static unsigned rights_of(const stamma_kings_castling *k, unsigned color)
{
    return (k->right[color][STAMMA_KING_SIDE] ? 1u : 0u) + (k->right[color][STAMMA_QUEEN_SIDE] ? 2u : 0u);
}

/* Returns the number of pairs of kings before a pair. */
static unsigned rank_pair(unsigned white, unsigned black)
{
    unsigned before = bits_count(squares_left(white) & (square_bit(black) - 1));
    for (unsigned square = 0; square < white; square++)
        before += bits_count(squares_left(square));
    return before;
}

stamma_error stamma_kings_castling_rank(const stamma_kings_castling *k, uint16_t *number)
{
    if (!k || !number)
        return STAMMA_ERROR_BAD_ARGUMENT;
    unsigned white = k->king[STAMMA_WHITE], black = k->king[STAMMA_BLACK];
    unsigned rights[2] = {rights_of(k, STAMMA_WHITE), rights_of(k, STAMMA_BLACK)};
    if (white > 63 || black > 63 || !(squares_left(white) >> black & 1))
        return STAMMA_ERROR_ILLEGAL;
    if ((rights[0] && white != 4) || (rights[1] && black != 60))
        return STAMMA_ERROR_UNSUPPORTED;
    unsigned found;
    if (rights[0] && rights[1])
        found = WITHOUT_RIGHTS + 2 * ONE_SIDE + 3 * (rights[0] - 1) + rights[1] - 1;
    else if (rights[0])
        found = WITHOUT_RIGHTS + AWAY * (rights[0] - 1) + bits_count(squares_left(white) & (square_bit(black) - 1));
    else if (rights[1])
        found = WITHOUT_RIGHTS + ONE_SIDE + AWAY * (rights[1] - 1) +
                bits_count(squares_left(black) & (square_bit(white) - 1));
    else
        found = rank_pair(white, black);
    *number = (uint16_t)found;
    return STAMMA_OK;
}

static void unrank_pair(unsigned number, stamma_kings_castling *k)
{
    unsigned white = 0;
    for (; number >= bits_count(squares_left(white)); white++)
        number -= bits_count(squares_left(white));
    k->king[STAMMA_WHITE] = (stamma_square)white;
    k->king[STAMMA_BLACK] = (stamma_square)nth_along_ranks(squares_left(white), number);
}

static void give_rights(stamma_kings_castling *k, unsigned color, unsigned rights)
{
    k->king[color] = (stamma_square)(56 * color + 4);
    k->right[color][STAMMA_KING_SIDE] = rights & 1;
    k->right[color][STAMMA_QUEEN_SIDE] = rights >> 1 & 1;
}

stamma_error stamma_kings_castling_unrank(unsigned number, stamma_kings_castling *kings)
{
    if (number >= STAMMA_KINGS_CASTLING_COUNT || !kings)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_kings_castling k = {{0, 0}, {{false, false}, {false, false}}};
    if (number < WITHOUT_RIGHTS) {
        unrank_pair(number, &k);
    } else if (number < WITHOUT_RIGHTS + 2 * ONE_SIDE) {
        unsigned rest = number - WITHOUT_RIGHTS, color = rest / ONE_SIDE;
        give_rights(&k, color, rest % ONE_SIDE / AWAY + 1);
        k.king[color ^ 1] = (stamma_square)nth_along_ranks(squares_left(k.king[color]), rest % AWAY);
    } else {
        unsigned rest = number - WITHOUT_RIGHTS - 2 * ONE_SIDE;
        give_rights(&k, STAMMA_WHITE, rest / 3 + 1);
        give_rights(&k, STAMMA_BLACK, rest % 3 + 1);
    }
    *kings = k;
    return STAMMA_OK;
}

static stamma_error write_kings(const stamma_position_codec *codec, const stamma_position *p, bit_writer *out,
                                explanation *parts)
{
    (void)codec;
    if (!stamma_castling_is_standard(p))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_kings_castling k;
    for (unsigned color = 0; color < 2; color++) {
        k.king[color] = (stamma_square)position_king(p, color);
        for (unsigned side = 0; side < 2; side++)
            k.right[color][side] = p->castling[color][side] != STAMMA_SQUARE_NONE;
    }
    uint16_t number = 0;
    stamma_error error = stamma_kings_castling_rank(&k, &number);
    stamma_bits_write(out, number, 12);
    EXPLAIN(parts, "number %u: white king %s, black king %s, castling %s%s%s%s", number,
            stamma_square_name(k.king[0]).text, stamma_square_name(k.king[1]).text, k.right[0][0] ? "K" : "-",
            k.right[0][1] ? "Q" : "-", k.right[1][0] ? "k" : "-", k.right[1][1] ? "q" : "-");
    return error == STAMMA_OK ? STAMMA_OK : STAMMA_ERROR_UNSUPPORTED;
}

const stamma_position_codec stamma_position_codec_kings_castling = {
    .info = {.name = "kings-castling",
             .source = SOURCE_BOARDS,
             .description = "both kings and all castling rights as a number below 3,969",
             .is_partial = true},
    .write = write_kings,
};
