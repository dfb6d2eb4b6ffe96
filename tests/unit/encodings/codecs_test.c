/* SPDX-License-Identifier: MIT */
/* Tests the requirements for every codec: codes of legal moves decode to the moves, no other bits decode, and games
 * with null moves decode to the same moves. Invalid input is distinguished from moves that a code does not support. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sample_positions.h"

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",                  /* promotions, with and without captures */
    "8/8/8/K1Pp3r/8/8/8/7k w - d6",                         /* an en passant capture that a pin forbids */
    "4QQQQ/8/k7/8/8/8/7K/qqqq4 w - -",                      /* four queens */
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -",     /* 218 moves (Forster 2015) */
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - -",     /* 218 moves (Chess Programming Wiki) */
    "bnrkqrbn/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRBN w FCfc -", /* Chess960 */
    "1r3k1r/8/8/8/8/8/8/RK5R w HAhb -", /* castling in which king or rook does not move, or both swap squares */
    "2r1k3/8/8/8/8/8/8/4K1RR w G -",
    "7k/8/8/8/8/8/8/1RK5 w B -",
    "k7/8/1K6/8/8/8/8/8 b - -",                /* one legal move */
    "NNNNK3/NNNN4/8/8/8/8/4nnnn/3knnnn w - -", /* more knights than a code may assume */
    "BBBB2bK/BBBB4/8/8/8/8/4rrr1/3krrr1 b - -",
    "8/PPPPPPP1/8/4k3/8/8/8/RNBQKBNR w KQ -", /* more classes of pieces than have codes in a byte */
};
#define POSITIONS (sizeof positions / sizeof *positions)

/* Encodes and decodes all legal moves of a position with one codec. */
static void check_moves(const stamma_codec *codec, const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    size_t count = stamma_legal_moves(position, moves);
    for (size_t n = 0; n < count; n++) {
        stamma_code code = {77, 99};
        stamma_move back = 6 << 12;
        stamma_error error = stamma_codec_encode(codec, position, moves[n], &code);
        if (error != STAMMA_OK) {
            assert_int_equal(error, STAMMA_ERROR_UNSUPPORTED);
            assert_int_equal(code.bits, 99);
            continue;
        }
        assert_true(code.bits <= 64 && (code.bits == 64 || code.value >> code.bits == 0));
        error = stamma_codec_decode(codec, position, code, &back);
        if (error == STAMMA_OK)
            assert_int_equal(back, moves[n]);
        else
            assert_true(stamma_codec_describe(codec).is_partial);
    }
}

/* Decodes random values of random length, and all values of up to ten bits. */
static void check_any_bits(const stamma_codec *codec, const stamma_position *position, uint64_t *random)
{
    for (unsigned n = 0; n < 2500; n++) {
        stamma_code code = {n, 8 + n / 1024 * 2}, again;
        if (n >= 2048) {
            code.bits = (unsigned)(random_next(random) % 66);
            code.value = random_next(random) * random_next(random);
            if (code.bits < 64)
                code.value &= (UINT64_C(1) << code.bits) - 1;
        } else if (n < 1024 && n >= 256) {
            code.bits = 10;
        }
        stamma_move move = 6 << 12;
        stamma_error error = stamma_codec_decode(codec, position, code, &move);
        if (error != STAMMA_OK) {
            assert_int_equal(move, 6 << 12);
            assert_true(error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED ||
                        (error == STAMMA_ERROR_AMBIGUOUS && stamma_codec_describe(codec).is_partial));
            continue;
        }
        assert_true(move == STAMMA_MOVE_NULL ? !stamma_position_in_check(position)
                                             : stamma_move_is_legal(position, move));
        assert_int_equal(stamma_codec_encode(codec, position, move, &again), STAMMA_OK);
        assert_int_equal(again.value, code.value);
        assert_int_equal(again.bits, code.bits);
    }
}

