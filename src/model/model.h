/* The model room: what is known of games beyond the rules. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "codec/codec.h"

extern const stamma_codec stamma_codec_uci, stamma_codec_san, stamma_codec_lan; /* text_codecs.c */

#endif
