/* SPDX-License-Identifier: MIT */
/* Tests `tojot` and related codecs (comments on Forster 2015) with the commenter's examples, whose numbers start at 1
 * in the source and at 0 here. Also tests the ten classes of the initial position, and the fallback above sixteen
 * classes. */
#include "code_support.h"
#include "encodings/encodings.h"

static unsigned code_of(const stamma_codec *codec, const stamma_position *position, const char *san, unsigned bits)
{
    stamma_code code = code_of_san(codec, position, san);
    assert_int_equal(code.bits, bits);
    return (unsigned)code.value;
}

/* The commenter's 7-1 and 7-9 are the knights' first moves, 9-1 to 10-9 are first moves of pawns. He counts classes and
 * descriptions from 1. */
static void commenters_examples(void **state)
{
    (void)state;
    stamma_position p = stamma_position_start();
    assert_int_equal(stamma_tojot_classes(&p), 10);
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "Nc3", 8), 0x60); /* first knight to NNE */
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "Na3", 8), 0x61);
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "Nh3", 8), 0x68); /* second knight to NNE */
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "a3", 8), 0x80);  /* first pawn, single */
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "b3", 8), 0x84);
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "g3", 8), 0x98); /* seventh pawn, single */
    assert_int_equal(code_of(&stamma_codec_tojot_split, &p, "a3", 8), 0x80);
    assert_int_equal(code_of(&stamma_codec_tojot_split, &p, "c3", 8), 0x84);
    assert_int_equal(code_of(&stamma_codec_tojot_split, &p, "c4", 8), 0x85);
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "--", 8), 0x7F);
}

/* `tojot-mixed`: king and knights along the files, two in a class. Castling is a step off the board. The initial
 * position has ten classes, as with `tojot`: here two classes for king and knights, there one class of two knights and
 * one class of the king. */
static void king_among_knights(void **state)
{
    (void)state;
    const stamma_codec *mixed = &stamma_codec_tojot_mixed;
    stamma_position p = position_of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    stamma_code code;
    assert_int_equal(code_of(mixed, &p, "Nc3", 8), 0x60); /* b1: first of class 6 */
    assert_int_equal(code_of(mixed, &p, "Nf3", 8), 0x71); /* g1, after the king: first of class 7 */
    assert_int_equal(code_of(mixed, &p, "h3", 8), 0x9C);
    assert_int_equal(stamma_codec_encode(mixed, &p, STAMMA_MOVE_NULL, &code), STAMMA_ERROR_UNSUPPORTED);
    p = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_int_equal(code_of(mixed, &p, "O-O", 8), 0x26);
    assert_int_equal(code_of(mixed, &p, "O-O-O", 8), 0x27);
    assert_int_equal(code_of(mixed, &p, "Ke2", 8), 0x20);
    p = position_of_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_int_equal(code_of(mixed, &p, "O-O", 8), 0x24);
    assert_int_equal(code_of(mixed, &p, "O-O-O", 8), 0x25);
    /* One knight and the king share a class: one class less than with `tojot`. */
    p = position_of_fen("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1");
    assert_int_equal(stamma_tojot_classes(&p), 4);
    assert_int_equal(code_of(mixed, &p, "Kf1", 8), 0x02);
    assert_int_equal(code_of(mixed, &p, "Nf3", 8), 0x09);
    assert_int_equal(code_of(mixed, &p, "e4", 8), 0x11);
}

