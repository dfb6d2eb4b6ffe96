/* SPDX-License-Identifier: MIT */
/* Tests the board representation nibble-rows: a position in nine words. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("nibble-rows", 0x7FFF);
}

static const uint32_t *words_of(const char *fen, stamma_board_state *state)
{
    stamma_position position = position_of_fen(fen);
    assert_int_equal(board_named("nibble-rows")->set_up(&position, state), STAMMA_OK);
    return (const uint32_t *)(const void *)state;
}

/* As drawn in nibble_rows.c. */
static void words(void **unused)
{
    (void)unused;
    stamma_board_state state;
    static const uint32_t start[9] = {0x72365327, 0x11111111, 0, 0, 0, 0, 0x99999999, 0xFABEDBAF, 0x00010000};
    assert_int_equal(board_named("nibble-rows")->size, 36);
    assert_memory_equal(words_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &state), start, 36);
    /* After 1. e4: the pawn on e4 is 8, and e2 is empty; bit 15 is set if Black is to move. */
    const uint32_t *word = words_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", &state);
    assert_int_equal(word[1], 0x11101111);
    assert_int_equal(word[3], 0x00080000);
    assert_int_equal(word[8], 0x00018000);
    /* One of White's rooks may castle, the other may not; clock 57, move number 300. */
    word = words_of("4k3/8/8/8/8/8/8/R3K2R w Q - 57 300", &state);
    assert_int_equal(word[0], 0x40060007);
    assert_int_equal(word[8], 300 << 16 | 57);
}

/* The clock has fifteen bits. */
static void large_clock(void **unused)
{
    (void)unused;
    const stamma_board *board = board_named("nibble-rows");
    stamma_position position = position_of_fen("4k3/8/8/8/8/8/8/4K3 w - - 32767 1");
    stamma_board_state state;
    assert_int_equal(board->set_up(&position, &state), STAMMA_OK);
    position.halfmove_clock++;
    assert_int_equal(board->set_up(&position, &state), STAMMA_ERROR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws), cmocka_unit_test(words), cmocka_unit_test(large_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
