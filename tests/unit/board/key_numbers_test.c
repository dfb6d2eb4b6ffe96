/* SPDX-License-Identifier: MIT */
/* Tests the random numbers of position keys: all are nonzero and distinct, and no two pairs cancel out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

enum { NUMBERS = 768 + 64 + 8 + 1 };

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void all_differ(void **state)
{
    (void)state;
    uint64_t numbers[NUMBERS], sums = 0;
    memcpy(numbers, stamma_key_pieces, 768 * sizeof *numbers);
    memcpy(numbers + 768, stamma_key_castling, 64 * sizeof *numbers);
    memcpy(numbers + 832, stamma_key_en_passant, 8 * sizeof *numbers);
    numbers[840] = stamma_key_black;
    qsort(numbers, NUMBERS, sizeof *numbers, by_value);
    assert_true(numbers[0] != 0);
    for (unsigned n = 1; n < NUMBERS; n++) {
        assert_true(numbers[n - 1] != numbers[n]);
        sums |= numbers[n];
    }
    assert_true(sums == UINT64_MAX);
}

/* The differences of all pairs, sorted, are distinct: each move of a piece changes the key in a unique way. */
static void all_pairs_differ(void **state)
{
    (void)state;
    enum { PAIRS = 768 * 767 / 2 };
    const uint64_t *pieces = stamma_key_pieces[0];
    uint64_t *pairs = malloc(PAIRS * sizeof *pairs);
    assert_non_null(pairs);
    size_t count = 0;
    for (unsigned a = 0; a < 768; a++)
        for (unsigned b = 0; b < a; b++)
            pairs[count++] = pieces[a] ^ pieces[b];
    qsort(pairs, PAIRS, sizeof *pairs, by_value);
    for (size_t n = 1; n < PAIRS; n++)
        assert_true(pairs[n - 1] != pairs[n]);
    free(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_differ),
        cmocka_unit_test(all_pairs_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
