/* SPDX-License-Identifier: MIT */
/* Tests `move14` and `move12`: golden values, under-promotions as impossible targets, castling in standard chess and
 * Chess960. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static uint64_t value_of(const stamma_codec *codec, const char *fen, const char *uci)
{
    stamma_position position = position_of_fen(fen);
    stamma_move move = STAMMA_MOVE_NULL, back = STAMMA_MOVE_NULL;
    stamma_code code = {0, 0};
    assert_int_equal(stamma_uci_read(&position, text_of(uci), &move), STAMMA_OK);
    assert_int_equal(stamma_codec_encode(codec, &position, move, &code), STAMMA_OK);
    assert_int_equal(code.bits, codec == &stamma_codec_move12 ? 12 : 14);
    assert_int_equal(stamma_codec_decode(codec, &position, code, &back), STAMMA_OK);
    assert_int_equal(back, move);
    return code.value;
}

static unsigned squares(const char *text)
{
    return (unsigned)((text[1] - '1') * 8 + text[0] - 'a') << 6 | (unsigned)((text[3] - '1') * 8 + text[2] - 'a');
}

/* Forster 2015's example, from e7 to f8: the queen is on rank 8, rook, bishop and knight are on ranks 7, 6, 5. */
static void under_promotions(void **state)
{
    (void)state;
    const char *white = "3n1r2/4P3/8/8/8/8/k7/4K3 w - - 0 1", *black = "3k4/8/8/8/8/8/4p2K/3N1R2 b - - 0 1";
    static const char *const pairs[][2] = {{"e7f8q", "e7f8"}, {"e7f8r", "e7f7"}, {"e7f8b", "e7f6"}, {"e7f8n", "e7f5"},
                                           {"e7e8r", "e7e7"}, {"e7d8n", "e7d5"}, {"e2e1q", "e2e1"}, {"e2e1r", "e2e2"},
                                           {"e2d1b", "e2d3"}, {"e2f1n", "e2f4"}};
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        const char *fen = pairs[n][0][1] == '7' ? white : black;
        assert_int_equal(value_of(&stamma_codec_move12, fen, pairs[n][0]), squares(pairs[n][1]));
        unsigned piece = (unsigned)(strchr("nbrq", pairs[n][0][4]) - "nbrq");
        assert_int_equal(value_of(&stamma_codec_move14, fen, pairs[n][0]), squares(pairs[n][0]) | piece << 12);
    }
}

static void castling(void **state)
{
    (void)state;
    const char *standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", *chess960 = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1";
    static const stamma_codec *const codecs[] = {&stamma_codec_move12, &stamma_codec_move14};
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(value_of(codecs[n], standard, "e1g1"), squares("e1g1"));
        assert_int_equal(value_of(codecs[n], standard, "e1c1"), squares("e1c1"));
        assert_int_equal(value_of(codecs[n], chess960, "f1h1"), squares("f1h1")); /* the rook of the king's side */
        assert_int_equal(value_of(codecs[n], chess960, "f1b1"), squares("f1b1"));
        assert_int_equal(value_of(codecs[n], chess960, "f1g1"), squares("f1g1")); /* a step */
        assert_int_equal(value_of(codecs[n], sample_starts[0], "e2e4"), 0x31C);
    }
}

/* The number of valid codes is the number of legal moves and, outside of check, the null move. */
static void count_codes(const stamma_position *position)
{
    static const struct {
        const stamma_codec *codec;
        unsigned bits;
    } of[] = {{&stamma_codec_move12, 12}, {&stamma_codec_move14, 14}};
    for (size_t n = 0; n < 2; n++) {
        size_t found = 0;
        for (unsigned value = 0; value < 1u << of[n].bits; value++) {
            stamma_move move;
            found += stamma_codec_decode(of[n].codec, position, (stamma_code){value, of[n].bits}, &move) == STAMMA_OK;
        }
        assert_int_equal(found, stamma_legal_moves_count(position) + !stamma_position_in_check(position));
    }
}

static void codes_are_the_legal_moves(void **state)
{
    (void)state;
    each_sample(2 * SAMPLE_STARTS, 12, count_codes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_promotions),
        cmocka_unit_test(castling),
        cmocka_unit_test(codes_are_the_legal_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
