/* SPDX-License-Identifier: MIT */
/* Tests `tarrasch` (Forster 2015): golden bytes, the same byte for every history of a position, the source's three
 * pawns that change numbers, and every reason to fall back, with and without the second queen. piece_game_test.c tests
 * the numbers that are updated from ply to ply. */
#include "code_support.h"
#include "encodings/encodings.h"

static unsigned code_of(const stamma_position *position, const char *san)
{
    stamma_code code = code_of_san(&stamma_codec_tarrasch, position, san);
    assert_int_equal(code.bits, 8);
    return (unsigned)code.value;
}

static void play(stamma_position *position, const char *san)
{
    stamma_position_make(position, move_of_san(position, san), position);
}

/* The upper half of a byte is the piece, the lower half the vector. */
static void golden_codes(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    assert_int_equal(code_of(&start, "e4"), 0x41);
    assert_int_equal(code_of(&start, "a3"), 0x00);
    assert_int_equal(code_of(&start, "Nc3"), 0x90);
    assert_int_equal(code_of(&start, "Na3"), 0x91);
    assert_int_equal(code_of(&start, "Nf3"), 0x99);
    assert_int_equal(code_of(&start, "--"), 0x8F);
    stamma_position open = position_of_fen("r3k2r/8/8/8/8/1B6/2QB4/R3K2R w KQkq - 0 1");
    assert_int_equal(code_of(&open, "O-O"), 0x88);
    assert_int_equal(code_of(&open, "O-O-O"), 0x89);
    assert_int_equal(code_of(&open, "Kf2"), 0x84);
    assert_int_equal(code_of(&open, "Bg8"), 0xA6); /* b3 is a light square */
    assert_int_equal(code_of(&open, "Bb4"), 0xB9);
    assert_int_equal(code_of(&open, "Rxa8"), 0xDF);
    assert_int_equal(code_of(&open, "Rf1"), 0xE5);
    assert_int_equal(code_of(&open, "Qh7"), 0xC7);
    assert_int_equal(code_of(&open, "Qa2"), 0xF0);
    assert_int_equal(code_of(&open, "Qc8+"), 0xFF);
    stamma_position dark = position_of_fen("4k3/1P6/8/8/8/2b5/1B4K1/8 b - - 0 1");
    assert_int_equal(code_of(&dark, "Bxb2"), 0xB1);
    stamma_position promotion = position_of_fen("2b1k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(code_of(&promotion, "bxc8=R+"), 0x0E);
    assert_int_equal(code_of(&promotion, "b8=N"), 0x04);
}

static void chess960_castling(void **state)
{
    (void)state;
    stamma_position chess960 = position_of_fen("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1");
    assert_int_equal(code_of(&chess960, "O-O"), 0x88);
    assert_int_equal(code_of(&chess960, "O-O-O"), 0x89);
}

/* The first queen is the queen on the lower file. The second queen has the codes of the pawns 6 and 7. */
static void second_queen(void **state)
{
    (void)state;
    stamma_position p = position_of_fen("7k/8/8/2Q5/5Q2/8/PPPPPP2/4K3 w - - 0 1");
    assert_int_equal(code_of(&p, "Qca3"), 0xC0);
    assert_int_equal(code_of(&p, "Qca5"), 0xF0);
    assert_int_equal(code_of(&p, "Qfh2+"), 0x6F);
    assert_int_equal(code_of(&p, "Qff8+"), 0x7F);
    assert_int_equal(code_of(&p, "a3"), 0x00);
    assert_null(stamma_codec_fallback(&stamma_codec_tarrasch, &p));
    assert_string_equal(stamma_codec_fallback(&stamma_codec_tarrasch_one_queen, &p), "more than one queen");
    stamma_code code = {0x50, 8};
    stamma_move move = 0x6000;
    assert_int_equal(stamma_codec_decode(&stamma_codec_tarrasch, &p, code, &move), STAMMA_OK); /* pawn 5: f2f3 */
    assert_int_equal(move, stamma_move_make(13, 21, STAMMA_FLAG_QUIET));
    /* The numbers swap when the second queen moves beyond the first. */
    play(&p, "Qfb8+");
    play(&p, "Kh7");
    assert_int_equal(code_of(&p, "Qbh8+"), 0xF7);
    assert_int_equal(code_of(&p, "Qch5+"), 0x77);
}

/* Lines A and B of the source: the pawn that captures on c6 was an e-pawn in line A and a c-pawn in line B. */
static void history_does_not_count(void **state)
{
    (void)state;
    static const char *const lines[2][8] = {{"e4", "e6", "c4", "d5", "cxd5", "exd5", "exd5", "c6"},
                                            {"e4", "e6", "c4", "d5", "exd5", "exd5", "cxd5", "c6"}};
    stamma_move moves[2][9];
    uint8_t bytes[2][16];
    for (unsigned line = 0; line < 2; line++) {
        stamma_position start = stamma_position_start(), p = start;
        for (unsigned n = 0; n < 9; n++) {
            moves[line][n] = move_of_san(&p, n < 8 ? lines[line][n] : "dxc6");
            if (n == 8)
                assert_int_equal(code_of(&p, "dxc6"), 0x32); /* pawn 3 (after a2, b2, d2), left */
            stamma_position_make(&p, moves[line][n], &p);
        }
        size_t size = 0;
        assert_int_equal(
            stamma_codec_encode_game(&stamma_codec_tarrasch, &start, moves[line], 9, bytes[line], 16, &size, NULL),
            STAMMA_OK);
        assert_int_equal(size, 10);
    }
    assert_int_equal(bytes[0][9], 0x32);
    assert_int_equal(bytes[1][9], 0x32);
    assert_true(memcmp(bytes[0] + 1, bytes[1] + 1, 8) != 0);
}

/* A capture of the source, the number of times that the pawn changes numbers, and then a move of each pawn with the
 * pawn's number. Black's pieces are placed for each pawn to have a move. */
static void pawns_change_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *capture, *answer;
        unsigned swaps;
        const char *moves[5];
    } examples[] = {
        {"4k3/8/8/8/8/np6/PPP5/6K1 w - - 0 1", "axb3", "Ke7", 1, {"bxa3", "b4", "c3"}},
        {"4k3/8/1bn5/1PP2P2/8/2Pr4/2P5/7K w - - 0 1", "bxc6", "Ke7", 3, {"cxd3", "c4", "cxb6", "c7", "f6+"}},
        {"4k3/8/8/8/PPb5/1n6/2P5/7K w - - 0 1", "cxb3", "Ke7", 1, {"a5", "bxc4", "b5"}},
    };
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
        stamma_position start = position_of_fen(examples[n].fen), p = start;
        stamma_move moves[3] = {move_of_san(&p, examples[n].capture)};
        assert_int_equal(stamma_tarrasch_swaps(&p, moves[0]), examples[n].swaps);
        stamma_position_make(&p, moves[0], &p);
        moves[1] = move_of_san(&p, examples[n].answer);
        stamma_position_make(&p, moves[1], &p);
        for (unsigned pawn = 0; pawn < 5 && examples[n].moves[pawn]; pawn++) {
            uint8_t bytes[8];
            size_t size = 0;
            assert_int_equal(code_of(&p, examples[n].moves[pawn]) >> 4, pawn);
            moves[2] = move_of_san(&p, examples[n].moves[pawn]);
            assert_int_equal(stamma_codec_encode_game(&stamma_codec_tarrasch, &start, moves, 3, bytes, 8, &size, NULL),
                             STAMMA_OK);
            assert_int_equal(bytes[3] >> 4, pawn);
        }
    }
}

