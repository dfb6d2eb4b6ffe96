/* SPDX-License-Identifier: MIT */
/* Tests `many-queens` (comments on Forster 2015): golden bytes, when it applies and when it equals `tarrasch`, and
 * which fallbacks of `tarrasch` it avoids. */
#include "code_support.h"
#include "encodings/encodings.h"

static const stamma_codec *const many = &stamma_codec_many_queens;

static unsigned code_of(const stamma_position *position, const char *san)
{
    stamma_code code = code_of_san(many, position, san);
    assert_int_equal(code.bits, 8);
    return (unsigned)code.value;
}

/* Queens are numbered along the files. A code is 1, two bits for the queen, and five for the square among the squares
 * that the queen attacks on an empty board. */
static void golden_codes(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("k7/5Q2/8/2Q5/8/1N5N/2P5/1B2KR2 w - - 0 1");
    assert_null(stamma_codec_fallback(many, &p));
    assert_int_equal(code_of(&p, "Qcg1"), 0x80 + 1); /* c5 attacks c1, g1 ... */
    assert_int_equal(code_of(&p, "Qff8+"), 0xA0 + 21);
    assert_int_equal(code_of(&p, "Kd2"), 0x05);
    assert_int_equal(code_of(&p, "Na5"), 0x11);
    assert_int_equal(code_of(&p, "Ng5"), 0x19);
    assert_int_equal(code_of(&p, "Ba2"), 0x28);
    assert_int_equal(code_of(&p, "Rf2"), 0x39);
    assert_int_equal(code_of(&p, "c4"), 0x41);
    assert_int_equal(code_of(&p, "--"), 0x0F);
    stamma_position castling = position_of_fen("6k1/5p2/8/8/8/8/QQQ5/4K2R w K - 0 1");
    assert_int_equal(code_of(&castling, "O-O"), 0x08);
}

/* If the codec applies, it replaces the fallback. Otherwise it equals `tarrasch`. */
static void when_it_applies(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *tarrasch, *reason;
        bool applies;
    } positions[] = {
        {"k7/8/8/8/8/8/8/1Q2K3 w - - 0 1", NULL, NULL, false},
        {"k7/8/8/8/8/8/8/1QQ1K3 w - - 0 1", NULL, NULL, true},
        {"k7/8/8/8/8/2B5/8/1QQQK3 w - - 0 1", "more than two queens", NULL, true},
        {"k7/8/8/8/8/2B5/8/1QQQKQ2 w - - 0 1", "more than two queens", NULL, true},
        {"k7/8/8/8/8/2B5/8/1QQQKQQ1 w - - 0 1", "more than two queens", "more than two queens", false},
        {"k7/8/8/8/8/8/2PPPPPP/1QQ1KR2 w - - 0 1", NULL, NULL, true},
        {"k7/8/8/8/8/8/2PPPPPP/1QQ1KRR1 w - - 0 1", NULL, NULL, false},
        {"k7/8/8/8/8/8/1PPPPPPP/1QQ1K3 w - - 0 1", "two queens and more than six pawns", NULL, true},
        {"k7/8/8/8/8/8/1PPPPPPP/1QQ1KN2 w - - 0 1", "two queens and more than six pawns",
         "two queens and more than six pawns", false},
        {"k7/8/8/8/8/8/2P5/1QQNKNN1 w - - 0 1", "more than two knights", NULL, true},
        {"k7/8/8/8/8/8/2P5/2QNKNN1 w - - 0 1", "more than two knights", "more than two knights", false},
        {"k7/8/8/8/8/8/8/1QQQKQQ1 b - - 0 1", NULL, NULL, false},
    };
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        stamma_position p = position_of_fen(positions[n].fen);
        const char *tarrasch = stamma_codec_fallback(&stamma_codec_tarrasch, &p),
                   *reason = stamma_codec_fallback(many, &p);
        assert_int_equal(tarrasch == NULL, positions[n].tarrasch == NULL);
        assert_int_equal(reason == NULL, positions[n].reason == NULL);
        if (tarrasch)
            assert_string_equal(tarrasch, positions[n].tarrasch);
        if (reason)
            assert_string_equal(reason, positions[n].reason);
        unsigned null = code_of(&p, "--");
        assert_int_equal(null == 0x0F, positions[n].applies);
        if (!positions[n].applies)
            assert_int_equal(null, code_of_san(&stamma_codec_tarrasch, &p, "--").value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_codes),
        cmocka_unit_test(when_it_applies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
