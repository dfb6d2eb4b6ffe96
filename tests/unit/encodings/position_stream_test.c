/* SPDX-License-Identifier: MIT */
/* Tests stream: four bits for a piece, four or eight for a gap (Wikipedia, "Stream based"). */
#include "position_laws.h"

enum { STATE_BITS = 16 };

static unsigned board_bytes(const stamma_position *position)
{
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("stream"), position, &code), STAMMA_OK);
    assert_true(law_round_trip(position_codec("stream"), position));
    return (code.bits - STATE_BITS + 7) / 8;
}

/* Places knights from a1 on. From piece `first_gap` on, a gap of `gap` squares follows each piece. The kings are the
 * first and the last piece. */
static stamma_position pieces_with_gaps(unsigned pieces, unsigned first_gap, unsigned gap)
{
    stamma_setup setup = {{0}, STAMMA_BLACK, {{64, 64}, {64, 64}}, 64, 0, 1};
    stamma_position position;
    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
    for (unsigned piece = 0, square = first_gap == 0 ? gap : 0; piece < pieces; piece++) {
        unsigned kind = piece == 0 || piece + 1 == pieces ? STAMMA_KING : STAMMA_KNIGHT;
        setup.board[square] = (stamma_piece)(kind + (piece >= 16 || piece + 1 == pieces ? 8 : 0));
        square += piece + 1 >= first_gap ? gap + 1 : 1;
    }
    assert_int_equal(stamma_position_set_up(&setup, &position), STAMMA_OK);
    return position;
}

/* The sizes in the source. Its "13 gaps, 20 bytes" is wrong: thirteen gaps of four leave room for twelve pieces, which
 * make 19 bytes. Twelve gaps with sixteen pieces make 20. Alternating pieces and single empty squares make 32. */
static void sizes(void **state)
{
    (void)state;
    stamma_position position = stamma_position_start();
    assert_int_equal(board_bytes(&position), 18);
    position = pieces_with_gaps(12, 0, 4);
    assert_int_equal(board_bytes(&position), 19);
    position = pieces_with_gaps(16, 5, 4);
    assert_int_equal(board_bytes(&position), 20);
    position = pieces_with_gaps(32, 1, 1);
    assert_int_equal(board_bytes(&position), 32);
}

/* A gap needs at most four bits for each of its squares, like a piece, so no board needs more than 32 bytes. Gaps of
 * two or more squares need fewer bits. */
static void most(void **state)
{
    (void)state;
    for (unsigned gap = 1; gap <= 62; gap++) {
        unsigned bits = 0;
        for (unsigned left = gap; left > 0;) {
            unsigned taken = left < 4 ? left : left < 19 ? left : 19;
            bits += taken < 4 ? 4 : 8;
            left -= taken;
        }
        assert_true(bits <= 4 * gap);
        assert_true(gap < 2 || bits <= (gap == 4 ? 8 : 3 * gap));
    }
}

/* The bytes of the initial position: White to move, clock 0, all rights, no en passant file; R N B Q K B N R are 3 1
 * 2 4 5 2 1 3. */
static void golden(void **state)
{
    (void)state;
    static const uint8_t expected[20] = {0x80, 0xF8, 0x31, 0x24, 0x52, 0x13, 0x00, 0x00, 0x00, 0x00,
                                         0xFF, 0xF9, 0x66, 0x66, 0x66, 0x66, 0x97, 0x8A, 0xB8, 0x79};
    stamma_position start = stamma_position_start();
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("stream"), &start, &code), STAMMA_OK);
    assert_int_equal(code.bits, 160);
    assert_memory_equal(code.bytes, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(most), cmocka_unit_test(golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
