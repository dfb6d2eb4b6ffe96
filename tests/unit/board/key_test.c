/* SPDX-License-Identifier: MIT */
/* Tests keys of positions: equal positions have equal keys, in every version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static uint64_t key_of(const char *fen)
{
    stamma_position position = position_of_fen(fen);
    return stamma_position_key(&position);
}

static bool equal(const char *a, const char *b)
{
    stamma_position p = position_of_fen(a), q = position_of_fen(b);
    assert_int_equal(stamma_position_equal(&p, &q), stamma_position_key(&p) == stamma_position_key(&q));
    assert_int_equal(stamma_position_equal(&p, &q), stamma_position_equal(&q, &p));
    return stamma_position_equal(&p, &q);
}

/* Permanent values, computed once from SplitMix64's numbers by generators/board_tables.py. */
static void golden_keys(void **state)
{
    (void)state;
    assert_true(key_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == UINT64_C(0xCD1B21E5221C0E3D));
    assert_true(key_of("8/8/8/1k1PpP2/8/8/8/1K6 w - e6 0 1") == UINT64_C(0x715B46EE3B4D622A));
}

/* An en passant square affects the key only if a capture is legal: not if there is no adjacent pawn, or if the adjacent
 * pawn is pinned. */
static void en_passant(void **state)
{
    (void)state;
    assert_true(equal("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"));
    assert_true(equal("8/8/8/K2Pp2q/8/8/8/7k w - e6 0 1", "8/8/8/K2Pp2q/8/8/8/7k w - - 0 1"));
    assert_false(equal("8/8/8/1k1PpP2/8/8/8/1K6 w - e6 0 1", "8/8/8/1k1PpP2/8/8/8/1K6 w - - 0 1"));
    assert_false(equal("4k3/8/8/2pPp3/8/8/8/4K3 w - e6 0 1", "4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 1"));
}

static void side_rights_and_clocks(void **state)
{
    (void)state;
    assert_true(equal("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 31 77"));
    assert_false(equal("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
    assert_false(equal("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 0 1"));
    assert_false(equal("4k3/8/8/8/8/8/8/4KR1R w H - 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"));
    assert_false(equal("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2B w - - 0 1"));
}

/* 1. Nf3 Nf6 2. Ng1 Ng8 returns to the initial position; 1. e4 e5 2. Nf3 equals 1. Nf3 e5 2. e4. */
static void transpositions(void **state)
{
    (void)state;
    static const char *const lines[][4] = {
        {"g1f3", "g8f6", "f3g1", "f6g8"}, {"e2e4", "e7e5", "g1f3", "b8c6"}, {"g1f3", "b8c6", "e2e4", "e7e5"}};
    uint64_t keys[3];
    for (unsigned line = 0; line < 3; line++) {
        stamma_position p = stamma_position_start();
        for (unsigned n = 0; n < 4; n++) {
            stamma_move move;
            assert_int_equal(stamma_uci_read(&p, text_of(lines[line][n]), &move), STAMMA_OK);
            stamma_position_make(&p, move, &p);
        }
        keys[line] = stamma_position_key(&p);
    }
    stamma_position start = stamma_position_start();
    assert_true(keys[0] == stamma_position_key(&start));
    assert_true(keys[1] == keys[2]);
    assert_true(keys[0] != keys[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_keys),
        cmocka_unit_test(en_passant),
        cmocka_unit_test(side_rights_and_clocks),
        cmocka_unit_test(transpositions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
