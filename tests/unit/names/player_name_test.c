/* SPDX-License-Identifier: MIT */
/* Tests the comparison of names of players. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "names/names.h"

/* Compares two names in both orders. */
static name_relation relation(const char *a, const char *b)
{
    name_relation found = stamma_names_compare(stamma_text_of(a), stamma_text_of(b));
    assert_int_equal(stamma_names_compare(stamma_text_of(b), stamma_text_of(a)), found);
    return found;
}

static void relations(void **state)
{
    (void)state;
    assert_int_equal(relation("wang hao", "hao, wang"), NAME_EQUAL);
    assert_int_equal(relation("gm wang hao", "wang hao"), NAME_EQUAL);
    assert_int_equal(relation("wanghao", "wang hao"), NAME_COMPATIBLE);
    assert_int_equal(relation("wag hao", "wang hao"), NAME_COMPATIBLE);
    assert_int_equal(relation("andreikin, d", "andreikin, dmitry"), NAME_COMPATIBLE);
    assert_int_equal(relation("andreikin, igor", "andreikin, dmitry"), NAME_SURNAME);
    assert_int_equal(relation("andreikin, igor", "svidler, peter"), NAME_DIFFERENT);
    assert_int_equal(relation("?", "svidler, peter"), NAME_UNKNOWN);
    assert_int_equal(relation("andreikim, igor", "andreikin, dmitry"), NAME_SURNAME);
    assert_int_equal(relation("wei, li", "wei, xu"), NAME_DIFFERENT); /* three letters are not enough */
    /* transliterations, and Cyrillic and Greek letters */
    assert_int_equal(relation("kortschnoj, viktor", "korchnoi, viktor"), NAME_COMPATIBLE);
    assert_int_equal(relation("\xD0\xBA\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2, \xD0\xB0", "karpov, anatoly"),
                     NAME_COMPATIBLE);
    assert_int_equal(relation("\xCE\xBD\xCE\xB9\xCE\xBA\xCE\xBF\xCF\x83", "nikos"), NAME_EQUAL);
    assert_int_equal(relation("wei, li", "vei, li"), NAME_DIFFERENT); /* short words */
    /* words after the eighth are omitted */
    assert_int_equal(relation("a1 b2 c3 d4 e5 f6 g7 h8 i9", "a1 b2 c3 d4 e5 f6 g7 h8 k0"), NAME_EQUAL);
}

/* Names of more than 64 letters are compared word by word, without joining their words. */
static void long_names(void **state)
{
    (void)state;
    for (int size = 62; size < 68; size++) {
        char apart[80], joined[80], other[80];
        (void)snprintf(apart, sizeof apart, "%.*s %s", size - 30,
                       "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcbazyxw");
        (void)snprintf(joined, sizeof joined, "%.*s%s", size - 30,
                       "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcbazyxw");
        (void)snprintf(other, sizeof other, "%.*s", size,
                       "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponmlkjihgfedcbazyxwvutsrqponmlk");
        assert_int_equal(strlen(joined), size);
        assert_int_equal(relation(apart, apart), NAME_EQUAL);
        assert_int_equal(relation(apart, joined), size <= 64 ? NAME_COMPATIBLE : NAME_DIFFERENT);
        assert_int_equal(relation(other, joined), NAME_DIFFERENT);
    }
}

/* ---- forms ---- */

static unsigned flags_of(const char *a, const char *b)
{
    const name_form x = stamma_name_form(stamma_text_of(a)), y = stamma_name_form(stamma_text_of(b));
    const unsigned flags = stamma_forms_compare(&x, &y);
    assert_int_equal(stamma_forms_compare(&y, &x), flags);
    return flags;
}

static void forms(void **state)
{
    (void)state;
    assert_int_equal(flags_of("jonsson,bjorn1", "jonsson,bj1"), NAME_INITIALS);
    assert_int_equal(flags_of("jonsson,bjorn1", "jonsson,bj2"), NAME_OTHER);
    assert_int_equal(flags_of("jonsson,bjorn", "jonsson,bj2"), NAME_INITIALS);
    assert_int_equal(flags_of("averbakh,yuri", "averbakh,juri"), NAME_SPELLING);
    assert_int_equal(flags_of("ivanova,anna mariya", "ivanova,annamarija"), NAME_SPELLING);
    assert_int_equal(flags_of("averbakh,yuri", "averbakh,yori"), NAME_OTHER); /* a letter of a short word */
    assert_int_equal(flags_of("averbakh,nikolai", "averbakh,nikolas"), NAME_TYPO);
    assert_int_equal(flags_of("papas,\xCE\xB3", "papas,\xCE\xB3\xCE\xB9"), NAME_INITIALS); /* Greek letters */
    assert_int_equal(stamma_name_form(stamma_text_of("a b c d e f g h i j")).count, NAME_WORDS);
}

/* x is replaced with ks, up to the maximum length. */
static void long_words(void **state)
{
    char word[NAME_SIZE_MAX], out[NAME_SIZE_MAX];
    size_t size = 0;
    (void)state;
    memset(word, 'x', sizeof word);
    stamma_word_simplify((stamma_text){word, 50}, out, &size);
    assert_int_equal(size, 100);
    assert_memory_equal(out, "ksksksks", 8);
    size = 0;
    stamma_word_simplify((stamma_text){word, sizeof word}, out, &size);
    assert_int_equal(size, NAME_SIZE_MAX);
}

static void normalized(void **state)
{
    static const char *const names[][2] = {
        {"\xD1\x82\xD0\xB0\xD0\xBB\xD1\x8C, m", "tal,m"}, /* Cyrillic; the soft sign has no letter */
        {"\xD1\xA3\xD1\x82", "\xD1\xA3t"},                /* an old Cyrillic letter remains */
        {"gm polgar (hun), j.", "polgar,j"},
        {"o'kelly`s", "okellys"},
        {"(hung) x", "hung x"},
        {" , ,", ""},
    };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        buffer normal = {.allocator = &allocator};
        stamma_name_normalize(stamma_text_of(names[n][0]), &normal);
        assert_int_equal(normal.size, strlen(names[n][1]));
        if (normal.size > 0)
            assert_memory_equal(normal.data, names[n][1], normal.size);
        stamma_buffer_release(&normal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations),  cmocka_unit_test(long_names), cmocka_unit_test(forms),
        cmocka_unit_test(long_words), cmocka_unit_test(normalized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
