/* SPDX-License-Identifier: MIT */
/* Fuzz target: the codes of positions. The first byte of the input selects a codec. The second byte is the number of
 * bits to remove from the end of the code, modulo 8. The remaining bytes are decoded with this codec. They are also
 * read as a FEN, and the position is encoded with every codec. */
#include <stdlib.h>
#include <string.h>

#include "stamma.h"
#include "target.h"

/* Checks that the decoded position encodes to the same code. */
static void decode(const stamma_position_codec *codec, const stamma_position_code *code)
{
    stamma_position position;
    stamma_position_code again;
    if (stamma_position_decode(codec, code, &position) != STAMMA_OK)
        return;
    demand(stamma_position_encode(codec, &position, &again) == STAMMA_OK && again.bits == code->bits);
    demand(memcmp(again.bytes, code->bytes, code->bits / 8) == 0);
}

/* Checks that the encoded position decodes to the same position. */
static void encode(const stamma_position_codec *codec, const stamma_position *position)
{
    stamma_position_codec_info info = stamma_position_codec_describe(codec);
    stamma_position expected = info.is_text ? *position : stamma_position_coded(position), back;
    stamma_position_code code;
    stamma_error error = stamma_position_encode(codec, position, &code);
    demand(error == STAMMA_OK || error == STAMMA_ERROR_UNSUPPORTED);
    if (error != STAMMA_OK || info.is_partial)
        return;
    demand(stamma_position_decode(codec, &code, &back) == STAMMA_OK);
    demand(memcmp(&back, &expected, sizeof back) == 0);
}

const work_limit fuzz_limit = {.fixed = 2000000, .per_byte = 30000};

void fuzz_input(const uint8_t *data, size_t size)
{
    size_t codecs = 0;
    while (stamma_position_codec_at(codecs))
        codecs++;
    if (size < 2)
        return;
    stamma_position_code code = {0, {0}};
    size_t bytes = size - 2 < sizeof code.bytes ? size - 2 : sizeof code.bytes;
    memcpy(code.bytes, data + 2, bytes);
    code.bits = (unsigned)(8 * bytes) > data[1] % 8u ? (unsigned)(8 * bytes) - data[1] % 8u : 0;
    decode(stamma_position_codec_at(data[0] % codecs), &code);
    stamma_position position;
    if (stamma_fen_read((stamma_text){(const char *)data + 2, size - 2}, &position, NULL, NULL) == STAMMA_OK)
        for (size_t n = 0; n < codecs; n++)
            encode(stamma_position_codec_at(n), &position);
}
