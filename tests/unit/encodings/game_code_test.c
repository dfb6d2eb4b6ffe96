/* SPDX-License-Identifier: MIT */
/* Tests the strings of complete games: golden bytes of the front (plies and null moves), every error in the front, and
 * the codes of single moves as values (src/codec/codec_calls.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

enum { PLIES = 64 };

static size_t encoded(const stamma_codec *codec, const stamma_move *moves, size_t plies, uint8_t bytes[1024])
{
    stamma_position start = stamma_position_start();
    size_t size = 0;
    assert_int_equal(stamma_codec_encode_game(codec, &start, moves, plies, bytes, 1024, &size, NULL), STAMMA_OK);
    return size;
}

static stamma_error decoded(const stamma_codec *codec, const uint8_t *bytes, size_t size, stamma_move moves[PLIES],
                            size_t *plies)
{
    stamma_position start = stamma_position_start();
    return stamma_codec_decode_game(codec, &start, bytes, size, moves, PLIES, plies);
}

/* 1. e4 -- 2. -- c5: four plies; plies 1 and 2 are null moves. */
static const stamma_move with_nulls[4] = {0x131C, STAMMA_MOVE_NULL, STAMMA_MOVE_NULL, 0x1CA2};

static void golden_strings(void **state)
{
    (void)state;
    uint8_t bytes[1024];
    stamma_move back[PLIES];
    size_t plies = 0;
    /* A codec with a code for the null move: 2 x 4, then four bytes. */
    static const uint8_t by_square[] = {8, 158, 255, 255, 29};
    assert_int_equal(encoded(&stamma_codec_bcgn_square, with_nulls, 4, bytes), sizeof by_square);
    assert_memory_equal(bytes, by_square, sizeof by_square);
    /* A codec without a code for the null move: 2 x 4 + 1, two null moves, one ply before the first, none before the
     * second; then 11 and 6 in five bits each. */
    static const uint8_t index_bits[] = {9, 2, 1, 0, 0x59, 0x80};
    assert_int_equal(encoded(&stamma_codec_legal_index_bits, with_nulls, 4, bytes), sizeof index_bits);
    assert_memory_equal(bytes, index_bits, sizeof index_bits);
    assert_int_equal(decoded(&stamma_codec_legal_index_bits, bytes, sizeof index_bits, back, &plies), STAMMA_OK);
    assert_int_equal(plies, 4);
    assert_memory_equal(back, with_nulls, sizeof with_nulls);
    static const uint8_t nothing[] = {0};
    assert_int_equal(encoded(&stamma_codec_legal_index_bits, with_nulls, 0, bytes), 1);
    assert_memory_equal(bytes, nothing, 1);
}

/* Texts are concatenated, with a space after each. */
static void golden_text(void **state)
{
    (void)state;
    uint8_t bytes[1024];
    extern const stamma_codec stamma_codec_san;
    size_t size = encoded(&stamma_codec_san, with_nulls, 4, bytes);
    assert_int_equal(size, 13);
    assert_memory_equal(bytes, "\10e4 -- -- c5 ", 13);
}

static void faults_of_the_front(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint8_t bytes[12];
        size_t size;
    } cases[] = {
        {"nothing", {0}, 0},
        {"a number of plies that does not end", {0x80}, 1},
        {"a number of plies in more bytes than it needs", {0x88, 0, 0x59, 0x80}, 4},
        {"a list without null moves", {9, 0, 0x59, 0x80}, 4},
        {"more null moves than plies", {3, 2, 0, 0}, 4},
        {"a null move after the last ply", {9, 2, 1, 2, 0x59, 0x80}, 6},
        {"the second after the last ply", {5, 2, 1, 0}, 4},
        {"the third after the last ply", {7, 3, 0, 1, 0}, 5},
        {"a list that does not end", {9, 2, 1}, 3},
        {"a byte too many", {9, 2, 1, 0, 0x59, 0x80, 0}, 7},
        {"a byte too few", {9, 2, 1, 0, 0x59}, 5},
        {"a bit in the filling", {9, 2, 1, 0, 0x59, 0x81}, 6},
        {"bits after no plies", {0, 0}, 2},
    };
    stamma_move moves[PLIES];
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        size_t plies = 77;
        stamma_error error = decoded(&stamma_codec_legal_index_bits, cases[n].bytes, cases[n].size, moves, &plies);
        if (error != STAMMA_ERROR_CORRUPT || plies != 77)
            fail_msg("%s: %s", cases[n].what, stamma_error_text(error));
    }
    size_t plies = 0;
    assert_int_equal(decoded(&stamma_codec_legal_index_bits, (const uint8_t *)"\11\2\1\0Y\200", 6, moves, &plies),
                     STAMMA_OK);
    /* A list of null moves is invalid if the codec has a code for the null move. */
    assert_int_equal(decoded(&stamma_codec_bcgn_square, (const uint8_t *)"\3\1\0", 3, moves, &plies),
                     STAMMA_ERROR_CORRUPT);
}

