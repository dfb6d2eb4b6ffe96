/* SPDX-License-Identifier: MIT */
/* Tests initial positions: Scharnagl's numbers, and the rules for every Chess960 position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

/* Scharnagl's numbers: the first, the last, the standard position and two others. */
static void chess960_by_number(void **state)
{
    (void)state;
    stamma_position standard, start = stamma_position_start();
    assert_int_equal(stamma_position_chess960(518, &standard), STAMMA_OK);
    assert_memory_equal(&standard, &start, sizeof start);
    static const struct {
        unsigned number;
        const char *rank;
    } known[] = {{0, "BBQNNRKR"}, {959, "RKRNNQBB"}, {518, "RNBQKBNR"}, {534, "RNBKQBNR"}, {1, "BQNBNRKR"}};
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position;
        assert_int_equal(stamma_position_chess960(known[n].number, &position), STAMMA_OK);
        for (unsigned file = 0; file < 8; file++)
            assert_int_equal("PNBRQK"[stamma_position_piece(&position, (stamma_square)file)], known[n].rank[file]);
    }
    stamma_position untouched = stamma_position_start(), before = untouched;
    assert_int_equal(stamma_position_chess960(960, &untouched), STAMMA_ERROR_BAD_ARGUMENT);
    assert_memory_equal(&untouched, &before, sizeof before);
}

static void chess960_starts_are_lawful(void **state)
{
    (void)state;
    uint64_t keys[960];
    for (unsigned number = 0; number < 960; number++) {
        stamma_position p;
        assert_int_equal(stamma_position_chess960(number, &p), STAMMA_OK);
        uint64_t bishops = position_pieces(&p, STAMMA_WHITE, STAMMA_BISHOP);
        assert_int_equal(bits_count(bishops & DARK_SQUARES), 1);
        assert_int_equal(bits_count(bishops), 2);
        assert_true(p.castling[STAMMA_WHITE][STAMMA_QUEEN_SIDE] < position_king(&p, STAMMA_WHITE));
        assert_true(p.castling[STAMMA_WHITE][STAMMA_KING_SIDE] > position_king(&p, STAMMA_WHITE));
        for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_KING; type++)
            assert_true(position_pieces(&p, STAMMA_BLACK, type) == position_pieces(&p, STAMMA_WHITE, type) << 56);
        keys[number] = stamma_position_key(&p);
        for (unsigned earlier = 0; earlier < number; earlier++)
            assert_true(keys[earlier] != keys[number]);
    }
}

static void the_initial_position(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_position fen = position_of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_memory_equal(&start, &fen, sizeof start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_initial_position),
        cmocka_unit_test(chess960_by_number),
        cmocka_unit_test(chess960_starts_are_lawful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
