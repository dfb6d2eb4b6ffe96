/* SPDX-License-Identifier: MIT */
/* Tests numbers of 192 bits, and the numbering of subsets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_number.h"
#include "sample_positions.h"

static wide random_wide(uint64_t *random)
{
    wide a;
    for (unsigned n = 0; n < 6; n++)
        a.limb[n] = (uint32_t)random_next(random);
    return a;
}

static bool same(const wide *a, const wide *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* (2^64 - 1)^2 = 2^128 - 2^65 + 1. */
static void known_product(void **state)
{
    (void)state;
    wide product = stamma_wide_product(UINT64_MAX, UINT64_MAX, 1);
    static const wide expected = {{1, 0, 0xFFFFFFFE, 0xFFFFFFFF, 0, 0}};
    assert_true(same(&product, &expected));
}

/* a x d / d is a with remainder 0; (a x d + r) / d has remainder r; a + b - b is a; subtracting a larger number
 * fails. */
static void laws(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t divisor = random_next(&random) >> random_next(&random) % 64 | 1, rest = random_next(&random) % divisor;
        wide a = random_wide(&random), b = random_wide(&random), c;
        a.limb[5] = a.limb[4] = b.limb[5] = 0;
        c = a;
        stamma_wide_multiply(&c, divisor);
        stamma_wide_add_number(&c, rest);
        assert_true(stamma_wide_divide(&c, divisor) == rest);
        assert_true(same(&c, &a));
        stamma_wide_add(&c, &b);
        assert_true(stamma_wide_subtract(&c, &b));
        assert_true(same(&c, &a));
        b.limb[4] |= 1; /* larger than a */
        assert_false(stamma_wide_subtract(&c, &b));
        assert_true(same(&c, &a));
    }
}

/* All subsets of a set with gaps: numbers are consecutive and convert back. */
static void subsets(void **state)
{
    (void)state;
    const uint64_t all = UINT64_C(0x8000F00200100081); /* 9 bits */
    for (unsigned count = 0; count <= 9; count++) {
        uint64_t numbers = stamma_binomials[9][count], before = 0;
        for (uint64_t number = 0; number < numbers; number++) {
            uint64_t set = stamma_subset_unrank(number, count, all);
            assert_int_equal(bits_count(set), count);
            assert_true((set & ~all) == 0 && (number == 0 || set != before));
            assert_true(stamma_subset_rank(set, all) == number);
            before = set;
        }
    }
}

/* Pascal's triangle. */
static void binomials(void **state)
{
    (void)state;
    for (unsigned n = 0; n <= 64; n++)
        for (unsigned k = 0; k <= 16; k++)
            assert_true(stamma_binomials[n][k] == (k == 0 ? 1
                                                   : n == 0
                                                       ? 0
                                                       : stamma_binomials[n - 1][k - 1] + stamma_binomials[n - 1][k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_product),
        cmocka_unit_test(laws),
        cmocka_unit_test(subsets),
        cmocka_unit_test(binomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
