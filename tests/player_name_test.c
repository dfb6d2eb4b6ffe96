/* Tests the comparison of names of players. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "curate/spellings.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations),
        cmocka_unit_test(long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
