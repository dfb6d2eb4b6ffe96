/* SPDX-License-Identifier: MIT */
/* Finds the opening of a game: the opening of the last position among its first positions that has a name
 * (doc/format/archive.md, Annex B). */
#include "openings/openings.h"

enum { EMPTY = 12 };

/* Pieces by square, numbered as in stamma_key_pieces. */
static const uint8_t start_pieces[64] = {3,  1,  2,  4,  5,  2,  1,  3,  0,  0,  0,  0,  0,  0,  0,  0,
                                         12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
                                         12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
                                         6,  6,  6,  6,  6,  6,  6,  6,  9,  7,  8,  10, 11, 8,  7,  9};

/* Removes the piece on a square, if there is one, and returns the change of the key. */
static uint64_t take_piece(uint8_t pieces[64], unsigned square)
{
    unsigned piece = pieces[square];
    bool any = piece != EMPTY;
    pieces[square] = EMPTY;
    return stamma_key_pieces[any ? piece : 0][square] & (0 - (uint64_t)any);
}

/* Moves a piece without capturing and returns the change of the key. */
static uint64_t move_piece(uint8_t pieces[64], unsigned from, unsigned to, unsigned becomes)
{
    uint64_t key = stamma_key_pieces[pieces[from]][from] ^ stamma_key_pieces[becomes][to];
    pieces[from] = EMPTY;
    pieces[to] = (uint8_t)becomes;
    return key;
}

static uint64_t castle(uint8_t pieces[64], unsigned king, bool king_side)
{
    unsigned rank = king & 56, rook = rank + (king_side ? 7 : 0);
    uint64_t key = move_piece(pieces, king, rank + (king_side ? 6 : 2), pieces[king]);
    return key ^ move_piece(pieces, rook, rank + (king_side ? 5 : 3), pieces[rook]);
}

/* Plays castling, en passant and promotions. */
static uint64_t play_rare(uint8_t pieces[64], stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    if (move == STAMMA_MOVE_NULL)
        return 0;
    if (stamma_move_is_castling(move))
        return castle(pieces, from, flags == STAMMA_FLAG_KING_CASTLE);
    if (flags == STAMMA_FLAG_EN_PASSANT)
        return take_piece(pieces, (from & 56) | (to & 7)) ^ move_piece(pieces, from, to, pieces[from]);
    return take_piece(pieces, to) ^
           move_piece(pieces, from, to, pieces[from] + (unsigned)stamma_move_promotion(move) - STAMMA_PAWN);
}

/* Plays a legal move and returns the change of the pieces' key. A hot path without unpredictable branches. */
static uint64_t play(uint8_t pieces[64], stamma_move move)
{
    static const uint16_t plain = 1 << STAMMA_FLAG_QUIET | 1 << STAMMA_FLAG_DOUBLE_PUSH | 1 << STAMMA_FLAG_CAPTURE;
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    if (STAMMA_UNLIKELY(!(plain >> stamma_move_flags(move) & 1) || move == STAMMA_MOVE_NULL))
        return play_rare(pieces, move);
    return take_piece(pieces, to) ^ move_piece(pieces, from, to, pieces[from]);
}

unsigned stamma_opening_with(uint64_t key)
{
    const uint16_t *bucket = &stamma_opening_buckets[key >> 52];
    for (unsigned n = bucket[0]; n < bucket[1]; n++)
        if (stamma_opening_keys[n] == key)
            return stamma_opening_numbers[n];
    return 0;
}

unsigned stamma_opening_find(const stamma_move *moves, size_t count)
{
    uint8_t pieces[64];
    uint64_t keys[OPENING_PLIES], likely = 0;
    size_t plies = count < OPENING_PLIES ? count : OPENING_PLIES;
    stamma_position start = stamma_position_start();
    uint64_t key = start.key ^ castling_key(&start);
    memcpy(pieces, start_pieces, sizeof pieces);
    for (size_t ply = 0; ply < plies; ply++) {
        key ^= stamma_key_black ^ play(pieces, moves[ply]);
        keys[ply] = key;
        likely |= opening_may_have(key) << ply;
    }
    unsigned found = 0;
    for (; likely && found == 0; likely ^= UINT64_C(1) << bits_last(likely))
        found = stamma_opening_with(keys[bits_last(likely)]);
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

bool stamma_position_opening(const stamma_position *position, stamma_text *eco, stamma_text *name)
{
    unsigned number = stamma_opening_with(position->key ^ castling_key(position));
    if (number > 0) {
        *eco = stamma_opening_code(number);
        *name = stamma_opening_name(number);
    }
    return number > 0;
}
