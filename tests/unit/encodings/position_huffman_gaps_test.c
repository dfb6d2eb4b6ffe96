/* SPDX-License-Identifier: MIT */
/* Tests huffman-gaps: separate kings and short codes for gaps (Wikipedia, "Huffman fine-tuning"). */
#include "position_laws.h"

#include "encodings/position_codes.h"

/* Tests a board with kings on a1 and b1 and a gap of `run` squares after `before` squares. The other squares contain
 * knights, up to 15 of each colour next to the gap, and pawns farther away. */
static void check_gap(unsigned run, unsigned before)
{
    stamma_setup setup;
    memset(&setup, 0, sizeof setup);
    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
    memset(setup.castling, STAMMA_SQUARE_NONE, sizeof setup.castling);
    setup.en_passant = STAMMA_SQUARE_NONE;
    unsigned black_king = before < 61 ? 2 : 3;
    setup.board[0] = STAMMA_KING;
    setup.board[black_king] = STAMMA_KING + 8;
    unsigned place = 0;
    for (unsigned square = 0; square < 64; square++) {
        if (square == 0 || square == black_king)
            continue;
        bool in_gap = place >= before && place < before + run;
        bool next_to_gap = place + 1 == before || place == before + run;
        if (!in_gap && next_to_gap)
            setup.board[square] = STAMMA_KNIGHT + (square % 2 ? 8 : 0);
        place++;
    }
    stamma_position position;
    if (stamma_position_set_up(&setup, &position) == STAMMA_OK)
        assert_true(law_round_trip(position_codec("huffman-gaps"), &position));
}

/* Tests every length of a gap at every place. */
static void gaps(void **state)
{
    (void)state;
    for (unsigned run = 1; run <= 62; run++)
        for (unsigned before = 0; before + run <= 62; before++)
            check_gap(run, before);
}

/* Writes the code of a gap as text, from the table of Wikipedia as doc/reference/encodings.md interprets it. `left` is
 * the number of squares from the first of the gap on. Adds 1, the first bit of a piece, unless the gap ends the board.
 */
static void gap_text(char *text, unsigned run, unsigned left)
{
    for (; run > 41; run -= 41, left -= 41)
        text += sprintf(text, "00111011");
    unsigned n = run - 10;
    if (run == 1)
        text += sprintf(text, "0");
    else if (run <= 9)
        text += sprintf(text, "00%u%u%u", (run - 2) >> 2 & 1, (run - 2) >> 1 & 1, (run - 2) & 1);
    else if (left <= 25)
        text += sprintf(text, "00%u%u%u0%u", n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1);
    else
        text += sprintf(text, "00%u%u%u0%u%u", n >> 4 & 1, n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1);
    if (run < left)
        sprintf(text, "1");
}

/* For every number of remaining squares, no gap's code is a prefix of another's. */
static void prefix_free(void **state)
{
    (void)state;
    for (unsigned left = 1; left <= 62; left++)
        for (unsigned a = 1; a <= left; a++)
            for (unsigned b = 1; b <= left; b++) {
                char one[64], other[64];
                gap_text(one, a, left);
                gap_text(other, b, left);
                assert_true(a == b || strncmp(one, other, strlen(one)) != 0);
            }
}

