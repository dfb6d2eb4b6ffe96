/* SPDX-License-Identifier: MIT */
/* Laws that every position encoding must obey, and the positions of the corpora. */
#ifndef STAMMA_TESTS_POSITION_LAWS_H
#define STAMMA_TESTS_POSITION_LAWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static inline const stamma_position_codec *position_codec(const char *name)
{
    const stamma_position_codec *codec = stamma_position_codec_find(text_of(name));
    assert_non_null(codec);
    return codec;
}

static inline void fail_at(const stamma_position_codec *codec, const stamma_position *position, const char *what)
{
    char fen[STAMMA_FEN_SIZE];
    stamma_fen_write(position, STAMMA_FEN_SHREDDER, fen, sizeof fen);
    fail_msg("%s: %s: %s", stamma_position_codec_describe(codec).name, fen, what);
}

/* Asserts that the code decodes to the position, as far as encodings represent it, and that unused bits are 0. Returns
 * the number of bits; 0 if the codec cannot encode the position. */
static inline unsigned law_round_trip(const stamma_position_codec *codec, const stamma_position *position)
{
    stamma_position_code code;
    stamma_position_codec_info info = stamma_position_codec_describe(codec);
    stamma_error error = stamma_position_encode(codec, position, &code);
    if (error == STAMMA_ERROR_UNSUPPORTED)
        return 0;
    if (error != STAMMA_OK || code.bits > 8 * sizeof code.bytes)
        fail_at(codec, position, "no code");
    for (unsigned bit = code.bits; bit < 8 * sizeof code.bytes; bit++)
        if (code.bytes[bit / 8] >> (7 - bit % 8) & 1)
            fail_at(codec, position, "a bit after the code is set");
    stamma_position expected = info.is_text ? *position : stamma_position_coded(position), back;
    error = stamma_position_decode(codec, &code, &back);
    if (info.is_partial)
        assert_int_equal(error, STAMMA_ERROR_UNSUPPORTED);
    else if (error != STAMMA_OK || memcmp(&back, &expected, sizeof back) != 0)
        fail_at(codec, position, "another position comes back");
    return code.bits;
}

/* Returns the number of bits of a position's code. Fails if there is none. */
static inline unsigned bits_of(const char *name, const char *fen)
{
    stamma_position position = position_of_fen(fen);
    unsigned bits = law_round_trip(position_codec(name), &position);
    assert_int_not_equal(bits, 0);
    return bits;
}

static inline ptrdiff_t read_pipe(void *file, void *bytes, size_t size)
{
    size_t got = fread(bytes, 1, size, file);
    return got == 0 && ferror((FILE *)file) ? -1 : (ptrdiff_t)got;
}

#endif
