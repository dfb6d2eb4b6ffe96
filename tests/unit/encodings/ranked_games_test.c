/* SPDX-License-Identifier: MIT */
/* Tests `ranked-tiers`, `ranked-huffman` and `arithmetic` (Forster 2015): the bits of each rank, and the sizes that the
 * probabilities imply. */
#include "code_support.h"
#include "encodings/position_codes.h"

#include <math.h>

#include "model/model.h"

enum { PLIES = 256 };

/* Stores the likely moves of the initial position, one per rank. */
static size_t likely_starts(stamma_likely_move likely[STAMMA_MOVES_MAX])
{
    stamma_position start = stamma_position_start();
    size_t count = 0;
    if (!stamma_predict_weights())
        skip();
    assert_int_equal(stamma_predict(&start, NULL, 0, NULL, likely, &count), STAMMA_OK);
    return count;
}

/* Returns the code of a game of one ply as a number. Sets *code_bits to its number of bits. */
static unsigned code_of(const stamma_codec *codec, stamma_move move, size_t *code_bits)
{
    stamma_position start = stamma_position_start();
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(1)];
    stamma_move back;
    size_t size = 0, plies = 0;
    assert_int_equal(stamma_codec_encode_game(codec, &start, &move, 1, bytes, sizeof bytes, &size, code_bits),
                     STAMMA_OK);
    assert_int_equal(stamma_codec_decode_game(codec, &start, bytes, size, &back, 1, &plies), STAMMA_OK);
    assert_int_equal(back, move);
    bit_reader in = {bytes, size * 8, 8, false};
    return (unsigned)stamma_bits_read(&in, (unsigned)*code_bits);
}

/* stamma_predict lists moves by rank: moves of equal frequency are in the same order. */
static void ties(void **state)
{
    (void)state;
    static const char fen[] = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    stamma_position start;
    size_t count = 0, equal = 0;
    if (!stamma_predict_weights())
        skip();
    assert_int_equal(stamma_fen_read(stamma_text_of(fen), &start, NULL, NULL), STAMMA_OK);
    assert_int_equal(stamma_predict(&start, NULL, 0, NULL, likely, &count), STAMMA_OK);
    for (unsigned rank = 10; rank < count; rank++) {
        uint8_t bytes[STAMMA_CODEC_GAME_SIZE(1)];
        size_t size = 0;
        assert_int_equal(stamma_codec_encode_game(&stamma_codec_ranked_tiers, &start, &likely[rank].move, 1, bytes,
                                                  sizeof bytes, &size, NULL),
                         STAMMA_OK);
        bit_reader in = {bytes, size * 8, 8, false};
        assert_int_equal(stamma_bits_read(&in, 3), 7);
        assert_int_equal(stamma_bits_read(&in, 6), rank - 10);
        equal += likely[rank].frequency == likely[rank - 1].frequency;
    }
    assert_true(equal >= 3);
}

/* 20 moves: six of 3 bits, four of 5, and ten of 3 + 4. */
static void tiers(void **state)
{
    (void)state;
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t count = likely_starts(likely), bits = 0;
    assert_int_equal(count, 20);
    for (unsigned rank = 0; rank < 20; rank++) {
        unsigned code = code_of(&stamma_codec_ranked_tiers, likely[rank].move, &bits);
        assert_int_equal(bits, rank < 6 ? 3 : rank < 10 ? 5 : 7);
        assert_int_equal(code, rank < 6 ? rank : rank < 10 ? 6 << 2 | (rank - 6) : 7 << 4 | (rank - 10));
    }
}

static void huffman(void **state)
{
    (void)state;
    stamma_likely_move likely[STAMMA_MOVES_MAX];
    size_t bits = 0;
    likely_starts(likely);
    assert_int_equal(code_of(&stamma_codec_ranked_huffman, likely[0].move, &bits), 0);
    assert_int_equal(bits, 1);
    assert_int_equal(code_of(&stamma_codec_ranked_huffman, likely[1].move, &bits), 4); /* 100 */
    assert_int_equal(bits, 3);
    assert_int_equal(code_of(&stamma_codec_ranked_huffman, likely[2].move, &bits), 10); /* 1010 */
    assert_int_equal(bits, 4);
}

