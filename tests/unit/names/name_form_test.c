/* SPDX-License-Identifier: MIT */
/* Tests the words of a player's name, and the differences between two spellings: hand-made cases, each compared in both
 * directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "names/names.h"

/* ---- normalization ---- */

static void normal_names(void **state)
{
    static const char *const names[][2] = {
        {"", ""},
        {"polgar , judit", "polgar,judit"},
        {"gm polgar, judit", "polgar,judit"},
        {"polgar, judit gm", "polgar,judit"},
        {"polgar, judit (hun)", "polgar,judit"},
        {"polgar, judit (hu1)", "polgar,judit hu1"},
        {"polgar, judit (hung)", "polgar,judit hung"},
        {"o'kelly, a.", "okelly,a"},
        {"a, b, c", "a,b c"},
        {"\xD0\xBA\xD0\xB0\xD1\x80\xD0\xBF\xD0\xBE\xD0\xB2", "karpov"},
        {"\xD0\x81\xD1\xA0", "\xD0\x81\xD1\xA0"}, /* before and after the letters in the table */
        {"\xD0", "\xD0"},
    };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        buffer normal = {.allocator = &allocator};
        stamma_name_normalize(stamma_text_of(names[n][0]), &normal);
        buffer_add_byte(&normal, 0);
        assert_string_equal(normal.data, names[n][1]);
        stamma_buffer_release(&normal);
    }
}

/* ---- comparison ---- */

static name_form form_of(const buffer *normal)
{
    return stamma_name_form((stamma_text){(const char *)normal->data, normal->size});
}

/* Returns the differences between two folded names. */
static unsigned compare(const char *a, const char *b)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer x = {.allocator = &allocator}, y = {.allocator = &allocator};
    stamma_name_normalize(stamma_text_of(a), &x);
    stamma_name_normalize(stamma_text_of(b), &y);
    assert_false(x.failed || y.failed);
    const name_form one = form_of(&x), other = form_of(&y);
    const unsigned flags = stamma_forms_compare(&one, &other);
    stamma_buffer_release(&x);
    stamma_buffer_release(&y);
    return flags;
}

typedef struct pair {
    const char *a, *b;
    unsigned flags;
} pair;

static void check(const pair *pairs, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const unsigned there = compare(pairs[n].a, pairs[n].b), back = compare(pairs[n].b, pairs[n].a);
        if (there != pairs[n].flags || back != pairs[n].flags)
            fail_msg("%s, %s: %u and %u instead of %u", pairs[n].a, pairs[n].b, there, back, pairs[n].flags);
    }
}

#define CHECK(pairs) check(pairs, sizeof(pairs) / sizeof *(pairs))

static void surnames(void **state)
{
    static const pair pairs[] = {
        {"garcia lopez, juan", "garcia lopez, juan", 0},
        {"garcia lopez, juan", "garcialopez, juan", 0},
        {"garcia, juan", "perez, juan", NAME_OTHER},
        {"kortschnoj, viktor", "korchnoi, viktor", NAME_SPELLING},
        {"nielsen, peter", "nielson, peter", NAME_TYPO},
        {"garcia nielsen, peter", "garcia nielson, peter", NAME_TYPO},
        {"garcia nielsen, peter", "garcia perez, peter", NAME_OTHER},
    };
    (void)state;
    CHECK(pairs);
}

/* The last words of a surname may be missing if each other word is equal and has more than two letters. */
static void parts_of_surnames(void **state)
{
    static const pair pairs[] = {
        {"garcia lopez, juan", "garcia, juan", NAME_MISSING},
        {"garcia lopez cruz, juan", "garcia, juan", NAME_MISSING},
        {"garcia lopez cruz, juan", "garcia lopez, juan", NAME_MISSING},
        {"garcia lopez, juan", "lopez, juan", NAME_OTHER},
        {"garcia lopez cruz, juan", "garcia perez, juan", NAME_OTHER},
        {"van den berg, juan", "van, juan", NAME_MISSING},
        {"de la cruz, juan", "de, juan", NAME_OTHER},
        {"garcia de cruz, juan", "garcia de, juan", NAME_OTHER},
        {"garcia lopez, juan", "garcia, pedro", NAME_OTHER},
    };
    (void)state;
    CHECK(pairs);
}

