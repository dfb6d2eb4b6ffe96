/* SPDX-License-Identifier: MIT */
/* Tests texts without case and accents, patterns, and the nearest word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pgn_support.h"
#include "query/query.h"

static stamma_text text_of(const char *text)
{
    return (stamma_text){text, strlen(text)};
}

static void assert_folds_bytes(stamma_text text, stamma_text expected)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer folded = {.allocator = &allocator};
    stamma_fold(text, &folded);
    if (folded.size != expected.size || (expected.size && memcmp(folded.data, expected.data, expected.size) != 0))
        fail_msg("%.*s became %.*s", (int)text.size, text.data, (int)folded.size,
                 folded.data ? (const char *)folded.data : "");
    stamma_buffer_release(&folded);
}

static void assert_folds(const char *text, const char *expected)
{
    assert_folds_bytes(text_of(text), text_of(expected));
}

static void letters(void **state)
{
    (void)state;
    assert_folds("", "");
    assert_folds("Carlsen, M.", "carlsen, m.");
    assert_folds("@[`{", "@[`{"); /* the characters next to A, Z, a and z */
    /* UTF-8: Latin */
    assert_folds("M\303\234LLER M\303\274ller", "muller muller");
    assert_folds("Stra\303\237e \303\206r\303\270 \303\220\303\260\303\236\303\276", "strasse aero ddthth");
    assert_folds("\305\201uczak \305\202", "luczak l");
    assert_folds("\304\220or\304\221e \304\260\304\261 \305\223 \304\262 \305\277", "dorde ii oe ij s");
    assert_folds("\303\227\303\267", "\303\227\303\267"); /* signs between letters */
    assert_folds("\310\230\310\233", "st");
    assert_folds("Nguy\341\273\205n \306\240\306\260 \341\272\240\341\273\271", "nguyen ou ay");
    assert_folds("\306\217\311\231", "\311\231\311\231"); /* Azerbaijani */
    assert_folds("\341\272\236 \307\204 \311\217\311\220", "ss dz y\311\220");
    assert_folds("\341\270\200\341\273\277\341\274\200", "a\341\273\277\341\274\200"); /* the ends of a table */
    assert_folds("u\314\210", "u");                                                    /* a combining accent */
    /* Greek */
    assert_folds("\316\233\316\214\316\223\316\237\316\243", "\316\273\316\277\316\263\316\277\317\203");
    assert_folds("\316\273\317\214\316\263\316\277\317\202", "\316\273\316\277\316\263\316\277\317\203");
    /* Cyrillic */
    assert_folds("\320\220\320\233\320\201\320\245\320\230\320\235",
                 "\320\260\320\273\320\265\321\205\320\270\320\275");
    /* capitals from U+04C1 to U+04CD have odd codes; they are not folded, and in particular not to the letter after
     * their small letter */
    assert_folds("\323\200\323\201\323\202\323\217\323\220", "\323\200\323\201\323\202\323\217\323\221");
    assert_folds("\320\270\320\271\320\230\320\231", "\320\270\320\270\320\270\320\270");
    /* the accented letters: epsilon, eta, omega, iota and upsilon with every accent */
    assert_folds("\316\210\316\211\316\217\316\255\316\256\317\216",
                 "\316\265\316\267\317\211\316\265\316\267\317\211");
    assert_folds("\316\212\316\220\316\252\316\257\317\212", "\316\271\316\271\316\271\316\271\316\271");
    assert_folds("\316\216\316\253\316\260\317\213\317\215", "\317\205\317\205\317\205\317\205\317\205");
    assert_folds("\320\203\320\207\320\214\320\216", "\320\263\321\226\320\272\321\203"); /* capitals */
    assert_folds("\321\223\321\227\321\234\321\236", "\320\263\321\226\320\272\321\203");
    assert_folds("\316\206\316\254", "\316\261\316\261"); /* alpha */
    assert_folds("\322\202", "\322\202");                 /* the sign of thousands, among Cyrillic letters */
    /* Cyrillic letters whose capital has an even code: Ukrainian ghe, Kazakh ka and o */
    assert_folds("\322\220\322\232\323\250 \322\221\322\233\323\251",
                 "\322\221\322\233\323\251 \322\221\322\233\323\251");
    /* other characters are unchanged */
    assert_folds("\343\201\202\360\237\230\200", "\343\201\202\360\237\230\200");
}

