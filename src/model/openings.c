/* Which opening a game is: the last of its first positions that has a name (doc/format.md, Annex B). */
#include "model/model.h"

enum { EMPTY = 12 };

/* Men by square, as stamma_key_men numbers them. */
static const uint8_t start_men[64] = {3,  1,  2,  4,  5,  2,  1,  3,  0,  0,  0,  0,  0,  0,  0,  0,
                                      12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
                                      12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
                                      6,  6,  6,  6,  6,  6,  6,  6,  9,  7,  8,  10, 11, 8,  7,  9};

/* Moves a man, which takes what stands there, and gives what the key changes by. */
static uint64_t move_man(uint8_t men[64], unsigned from, unsigned to, unsigned becomes)
{
    uint64_t key = stamma_key_men[men[from]][from] ^ stamma_key_men[becomes][to];
    if (men[to] != EMPTY)
        key ^= stamma_key_men[men[to]][to];
    men[from] = EMPTY;
    men[to] = (uint8_t)becomes;
    return key;
}

/* What a move other than the null move changes the key by. It is legal in a game from the initial position. */
static uint64_t play(uint8_t men[64], stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    unsigned man = men[from], rank = from & 56;
    if (man == EMPTY)
        return 0;
    if (stamma_move_is_castling(move)) {
        bool king_side = flags == STAMMA_FLAG_KING_CASTLE;
        unsigned rook = rank + (king_side ? 7 : 0);
        if (men[rook] == EMPTY)
            return 0;
        uint64_t key = move_man(men, from, rank + (king_side ? 6 : 2), man);
        return key ^ move_man(men, rook, rank + (king_side ? 5 : 3), men[rook]);
    }
    uint64_t key = 0;
    if (flags == STAMMA_FLAG_EN_PASSANT && men[rank | (to & 7)] != EMPTY) {
        unsigned taken = rank | (to & 7);
        key = stamma_key_men[men[taken]][taken];
        men[taken] = EMPTY;
    }
    unsigned becomes = flags & STAMMA_FLAG_PROMOTION ? man - man % 6 + stamma_move_promotion(move) : man;
    return key ^ move_man(men, from, to, becomes);
}

static unsigned find(uint64_t key)
{
    const uint16_t *bucket = &stamma_opening_buckets[key >> 52];
    for (unsigned n = bucket[0]; n < bucket[1]; n++)
        if (stamma_opening_keys[n] == key)
            return stamma_opening_numbers[n];
    return 0;
}

unsigned stamma_opening_find(const stamma_move *moves, size_t count)
{
    uint8_t men[64];
    uint64_t keys[OPENING_PLIES + 1];
    size_t plies = count < OPENING_PLIES ? count : OPENING_PLIES;
    stamma_position start = stamma_position_start();
    memcpy(men, start_men, sizeof men);
    keys[0] = start.key ^ castling_key(&start);
    for (size_t ply = 0; ply < plies; ply++)
        keys[ply + 1] = keys[ply] ^ stamma_key_black ^ (moves[ply] == STAMMA_MOVE_NULL ? 0 : play(men, moves[ply]));
    unsigned found = 0;
    for (size_t ply = plies; ply > 0 && found == 0; ply--)
        found = find(keys[ply]);
    return found;
}

stamma_text stamma_opening_code(unsigned number)
{
    return (stamma_text){stamma_openings[number - 1].eco, sizeof stamma_openings[0].eco};
}

stamma_text stamma_opening_name(unsigned number)
{
    const opening *o = &stamma_openings[number - 1];
    return (stamma_text){&stamma_opening_names[o->name / OPENING_NAMES_CHUNK][o->name % OPENING_NAMES_CHUNK],
                         o->name_size};
}
