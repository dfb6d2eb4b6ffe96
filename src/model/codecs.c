/* The list of all move encodings, in the order of doc/encodings.md. It stands above the rooms that they come from: this
 * room, codec and notation. */
#include "codec/codec.h"

static const stamma_codec *const codecs[] = {
    /* one move, alone */
    &stamma_codec_move16,
    &stamma_codec_butterfly,
    /* one move, given the position */
    &stamma_codec_legal_index,
    &stamma_codec_legal_index_bits,
    &stamma_codec_bcgn_square,
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