/* The number of bits, counted by hand: state 8, mode 2 to 5, kings 12. */
static void sizes(void **state)
{
    (void)state;
    /* Only two kings: gaps of 41 and 21 squares. */
    assert_int_equal(bits_of("huffman-gaps", "7k/8/8/8/8/8/8/K7 w - - 0 1"), 13 + 5 + 8 + 7 + 4);
    /* The initial position, with full counts: pieces 118 minus Black's 15 colour bits, a gap of 32, rights 4. */
    assert_int_equal(bits_of("huffman-gaps", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
                     24 + 118 - 15 + 8 + 4);
    /* With one more queen than in the initial position, the pieces are counted: the last 15 must be Black's. A pawn
     * on a2 is missing. */
    assert_int_equal(bits_of("huffman-gaps", "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/QNBQKBNR w Kkq - 0 1"),
                     25 + 4 + 118 - 3 + 1 - 15 + 8 + 3);
    /* One queen on a1, with every colour bit: gaps of 41 and 20 squares. */
    assert_int_equal(bits_of("huffman-gaps", "8/8/8/2k5/8/8/8/Q3K3 w - - 0 1"), 23 + 5 + 8 + 7);
    /* No pawns, kings among the squares: state 8, mode 5; gaps of 5, of 54 in two parts, and of 1; White's rook has 4
     * bits and the king 5, Black's pieces have no colour bits. */
    assert_int_equal(bits_of("huffman-gaps", "5rk1/8/8/8/8/8/8/5RK1 w - - 0 1"), 13 + 5 + 4 + 5 + 15 + 4 + 4 + 1);
}

static void holds(const char *fen, unsigned bits)
{
    unsigned found = bits_of("huffman-gaps", fen);
    if (found != bits)
        fail_msg("%s: %u bits, not %u", fen, found, bits);
}

/* The form "once a type is full" is allowed only if no side has more pieces of a type than in the initial position.
 * A side with three rooks uses another form. */
static void promoted_pieces(void **state)
{
    (void)state;
    holds("4k3/8/8/8/8/8/pppppppp/RRR1K1rr w - - 0 1", 25 + 5 + 3 * 5 + 5 + 2 * 4 + 8 * 2 + 13 + 1); /* counted form */
    for (unsigned type = STAMMA_PAWN; type < STAMMA_KING; type++)
        for (unsigned count = 1; count <= 8; count++) {
            stamma_setup setup;
            memset(&setup, 0, sizeof setup);
            memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
            memset(setup.castling, STAMMA_SQUARE_NONE, sizeof setup.castling);
            setup.en_passant = STAMMA_SQUARE_NONE;
            setup.board[0] = STAMMA_KING;
            setup.board[63] = STAMMA_KING + 8;
            for (unsigned n = 0; n < 2 * count; n++)
                setup.board[16 + 2 * n] = (stamma_piece)(type + (n < count ? 8 : 0));
            stamma_position position;
            if (stamma_position_set_up(&setup, &position) == STAMMA_OK)
                assert_true(law_round_trip(position_codec("huffman-gaps"), &position));
        }
}

/* Reachable positions need at most 24 bytes. The count is as in position_huffman_test.c: in the plain, uncounted form,
 * a pawn needs 2 bits more than an empty square of the 62 squares, another piece 4. No position needs more bits than in
 * that form. */
static void reachable(void **state)
{
    (void)state;
    int most = 0;
    for (int x = 0; x <= 16; x++)
        for (int y = 0; x + y <= 30; y++) {
            int pairs = 8 - 2 * x - y > 0 ? 8 - 2 * x - y : 0;
            for (int promoted = 0; promoted <= 16 - x - 2 * pairs; promoted++) {
                int pawns = 16 - x - promoted, pieces = 14 + promoted - y;
                int bits = 8 + 12 + 2 + 62 + 2 * pawns + 4 * pieces + 4 + (pawns >= 2 ? 3 : 0);
                int key = bits - 1 + (pawns >= 2 ? 2 : 0);
                most = pieces >= 0 && bits > most ? bits : most;
                most = pieces >= 0 && key > most ? key : most;
            }
        }
    assert_int_equal(most, 192);
}

/* The key is the code without the side to move. Both sides have the same key if en passant is impossible. */
static void key_without_side(void **state)
{
    (void)state;
    stamma_position white = position_of_fen("r3k2r/pp3ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq - 3 9");
    stamma_position black = position_of_fen("r3k2r/pp3ppp/8/3pP3/8/8/PPP2PPP/R3K2R b KQkq - 3 9");
    stamma_position pushed = position_of_fen("r3k2r/pp3ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 3 9");
    stamma_position_code a, b, c;
    const stamma_position_codec *codec = position_codec("huffman-gaps-key");
    assert_int_equal(stamma_position_encode(codec, &white, &a), STAMMA_OK);
    assert_int_equal(stamma_position_encode(codec, &black, &b), STAMMA_OK);
    assert_int_equal(stamma_position_encode(codec, &pushed, &c), STAMMA_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_int_equal(c.bits, a.bits + 5);
    assert_memory_not_equal(a.bytes, c.bytes, 24);
}

static void check_key(const stamma_position *position)
{
    stamma_position_code key;
    if (stamma_position_encode(position_codec("huffman-gaps-key"), position, &key) == STAMMA_OK)
        assert_true(key.bits <= 192 || bits_count(position_occupied(position)) > 28);
}

static void key_size(void **state)
{
    (void)state;
    each_sample(72, 60, check_key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps),     cmocka_unit_test(promoted_pieces), cmocka_unit_test(prefix_free),
        cmocka_unit_test(sizes),    cmocka_unit_test(reachable),       cmocka_unit_test(key_without_side),
        cmocka_unit_test(key_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
