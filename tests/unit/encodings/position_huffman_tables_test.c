/* SPDX-License-Identifier: MIT */
/* Tests huffman-tables: 81 classes of rooks (Wikipedia, "Huffman multi-table approach"). */
#include "position_laws.h"

#include "encodings/position_codes.h"

/* There are 3^4 classes. In 25 of the classes, each side has a castling right, which determines its king's square. In 9
 * of these 25, all four rooks are on their initial squares. */
static void classes(void **state)
{
    (void)state;
    unsigned kings = 0, rooks = 0;
    for (unsigned class = 0; class < 81; class ++) {
        unsigned digits[4] = {class % 3, class / 3 % 3, class / 9 % 3, class / 27};
        bool determined = (digits[0] == 2 || digits[1] == 2) && (digits[2] == 2 || digits[3] == 2);
        kings += determined;
        rooks += determined && digits[0] && digits[1] && digits[2] && digits[3];
    }
    assert_int_equal(kings, 25);
    assert_int_equal(rooks, 9);
}

/* In these 9 classes, the code is 38 bits shorter than `huffman`: 20 for the rooks, 12 for the kings, 2 for the
 * queens, 4 for the rights. */
static void savings(void **state)
{
    (void)state;
    static const char *const rights[] = {"KQkq", "KQk", "KQq", "Kkq", "Kk", "Kq", "Qkq", "Qk", "Qq"};
    for (size_t n = 0; n < 9; n++) {
        char fen[80];
        snprintf(fen, sizeof fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w %s - 0 1", rights[n]);
        assert_int_equal(bits_of("huffman-tables", fen), bits_of("huffman", fen) - 38 + 7);
    }
}

/* A class that does not determine a king. The rooks on their initial squares and the two rights are not coded; other
 * pieces are coded as in `huffman`. Because no rights follow, Black's king and the three squares after him are
 * omitted. */
static void promoted_rooks(void **state)
{
    (void)state;
    unsigned plain = bits_of("huffman", "r1r1k3/8/8/8/8/8/8/R1R1K1R1 w - - 0 1");
    assert_int_equal(bits_of("huffman-tables", "r1r1k3/8/8/8/8/8/8/R1R1K1R1 w - - 0 1"), plain - 5 - 5 - 2 - 6 - 3 + 7);
}

static void numbers(void **state)
{
    (void)state;
    stamma_position position = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    assert_int_equal(stamma_huffman_class(&position), 2 + 3 * 1 + 9 * 1 + 27 * 2);
    position = position_of_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(stamma_huffman_class(&position), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes),
        cmocka_unit_test(savings),
        cmocka_unit_test(promoted_rooks),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
