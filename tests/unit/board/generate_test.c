/* SPDX-License-Identifier: MIT */
/* Tests the move generator: its lists, its counts and its two builds. perft_test.c compares counts with published
 * numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

static int by_move(const void *a, const void *b)
{
    return (int)*(const stamma_move *)a - (int)*(const stamma_move *)b;
}

/* Asserts that the flags of a move agree with the board. */
static void check_flags(const stamma_position *p, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move), flags = stamma_move_flags(move);
    stamma_piece piece = stamma_position_piece(p, (stamma_square)from),
                 other = stamma_position_piece(p, (stamma_square)to);
    bool pawn = (piece & 7) == STAMMA_PAWN;
    assert_int_equal(piece >> 3, p->side);
    if (stamma_move_is_castling(move)) {
        assert_int_equal(piece & 7, STAMMA_KING);
        return;
    }
    assert_true(other == STAMMA_PIECE_NONE || other >> 3 != p->side);
    assert_true(other == STAMMA_PIECE_NONE || (other & 7) != STAMMA_KING);
    assert_int_equal(stamma_move_is_capture(move), other != STAMMA_PIECE_NONE || flags == STAMMA_FLAG_EN_PASSANT);
    assert_int_equal(flags == STAMMA_FLAG_EN_PASSANT, pawn && to == p->en_passant && from % 8 != to % 8);
    assert_int_equal(flags == STAMMA_FLAG_DOUBLE_PUSH, pawn && (from + 16 == to || to + 16 == from));
    assert_int_equal(stamma_move_is_promotion(move), pawn && (to < 8 || to >= 56));
}

/* Asserts that no move is listed twice or leaves the king in check, and that the count equals the list's length. */
static void check_list(const stamma_position *p)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, moves);
    assert_int_equal(stamma_legal_moves_count(p), count);
    for (size_t n = 0; n < count; n++) {
        stamma_position after;
        check_flags(p, moves[n]);
        stamma_position_make(p, moves[n], &after);
        assert_false(position_attackers(&after, after.side, position_king(&after, p->side), position_occupied(&after)));
    }
    qsort(moves, count, sizeof *moves, by_move);
    for (size_t n = 1; n < count; n++)
        assert_int_not_equal(moves[n - 1], moves[n]);
}

static void lists(void **state)
{
    (void)state, each_sample(300, 100, check_list);
}

static void check_builds(const stamma_position *p)
{
    stamma_move moves[STAMMA_MOVES_MAX], portable[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, moves);
    assert_int_equal(stamma_generate_list_portable(p, portable), count);
    assert_memory_equal(moves, portable, count * sizeof *moves);
    assert_int_equal(stamma_generate_count_portable(p), stamma_legal_moves_count(p));
    assert_int_equal(stamma_generate_perft_portable(p, 2), stamma_perft(p, 2));
}

/* Both builds return the same moves in the same order. */
static void portable_equals_bmi2(void **state)
{
    (void)state;
    if (!stamma_cpu_has_bmi2()) {
        print_message("no fast BMI2 here: the portable build is the only one\n");
        skip();
    }
    each_sample(300, 100, check_builds);
}

/* The reachable position with the most moves, 218 (Petrović 1964), and the same for Black. */
static void the_most_moves(void **state)
{
    (void)state;
    stamma_position white = position_of_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    stamma_position black = position_of_fen("Kbnn1kb1/PP1q4/q4q2/2q4q/4q3/1q4q1/3q4/r6r b - - 0 1");
    assert_int_equal(stamma_legal_moves_count(&white), 218);
    assert_int_equal(stamma_legal_moves_count(&black), 218);
    check_list(&white);
    check_list(&black);
}

/* The moves of fifteen queens fit in the list. This set-up is unreachable. */
static void a_set_up_with_more(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("knQ1QQ1K/ppQ4Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2 w - - 0 1");
    assert_true(stamma_legal_moves_count(&position) > 218);
    assert_true(stamma_legal_moves_count(&position) <= STAMMA_MOVES_MAX);
    check_list(&position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(portable_equals_bmi2),
        cmocka_unit_test(the_most_moves),
        cmocka_unit_test(a_set_up_with_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
