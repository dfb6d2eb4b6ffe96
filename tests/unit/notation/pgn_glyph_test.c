/* SPDX-License-Identifier: MIT */
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
        {"~", 13},
        {"TN", 146},
        {"\xB1", 16},
        {"+/\xE2\x88\x92", 16},
        {"\xE2\x80\x93+", 19},
        {"\xE2\x80\x91/+", 17},
        {"\xE2\x80\x90\xE2\x88\x92+", 21},
        {"\xC2\xB1\xEF\xB8\x8E", 16},
        {"\xE2\x81\x89\xEF\xB8\x8F", 5},
        {"=\xE2\x88\x9E", 44},
        {"\xE2\x88\x9E/=", 44},
        {"\xE2\x86\x91\xE2\x86\x91", 32},
        {"\xE2\xAF\xBE", 255},
        {"", PGN_GLYPH_NONE},
        {"n", PGN_GLYPH_NONE},
        {"+-+", PGN_GLYPH_NONE},
        {"e4", PGN_GLYPH_NONE},
        {"\xC2", PGN_GLYPH_NONE},
        {"--", PGN_GLYPH_NONE},
        {"\xE2\x88\x92", PGN_GLYPH_NONE},
        {"\xEF\xB8\x8F", PGN_GLYPH_NONE},
        {"\xE2\x88", PGN_GLYPH_NONE},
        {"==", PGN_GLYPH_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(stamma_pgn_glyph((stamma_text){cases[i].text, strlen(cases[i].text)}), cases[i].nag);
}

/* A word is divided before its trailing glyphs, if a move precedes them. */
static void test_split(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        size_t size;
        int nag;
    } cases[] = {
        {"e4", 2, PGN_GLYPH_NONE},
        {"N", 1, 146},
        {"NN", 1, 146},
        {"+-", 2, 18},
        {"++", 2, PGN_GLYPH_MARK},
        {"e4N", 2, PGN_GLYPH_NONE},
        {"e8N", 3, PGN_GLYPH_NONE},
        {"\xC2\xB1+-", 2, 16},
        {"\xC2\xB1"
         "12",
         2, 16},
        {"=12", 3, PGN_GLYPH_NONE},
        {"xyN", 3, PGN_GLYPH_NONE},
        {"++\xC2\xB1", 2, PGN_GLYPH_MARK},
        {"e8=NN", 4, PGN_GLYPH_NONE},
        {"e7e8N", 5, PGN_GLYPH_NONE},
        {"e2e4N", 4, PGN_GLYPH_NONE},
        {"Rd8N", 3, PGN_GLYPH_NONE},
        {"O-O-+", 3, PGN_GLYPH_NONE},
        {"bxc3N", 4, PGN_GLYPH_NONE},
        {"Bb5===============================", 34, PGN_GLYPH_NONE}, /* longer than PGN_ANNOTATED_MAX */
        {"Bb5=============================", 3, PGN_GLYPH_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int nag;
        stamma_text word = {cases[i].word, strlen(cases[i].word)};
        assert_int_equal(stamma_pgn_word_split(word, &nag), cases[i].size);
        assert_int_equal(nag, cases[i].nag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_glyphs), cmocka_unit_test(test_split)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