static void single_moves(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t index = 0; stamma_codec_at(index); index++) {
        const stamma_codec *codec = stamma_codec_at(index);
        for (size_t n = 0; n < POSITIONS; n++) {
            stamma_position position = position_of_fen(positions[n]);
            if (stamma_codec_describe(codec).kind == STAMMA_CODEC_GAME) {
                stamma_code code = {0, 0};
                stamma_move move;
                assert_int_equal(stamma_codec_encode(codec, &position, 0, &code), STAMMA_ERROR_BAD_ARGUMENT);
                assert_int_equal(stamma_codec_decode(codec, &position, code, &move), STAMMA_ERROR_BAD_ARGUMENT);
                continue;
            }
            check_moves(codec, &position);
            check_any_bits(codec, &position, &random);
            stamma_code code;
            assert_int_equal(stamma_codec_encode(codec, &position, 7 << 12, &code), STAMMA_ERROR_ILLEGAL);
        }
    }
}

static size_t position_count;

static void check_all_codecs(const stamma_position *position)
{
    position_count++;
    for (size_t index = 0; stamma_codec_at(index); index++)
        if (stamma_codec_describe(stamma_codec_at(index)).kind != STAMMA_CODEC_GAME)
            check_moves(stamma_codec_at(index), position);
}

static void all_perft_positions(void **state)
{
    (void)state;
    position_count = 0;
    if (!each_perft_position(check_all_codecs)) {
        print_message("no perft suites in ../shared\n");
        skip();
    }
    print_message("%zu positions\n", position_count);
}

enum { GAME_PLIES = 300 };

/* Plays a random game. With `nulls`, one ply in 32 is a null move if that is allowed. */
static size_t random_game(const stamma_position *start, bool nulls, uint64_t *random, stamma_move moves[GAME_PLIES])
{
    stamma_position position = *start;
    size_t plies = 0, length = (size_t)(random_next(random) % GAME_PLIES);
    for (; plies < length; plies++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        size_t count = stamma_legal_moves(&position, legal);
        if (count == 0)
            break;
        moves[plies] = legal[random_next(random) % count];
        if (nulls && random_next(random) % 32 == 0 && !stamma_position_in_check(&position))
            moves[plies] = STAMMA_MOVE_NULL;
        stamma_position_make(&position, moves[plies], &position);
    }
    return plies;
}

/* Encodes and decodes one game. Then decodes the game with a flipped bit, and truncated. */
static void check_game(const stamma_codec *codec, const stamma_position *start, const stamma_move *moves, size_t plies,
                       uint64_t *random)
{
    uint8_t bytes[STAMMA_CODEC_GAME_SIZE(GAME_PLIES)];
    stamma_move back[GAME_PLIES];
    size_t size = 0, bits = 0, count = 0;
    stamma_error error = stamma_codec_encode_game(codec, start, moves, plies, bytes, sizeof bytes, &size, &bits);
    if (error != STAMMA_OK) {
        assert_int_equal(error, STAMMA_ERROR_UNSUPPORTED);
        return;
    }
    assert_true(size >= (bits + 7) / 8 + 1);
    assert_int_equal(stamma_codec_game_plies(bytes, size, &count), STAMMA_OK);
    assert_int_equal(count, plies);
    assert_int_equal(stamma_codec_decode_game(codec, start, bytes, size, back, GAME_PLIES, &count), STAMMA_OK);
    assert_int_equal(count, plies);
    assert_memory_equal(back, moves, plies * sizeof *moves);
    size_t nothing = 0;
    if (size > 0)
        assert_int_equal(stamma_codec_encode_game(codec, start, moves, plies, bytes, size - 1, &nothing, NULL),
                         STAMMA_ERROR_NO_SPACE);
    if (plies > 0)
        assert_int_equal(stamma_codec_decode_game(codec, start, bytes, size, back, plies - 1, &count),
                         STAMMA_ERROR_NO_SPACE);
    assert_int_equal(stamma_codec_encode_game(codec, start, moves, plies, bytes, sizeof bytes, &size, &bits),
                     STAMMA_OK);
    size_t turned = (size_t)(random_next(random) % (size * 8));
    bytes[turned / 8] ^= (uint8_t)(1u << turned % 8);
    error = stamma_codec_decode_game(codec, start, bytes, size - random_next(random) % 2, back, GAME_PLIES, &count);
    assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT || error == STAMMA_ERROR_UNSUPPORTED ||
                error == STAMMA_ERROR_NO_SPACE);
    stamma_position position = *start;
    for (size_t n = 0; error == STAMMA_OK && n < count; n++) {
        assert_true(back[n] == STAMMA_MOVE_NULL ? !stamma_position_in_check(&position)
                                                : stamma_move_is_legal(&position, back[n]));
        stamma_position_make(&position, back[n], &position);
    }
}

