/* SPDX-License-Identifier: MIT */
/* Tests functions for a single move, against the generator and against the position after the move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "board/board.h"
#include "sample_positions.h"

/* Of all 65,536 values of a move, exactly the generated moves are legal. */
static void check_all_moves(const stamma_position *p)
{
    static bool generated[65536];
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, moves);
    for (size_t n = 0; n < count; n++)
        generated[moves[n]] = true;
    for (unsigned move = 0; move < 65536; move++)
        if (stamma_move_is_legal(p, (stamma_move)move) != generated[move])
            fail_msg("move 0x%04X: generated %d", move, generated[move]);
    for (size_t n = 0; n < count; n++)
        generated[moves[n]] = false;
}

static void legal_is_generated(void **state)
{
    (void)state, each_sample(36, 24, check_all_moves);
}

static void check_checks(const stamma_position *p)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(p, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_position after;
        stamma_position_make(p, moves[n], &after);
        if (stamma_move_gives_check(p, moves[n]) != stamma_position_in_check(&after))
            fail_msg("move 0x%04X: in check after it %d", moves[n], stamma_position_in_check(&after));
    }
}

static void check_is_seen_before(void **state)
{
    (void)state, each_sample(400, 100, check_checks);
}

/* Each kind of check once. The move is in UCI. */
static void kinds_of_check(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move;
        bool check;
    } known[] = {
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", true},     /* direct */
        {"4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4c5", true},   /* discovered */
        {"4k3/8/8/8/4P3/8/8/4RK2 w - - 0 1", "e4e5", false},  /* the line stays closed */
        {"6k1/8/8/3pP3/8/8/B7/4K3 w - d6 0 1", "e5d6", true}, /* discovered by the captured pawn */
        {"8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1", "e5d6", true},   /* both pawns leave the rank */
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true},     /* castling rook */
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", true}, /* promotion */
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", false},
        {"4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", false},
        {"4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8r", true},
        {"8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", true},
        {"3k4/8/4P3/8/8/8/8/4K3 w - - 0 1", "e6e7", true}, /* pawn */
        {"4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3d3", true}, /* the king moves off the line */
    };
    for (unsigned n = 0; n < sizeof known / sizeof *known; n++) {
        stamma_position position = position_of_fen(known[n].fen);
        stamma_move move;
        assert_int_equal(stamma_uci_read(&position, text_of(known[n].move), &move), STAMMA_OK);
        assert_int_equal(stamma_move_gives_check(&position, move), known[n].check);
    }
}

static void the_null_move_is_not_legal(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_false(stamma_move_is_legal(&start, STAMMA_MOVE_NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_is_generated),
        cmocka_unit_test(check_is_seen_before),
        cmocka_unit_test(kinds_of_check),
        cmocka_unit_test(the_null_move_is_not_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
