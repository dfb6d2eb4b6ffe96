/* SPDX-License-Identifier: MIT */
/* Helper for the tests of the codecs: returns the code of a move in SAN and asserts that the code decodes to the
 * move. */
#ifndef STAMMA_TESTS_CODE_SUPPORT_H
#define STAMMA_TESTS_CODE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_positions.h"

static inline stamma_move move_of_san(const stamma_position *position, const char *san)
{
    stamma_move move = STAMMA_MOVE_NULL;
    assert_int_equal(stamma_san_read(position, text_of(san), &move), STAMMA_OK);
    return move;
}

static inline stamma_code code_of_san(const stamma_codec *codec, const stamma_position *position, const char *san)
{
    stamma_code code = {0, 0};
    stamma_move move = move_of_san(position, san), back = 0x6000;
    assert_int_equal(stamma_codec_encode(codec, position, move, &code), STAMMA_OK);
    assert_int_equal(stamma_codec_decode(codec, position, code, &back), STAMMA_OK);
    assert_int_equal(back, move);
    return code;
}

#endif
