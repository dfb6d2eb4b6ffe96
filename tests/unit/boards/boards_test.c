/* SPDX-License-Identifier: MIT */
/* Tests the list of board representations. */
#include "board_laws.h"

/* Names are permanent. `bitboard` is the first. Each state fits in the space that stamma.h reserves. */
static void names(void **state)
{
    (void)state;
    static const char *const expected[] = {"bitboard",    "array-8x8", "mailbox-12x12", "mailbox-10x12",
                                           "array-16x16", "x88",       "nibble-rows",   "piece-list"};
    for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
        const stamma_board *board = stamma_board_at(n);
        assert_non_null(board);
        assert_string_equal(board->name, expected[n]);
        assert_ptr_equal(stamma_board_find(text_of(expected[n])), board);
        assert_true(strlen(board->description) > 10);
        assert_true(board->size <= sizeof(stamma_board_state));
    }
    assert_null(stamma_board_at(sizeof expected / sizeof *expected));
    assert_null(stamma_board_at(SIZE_MAX));
}

static void unknown_names(void **state)
{
    (void)state;
    assert_null(stamma_board_find(text_of("")));
    assert_null(stamma_board_find(text_of("x8")));
    assert_null(stamma_board_find(text_of("x888")));
    assert_null(stamma_board_find(text_of("X88")));
    assert_null(stamma_board_find(text_of("mailbox")));
}

/* Perft below a mate counts no leaves. */
static void perft_of_a_mate(void **state)
{
    (void)state;
    stamma_position mate = position_of_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    for (size_t n = 0; stamma_board_at(n); n++) {
        stamma_board_state room;
        assert_int_equal(stamma_board_at(n)->set_up(&mate, &room), STAMMA_OK);
        for (unsigned depth = 0; depth < 4; depth++)
            assert_int_equal(stamma_board_perft(stamma_board_at(n), &room, depth), depth == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(perft_of_a_mate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
