/* SPDX-License-Identifier: MIT */
/* Tests the codecs `uci`, `san` and `lan`: the texts, castling in Chess960, other spellings, and words that are not
 * moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static stamma_code code_of_text(const char *text)
{
    stamma_code code = {0, 8 * (unsigned)strlen(text)};
    for (; *text; text++)
        code.value = code.value << 8 | (unsigned char)*text;
    return code;
}

static void is_written(const stamma_codec *codec, const char *fen, const char *uci, const char *text)
{
    stamma_position position = position_of_fen(fen);
    stamma_move move = STAMMA_MOVE_NULL, back = STAMMA_MOVE_NULL;
    stamma_code code = {0, 0}, expected = code_of_text(text);
    assert_int_equal(stamma_uci_read(&position, text_of(uci), &move), STAMMA_OK);
    assert_int_equal(stamma_codec_encode(codec, &position, move, &code), STAMMA_OK);
    assert_int_equal(code.bits, expected.bits);
    assert_true(code.value == expected.value);
    assert_int_equal(stamma_codec_decode(codec, &position, code, &back), STAMMA_OK);
    assert_int_equal(back, move);
}

static void texts(void **state)
{
    (void)state;
    const char *promotion = "5r1k/4P3/8/8/8/8/8/K7 w - - 0 1";
    is_written(&stamma_codec_uci, promotion, "e7f8q", "e7f8q");
    is_written(&stamma_codec_san, promotion, "e7f8q", "exf8=Q+");
    is_written(&stamma_codec_lan, promotion, "e7f8q", "e7xf8=Q+"); /* the eight characters of Forster 2015 */
    is_written(&stamma_codec_uci, sample_starts[0], "g1f3", "g1f3");
    is_written(&stamma_codec_san, sample_starts[0], "g1f3", "Nf3");
    is_written(&stamma_codec_lan, sample_starts[0], "g1f3", "Ng1-f3");
    is_written(&stamma_codec_san, sample_starts[0], "0000", "--");
    is_written(&stamma_codec_uci, sample_starts[0], "0000", "0000");
}

static void castling(void **state)
{
    (void)state;
    const char *standard = "4k3/8/8/8/8/8/8/4K2R w K - 0 1", *chess960 = "4k3/8/8/8/8/8/8/1K4R1 w G - 0 1";
    is_written(&stamma_codec_uci, standard, "e1g1", "e1g1");
    is_written(&stamma_codec_uci, standard, "e1h1", "e1g1"); /* both forms are read */
    is_written(&stamma_codec_uci, chess960, "b1g1", "b1g1"); /* king takes rook */
    is_written(&stamma_codec_san, chess960, "b1g1", "O-O");
    is_written(&stamma_codec_lan, standard, "e1g1", "O-O");
}

/* Codecs read only the text that they write. The functions of src/notation read other spellings. */
static void other_spellings(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    static const char *const texts[] = {"0-0", "o-o", "O-O+", "e1g1", "O-O!", "Rh1h2", "Rxh2"};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        stamma_move move = 77;
        assert_int_equal(stamma_codec_decode(&stamma_codec_san, &position, code_of_text(texts[n]), &move),
                         STAMMA_ERROR_CORRUPT);
        assert_int_equal(move, 77);
    }
    stamma_move move = 77;
    assert_int_equal(stamma_codec_decode(&stamma_codec_uci, &position, code_of_text("e1h1"), &move),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_decode(&stamma_codec_san, &position, code_of_text("O-O"), &move), STAMMA_OK);
    assert_int_equal(move, 0x2106);
}

static void what_is_no_move(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    static const char *const texts[] = {"",  " ",   "e5",     "Nd2", "e4 e5", "e9",
                                        "x", "O-O", "\1\2\3", "e4 ", "e2e4 ", "e2-e4 "};
    const stamma_codec *codecs[] = {&stamma_codec_uci, &stamma_codec_san, &stamma_codec_lan};
    for (size_t which = 0; which < 3; which++)
        for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
            stamma_move move = 77;
            assert_int_equal(stamma_codec_decode(codecs[which], &start, code_of_text(texts[n]), &move),
                             STAMMA_ERROR_CORRUPT);
            assert_int_equal(move, 77);
        }
    stamma_move move = 77;
    assert_int_equal(stamma_codec_decode(&stamma_codec_uci, &start, (stamma_code){0xFFF, 12}, &move),
                     STAMMA_ERROR_CORRUPT); /* half a character */
}

/* In a game's string, a space follows each text, including the last. */
static void blanks_of_games(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move moves[4];
    size_t plies = 0;
    static const struct {
        const char *string;
        size_t size;
        stamma_error error;
    } strings[] = {
        {"\4"
         "e4 e5 ",
         7, STAMMA_OK},
        {"\4"
         "e4 e5",
         6, STAMMA_ERROR_CORRUPT},
        {"\4"
         "e4  e5 ",
         8, STAMMA_ERROR_CORRUPT},
        {"\4"
         "e4 e5  ",
         8, STAMMA_ERROR_CORRUPT},
        {"\4"
         "e4 e7e5 ",
         9, STAMMA_ERROR_CORRUPT},
    };
    for (size_t n = 0; n < sizeof strings / sizeof *strings; n++)
        assert_int_equal(
            stamma_codec_decode_game(&stamma_codec_san, &start, strings[n].string, strings[n].size, moves, 4, &plies),
            strings[n].error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),           cmocka_unit_test(castling),        cmocka_unit_test(other_spellings),
        cmocka_unit_test(what_is_no_move), cmocka_unit_test(blanks_of_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
