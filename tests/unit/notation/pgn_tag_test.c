/* SPDX-License-Identifier: MIT */
/* Tests tag pairs: escapes, values that PGN can represent, the Variant tag, and results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

static void expect_unescaped(const char *value, size_t size, const char *expected, size_t expected_size)
{
    char out[100];
    memset(out, '~', sizeof out);
    assert_int_equal(stamma_pgn_unescape((stamma_text){value, size}, NULL), expected_size);
    assert_int_equal(stamma_pgn_unescape((stamma_text){value, size}, out), expected_size);
    assert_memory_equal(out, expected, expected_size);
    assert_int_equal(out[expected_size], '~');
}

static void test_unescape(void **state)
{
    (void)state;
    expect_unescaped("", 0, "", 0);
    expect_unescaped("a\\\"b\\\"", 6, "a\"b\"", 4);
    expect_unescaped("\\\\\\\"", 4, "\\\"", 2);
    expect_unescaped("C:\\x\\", 5, "C:\\x\\", 5); /* a backslash before another character, or at the end, is literal */
    expect_unescaped("a\"b\0c", 5, "a\"b\0c", 5);
}

static void test_variants(void **state)
{
    enum { CHESS = PGN_VARIANT_CHESS | PGN_VARIANT_TYPED, OTHER_START = CHESS | PGN_VARIANT_960 };
    static const struct {
        const char *value;
        unsigned properties;
    } cases[] = {
        {"", CHESS},
        {"Standard", CHESS},
        {"standard ", CHESS},
        {"Chess", CHESS},
        {"From Position", CHESS},
        {"normal", CHESS},
        {"?", CHESS},
        {"Regular", CHESS},
        {"Classical", CHESS},
        {"Chess960", OTHER_START},
        {"chess 960", OTHER_START},
        {"Chess-960", OTHER_START},
        {"Fischerandom", OTHER_START},
        {"Fischer Random", OTHER_START},
        {"FRC", OTHER_START},
        {"960", OTHER_START},
        {"Freestyle", OTHER_START},
        {"Freestyle Chess", OTHER_START},
        {"Fischer Random Chess", OTHER_START},
        {"King of the Hill", PGN_VARIANT_TYPED},
        {"Three-check", PGN_VARIANT_TYPED},
        {"Atomic", 0},
        {"Crazyhouse", 0},
        {"fischer", 0},
        {"Seirawan", 0},
        {"Chess9600", 0},
        {"a very long name of a variant that does not end soon enough: standard", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        assert_int_equal(stamma_pgn_variant(text_of(cases[i].value)), cases[i].properties);
        assert_int_equal(stamma_chess960_read(text_of(cases[i].value)), (cases[i].properties & PGN_VARIANT_960) != 0);
    }
}

static void test_names(void **state)
{
    static const struct {
        const char *written, *name;
    } cases[] = {{"FEN", "FEN"},           {"Fen", "FEN"},         {"fen", "FEN"},      {"Setup", "SetUp"},
                 {"WhiteELO", "WhiteElo"}, {"blackelo", "BlackElo"}, {"RESULT", "Result"}, {"UtcDate", "UTCDate"},
                 {"FENs", "FENs"},         {"Fe", "Fe"},           {"", ""},            {"F\305N", "F\305N"},
                 {"[EN", "[EN"},           {"annotator", "annotator"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const stamma_text name = stamma_pgn_tag_name(text_of(cases[i].written));
        assert_int_equal(name.size, strlen(cases[i].name));
        assert_memory_equal(name.data, cases[i].name, name.size);
        assert_int_equal(name.data == cases[i].written, strcmp(cases[i].written, cases[i].name) == 0);
    }
}

static void test_sound_tags(void **state)
{
    (void)state;
    assert_true(stamma_pgn_tag_is_sound(text_of("White"), text_of("\"\\]}\x01")));
    assert_true(stamma_pgn_tag_is_sound(text_of("a_1-\xC3\xA9"), text_of("")));
    assert_false(stamma_pgn_tag_is_sound(text_of(""), text_of("")));
    assert_false(stamma_pgn_tag_is_sound(text_of("a b"), text_of("")));
    assert_false(stamma_pgn_tag_is_sound(text_of("%a"), text_of("")));
    assert_false(stamma_pgn_tag_is_sound(text_of("a"), text_of("x\ny")));
    assert_false(stamma_pgn_tag_is_sound(text_of("a"), text_of("x\r")));
}

static void test_results(void **state)
{
    (void)state;
    static const char *const others[] = {"", "1-1", "**", "1-0 "};
    assert_int_equal(stamma_result_read(text_of("*")), STAMMA_RESULT_UNKNOWN);
    assert_int_equal(stamma_result_read(text_of("1-0")), STAMMA_RESULT_WHITE);
    assert_int_equal(stamma_result_read(text_of("0-1")), STAMMA_RESULT_BLACK);
    assert_int_equal(stamma_result_read(text_of("1/2-1/2")), STAMMA_RESULT_DRAW);
    assert_int_equal(stamma_result_find(text_of("*")), STAMMA_RESULT_UNKNOWN);
    assert_int_equal(stamma_result_find((stamma_text){NULL, 0}), RESULTS);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(stamma_result_find(text_of(others[i])), RESULTS);
        assert_int_equal(stamma_result_read(text_of(others[i])), STAMMA_RESULT_UNKNOWN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unescape),
        cmocka_unit_test(test_variants), cmocka_unit_test(test_names),
        cmocka_unit_test(test_sound_tags),
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
