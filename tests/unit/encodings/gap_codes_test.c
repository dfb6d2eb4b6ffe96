/* SPDX-License-Identifier: MIT */
/* Tests `gap-codes` (Forster 2015): each sequence uses the code of one move, in the fixed order, and only if each of
 * its steps is the only legal move of its kind. If the number of moves is a power of two, there are no gaps. Every line
 * of the book is a legal game. */
#include "code_support.h"
#include "encodings/encodings.h"

enum { PLIES = 32 };

/* Returns the number of bits of a game in SAN. Asserts that decoding returns the moves. */
static size_t bits_of(const char *fen, const char *const *sans, uint8_t bytes[64])
{
    stamma_position start = position_of_fen(fen), p = start;
    stamma_move moves[PLIES], back[PLIES];
    size_t plies = 0, size = 0, bits = 0, count = 0;
    for (; sans[plies]; plies++) {
        moves[plies] = move_of_san(&p, sans[plies]);
        stamma_position_make(&p, moves[plies], &p);
    }
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_gap_codes, &start, moves, plies, bytes, 64, &size, &bits),
                     STAMMA_OK);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &start, bytes, size, back, PLIES, &count),
                     STAMMA_OK);
    assert_int_equal(count, plies);
    assert_memory_equal(back, moves, plies * sizeof *moves);
    return bits;
}

typedef struct example {
    const char *fen;
    const char *moves[4];
    int gap; /* the sequence's index among the usable sequences; -1: not usable */
} example;

