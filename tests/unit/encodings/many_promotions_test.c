/* SPDX-License-Identifier: MIT */
/* Tests `many-promotions` (postscript of a comment on Forster 2015): golden bytes, when it applies, and which fallbacks
 * of `many-queens` it avoids. */
#include "code_support.h"
#include "encodings/encodings.h"

static const stamma_codec *const many = &stamma_codec_many_promotions;

static unsigned code_of(const stamma_position *position, const char *san)
{
    stamma_code code = code_of_san(many, position, san);
    assert_int_equal(code.bits, 8);
    return (unsigned)code.value;
}

static void golden_codes(void **state)
{
    (void)state;
    /* Promoted pieces: the knight on e3 (third of a3 c3 e3) and the rook on h4 (third of a1 d1 h4) are numbers 0 and
     * 1. Others: king 0, knights 1, rooks 2 and 3, the queen 4 as a rook and 5 as a bishop, the pawn 6. */
    stamma_position p = position_of_fen("k7/5p2/8/8/7R/N1N1N3/6P1/R1QR2K1 w - - 0 1");
    assert_string_equal(stamma_codec_fallback(&stamma_codec_many_queens, &p), "more than two rooks");
    assert_null(stamma_codec_fallback(many, &p));
    assert_int_equal(code_of(&p, "Nf5"), 0x80);  /* e3 NNE */
    assert_int_equal(code_of(&p, "Rh7"), 0x9E);  /* number 1: file 8, rank 7 */
    assert_int_equal(code_of(&p, "Ncd5"), 0x18); /* the second of two knights, NNE */
    assert_int_equal(code_of(&p, "Rd7"), 0x3E);
    assert_int_equal(code_of(&p, "Qb1"), 0x41);
    assert_int_equal(code_of(&p, "Qb2"), 0x59); /* down to the b-file */
    assert_int_equal(code_of(&p, "g4"), 0x61);  /* the only pawn: double step */
    assert_int_equal(code_of(&p, "Kf1"), 0x03);
    assert_int_equal(code_of(&p, "--"), 0x0F);
    /* Five queens: four count as promoted, numbered along the files: b2 c2 d2 e2. From b2, a1 is the first attacked
     * square. */
    p = position_of_fen("k7/pppppppp/8/8/8/8/QQQQQ3/6K1 w - - 0 1");
    assert_string_equal(stamma_codec_fallback(&stamma_codec_many_queens, &p), "more than two queens");
    assert_null(stamma_codec_fallback(many, &p));
    assert_int_equal(code_of(&p, "Qba1"), 0x80);
    assert_int_equal(code_of(&p, "Qeh5"),
                     0x80 | 3 << 5 | 18);        /* e2: 3 + 7 + 3 + 3 squares, b5, e5 */
    assert_int_equal(code_of(&p, "Qaa1"), 0x18); /* the first queen, as a rook: along the file, rank 1 */
}

/* If there are not enough codes, the codec falls back. If `many-queens` supports the position, the code is the code of
 * `many-queens`. */
static void when_it_applies(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *queens, *reason;
    } positions[] = {
        {"k7/pppppppp/8/8/8/8/8/1QQ1K3 w - - 0 1", NULL, NULL},
        {"k7/pppppppp/8/8/8/8/8/QQQQKQ2 w - - 0 1", "more than two queens", NULL},
        {"k7/pppppppp/8/8/8/8/8/QQQQKQQ1 w - - 0 1", "more than two queens",
         "more than two queens"}, /* five promoted */
        {"k7/pppppppp/8/8/8/8/8/NNNNKNN1 w - - 0 1", "more than two knights", NULL},
        {"k7/pppppppp/8/8/8/8/NNNN4/NNNNKNN1 w - - 0 1", "more than two knights", NULL}, /* eight promoted */
        {"k7/pppppppp/8/8/8/8/NNNN4/NNNNKNNN w - - 0 1", "more than two knights", "more than two knights"},
        {"k7/pppppppp/8/8/8/8/PPPPPP2/NNN1K3 w - - 0 1", "more than two knights",
         NULL}, /* king, knights and six pawns: eight */
        {"k7/pppppppp/8/8/8/8/PPPPPPP1/NNN1K3 w - - 0 1", "more than two knights", "more than two knights"},
        {"k7/pppppppp/8/8/8/8/8/B1B1K3 w - - 0 1", "two bishops of one square colour", NULL},
    };
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        stamma_position p = position_of_fen(positions[n].fen);
        const char *queens = stamma_codec_fallback(&stamma_codec_many_queens, &p);
        const char *reason = stamma_codec_fallback(many, &p);
        assert_string_equal(queens ? queens : "", positions[n].queens ? positions[n].queens : "");
        assert_string_equal(reason ? reason : "", positions[n].reason ? positions[n].reason : "");
        if (!queens)
            assert_int_equal(code_of(&p, "--"), code_of_san(&stamma_codec_many_queens, &p, "--").value);
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
