/* SPDX-License-Identifier: MIT */
/* Tests `two-index-bits` (last comment on Forster 2015): golden codes, and the number of destinations of each piece in
 * the comment. */
#include "code_support.h"
#include "encodings/encodings.h"

static void check(const stamma_position *position, const char *san, unsigned value, unsigned bits)
{
    stamma_code code = code_of_san(&stamma_codec_two_index_bits, position, san);
    assert_int_equal(code.value, value);
    assert_int_equal(code.bits, bits);
}

/* Sixteen pieces need four bits. They are numbered a1, a2, b1 ...; a piece with one destination needs no further
 * bits. */
static void initial_position(void **state)
{
    (void)state;
    stamma_position p = stamma_position_start();
    check(&p, "a3", 1 << 1 | 0, 5);
    check(&p, "a4", 1 << 1 | 1, 5);
    check(&p, "Na3", 2 << 1 | 0, 5);
    check(&p, "Nc3", 2 << 1 | 1, 5);
    check(&p, "h4", 15 << 1 | 1, 5);
}

static void special_moves(void **state)
{
    (void)state;
    /* Pieces a1 e1 h1: two bits. The king attacks five squares and has two rights: three bits for seven destinations,
     * in canonical order a1 (castling) d1 d2 e2 f1 f2 h1 (castling). Rights count even if pieces block the castling. */
    stamma_position p = position_of_fen("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1");
    check(&p, "O-O-O", 1 << 3 | 0, 5);
    check(&p, "Kd1", 1 << 3 | 1, 5);
    check(&p, "Kf2", 1 << 3 | 5, 5);
    /* The destinations of a rook end at the first piece and exclude pieces of its side. a2-a8, b1 c1 d1: ten, four
     * bits. */
    check(&p, "Ra8+", 0 << 4 | 6, 6);
    /* A pawn on the seventh rank: three targets, four promotions each. Pieces e1 e7: one bit and four. */
    stamma_position seventh = position_of_fen("3n1n1k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    check(&seventh, "exd8=B", 1 << 4 | 0, 5);
    check(&seventh, "exf8=R+", 1 << 4 | 11, 5);
    /* En passant is one of two destinations of the pawn on d5 after c5; the other is the push. Pieces d5 e1. */
    stamma_position passing = position_of_fen("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1");
    check(&passing, "dxc6", 0 << 1 | 0, 2);
    check(&passing, "d6", 0 << 1 | 1, 2);
    /* In Chess960, castling is the king's move to the rook. Pieces b1 c1 h1; six destinations. */
    stamma_position chess960 = position_of_fen("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1");
    check(&chess960, "O-O-O", 1 << 3 | 0, 5);
    check(&chess960, "O-O", 1 << 3 | 5, 5);
}

/* A destination that is illegal because of a check is counted, and its code is corrupt. */
static void checks_are_ignored(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"); /* the knight is pinned */
    stamma_code code = {1 << 3 | 0, 4};                                       /* pieces e1, e2; six destinations */
    stamma_move move = 0x6000;
    assert_int_equal(stamma_codec_decode(&stamma_codec_two_index_bits, &p, code, &move), STAMMA_ERROR_CORRUPT);
    assert_int_equal(move, 0x6000);
    check(&p, "Kd1", 0 << 2 | 0, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initial_position),
        cmocka_unit_test(special_moves),
        cmocka_unit_test(checks_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
