/* SPDX-License-Identifier: MIT */
/* Tests the order of keys of games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "duplicates/duplicates.h"
#include "pgn_support.h"

enum { KEYS = 30000 };

static bool is_before(const game_key *a, const game_key *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->order != b->order ? a->order < b->order : a->game < b->game;
}

/* Sorts keys that differ only in the bits of `mask`, and asserts that each key occurs once, in its place. */
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

/* The keys of two games, and whether they may be the same game. If `moves` differ, all groups of four moves differ. */
static void keys_are_compared(void **state)
{
    enum { DAY = 20100503, LAST_PLY = 3 }; /* KEY_END: the last positions are equal */
    static const struct {
        uint16_t plies[2];
        uint64_t moves[2];
        unsigned key;
        bool same;
    } cases[] = {
        {{40, 40}, {0, 0}, 0, true},
        {{40, 40}, {0, 0x1}, 0, true}, /* one group of ten */
        {{29, 29}, {0, 0x1}, 0, false},
        {{29, 40}, {0, 0}, 0, true}, /* included */
        {{40, 42}, {0, 0x1111}, 0, true},
        {{40, 42}, {0, 0x11111}, 0, false}, /* more groups than moves may differ */
        {{40, 43}, {0, 0x1111}, 0, false},
        {{40, 40}, {0, 0x1111111111}, LAST_PLY, true}, /* transposed */
        {{40, 40}, {0, 0x1111111111}, 0, false},
        {{29, 29}, {0, 0x1111111}, LAST_PLY, false},
        {{40, 44}, {0, 0x1111100000}, LAST_PLY, true}, /* a repetition is missing */
        {{40, 57}, {0, 0x1111100000}, LAST_PLY, false},
        {{UINT16_MAX, UINT16_MAX}, {0, UINT64_MAX}, 0, true}, /* games that may be longer */
    };
    const stamma_duplicates d = {.days = 3, .moves = 4};
    (void)state;
    assert_int_equal(KEY_END, LAST_PLY);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        game_key keys[2];
        for (unsigned k = 0; k < 2; k++)
            keys[k] = (game_key){
                .plies = cases[n].plies[k], .moves = cases[n].moves[k], .facts = (uint32_t)DAY << 5 | cases[n].key};
        if (stamma_may_be_same(&d, &keys[0], &keys[1]) != cases[n].same ||
            stamma_may_be_same(&d, &keys[1], &keys[0]) != cases[n].same)
            fail_msg("case %zu", n);
    }
}

/* Games of one round, with other dates, results and colors. */
static void facts_are_compared(void **state)
{
    enum { DAY = 20100503, LATER = 20100703, MONTH = 20100500, WON = 1, LOST = 2 };
    static const struct {
        uint16_t plies;
        uint64_t moves; /* of the second game; 0 of the first */
        uint32_t date, result, order;
        uint8_t round, ids;
        bool same;
    } cases[] = {
        {40, 0xFFFFFFFF00, DAY, LOST, 0, 3, 0, true},  /* 8 plies, and the round */
        {40, 0xFFFFFFFFF0, DAY, LOST, 0, 3, 0, false}, /* 4 plies */
        {40, 0xFFFFFFFF00, DAY, LOST, 1, 3, 0, false}, /* other players */
        {40, 0xFFFFFFFF00, DAY, LOST, 0, 0, 0, false}, /* the round is unknown */
        {40, 0xFFFFFFFF00, MONTH, WON, 0, 3, 0, false},
        {30, 0, LATER, WON, 0, 3, 0, true}, /* another date */
        {30, 0, LATER, WON, 1, 3, 0, false},
        {29, 0, LATER, WON, 0, 3, 0, false},
        {30, 0, LATER, WON, 0, 4, 0, false},
        {30, 1, LATER, WON, 0, 3, 0, false},
        {30, 0, DAY, WON, 1, 3, 0x21, true}, /* exchanged colors */
        {29, 0, DAY, WON, 1, 3, 0x21, false},
        {30, 1, DAY, WON, 1, 3, 0x21, false},
        {30, 0, DAY, WON, 1, 3, 0x31, false},
    };
    const stamma_duplicates d = {.days = 3, .moves = 4};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const game_key one = {.plies = cases[n].plies, .facts = (uint32_t)DAY << 5 | WON << 3, .round = 3, .ids = 0x12};
        game_key other = one;
        other.moves = cases[n].moves;
        other.facts = cases[n].date << 5 | cases[n].result << 3;
        other.order = cases[n].order;
        other.round = cases[n].round;
        other.ids = cases[n].ids;
        if (stamma_may_be_same(&d, &one, &other) != cases[n].same ||
            stamma_may_be_same(&d, &other, &one) != cases[n].same)
            fail_msg("case %zu", n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(keys_are_compared),
        cmocka_unit_test(facts_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