/* Bytes that are not valid UTF-8 are read as Windows-1252. */
static void windows_1252(void **state)
{
    (void)state;
    assert_folds("M\374ller", "muller");
    assert_folds("M\334LLER", "muller");
    assert_folds("\374", "u");
    assert_folds("\303", "a");   /* a truncated letter at the end */
    assert_folds("\303x", "ax"); /* and before another letter */
    assert_folds("\212\232 \216\236 \237", "ss zz y");
    assert_folds("\214uvre \234", "oeuvre oe");
    assert_folds("\222\226", "\342\200\231\342\200\223");                  /* an apostrophe and a dash */
    assert_folds("\340\200\200", "a\342\202\254\342\202\254");             /* an overlong form of three bytes */
    assert_folds("\300\200", "a\342\202\254");                             /* an overlong form */
    assert_folds("\355\240\200", "i\302\240\342\202\254");                 /* a surrogate */
    assert_folds("\364\220\200\200", "o\302\220\342\202\254\342\202\254"); /* beyond the last code point */
    assert_folds_bytes((stamma_text){"a\0B", 3}, (stamma_text){"a\0b", 3});
}

static bool matches(const char *pattern, const char *text)
{
    return stamma_pattern_matches(text_of(pattern), text_of(text));
}

static void patterns(void **state)
{
    (void)state;
    assert_true(matches("", ""));
    assert_false(matches("", "a"));
    assert_true(matches("*", ""));
    assert_true(matches("abc", "abc"));
    assert_false(matches("abc", "abcd"));
    assert_false(matches("abcd", "abc"));
    assert_true(matches("a*", "abc"));
    assert_true(matches("*c", "abc"));
    assert_true(matches("a*c*", "abcc"));
    assert_true(matches("*ab*ab*", "aabab"));
    assert_false(matches("*ab*ab*", "aabb"));
    assert_true(matches("*aab", "aaaaab"));
    assert_true(matches("a?c", "abc"));
    assert_false(matches("a?c", "ac"));
    assert_true(matches("???", "abc"));
    assert_true(matches("?", "\320\260")); /* one letter, two bytes */
    assert_false(matches("??", "\320\260"));
    assert_true(matches("*?", "\320\260\320\261"));
    assert_true(matches("**", "x"));
    assert_true(stamma_text_contains(text_of("aabab"), text_of("bab")));
    assert_false(stamma_text_contains(text_of("aabab"), text_of("bb")));
    assert_false(stamma_text_contains(text_of("a"), text_of("ab")));
    assert_true(stamma_text_contains(text_of("ab"), text_of("ab")));
    assert_true(stamma_text_contains(text_of("ab"), text_of("")));
}

static void nearest(void **state)
{
    (void)state;
    static const char *const words[] = {
        "material", "mate", "moved", "move", "not", "a word of more than thirty-two letters", NULL};
    assert_string_equal(stamma_nearest_word(text_of("materal"), words), "material");
    assert_string_equal(stamma_nearest_word(text_of("mat"), words), "material"); /* the first with this prefix */
    assert_string_equal(stamma_nearest_word(text_of("movd"), words), "moved");
    assert_string_equal(stamma_nearest_word(text_of("noot"), words), "not");
    assert_null(stamma_nearest_word(text_of("x"), words));
    assert_null(stamma_nearest_word(text_of("a word of more than thirty-two"), words + 5));
    assert_null(stamma_nearest_word(text_of("abcdefgh"), words));
    assert_null(stamma_nearest_word(text_of(""), words));
    assert_null(stamma_nearest_word(text_of("a word that is far too long to be any of these"), words));
}

/* ---- other spellings of names ---- */

typedef struct spelling {
    stamma_text folded;
    size_t patterns, matches;
} spelling;

static bool match_spelling(void *context, stamma_text pattern)
{
    spelling *s = (spelling *)context;
    s->patterns++;
    s->matches += stamma_pattern_matches(pattern, s->folded);
    return true;
}

