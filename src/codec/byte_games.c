/* SPDX-License-Identifier: MIT */
/* The code of byte_code.c with the functions of piece_game.inc for this processor: one move, and complete games. */
#include "codec/codec.h"

stamma_error stamma_byte_encode(const stamma_position *p, stamma_move move, uint8_t *code)
{
    if (STAMMA_UNLIKELY(move == STAMMA_MOVE_NULL || !bounds_fit(p) ||
                        !(p->by_color[p->side] >> stamma_move_from(move) & 1)))
        return stamma_byte_encode_slowly(p, move, code);
    *code = PIECE_GAME(code, p, move);
    return STAMMA_OK;
}

stamma_error stamma_byte_write(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    (void)codec;
    uint8_t code = 0;
    stamma_error error = stamma_byte_encode(position, move, &code);
    if (error == STAMMA_OK)
        stamma_bits_write(out, code, 8);
    return error;
}

static uint16_t clock_sum(size_t clock, size_t more)
{
    return (uint16_t)(more < UINT16_MAX - clock ? clock + more : UINT16_MAX);
}

/* Sets the clocks of the position after moves with these SAN facts. */
static void set_clocks(const stamma_position *start, const stamma_move *moves, const uint8_t *san_facts, size_t plies,
                       stamma_position *end)
{
    size_t quiet = 0;
    while (quiet < plies && !stamma_move_is_capture(moves[plies - 1 - quiet]) &&
           (san_facts[plies - 1 - quiet] & SAN_FACT_TYPE) != STAMMA_PAWN)
        quiet++;
    end->halfmove_clock = clock_sum(quiet < plies ? 0 : start->halfmove_clock, quiet);
    end->fullmove_number = clock_sum(start->fullmove_number, (plies + start->side) / 2);
}

stamma_error stamma_byte_decode_moves(const stamma_position *start, const uint8_t *codes, size_t plies,
                                      stamma_move *moves)
{
    bit_reader in = {codes, plies * 8, 0, false};
    return PIECE_GAME(read_by_square, &stamma_byte_code, start, &in, moves, plies);
}

stamma_error stamma_byte_decode_game(const stamma_position *start, const uint8_t *codes, size_t plies,
                                     stamma_move *moves, uint8_t *san_facts, stamma_position *end)
{
    bit_reader in = {codes, plies * 8, 0, false};
    stamma_error error = PIECE_GAME(read_san_facts, start, &in, moves, plies, san_facts, end);
    if (error == STAMMA_OK)
        set_clocks(start, moves, san_facts, plies, end);
    return error;
}