static const example patterns[] = {
    {"4k2r/5p2/8/8/8/8/P4P2/4K2R w Kk - 0 1", {"O-O", "O-O"}, 0},
    {"4k2r/5p2/8/8/8/8/5P2/4K2R w Kk - 0 1", {"O-O", "O-O"}, -1}, /* with sixteen moves there is no gap */
    {"4k2r/5p2/8/8/8/8/P4P2/4K2R w K - 0 1", {"O-O", "Kd7"}, -1},
    {"4k3/8/8/2p5/3p4/4P3/8/4K3 w - - 0 1", {"exd4", "cxd4"}, 0},
    {"4k2r/5p2/8/2p5/3p4/4P3/5P2/4K2R w Kk - 0 1", {"exd4", "cxd4"}, 1},
    /* two pawns can capture, or one pawn can capture two pieces */
    {"4k3/8/8/2p5/3p4/2P1P3/8/4K3 w - - 0 1", {"exd4", "cxd4"}, -1},
    {"4k3/8/8/2p1p3/3p1p2/4P3/7P/4K3 w - - 0 1", {"exd4", "cxd4"}, -1},
    {"4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", {"dxc6", "bxc6"}, 0}, /* en passant counts as PxP */
    {"4k3/1p6/8/2pP4/8/8/8/4K3 w - - 0 1", {"d6", "b5"}, -1},
    {"r1r1k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"Rxa8", "Rxa8"}, 0},
    {"r1r1k3/8/8/8/8/8/8/R1R1K3 w - - 0 1", {"Rxa8", "Rxa8"}, -1},
    {"r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"Rxa8+", "Kd7"}, -1},
    /* on each of the four squares */
    {"4k3/6pp/5n2/6B1/8/8/8/4K3 b - - 0 1", {"h6", "Bxf6", "gxf6"}, 0},
    {"4k3/pp3p2/2n5/1B6/8/8/8/4K3 b - - 0 1", {"a6", "Bxc6+", "bxc6"}, 0},
    {"4k3/8/8/8/6b1/5N2/6PP/4K3 w - - 0 1", {"h3", "Bxf3", "gxf3"}, 0},
    {"4k3/8/8/8/1b6/2N5/PP5P/4K3 w - - 0 1", {"a3", "Bxc3+", "bxc3"}, 1},      /* h3 is first */
    {"4k3/8/8/8/1b4b1/2N2N2/PP4PP/4K3 w - - 0 1", {"h3", "Bxf3", "gxf3"}, -1}, /* two bishops can capture */
    {"4k3/8/8/8/7P/8/8/4K3 w - - 0 1", {"h5", "Kd7"}, -1},                     /* no push from h4 to h6 */
    {"4k3/pp1b4/2n5/1B6/8/8/8/5K2 b - - 0 1", {"a6", "Bxc6", "bxc6"}, -1},     /* two black pieces can recapture */
};

static void patterns_take_the_bits_of_one_move(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof patterns / sizeof *patterns; n++) {
        uint8_t bytes[64] = {0};
        stamma_position p = position_of_fen(patterns[n].fen);
        size_t moves = stamma_legal_moves_count(&p), bits = bits_of(patterns[n].fen, patterns[n].moves, bytes);
        unsigned value = bytes[1] >> (8 - bits_for(moves));
        if (patterns[n].gap < 0) {
            assert_true(value < moves);
            continue;
        }
        assert_int_equal(bits, bits_for(moves));
        assert_int_equal(value, moves + (unsigned)patterns[n].gap);
    }
}

/* Every line is a sequence of legal moves and continues after the ply at which its code is used. */
static void lines_of_the_book(void **state)
{
    (void)state;
    for (unsigned ply = 0; ply < BOOK_PLIES; ply++) {
        assert_true(stamma_book_first[ply] <= stamma_book_first[ply + 1]);
        for (unsigned n = stamma_book_first[ply]; n < stamma_book_first[ply + 1]; n++) {
            const book_line *line = &stamma_book_lines[n];
            stamma_position p = stamma_position_start();
            assert_in_range(line->plies, ply + 2, BOOK_LINE_MAX);
            for (unsigned at = 0; at < line->plies; at++) {
                assert_true(stamma_move_is_legal(&p, line->moves[at]));
                stamma_position_make(&p, line->moves[at], &p);
            }
        }
    }
}

/* 1. e4 e5 2. Nf3 Nc6 is the first line, so it uses the first gap. The line is not used from another position or after
 * a null move. */
static void only_from_the_initial_position(void **state)
{
    (void)state;
    static const char *const moves[] = {"e4", "e5", "Nf3", "Nc6", NULL};
    uint8_t bytes[64] = {0};
    assert_int_equal(bits_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves, bytes), 5);
    assert_int_equal(bytes[1] >> 3, 20);
    assert_int_equal(bits_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", moves, bytes), 20);
    static const char *const nulls[] = {"--", "--", "e4", "e5", "Nf3", "Nc6", NULL};
    assert_int_equal(bits_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", nulls, bytes), 20);
}

/* The code of a sequence that extends beyond the end of the game or over a null move is corrupt. So is a code after
 * the last sequence. */
static void bad_sequences(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move moves[PLIES];
    size_t plies = 0;
    const uint8_t whole[] = {8, 20 << 3}, cut[] = {6, 20 << 3}, null[] = {9, 1, 3, 20 << 3};
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &start, whole, 2, moves, PLIES, &plies),
                     STAMMA_OK);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &start, cut, 2, moves, PLIES, &plies),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &start, null, 4, moves, PLIES, &plies),
                     STAMMA_ERROR_CORRUPT);
    stamma_position none = position_of_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"); /* five moves; the gaps are unused */
    for (unsigned code = 5; code < 8; code++) {
        const uint8_t bytes[] = {2, (uint8_t)(code << 5)};
        assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &none, bytes, 2, moves, PLIES, &plies),
                         STAMMA_ERROR_CORRUPT);
    }
}

/* A game has one valid string: 1. e4 e5 2. Nf3 Nc6 move by move is corrupt, because a sequence covers it. */
static void one_string_a_game(void **state)
{
    (void)state;
    stamma_position p = stamma_position_start(), start = p;
    static const char *const sans[] = {"e4", "e5", "Nf3", "Nc6"};
    stamma_move moves[PLIES];
    size_t plies = 0;
    uint8_t bytes[8] = {8};
    bit_writer out = {bytes, 64, 8, false};
    for (unsigned n = 0; n < 4; n++) {
        stamma_code code = code_of_san(&stamma_codec_legal_index_bits, &p, sans[n]);
        stamma_bits_write(&out, code.value, code.bits);
        stamma_position_make(&p, move_of_san(&p, sans[n]), &p);
    }
    size_t size = (out.size + 7) / 8;
    assert_int_equal(
        stamma_codec_decode_game(&stamma_codec_legal_index_bits, &start, bytes, size, moves, PLIES, &plies), STAMMA_OK);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_gap_codes, &start, bytes, size, moves, PLIES, &plies),
                     STAMMA_ERROR_CORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_take_the_bits_of_one_move),
        cmocka_unit_test(lines_of_the_book),
        cmocka_unit_test(only_from_the_initial_position),
        cmocka_unit_test(bad_sequences),
        cmocka_unit_test(one_string_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