/* Counts the pawns whose order relative to the capturing pawn changes, one by one. */
static void swaps_are_pawns_passed(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++) {
        unsigned from = stamma_move_from(moves[n]), to = stamma_move_to(moves[n]), passed = 0;
        bool pawn = position->by_type[STAMMA_PAWN] >> from & 1;
        uint64_t pawns = position->by_color[position->side] & position->by_type[STAMMA_PAWN] & ~square_bit(from);
        for (; pawns; pawns = bits_rest(pawns)) {
            unsigned other = square_place(bits_first(pawns));
            passed += (other < square_place(from)) != (other < square_place(to));
        }
        assert_int_equal(stamma_tarrasch_swaps(position, moves[n]),
                         pawn && !stamma_move_is_promotion(moves[n]) ? passed : 0);
    }
}

static void swaps(void **state)
{
    (void)state;
    each_sample(2 * SAMPLE_STARTS, 60, swaps_are_pawns_passed);
}

static void fallbacks(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *reason, *reason_one_queen;
    } positions[] = {
        {"4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", "more than two queens", "more than one queen"},
        {"4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1", "two queens and more than six pawns", "more than one queen"},
        {"4k3/8/8/8/8/8/PPPPPP2/QQ2K3 w - - 0 1", NULL, "more than one queen"},
        {"4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1", "more than two rooks", "more than two rooks"},
        {"4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1", "more than two knights", "more than two knights"},
        {"4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", "two bishops of one square colour", "two bishops of one square colour"},
        {"4k3/8/8/8/8/8/8/1B1BK3 w - - 0 1", "two bishops of one square colour", "two bishops of one square colour"},
        {"4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", NULL, NULL},
        {"4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 1", NULL, NULL}, /* only the side to move counts */
    };
    for (size_t n = 0; n < sizeof positions / sizeof *positions; n++) {
        stamma_position p = position_of_fen(positions[n].fen);
        const char *reason = stamma_codec_fallback(&stamma_codec_tarrasch, &p);
        const char *one_queen = stamma_codec_fallback(&stamma_codec_tarrasch_one_queen, &p);
        assert_int_equal(reason == NULL, positions[n].reason == NULL);
        assert_int_equal(one_queen == NULL, positions[n].reason_one_queen == NULL);
        if (reason) {
            assert_string_equal(reason, positions[n].reason);
            assert_int_equal(code_of(&p, "Kf1"), code_of_san(&stamma_codec_legal_index, &p, "Kf1").value);
        }
        if (one_queen)
            assert_string_equal(one_queen, positions[n].reason_one_queen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_codes),
        cmocka_unit_test(chess960_castling),
        cmocka_unit_test(second_queen),
        cmocka_unit_test(history_does_not_count),
        cmocka_unit_test(pawns_change_numbers),
        cmocka_unit_test(swaps),
        cmocka_unit_test(fallbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
