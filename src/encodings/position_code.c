/* SPDX-License-Identifier: MIT */
/* Codes positions with any codec: the public functions, based on the interface in position_codes.h, and functions that
 * several codecs share. */
#include "encodings/position_codes.h"

enum { CLOCK_MAX = 100, EN_PASSANT_BITS = 3 };

stamma_position_codec_info stamma_position_codec_describe(const stamma_position_codec *codec)
{
    return codec->info;
}

stamma_position stamma_position_coded(const stamma_position *position)
{
    stamma_position coded = *position;
    if (coded.en_passant != STAMMA_SQUARE_NONE &&
        !(stamma_en_passant_choices(position) & square_bit(coded.en_passant & 63u)))
        coded.en_passant = STAMMA_SQUARE_NONE;
    if (coded.halfmove_clock > CLOCK_MAX)
        coded.halfmove_clock = CLOCK_MAX;
    coded.fullmove_number = 1;
    return coded;
}

stamma_error stamma_position_encode(const stamma_position_codec *codec, const stamma_position *position,
                                    stamma_position_code *code)
{
    if (!codec || !position || !code)
        return STAMMA_ERROR_BAD_ARGUMENT;
    stamma_position coded = codec->info.is_text ? *position : stamma_position_coded(position);
    stamma_position_code made = {0, {0}};
    bit_writer out = {made.bytes, 8 * sizeof made.bytes, 0, false};
    stamma_error error = codec->write(codec, &coded, &out, NULL);
    if (error == STAMMA_OK && out.failed)
        error = STAMMA_ERROR_UNSUPPORTED; /* more pieces than a valid position has */
    if (error != STAMMA_OK)
        return error;
    made.bits = (unsigned)out.size;
    *code = made;
    return STAMMA_OK;
}

/* Only the code that the encoder produces for the position is accepted. */
static bool is_code_of(const stamma_position_codec *codec, const stamma_position_code *code,
                       const stamma_position *position)
{
    stamma_position_code own;
    return stamma_position_encode(codec, position, &own) == STAMMA_OK && own.bits == code->bits &&
           memcmp(own.bytes, code->bytes, (code->bits + 7) / 8) == 0;
}

stamma_error stamma_position_decode(const stamma_position_codec *codec, const stamma_position_code *code,
                                    stamma_position *position)
{
    if (!codec || !code || !position)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!codec->read)
        return STAMMA_ERROR_UNSUPPORTED;
    if (code->bits > 8 * sizeof code->bytes)
        return STAMMA_ERROR_CORRUPT;
    stamma_position read = {.fullmove_number = 1, .en_passant = STAMMA_SQUARE_NONE};
    memset(read.castling, STAMMA_SQUARE_NONE, sizeof read.castling);
    bit_reader in = {code->bytes, code->bits, 0, false};
    if (!codec->read(&in, &read) || in.failed || in.at != in.size)
        return STAMMA_ERROR_CORRUPT;
    if (stamma_position_problems(&read) != 0)
        return STAMMA_ERROR_CORRUPT;
    read.key = stamma_position_fresh_key(&read);
    if (!is_code_of(codec, code, &read))
        return STAMMA_ERROR_CORRUPT;
    *position = read;
    return STAMMA_OK;
}

/* ---- state ---- */

void stamma_position_write_state(const stamma_position *position, bit_writer *out, explanation *parts)
{
    stamma_bits_write(out, position->halfmove_clock, 7);
    EXPLAIN(parts, "clock %u", position->halfmove_clock);
    stamma_bits_write(out, position->side == STAMMA_WHITE, 1);
    EXPLAIN(parts, "%s to move", stamma_color_name(position->side));
}

bool stamma_position_read_state(bit_reader *in, stamma_position *position)
{
    position->halfmove_clock = (uint16_t)stamma_bits_read(in, 7);
    position->side = stamma_bits_read(in, 1) ? STAMMA_WHITE : STAMMA_BLACK;
    return position->halfmove_clock <= CLOCK_MAX;
}

uint64_t stamma_en_passant_choices(const stamma_position *p)
{
    uint64_t occupied = position_occupied(p), pawns = position_pieces(p, p->side ^ 1u, STAMMA_PAWN);
    uint64_t beside = pawns_attacks(p->side, position_pieces(p, p->side, STAMMA_PAWN));
    if (p->side == STAMMA_WHITE)
        return pawns << 8 & RANK_6 & beside & ~(occupied | occupied >> 8);
    return pawns >> 8 & RANK_3 & beside & ~(occupied | occupied << 8);
}

void stamma_position_write_en_passant(const stamma_position *position, bit_writer *out, explanation *parts)
{
    uint64_t choices = stamma_en_passant_choices(position);
    if (!choices)
        return;
    uint64_t chosen = square_bit_or_none(position->en_passant);
    stamma_bits_write(out, chosen ? 1 + bits_count(choices & (chosen - 1)) : 0, EN_PASSANT_BITS);
    EXPLAIN(parts, "en passant: %s, of %u choices", chosen ? stamma_square_name(position->en_passant).text : "none",
            bits_count(choices));
}

bool stamma_position_read_en_passant(bit_reader *in, stamma_position *position)
{
    uint64_t choices = stamma_en_passant_choices(position);
    unsigned number = choices ? (unsigned)stamma_bits_read(in, EN_PASSANT_BITS) : 0;
    if (number > bits_count(choices))
        return false;
    if (number > 0)
        position->en_passant = (stamma_square)nth_along_ranks(choices, number - 1);
    return true;
}

/* ---- castling ---- */

unsigned stamma_castling_shown(const stamma_position *p)
{
    unsigned shown = 0;
    for (unsigned n = 0; n < 4; n++) {
        unsigned color = n / 2, rook = 56 * color + (n % 2 == STAMMA_KING_SIDE ? 7 : 0);
        if (position_pieces(p, color, STAMMA_KING) == square_bit(56 * color + 4) &&
            position_pieces(p, color, STAMMA_ROOK) & square_bit(rook))
            shown |= 1u << n;
    }
    return shown;
}

bool stamma_castling_is_standard(const stamma_position *p)
{
    for (unsigned n = 0; n < 4; n++) {
        unsigned rook = 56 * (n / 2) + (n % 2 == STAMMA_KING_SIDE ? 7 : 0), has = p->castling[n / 2][n % 2];
        if (has != STAMMA_SQUARE_NONE && (has != rook || !(stamma_castling_shown(p) >> n & 1)))
            return false;
    }
    return true;
}

void stamma_position_write_castling(const stamma_position *position, bit_writer *out, explanation *parts)
{
    unsigned shown = stamma_castling_shown(position);
    for (unsigned n = 0; n < 4; n++) {
        if (!(shown >> n & 1))
            continue;
        bool right = position->castling[n / 2][n % 2] != STAMMA_SQUARE_NONE;
        stamma_bits_write(out, right, 1);
        EXPLAIN(parts, "%s %s castle on the %s's side", stamma_color_name(n / 2), right ? "may" : "may not",
                n % 2 == STAMMA_KING_SIDE ? "king" : "queen");
    }
}

void stamma_position_read_castling(bit_reader *in, stamma_position *position)
{
    unsigned shown = stamma_castling_shown(position);
    for (unsigned n = 0; n < 4; n++)
        if (shown >> n & 1 && stamma_bits_read(in, 1))
            position->castling[n / 2][n % 2] = (stamma_square)(56 * (n / 2) + (n % 2 == STAMMA_KING_SIDE ? 7 : 0));
}
