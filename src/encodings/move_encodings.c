/* SPDX-License-Identifier: MIT */
/* The list of all move encodings, in the order of doc/encodings.md. */
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
#if !defined(STAMMA_NO_MODEL)
    /* complete games, by the probability of moves */
    &stamma_codec_ranked_tiers,
    &stamma_codec_ranked_huffman,
    &stamma_codec_arithmetic,
#endif
};

const stamma_codec *stamma_codec_at(size_t index)
{
    return index < sizeof codecs / sizeof *codecs ? codecs[index] : NULL;
}

const stamma_codec *stamma_codec_find(stamma_text name)
{
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++) {
        const char *candidate = codecs[n]->info.name;
        if (strlen(candidate) == name.size && memcmp(candidate, name.data, name.size) == 0)
            return codecs[n];
    }
    return NULL;
}
