/* SPDX-License-Identifier: MIT */
/* Public functions that code one move with any codec, based on the interface in codec.h. */
#include "codec/codec.h"

bool stamma_codec_may_play(const stamma_position *position, stamma_move move)
{
    return move == STAMMA_MOVE_NULL ? !stamma_position_in_check(position) : stamma_move_is_legal(position, move);
}

stamma_codec_info stamma_codec_describe(const stamma_codec *codec)
{
    return codec->info;
}

const char *stamma_codec_fallback(const stamma_codec *codec, const stamma_position *position)
{
    return codec->fallback ? codec->fallback(codec, position) : NULL;
}

stamma_error stamma_codec_encode(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                                 stamma_code *code)
{
    if (!codec || !codec->write || !position || !code)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (!stamma_codec_may_play(position, move))
        return STAMMA_ERROR_ILLEGAL;
    if (move == STAMMA_MOVE_NULL && !codec->has_null)
        return STAMMA_ERROR_UNSUPPORTED;
    uint8_t bytes[8];
    bit_writer out = {bytes, 64, 0, false};
    stamma_error error = codec->write(codec, position, move, &out);
    if (error != STAMMA_OK)
        return error;
    bit_reader in = {bytes, out.size, 0, false};
    code->bits = (unsigned)out.size;
    code->value = stamma_bits_read(&in, code->bits);
    return STAMMA_OK;
}

stamma_error stamma_codec_decode(const stamma_codec *codec, const stamma_position *position, stamma_code code,
                                 stamma_move *move)
{
    if (!codec || !codec->read || !position || !move)
        return STAMMA_ERROR_BAD_ARGUMENT;
    if (code.bits > 64 || (code.bits < 64 && code.value >> code.bits != 0))
        return STAMMA_ERROR_CORRUPT;
    if (codec->info.is_text && (code.value & 255) == ' ') /* in games a space follows each text */
        return STAMMA_ERROR_CORRUPT;
    uint8_t bytes[8];
    bit_writer out = {bytes, 64, 0, false};
    stamma_bits_write(&out, code.value, code.bits);
    bit_reader in = {bytes, out.size, 0, false};
    stamma_move found = STAMMA_MOVE_NULL;
    stamma_error error = codec->read(codec, position, &in, &found);
    if (error == STAMMA_OK && in.at != in.size)
        error = STAMMA_ERROR_CORRUPT;
    if (error == STAMMA_OK)
        *move = found;
    return error;
}
