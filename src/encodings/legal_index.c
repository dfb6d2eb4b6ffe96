/* SPDX-License-Identifier: MIT */
/* `legal-index`, `legal-index-bits` and `pseudo-legal-index-bits`: the index of a move in the canonical order of
 * legal or pseudo-legal moves (Chess Programming Wiki, "Move Index"; Forster 2015, "One Move in 5.5 Bits"). */
#include "encodings/encodings.h"

/* ---- legal-index: one byte ---- */

/* Returns whether each legal move has a byte that is not the null move's. A side whose bounds fit in a byte has no more
 * moves. */
static bool has_codes(const stamma_position *position)
{
    return bounds_fit(position) || stamma_legal_moves_count(position) <= BYTE_CODE_NULL;
}

static stamma_error write_byte(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    (void)codec;
    if (!has_codes(position))
        return STAMMA_ERROR_UNSUPPORTED;
    stamma_bits_write(out, move == STAMMA_MOVE_NULL ? BYTE_CODE_NULL : stamma_legal_index(position, move), 8);
    return STAMMA_OK;
}

static stamma_error read_byte(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    (void)codec;
    const size_t index = (size_t)stamma_bits_read(in, 8);
    if (!has_codes(position))
        return STAMMA_ERROR_UNSUPPORTED;
    const bool is_null = index == BYTE_CODE_NULL && !stamma_position_in_check(position);
    const stamma_move found = is_null ? STAMMA_MOVE_NULL : stamma_legal_move_at(position, index);
    if (in->failed || (found == STAMMA_MOVE_NULL && !is_null))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_byte(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    stamma_explain_index(e, stamma_legal_index(position, move), stamma_legal_moves_count(position), 8, "legal moves");
}

const stamma_codec stamma_codec_legal_index = {
    .info = {.name = "legal-index",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "one byte: the index of the move in canonical order of legal moves, 255 for the null move",
             .kind = STAMMA_CODEC_POSITION},
    .has_null = true,
    .write = write_byte,
    .read = read_byte,
    .explain = explain_byte,
};

/* ---- legal-index-bits, pseudo-legal-index-bits: ceil(log2 n) bits, none for a forced move ---- */

static stamma_error write_legal(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                bit_writer *out)
{
    (void)codec;
    stamma_bits_write(out, stamma_legal_index(position, move), bits_for(stamma_legal_moves_count(position)));
    return STAMMA_OK;
}

static stamma_error read_legal(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                               stamma_move *move)
{
    (void)codec;
    const size_t index = (size_t)stamma_bits_read(in, bits_for(stamma_legal_moves_count(position)));
    const stamma_move found = stamma_legal_move_at(position, index);
    if (in->failed || found == STAMMA_MOVE_NULL)
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_legal(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    const size_t moves = stamma_legal_moves_count(position);
    stamma_explain_index(e, stamma_legal_index(position, move), moves, bits_for(moves), "legal moves");
}

static stamma_error write_pseudo_legal(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                       bit_writer *out)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_pseudo_legal(position, &sets);
    stamma_bits_write(out, stamma_move_sets_index(&sets, position, move), bits_for(sets.moves));
    return STAMMA_OK;
}

static stamma_error read_pseudo_legal(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                                      stamma_move *move)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_pseudo_legal(position, &sets);
    const size_t index = (size_t)stamma_bits_read(in, bits_for(sets.moves));
    if (in->failed || index >= sets.moves)
        return STAMMA_ERROR_CORRUPT;
    const stamma_move found = stamma_move_sets_at(&sets, position, index);
    if (!stamma_move_is_legal(position, found))
        return STAMMA_ERROR_CORRUPT;
    *move = found;
    return STAMMA_OK;
}

static void explain_pseudo_legal(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 explanation *e)
{
    (void)codec;
    move_sets sets;
    stamma_move_sets_pseudo_legal(position, &sets);
    stamma_explain_index(e, stamma_move_sets_index(&sets, position, move), sets.moves, bits_for(sets.moves),
                         "pseudo-legal moves");
}

const stamma_codec stamma_codec_legal_index_bits = {
    .info = {.name = "legal-index-bits",
             .source = SOURCE_WIKI "; " SOURCE_FORSTER,
             .description = "the index among the n legal moves in ceil(log2 n) bits",
             .kind = STAMMA_CODEC_POSITION},
    .write = write_legal,
    .read = read_legal,
    .explain = explain_legal,
};

const stamma_codec stamma_codec_pseudo_legal_index_bits = {
    .info = {.name = "pseudo-legal-index-bits",
             .source = SOURCE_WIKI,
             .description = "the index among the n pseudo-legal moves in ceil(log2 n) bits",
             .kind = STAMMA_CODEC_POSITION},
    .write = write_pseudo_legal,
    .read = read_pseudo_legal,
    .explain = explain_pseudo_legal,
};
