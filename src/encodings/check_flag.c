/* SPDX-License-Identifier: MIT */
/* `check-flag`: one bit, whether a move gives check, computed before the move is made (Chess Programming Wiki, "Check
 * Flag"). The bit is the result of stamma_move_gives_check. It cannot be decoded to a move. */
#include "encodings/encodings.h"

static stamma_error write_flag(const stamma_codec *codec, const stamma_position *position, stamma_move move,
                               bit_writer *out)
{
    (void)codec;
    stamma_bits_write(out, stamma_move_gives_check(position, move), 1);
    return STAMMA_OK;
}

static stamma_error read_flag(const stamma_codec *codec, const stamma_position *position, bit_reader *in,
                              stamma_move *move)
{
    (void)codec, (void)position, (void)move;
    stamma_bits_read(in, 1);
    return in->failed ? STAMMA_ERROR_CORRUPT : STAMMA_ERROR_UNSUPPORTED;
}

static void explain_flag(const stamma_codec *codec, const stamma_position *position, stamma_move move, explanation *e)
{
    (void)codec;
    bool check = stamma_move_gives_check(position, move);
    stamma_explain_bits(e, check, 1, check ? "gives check" : "does not give check");
}

const stamma_codec stamma_codec_check_flag = {
    .info = {.name = "check-flag",
             .source = SOURCE_WIKI,
             .description = "whether the move gives check, before it is made",
             .kind = STAMMA_CODEC_POSITION,
             .is_partial = true},
    .write = write_flag,
    .read = read_flag,
    .explain = explain_flag,
};
