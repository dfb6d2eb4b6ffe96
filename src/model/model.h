/* The model room: the lists of all encodings, which stand above codec and notation. */
#ifndef STAMMA_MODEL_H
#define STAMMA_MODEL_H

#include "codec/codec.h"

extern const stamma_codec stamma_codec_uci, stamma_codec_san, stamma_codec_lan; /* text_codecs.c */

#endif
