/* Tests the order of keys of games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "curate/curate.h"
#include "pgn_support.h"

enum { KEYS = 30000 };

static bool is_before(const game_key *a, const game_key *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->order != b->order ? a->order < b->order : a->game < b->game;
}

/* Sorts keys that differ only in the bits of `mask`, and asserts that each key is there once and in its place. */
static void assert_sorts(uint64_t mask, size_t count)
{
    static game_key keys[KEYS];
    static uint64_t wanted[KEYS];
    static bool seen[KEYS];
    for (size_t n = 0; n < count; n++) {
        wanted[n] = random_below(UINT64_MAX) & mask;
        seen[n] = false;
        keys[n] = (game_key){.key = wanted[n], .order = (uint32_t)random_below(3), .game = (uint32_t)n};
    }
    stamma_sort_keys(keys, count);
    for (size_t n = 0; n < count; n++) {
        const uint32_t game = keys[n].game;
        assert_true(game < count && !seen[game] && keys[n].key == wanted[game]);
        seen[game] = true;
        assert_true(n == 0 || is_before(&keys[n - 1], &keys[n]));
    }
}

static void keys_are_sorted(void **state)
{
    static const size_t counts[] = {0, 1, 2, 4095, 4096, KEYS};
    (void)state;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        assert_sorts(UINT64_MAX, counts[n]);
        assert_sorts(0, counts[n]); /* all keys are equal */
        assert_sorts(UINT64_C(0x0300000000000001), counts[n]);
        assert_sorts(255, counts[n]); /* only the last byte */
        assert_sorts(UINT64_C(0xFF00) << 40, counts[n]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
