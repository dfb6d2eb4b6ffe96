/* SPDX-License-Identifier: MIT */
/* Codes games of `tarrasch`, `tojot` and related codecs with the build of numbered_game.inc for this processor. */
#include "encodings/encodings.h"

#if STAMMA_HAVE_BMI2
#define NUMBERED_GAME(name, ...)                                             \
    (stamma_cpu_has_bmi2() ? stamma_numbered_##name##_game_bmi2(__VA_ARGS__) \
                           : stamma_numbered_##name##_game_portable(__VA_ARGS__))
#else
#define NUMBERED_GAME(name, ...) stamma_numbered_##name##_game_portable(__VA_ARGS__)
#endif

stamma_error stamma_numbered_read_game(const stamma_codec *codec, const stamma_position *start, bit_reader *in,
                                       stamma_move *moves, size_t plies)
{
    return NUMBERED_GAME(read, codec, start, in, moves, plies);
}

stamma_error stamma_numbered_write_game(const stamma_codec *codec, const stamma_position *start,
                                        const stamma_move *moves, size_t plies, bit_writer *out)
{
    return NUMBERED_GAME(write, codec, start, moves, plies, out);
}
