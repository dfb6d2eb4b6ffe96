/* SPDX-License-Identifier: MIT */
/* The list of the move encodings that do not use the predictor, in the order of doc/reference/encodings.md. A program
 * that finds its codecs only here is linked without the predictor and its weights. */
#include "encodings/encodings.h"

static const stamma_codec *const codecs[] = {
    /* moves without a position */
    &stamma_codec_move16,
    &stamma_codec_butterfly,
    &stamma_codec_move32,
    &stamma_codec_uci,
    &stamma_codec_enumeration,
    &stamma_codec_move14,
    &stamma_codec_move12,
    /* moves in a given position */
    &stamma_codec_san,
    &stamma_codec_lan,
    &stamma_codec_direction_target,
    &stamma_codec_check_flag,
    &stamma_codec_legal_index,
    &stamma_codec_legal_index_bits,
    &stamma_codec_legal_index_radix,
    &stamma_codec_pseudo_legal_index_bits,
    &stamma_codec_two_index_bits,
    &stamma_codec_bcgn,
    &stamma_codec_bcgn_square,
    &stamma_codec_tarrasch,
    &stamma_codec_tarrasch_one_queen,
    &stamma_codec_tojot,
    &stamma_codec_tojot_split,
    &stamma_codec_tojot_mixed,
    &stamma_codec_tojot_bits,
    &stamma_codec_tojot_split_bits,
    &stamma_codec_many_queens,
    &stamma_codec_many_promotions,
    &stamma_codec_gap_codes,
};

size_t stamma_codecs_without_model(void)
{
    return sizeof codecs / sizeof *codecs;
}

const stamma_codec *stamma_codec_without_model_at(size_t index)
{
    return codecs[index];
}

const stamma_codec *stamma_codec_find_without_model(stamma_text name)
{
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++)
        if (text_equal(stamma_text_of(codecs[n]->info.name), name))
            return codecs[n];
    return NULL;
}
