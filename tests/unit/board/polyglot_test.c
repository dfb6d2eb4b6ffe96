/* SPDX-License-Identifier: MIT */
/* Tests Polyglot keys against the nine keys published with the book format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static void published_keys(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        uint64_t key;
    } known[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", UINT64_C(0x463b96181691fc9c)},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", UINT64_C(0x823c9b50fd114196)},
        {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", UINT64_C(0x0756b94461c50fb0)},
        {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", UINT64_C(0x662fafb965db29d4)},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", UINT64_C(0x22a48b5a8e47ff78)},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", UINT64_C(0x652a607ca3f242c1)},
        {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", UINT64_C(0x00fdd303c946bdd9)},
        {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", UINT64_C(0x3c8123ea7b067637)},
        {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", UINT64_C(0x5c3f9b829b279560)},
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        assert_true(stamma_position_polyglot_key(&position) == known[n].key);
    }
}

/* Polyglot's en passant rule differs from the library's rule: an adjacent pawn counts even if it is pinned. */
static void a_pinned_neighbour_counts(void **state)
{
    (void)state;
    stamma_position with = position_of_fen("8/8/8/K2Pp2q/8/8/8/7k w - e6 0 1");
    stamma_position without = position_of_fen("8/8/8/K2Pp2q/8/8/8/7k w - - 0 1");
    assert_true(stamma_position_polyglot_key(&with) != stamma_position_polyglot_key(&without));
    assert_true(stamma_position_key(&with) == stamma_position_key(&without));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_keys),
        cmocka_unit_test(a_pinned_neighbour_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