/* Codes without a rank, and strings that no encoder writes. */
static void corrupt(void **state)
{
    (void)state;
    static const struct {
        const stamma_codec *codec;
        uint8_t bytes[3];
        size_t size;
    } known[] = {
        {&stamma_codec_ranked_tiers, {0x02, 0xF4}, 2},         /* 111 1010: rank 20 of 20 */
        {&stamma_codec_ranked_tiers, {0x02}, 1},               /* no code */
        {&stamma_codec_ranked_tiers, {0x02, 0x01}, 2},         /* a bit after the code */
        {&stamma_codec_ranked_huffman, {0x02, 0xFF, 0xFF}, 3}, /* rank 40 or more */
        {&stamma_codec_arithmetic, {0x02, 0x00}, 2},           /* a zero at the end */
        {&stamma_codec_arithmetic, {0x02, 0x80, 0x01}, 3},     /* more bytes than the move needs */
    };
    stamma_position start = stamma_position_start();
    stamma_move moves[PLIES];
    size_t plies = 0;
    if (!stamma_predict_weights())
        skip();
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        assert_int_equal(
            stamma_codec_decode_game(known[n].codec, &start, known[n].bytes, known[n].size, moves, PLIES, &plies),
            STAMMA_ERROR_CORRUPT);
}

/* The size of a game's string is the information of its moves, rounded up to bytes. */
static void arithmetic(void **state)
{
    (void)state;
    static const char *const game[] = {"e4",   "e5",   "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O",  "Be7", "Re1",
                                       "b5",   "Bb3",  "d6",  "c3",  "O-O", "h3", "Nb8", "d4",  "Nbd7", "c4",  "c6",
                                       "cxb5", "axb5", "Nc3", "Bb7", "Bg5", "b4", "Nb1", "h6",  "Bh4",  "c5"};
    enum { COUNT = sizeof game / sizeof *game };
    stamma_position start = stamma_position_start(), position = start;
    stamma_move moves[COUNT], back[COUNT];
    uint32_t frequencies[COUNT];
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(COUNT)];
    size_t size = 0, code_bits = 0, plies = 0;
    double bits = 0;
    if (!stamma_predict_weights())
        skip();
    for (size_t n = 0; n < COUNT; n++) {
        moves[n] = move_of_san(&position, game[n]);
        stamma_position_make(&position, moves[n], &position);
    }
    assert_int_equal(stamma_predict_game(&start, moves, COUNT, NULL, frequencies), STAMMA_OK);
    for (size_t n = 0; n < COUNT; n++)
        bits += log2((double)STAMMA_PREDICT_TOTAL / frequencies[n]);
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_arithmetic, &start, moves, COUNT, bytes, sizeof bytes,
                                              &size, &code_bits),
                     STAMMA_OK);
    assert_true((double)code_bits < bits + 9 && (double)code_bits > bits - 8);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_arithmetic, &start, bytes, size, back, COUNT, &plies),
                     STAMMA_OK);
    assert_memory_equal(back, moves, sizeof moves);
    for (size_t capacity = 0; capacity < size; capacity++)
        assert_int_equal(
            stamma_codec_encode_game(&stamma_codec_arithmetic, &start, moves, COUNT, bytes, capacity, &size, NULL),
            STAMMA_ERROR_NO_SPACE);
}

static void count_part(void *context, const stamma_code_part *part)
{
    (void)part;
    ++*(unsigned *)context;
}

/* A game with an illegal move is explained only up to this move. */
static void illegal_moves(void **state)
{
    (void)state;
    static const stamma_codec *const codecs[] = {&stamma_codec_ranked_tiers, &stamma_codec_ranked_huffman,
                                                 &stamma_codec_arithmetic};
    const stamma_position start = stamma_position_start();
    const stamma_move moves[2] = {stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH), stamma_move_make(12, 28, 0)};
    if (!stamma_predict_weights())
        skip();
    for (size_t n = 0; n < sizeof codecs / sizeof *codecs; n++) {
        unsigned one = 0, both = 0;
        assert_int_equal(stamma_codec_explain_game(codecs[n], &start, moves, 1, count_part, &one), STAMMA_OK);
        assert_int_equal(stamma_codec_explain_game(codecs[n], &start, moves, 2, count_part, &both),
                         STAMMA_ERROR_ILLEGAL);
        assert_true(one > 0 && both == one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ties),       cmocka_unit_test(tiers),
                                       cmocka_unit_test(huffman),    cmocka_unit_test(corrupt),
                                       cmocka_unit_test(arithmetic), cmocka_unit_test(illegal_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
