/* SPDX-License-Identifier: MIT */
/* The list of all position encodings, in the order of doc/reference/encodings.md. */
#include "encodings/position_codes.h"

static const stamma_position_codec *const codecs[] = {
    &stamma_position_codec_fen,
    &stamma_position_codec_shredder_fen,
    &stamma_position_codec_stream,
    &stamma_position_codec_huffman,
    &stamma_position_codec_huffman_gaps,
    &stamma_position_codec_huffman_gaps_key,
    &stamma_position_codec_huffman_tables,
    &stamma_position_codec_kings_castling,
    &stamma_position_codec_packed,
    &stamma_position_codec_number,
};

const stamma_position_codec *stamma_position_codec_at(size_t index)
{
    return index < sizeof codecs / sizeof *codecs ? codecs[index] : NULL;
}

const stamma_position_codec *stamma_position_codec_find(stamma_text name)
{
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++)
        if (strlen(codecs[n]->info.name) == name.size && memcmp(codecs[n]->info.name, name.data, name.size) == 0)
            return codecs[n];
    return NULL;
}
