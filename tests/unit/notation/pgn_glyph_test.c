/* Tests annotation symbols and their NAGs (PGN standard 10). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "notation/notation.h"

static void test_glyphs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int nag;
    } cases[] = {
        {"!", 1},
        {"?", 2},
        {"!!", 3},
        {"?"
         "?",
         4},
        {"!?", 5},
        {"?!", 6},
        {"!!!", 3},
        {"!?"
         "?",
         5},
        {"=", 10},
        {"+=", 14},
        {"+/=", 14},
        {"=+", 15},
        {"+/-", 16},
        {"-/+", 17},
        {"+-", 18},
        {"-+", 19},
        {"N", 146},
        {"D", 220},
        {"\xC2\xB1", 16},
        {"\xE2\x88\x9E", 13},
        {"+", PGN_GLYPH_MARK},
        {"++", PGN_GLYPH_MARK},
        {"#", PGN_GLYPH_MARK},
        {"e.p.", PGN_GLYPH_MARK},
        {"ep", PGN_GLYPH_MARK},
        {"", PGN_GLYPH_NONE},
        {"n", PGN_GLYPH_NONE},
        {"+-+", PGN_GLYPH_NONE},
        {"e4", PGN_GLYPH_NONE},
        {"\xC2", PGN_GLYPH_NONE},
        {"--", PGN_GLYPH_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(stamma_pgn_glyph((stamma_text){cases[i].text, strlen(cases[i].text)}), cases[i].nag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_glyphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
