/* SPDX-License-Identifier: MIT */
/* The list of all move encodings, in the order of doc/reference/encodings.md: those of model_free_encodings.c, then
 * those that use the predictor. */
#include "encodings/encodings.h"

/* complete games, by the probability of moves */
static const stamma_codec *const predicted[] = {
#if !defined(STAMMA_NO_MODEL)
    &stamma_codec_ranked_tiers, &stamma_codec_ranked_huffman, &stamma_codec_arithmetic,
#endif
    NULL, /* the end */
};

const stamma_codec *stamma_codec_at(size_t index)
{
    size_t others = stamma_codecs_without_model();
    if (index < others)
        return stamma_codec_without_model_at(index);
    index -= others;
    return index < sizeof predicted / sizeof *predicted ? predicted[index] : NULL;
}

const stamma_codec *stamma_codec_find(stamma_text name)
{
    const stamma_codec *found = stamma_codec_find_without_model(name);
    for (size_t n = 0; !found && predicted[n]; n++)
        if (text_equal(stamma_text_of(predicted[n]->info.name), name))
            found = predicted[n];
    return found;
}
