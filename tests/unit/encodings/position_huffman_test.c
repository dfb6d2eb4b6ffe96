/* SPDX-License-Identifier: MIT */
/* Tests huffman: short codes for frequent pieces (Wikipedia, "Huffman encodings"). */
#include "position_laws.h"

static void sizes(void **state)
{
    (void)state;
    assert_int_equal(bits_of("huffman", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 176);
    assert_int_equal(bits_of("huffman", "rnbqkbnr/1qqqqqq1/8/8/8/8/1QQQQQQ1/RNBQKBNR w KQkq - 0 1"), 204);
    /* Sixteen extra queens, which is unreachable. */
    assert_int_equal(bits_of("huffman", "rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1"), 224);
}

/* If no castling rights follow, trailing empty squares and a king at the end are omitted. 8 bits of state. For a1, c1:
 * K . k needs 6 + 1. For a1, c1, e1: K . k . N ends with the knight. With a castling right, no squares are omitted. */
static void ends(void **state)
{
    (void)state;
    assert_int_equal(bits_of("huffman", "8/8/8/8/8/8/8/K1k5 w - - 0 1"), 8 + 6 + 1);
    assert_int_equal(bits_of("huffman", "8/8/8/8/8/8/8/K1k1N3 w - - 0 1"), 8 + 6 + 1 + 6 + 1 + 5);
    assert_int_equal(bits_of("huffman", "8/8/8/8/8/8/8/k1K5 w - - 0 1"), 8 + 6 + 1);
    assert_int_equal(bits_of("huffman", "7k/8/8/8/8/8/8/K7 w - - 0 1"), 8 + 6 + 62);
    assert_int_equal(bits_of("huffman", "8/8/8/8/8/8/8/k3K2R w - - 0 1"), 8 + 6 + 6 + 5 + 61 + 1);
}

/* The maximum number of bits for the pieces of a reachable position. Besides the two kings, a pawn needs 2 bits more
 * than an empty square, a queen 5, other pieces 4. With x pawns and y other pieces captured, at least 8 - 2x - y of
 * the eight pairs of opposed pawns remain, because only captures end them, and a pawn that captures a pawn ends at
 * most two. The test tries all material: the maximum is 204, with four pawns captured and twelve queens promoted. */
static void reachable(void **state)
{
    (void)state;
    int most = 0, most_pawns = 0, most_promoted = 0;
    for (int x = 0; x <= 16; x++)
        for (int y = 0; x + y <= 30; y++) {
            int pairs = 8 - 2 * x - y > 0 ? 8 - 2 * x - y : 0;
            for (int promoted = 0; promoted <= 16 - x - 2 * pairs; promoted++) {
                int pawns = 16 - x - promoted, castling = 4, en_passant = pawns >= 2 ? 3 : 0;
                int taken = y < 12 ? 4 * y : 4 * 12 + 5 * (y - 12); /* the cheapest pieces are captured */
                int board = 64 + 2 * 5 + 12 * 4 + 2 * 5 + 2 * pawns + 5 * promoted - taken;
                int bits = 8 + board + castling + en_passant;
                if (bits > most) {
                    most = bits;
                    most_pawns = pawns;
                    most_promoted = promoted;
                }
            }
        }
    assert_int_equal(most, 204);
    assert_int_equal(most_pawns, 0);
    assert_int_equal(most_promoted, 12);
}

/* 1. e4 d6 2. e5 f5: the capture on f6 is possible and needs three bits. With the other side to move, no bits are
 * needed. */
static void en_passant(void **state)
{
    (void)state;
    unsigned with = bits_of("huffman", "rnbqkbnr/ppp1p1pp/3p4/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    unsigned without = bits_of("huffman", "rnbqkbnr/ppp1p1pp/3p4/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    assert_int_equal(with, 176 + 3);
    assert_int_equal(without, 176 + 3); /* the pawn could have moved from f7 with the last move */
    assert_int_equal(bits_of("huffman", "rnbqkbnr/ppp1p1pp/3p4/4Pp2/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"), 176);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(ends),
        cmocka_unit_test(reachable),
        cmocka_unit_test(en_passant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