/* Returns whether a name that is wanted matches a name, with each of the patterns and with the common pattern. */
static bool name_matches(const char *wanted, const char *name)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer pattern = {.allocator = &allocator}, folded = {.allocator = &allocator}, one = {.allocator = &allocator};
    stamma_fold(text_of(wanted), &pattern);
    buffer_add_byte(&pattern, '*');
    stamma_fold(text_of(name), &folded);
    const stamma_text text = {(const char *)pattern.data, pattern.size};
    spelling s = {.folded = {(const char *)folded.data, folded.size}};
    assert_true(stamma_name_patterns(text, match_spelling, &s));
    assert_in_range(s.patterns, 1, NAME_PATTERNS);
    assert_int_equal(stamma_pattern_matches(stamma_name_pattern(text, &one), s.folded), s.matches > 0);
    stamma_buffer_release(&pattern);
    stamma_buffer_release(&folded);
    stamma_buffer_release(&one);
    return s.matches > 0;
}

static void spellings_of_names(void **state)
{
    static const char *const equal[][2] = {
        {"Hubner", "H\303\274bner"},
        {"Huebner", "H\303\274bner, R"},
        {"H\303\274bner", "Huebner, R"},
        {"hubner", "Huebner"},
        {"Karpov, A", "\320\232\320\260\321\200\320\277\320\276\320\262, \320\220"}, /* Cyrillic */
        {"\320\242\320\260\320\273\321\214, \320\234", "Tal, M"},
        {"Nikos", "\316\235\316\257\316\272\316\277\317\202"}, /* Greek */
        {"\316\237\317\205", "Ou"},
        {"Sue", "Suetin"},
        {"*bner", "Huebner"},
        {"Hu?bner", "Huebner"}};
    static const char *const different[][2] = {
        {"Baur", "Bauer"}, {"Michal", "Michael"}, {"Sue", "Suba"}, {"Tal", "Karpov"}, {"Hubner", "Hebner"}};
    (void)state;
    for (size_t n = 0; n < sizeof equal / sizeof *equal; n++)
        if (!name_matches(equal[n][0], equal[n][1]))
            fail_msg("%s does not match %s", equal[n][0], equal[n][1]);
    for (size_t n = 0; n < sizeof different / sizeof *different; n++)
        if (name_matches(different[n][0], different[n][1]))
            fail_msg("%s matches %s", different[n][0], different[n][1]);
}

/* A pattern of exactly one name ignores case and accents, and nothing else. */
static void exact_names(void **state)
{
    static const struct {
        const char *wanted, *name;
        bool matches;
    } cases[] = {{"Wang,Y", "Wang,Y", true},
                 {"wang,y", "WANG,Y", true},
                 {"Hubner", "H\303\274bner", true},
                 {"Wang,Y", "Wang,Yiye", false},
                 {"Wang,Y", "Wang", false},
                 {"Hubner", "Huebner", false},
                 {"Tal", "\320\242\320\260\320\273\321\214", false},
                 {"A*", "A*", true},
                 {"A*", "Anand", false},
                 {"?", "?", true},
                 {"?", "A", false},
                 {"a\037b", "a\037b", true},
                 {"*\037b", "*\037b", true},
                 {"*\037b", "ab", false}};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        buffer wanted = {.allocator = &allocator}, folded = wanted, pattern = wanted;
        stamma_fold(text_of(cases[n].wanted), &wanted);
        stamma_fold(text_of(cases[n].name), &folded);
        stamma_name_exact_pattern((stamma_text){(const char *)wanted.data, wanted.size}, &pattern);
        const stamma_text text = {(const char *)pattern.data, pattern.size};
        if (stamma_pattern_matches(text, (stamma_text){(const char *)folded.data, folded.size}) != cases[n].matches)
            fail_msg("=%s and %s", cases[n].wanted, cases[n].name);
        stamma_buffer_release(&wanted);
        stamma_buffer_release(&folded);
        stamma_buffer_release(&pattern);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_names),  cmocka_unit_test(spellings_of_names), cmocka_unit_test(letters),
        cmocka_unit_test(windows_1252), cmocka_unit_test(patterns),           cmocka_unit_test(nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
