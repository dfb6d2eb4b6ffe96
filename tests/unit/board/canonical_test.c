/* SPDX-License-Identifier: MIT */
/* Tests the canonical order of moves: the order of UCI texts, with castling as king takes rook (Forster 2015). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

typedef struct text {
    char uci[8];
} text;

/* Returns the UCI text that defines the order. */
static text uci_of(const stamma_position *p, stamma_move move)
{
    unsigned from = stamma_move_from(move), to = stamma_move_to(move);
    if (stamma_move_is_castling(move))
        to = p->castling[p->side][castling_side(move)];
    text t = {{(char)('a' + from % 8), (char)('1' + from / 8), (char)('a' + to % 8), (char)('1' + to / 8)}};
    if (stamma_move_is_promotion(move))
        t.uci[4] = "nbrq"[stamma_move_flags(move) & 3];
    return t;
}

static int by_move(const void *a, const void *b)
{
    return (int)*(const stamma_move *)a - (int)*(const stamma_move *)b;
}

static void check_order(const stamma_position *p)
{
    stamma_move canonical[STAMMA_MOVES_MAX], moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves_canonical(p, canonical);
    assert_int_equal(stamma_legal_moves(p, moves), count);
    for (size_t n = 1; n < count; n++)
        assert_true(strcmp(uci_of(p, canonical[n - 1]).uci, uci_of(p, canonical[n]).uci) < 0);
    qsort(canonical, count, sizeof *canonical, by_move);
    qsort(moves, count, sizeof *moves, by_move);
    assert_memory_equal(canonical, moves, count * sizeof *moves);
}

static void order_of_texts(void **state)
{
    (void)state, each_sample(400, 100, check_order);
}

/* The first moves of the initial position: sorted by file, then by rank. */
static void initial_position(void **state)
{
    (void)state;
    static const char first[] = "a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3";
    stamma_position start = stamma_position_start();
    stamma_move moves[STAMMA_MOVES_MAX];
    assert_int_equal(stamma_legal_moves_canonical(&start, moves), 20);
    for (size_t n = 0; n < 7; n++)
        assert_memory_equal(uci_of(&start, moves[n]).uci, first + 5 * n, 4);
}

/* Promotions b < n < q < r. Castling sorts by the rook's square: a1 before d1, h1 after g1. */
static void promotions_and_castling(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("2k2n2/4P3/8/8/8/8/8/R3K2R w KQ - 0 1");
    stamma_move moves[STAMMA_MOVES_MAX];
    char all[1024] = "";
    size_t count = stamma_legal_moves_canonical(&p, moves);
    for (size_t n = 0; n < count; n++)
        strcat(strcat(all, uci_of(&p, moves[n]).uci), " ");
    assert_non_null(strstr(all, "e1a1 e1d1 e1d2 e1e2 e1f1 e1f2 e1h1 e7e8b e7e8n e7e8q e7e8r e7f8b e7f8n e7f8q e7f8r "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_texts),
        cmocka_unit_test(initial_position),
        cmocka_unit_test(promotions_and_castling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