static void all_classes(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("3nk3/4P3/2p1p3/3P3P/8/8/1B2N3/R2QK2R w KQ - 0 1");
    const stamma_codec *tojot = &stamma_codec_tojot, *split = &stamma_codec_tojot_split;
    assert_int_equal(stamma_tojot_classes(&p), 3 + 2 + 1 + 1 + 2 + 1);
    assert_int_equal(code_of(tojot, &p, "Ra8", 8), 0x0F);
    assert_int_equal(code_of(tojot, &p, "Rh4", 8), 0x1B);
    assert_int_equal(code_of(tojot, &p, "Qd4", 8), 0x2B); /* queen as rook */
    assert_int_equal(code_of(tojot, &p, "Bh8", 8), 0x37);
    assert_int_equal(code_of(tojot, &p, "Qa4", 8), 0x48); /* queen as bishop, down to the a-file */
    assert_int_equal(code_of(tojot, &p, "Nf4", 8), 0x50);
    assert_int_equal(code_of(tojot, &p, "O-O", 8), 0x68);
    assert_int_equal(code_of(tojot, &p, "Kf2", 8), 0x64);
    assert_int_equal(code_of(tojot, &p, "dxc6", 8), 0x72);
    assert_int_equal(code_of(tojot, &p, "h6", 8), 0x74);
    assert_int_equal(code_of(split, &p, "d6", 8), 0x70);
    assert_int_equal(code_of(split, &p, "h6", 8), 0x72);
    assert_int_equal(code_of(split, &p, "dxc6", 8), 0x80);
    assert_int_equal(code_of(split, &p, "dxe6", 8), 0x81);
    assert_int_equal(code_of(tojot, &p, "exd8=Q+", 8), 0x9B); /* about to promote: left, queen */
    assert_int_equal(code_of(split, &p, "exd8=N", 8), 0x98);
}

static void as_few_bits_as_classes_take(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        unsigned classes, bits;
    } positions[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, 4}, /* without pawns, there is no class of pawns */
        {"4k3/8/8/8/8/8/8/N3K3 w - - 0 1", 2, 5},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 3, 6},
        {"7k/P7/8/8/8/8/8/4K3 w - - 0 1", 2, 5},
        {"4k3/8/8/8/8/8/PPPPPPP1/RNBQKBNR w - - 0 1", 10, 8},
        {"k7/8/8/7P/1B6/B1B1B1B1/1B1B1B1B/B1B1B1BK w - - 0 1", 16, 8},
        {"k7/3P1P2/8/7P/8/B1B1B1B1/1B1B1B1B/B1B1B1BK w - - 0 1", 17, 9},
    };
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        stamma_position p = position_of_fen(positions[n].fen);
        stamma_move moves[STAMMA_MOVES_MAX];
        assert_true(stamma_legal_moves(&p, moves) > 0);
        stamma_code code = {0, 0};
        assert_int_equal(stamma_tojot_classes(&p), positions[n].classes);
        assert_int_equal(stamma_codec_encode(&stamma_codec_tojot_bits, &p, moves[0], &code), STAMMA_OK);
        assert_int_equal(code.bits, positions[n].bits);
        assert_int_equal(stamma_codec_encode(&stamma_codec_tojot_split_bits, &p, moves[0], &code), STAMMA_OK);
        assert_int_equal(code.bits, positions[n].bits);
        assert_null(stamma_codec_fallback(&stamma_codec_tojot_bits, &p));
        const char *reason = stamma_codec_fallback(&stamma_codec_tojot, &p);
        if (positions[n].classes <= 16)
            assert_null(reason);
        else
            assert_string_equal(reason, "more than sixteen classes");
    }
}

static void above_sixteen_the_legal_index(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("k7/3P1P2/8/7P/8/B1B1B1B1/1B1B1B1B/B1B1B1BK w - - 0 1");
    assert_int_equal(code_of(&stamma_codec_tojot, &p, "h6", 8), code_of(&stamma_codec_legal_index, &p, "h6", 8));
    assert_int_equal(code_of(&stamma_codec_tojot_split, &p, "Kg2", 8),
                     code_of(&stamma_codec_legal_index, &p, "Kg2", 8));
    assert_int_equal(code_of(&stamma_codec_tojot_bits, &p, "Kg2", 9), 12 << 4 | 5); /* after twelve bishops: NW */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commenters_examples),
        cmocka_unit_test(king_among_knights),
        cmocka_unit_test(all_classes),
        cmocka_unit_test(as_few_bits_as_classes_take),
        cmocka_unit_test(above_sixteen_the_legal_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