/* A name with an initial, or without a given name, is no evidence for another spelling of the surname. */
static void surnames_with_initials(void **state)
{
    static const pair pairs[] = {
        {"korchnoi, v", "korchnoi, v", 0},
        {"kortschnoj, v", "korchnoi, v", NAME_SPELLING | NAME_INITIALS},
        {"kortschnoj, v", "korchnoi, viktor", NAME_SPELLING | NAME_INITIALS},
        {"kortschnoj", "korchnoi", NAME_SPELLING | NAME_INITIALS},
        {"korchnoi", "korchnoi, viktor", NAME_MISSING},
        {"kortschnoj", "korchnoi, viktor", NAME_SPELLING | NAME_INITIALS | NAME_MISSING},
        {"kortschnoj, v l", "korchnoi, v l", NAME_SPELLING | NAME_INITIALS},
        {"kortschnoj, v lvovich", "korchnoi, v lvovich", NAME_SPELLING},
    };
    (void)state;
    CHECK(pairs);
}

static void given_names(void **state)
{
    static const pair pairs[] = {
        {"tal, mihail", "tal, m", NAME_INITIALS},
        {"tal, mihail j", "tal, mihail", NAME_INITIALS},
        {"tal, mihail", "tal, mikhail", NAME_SPELLING},
        {"nielsen, pedersen", "nielsen, pederson", NAME_TYPO},
        {"lee, jean paul", "lee, jeanpaul", 0},
        {"lee, xi jin", "lee, ksijin", NAME_SPELLING},
        {"polgar, judit", "polgar, sofia", NAME_OTHER},
        {"nielsen, pedersen peter", "nielsen, pederson", NAME_INITIALS | NAME_TYPO},
    };
    (void)state;
    CHECK(pairs);
}

/* Words of two letters are not compared by their spelling. */
static void short_words(void **state)
{
    static const pair pairs[] = {
        {"chen, yui", "chen, iui", NAME_SPELLING},
        {"chen, yu", "chen, iu", NAME_OTHER},
        {"chen, schi", "chen, si", NAME_OTHER},
    };
    (void)state;
    CHECK(pairs);
}

/* Digits after a given name distinguish players of the same name. */
static void digits(void **state)
{
    static const pair pairs[] = {
        {"jonsson, bjorn1", "jonsson, bjorn1", 0},
        {"jonsson, bjorn1", "jonsson, bjorn2", NAME_OTHER},
        {"jonsson, bjorn1", "jonsson, bjorn", NAME_INITIALS},
        {"jonsson, bjorn1", "jonsson, b1", NAME_INITIALS},
        {"jonsson, bjorn", "jonsson, bjarn", NAME_TYPO},
        {"jonsson, bjorn1", "jonsson, bjarn1", NAME_OTHER},
        {"jonsson, bjorn1", "jonsson, bjor1n", NAME_OTHER},
        {"jonsson, 1", "jonsson, 2", NAME_OTHER},
        {"jonsson, 11", "jonsson, 1", NAME_INITIALS},
    };
    (void)state;
    CHECK(pairs);
}

static void orders(void **state)
{
    static const pair pairs[] = {
        {"viktor korchnoi", "korchnoi, viktor", NAME_ORDER},
        {"viktor kortschnoj", "korchnoi, viktor", NAME_ORDER | NAME_SPELLING},
        {"korchnoi, viktor", "viktor, korchnoi", NAME_REVERSED},
        {"viktor korchnoi", "korchnoi viktor", NAME_REVERSED},
        {"viktor korchnoi", "viktor kortschnoj", NAME_SPELLING},
        {"a b c d e f g h, i", "a b c d e f g h, j", 0}, /* words after the eighth are omitted */
        {"", "", NAME_OTHER},
        {"korchnoi", "", NAME_OTHER},
    };
    (void)state;
    CHECK(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_names),
        cmocka_unit_test(surnames),
        cmocka_unit_test(parts_of_surnames),
        cmocka_unit_test(surnames_with_initials),
        cmocka_unit_test(given_names),
        cmocka_unit_test(short_words),
        cmocka_unit_test(digits),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