static void games(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (size_t n = 0; n < 12 * POSITIONS; n++) {
        stamma_position start = position_of_fen(positions[n % POSITIONS]);
        stamma_move moves[GAME_PLIES];
        size_t plies = random_game(&start, n % 3 == 2, &random, moves);
        for (size_t index = 0; stamma_codec_at(index); index++)
            check_game(stamma_codec_at(index), &start, moves, plies, &random);
    }
}

static void illegal_games_are_not_encoded(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_position check = position_of_fen("4k3/8/8/8/8/8/4r3/4K3 w - -");
    stamma_move wrong[2] = {stamma_move_make(12, 28, STAMMA_FLAG_DOUBLE_PUSH), stamma_move_make(12, 28, 0)};
    stamma_move null = STAMMA_MOVE_NULL, nowhere[1];
    uint8_t bytes[64];
    size_t size = 0;
    for (size_t index = 0; stamma_codec_at(index); index++) {
        const stamma_codec *codec = stamma_codec_at(index);
        if (stamma_codec_describe(codec).is_partial)
            continue;
        assert_int_equal(stamma_codec_encode_game(codec, &start, wrong, 2, bytes, sizeof bytes, &size, NULL),
                         STAMMA_ERROR_ILLEGAL);
        assert_int_equal(stamma_codec_encode_game(codec, &check, &null, 1, bytes, sizeof bytes, &size, NULL),
                         STAMMA_ERROR_ILLEGAL);
        for (unsigned flags = 1; flags < 16; flags++) {
            nowhere[0] = (stamma_move)(flags << 12); /* from a1 to a1 */
            assert_int_equal(stamma_codec_encode_game(codec, &start, nowhere, 1, bytes, sizeof bytes, &size, NULL),
                             STAMMA_ERROR_ILLEGAL);
        }
    }
}

static bool needs_model(const char *name)
{
    return strcmp(name, "ranked-tiers") == 0 || strcmp(name, "ranked-huffman") == 0 || strcmp(name, "arithmetic") == 0;
}

static void names(void **state)
{
    (void)state;
    for (size_t index = 0; stamma_codec_at(index); index++) {
        stamma_codec_info info = stamma_codec_describe(stamma_codec_at(index));
        stamma_text name = {info.name, strlen(info.name)};
        assert_ptr_equal(stamma_codec_find(name), stamma_codec_at(index));
        assert_ptr_equal(stamma_codec_find_without_model(name), needs_model(info.name) ? NULL : stamma_codec_at(index));
        assert_true(strlen(info.source) >= 3 && strlen(info.description) > 10);
    }
    stamma_text unknown = {"legal", 5}, empty = {NULL, 0};
    assert_null(stamma_codec_find(unknown));
    assert_null(stamma_codec_find(empty));
    assert_null(stamma_codec_find_without_model(unknown));
    assert_null(stamma_codec_at(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(single_moves),
        cmocka_unit_test(all_perft_positions),
        cmocka_unit_test(games),
        cmocka_unit_test(illegal_games_are_not_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
