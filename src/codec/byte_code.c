/* SPDX-License-Identifier: MIT */
/* A move in one byte: the code of `bcgn-square` (Chess Programming Wiki, "Per Piece and Square"; doc/format/archive.md,
 * clause 5.2).
 *
 * Each piece of the side to move has a range of codes, ordered by square. The size of the range, the piece's bound, is
 * the largest number of moves that its type has from one square. The sums of bounds identify the piece of a code: first
 * its rank, compared with all eight ranks at once, then its file. piece_game.inc codes complete games and updates the
 * sums after each move. byte_games.c selects its functions for the processor. */
#include "codec/codec.h"

/* ---- from a code to its piece ---- */

/* Counts the pieces in each byte (a rank) of a set. */
STAMMA_INLINE uint64_t count_by_rank(uint64_t set)
{
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    return (set + (set >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

/* Spreads the lowest rank of a set: one byte for each file, which is 1 if the set contains the square. */
STAMMA_INLINE uint64_t spread_rank(uint64_t set)
{
    uint64_t bits = (set & 255) * BYTE_ONES & UINT64_C(0x8040201008040201);
    return (bits + BYTE_ONES * 127) >> 7 & BYTE_ONES;
}

/* Returns the square of the piece that has a code, or STAMMA_SQUARE_NONE if no piece has it. *code becomes the index of
 * the piece's move. */
STAMMA_INLINE unsigned locate_piece(const stamma_position *p, unsigned *code)
{
    uint64_t own = p->by_color[p->side], pawns = own & p->by_type[STAMMA_PAWN];
    uint64_t small = own & (p->by_type[STAMMA_KNIGHT] | p->by_type[STAMMA_KING]);
    uint64_t bishops = own & p->by_type[STAMMA_BISHOP], rooks = own & p->by_type[STAMMA_ROOK];
    uint64_t queens = own & p->by_type[STAMMA_QUEEN];
    uint64_t sums = BOUND_PAWN * count_by_rank(pawns) + BOUND_KNIGHT * count_by_rank(small) +
                    BOUND_BISHOP * count_by_rank(bishops) + BOUND_ROOK * count_by_rank(rooks) +
                    BOUND_QUEEN * count_by_rank(queens);
    sums *= BYTE_ONES;
    if (STAMMA_UNLIKELY(*code >= sums >> 56))
        return STAMMA_SQUARE_NONE;
    unsigned rank = first_above(sums, *code, 56), rest = *code - (unsigned)(sums << 8 >> rank & 255);
    sums = BOUND_PAWN * spread_rank(pawns >> rank) + BOUND_KNIGHT * spread_rank(small >> rank) +
           BOUND_BISHOP * spread_rank(bishops >> rank) + BOUND_ROOK * spread_rank(rooks >> rank) +
           BOUND_QUEEN * spread_rank(queens >> rank);
    sums *= BYTE_ONES;
    unsigned file = first_above(sums, rest, 56);
    *code = rest - (unsigned)(sums << 8 >> file & 255);
    return rank + (file >> 3);
}

/* ---- fall-back if the bounds do not fit: the index among the legal moves ---- */

static STAMMA_NOINLINE stamma_error legal_index_encode(const stamma_position *p, stamma_move move, uint8_t *code)
{
    move_sets sets;
    stamma_move_sets_legal(p, &sets);
    size_t index = stamma_move_sets_index(&sets, p, move);
    if (sets.moves > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    if (index == sets.moves)
        return STAMMA_ERROR_ILLEGAL;
    *code = (uint8_t)index;
    return STAMMA_OK;
}

static STAMMA_NOINLINE stamma_error legal_index_decode(const stamma_position *p, unsigned code, stamma_move *move)
{
    move_sets sets;
    stamma_move_sets_legal(p, &sets);
    if (sets.moves > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    if (code >= sets.moves)
        return STAMMA_ERROR_CORRUPT;
    *move = stamma_move_sets_at(&sets, p, code);
    return STAMMA_OK;
}

/* Checks that the null move can be coded. Returns `refused` if the side to move is in check. */
static stamma_error null_is_coded(const stamma_position *p, stamma_error refused)
{
    if (!bounds_fit(p) && stamma_legal_moves_count(p) > BYTE_CODE_NULL)
        return STAMMA_ERROR_UNSUPPORTED;
    return stamma_position_in_check(p) ? refused : STAMMA_OK;
}

/* ---- the code ---- */

stamma_error stamma_byte_encode_slowly(const stamma_position *p, stamma_move move, uint8_t *code)
{
    if (STAMMA_UNLIKELY(move == STAMMA_MOVE_NULL)) {
        stamma_error error = null_is_coded(p, STAMMA_ERROR_ILLEGAL);
        if (error == STAMMA_OK)
            *code = BYTE_CODE_NULL;
        return error;
    }
    if (STAMMA_UNLIKELY(!bounds_fit(p)))
        return legal_index_encode(p, move, code);
    if (STAMMA_UNLIKELY(!(p->by_color[p->side] >> stamma_move_from(move) & 1)))
        return STAMMA_ERROR_ILLEGAL;
    *code = byte_of_move(p, move);
    return STAMMA_OK;
}

stamma_error stamma_byte_decode(const stamma_position *p, uint8_t code, stamma_move *move)
{
    if (STAMMA_UNLIKELY(code == BYTE_CODE_NULL)) {
        stamma_error error = null_is_coded(p, STAMMA_ERROR_CORRUPT);
        if (error == STAMMA_OK)
            *move = STAMMA_MOVE_NULL;
        return error;
    }
    if (STAMMA_UNLIKELY(!bounds_fit(p)))
        return legal_index_decode(p, code, move);
    unsigned index = code, from = locate_piece(p, &index);
    if (STAMMA_UNLIKELY(from == STAMMA_SQUARE_NONE))
        return STAMMA_ERROR_CORRUPT;
    stamma_move found = piece_move_at(p, from, index);
    if (STAMMA_UNLIKELY(!stamma_move_is_legal(p, found)))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static stamma_error write_slowly(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 bit_writer *out)
{
    (void)codec;
    uint8_t code = 0;
    stamma_error error = stamma_byte_encode_slowly(position, move, &code);
    if (error == STAMMA_OK)
        stamma_bits_write(out, code, 8);
    return error;
}

stamma_error stamma_byte_read(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    (void)codec;
    uint8_t code = (uint8_t)stamma_bits_read(in, 8);
    return in->failed ? STAMMA_ERROR_CORRUPT : stamma_byte_decode(position, code, move);
}

const stamma_codec stamma_byte_code = {.has_null = true, .write = write_slowly, .read = stamma_byte_read};
