/* The encodings room: the lists of all encodings by name, and the encodings that are text. It uses the codec,
 * gallery, model and notation rooms. */
#ifndef STAMMA_ENCODINGS_H
#define STAMMA_ENCODINGS_H

#include "gallery/gallery.h"

extern const stamma_codec stamma_codec_uci, stamma_codec_san, stamma_codec_lan; /* text_encodings.c */

/* ranked_games.c */
extern const stamma_codec stamma_codec_ranked_tiers, stamma_codec_ranked_huffman, stamma_codec_arithmetic;

/* position_texts.c */
extern const stamma_position_codec stamma_position_codec_fen, stamma_position_codec_shredder_fen;

#endif
