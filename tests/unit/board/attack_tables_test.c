/* SPDX-License-Identifier: MIT */
/* Tests attack look-ups against rays that are walked square by square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static bool on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* Walks from `square` by a step to the edge or to the first occupied square. The occupied square is attacked, too. */
static uint64_t walk(unsigned square, int files, int ranks, uint64_t occupied, int steps)
{
    uint64_t reached = 0;
    int file = (int)square % 8 + files, rank = (int)square / 8 + ranks;
    for (; steps-- > 0 && on_board(file, rank); file += files, rank += ranks) {
        uint64_t bit = UINT64_C(1) << (8 * rank + file);
        reached |= bit;
        if (occupied & bit)
            break;
    }
    return reached;
}

static uint64_t walk_four(unsigned square, int files, int ranks, uint64_t occupied, int steps)
{
    return walk(square, files, ranks, occupied, steps) | walk(square, -files, -ranks, occupied, steps) |
           walk(square, -ranks, files, occupied, steps) | walk(square, ranks, -files, occupied, steps);
}

static void leapers(void **state)
{
    (void)state;
    for (unsigned s = 0; s < 64; s++) {
        assert_true(knight_attacks(s) == (walk_four(s, 1, 2, 0, 1) | walk_four(s, 2, 1, 0, 1)));
        assert_true(king_attacks(s) == (walk_four(s, 1, 0, 0, 1) | walk_four(s, 1, 1, 0, 1)));
        assert_true(pawn_attacks(STAMMA_WHITE, s) == (walk(s, -1, 1, 0, 1) | walk(s, 1, 1, 0, 1)));
        assert_true(pawn_attacks(STAMMA_BLACK, s) == (walk(s, -1, -1, 0, 1) | walk(s, 1, -1, 0, 1)));
        assert_true(pawns_attacks(STAMMA_WHITE, square_bit(s)) == pawn_attacks(STAMMA_WHITE, s));
        assert_true(pawns_attacks(STAMMA_BLACK, square_bit(s)) == pawn_attacks(STAMMA_BLACK, s));
    }
}

/* Uses sparse, even and dense boards: random words combined with AND and OR. */
static void sliders(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (unsigned round = 0; round < 3000; round++) {
        uint64_t occupied = random_next(&random);
        occupied = round % 3 == 0 ? occupied & random_next(&random) : round % 3 == 1 ? occupied : occupied | round;
        for (unsigned s = 0; s < 64; s++) {
            uint64_t straight = walk_four(s, 1, 0, occupied, 7), diagonal = walk_four(s, 1, 1, occupied, 7);
            assert_true(rook_attacks(s, occupied) == straight);
            assert_true(bishop_attacks(s, occupied) == diagonal);
            assert_true(queen_attacks(s, occupied) == (straight | diagonal));
            unsigned to = (unsigned)(random_next(&random) & 63), type = STAMMA_KNIGHT + round % 5;
            bool attacks = piece_attacks(type, s, occupied) >> to & 1;
            assert_int_equal(piece_attacks_square(type, s, to, occupied), attacks);
        }
    }
}

static void between_and_lines(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 64; a++)
        for (unsigned b = 0; b < 64; b++) {
            uint64_t between = 0, line = 0;
            for (int files = -1; files <= 1; files++)
                for (int ranks = -1; ranks <= 1; ranks++)
                    if ((files || ranks) && (walk(a, files, ranks, 0, 7) >> b & 1)) {
                        between = walk(a, files, ranks, square_bit(b), 7) & ~square_bit(b);
                        line = walk(a, files, ranks, 0, 7) | walk(a, -files, -ranks, 0, 7);
                    }
            assert_true(stamma_between[a][b] == between);
            assert_true(line_from(a, b) == line);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leapers),
        cmocka_unit_test(sliders),
        cmocka_unit_test(between_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