/* The number of plies in a string is checked against the room before the plies are decoded. */
static void too_many_plies(void **state)
{
    (void)state;
    static const uint8_t huge[] = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};
    stamma_move moves[PLIES];
    size_t plies = 0;
    assert_int_equal(stamma_codec_game_plies(huge, sizeof huge, &plies), STAMMA_OK);
    assert_true(plies == UINT64_MAX / 2);
    assert_int_equal(decoded(&stamma_codec_legal_index_bits, huge, sizeof huge, moves, &plies), STAMMA_ERROR_NO_SPACE);
    assert_int_equal(decoded(&stamma_codec_legal_index_radix, huge, sizeof huge, moves, &plies), STAMMA_ERROR_NO_SPACE);
    assert_int_equal(stamma_codec_game_plies(huge, 9, &plies), STAMMA_ERROR_CORRUPT);
    assert_int_equal(stamma_codec_game_plies(huge, 0, &plies), STAMMA_ERROR_CORRUPT);
}

/* Every capacity below the string's size is rejected, and nothing is written beyond it. */
static void no_space(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    static const stamma_codec *const codecs[] = {&stamma_codec_bcgn_square, &stamma_codec_legal_index_bits,
                                                 &stamma_codec_legal_index_radix, &stamma_codec_move32};
    for (size_t which = 0; which < sizeof codecs / sizeof *codecs; which++) {
        uint8_t bytes[64];
        size_t whole = encoded(codecs[which], with_nulls, 4, (uint8_t[1024]){0}), size = 77;
        for (size_t capacity = 0; capacity < whole; capacity++) {
            memset(bytes, 0xA5, sizeof bytes);
            assert_int_equal(
                stamma_codec_encode_game(codecs[which], &start, with_nulls, 4, bytes, capacity, &size, NULL),
                STAMMA_ERROR_NO_SPACE);
            assert_int_equal(bytes[capacity], 0xA5);
            assert_int_equal(size, 77);
        }
    }
}

static void partial_codes_have_no_games(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    uint8_t bytes[64];
    size_t size = 0;
    stamma_move moves[PLIES];
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_butterfly, &start, with_nulls, 4, bytes, 64, &size, NULL),
                     STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(decoded(&stamma_codec_check_flag, (const uint8_t *)"\0", 1, moves, &size),
                     STAMMA_ERROR_UNSUPPORTED);
}

/* Values with more bits than their length, and invalid lengths. */
static void faults_of_values(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move move = 77;
    static const stamma_code bad[] = {{256 + 11, 8}, {11, 7}, {11, 9}, {11, 0}, {0, 65}, {11, 100}, {UINT64_MAX, 64}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)
        assert_int_equal(stamma_codec_decode(&stamma_codec_legal_index, &start, bad[n], &move), STAMMA_ERROR_CORRUPT);
    assert_int_equal(move, 77);
    assert_int_equal(stamma_codec_decode(&stamma_codec_legal_index, &start, (stamma_code){11, 8}, &move), STAMMA_OK);
    assert_int_equal(move, 0x131C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_strings),
        cmocka_unit_test(golden_text),
        cmocka_unit_test(faults_of_the_front),
        cmocka_unit_test(too_many_plies),
        cmocka_unit_test(no_space),
        cmocka_unit_test(partial_codes_have_no_games),
        cmocka_unit_test(faults_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
