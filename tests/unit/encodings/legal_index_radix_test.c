/* SPDX-License-Identifier: MIT */
/* Tests `legal-index-radix`: a game is one number, with at most one bit more than the sum of log2 n. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

enum { PLIES = 18001 };

/* Plays a random game without regard to draws. Returns the number of plies, and the sum of log2 of the numbers of legal
 * moves. Prefers quiet moves, by choosing up to nine times per ply, so that the game does not end early. */
static size_t random_game(stamma_position position, size_t plies, uint64_t *random, stamma_move *moves, double *sum)
{
    size_t n = 0;
    for (*sum = 0; n < plies; n++) {
        stamma_move legal[STAMMA_MOVES_MAX];
        size_t count = stamma_legal_moves(&position, legal);
        if (count == 0)
            break;
        moves[n] = legal[random_next(random) % count];
        for (unsigned more = 0; more < 8 && stamma_move_flags(moves[n]) != STAMMA_FLAG_QUIET; more++)
            moves[n] = legal[random_next(random) % count];
        *sum += log2((double)count);
        stamma_position_make(&position, moves[n], &position);
    }
    return n;
}

static void check_game(const stamma_position *start, size_t plies, uint64_t *random)
{
    static stamma_move moves[PLIES], back[PLIES];
    static uint8_t bytes[STAMMA_CODEC_GAME_SIZE(PLIES)];
    double sum = 0;
    size_t size = 0, bits = 0, count = 0;
    plies = random_game(*start, plies, random, moves, &sum);
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_legal_index_radix, start, moves, plies, bytes, sizeof bytes,
                                              &size, &bits),
                     STAMMA_OK);
    assert_true((double)bits >= sum - 1e-6 * sum && (double)bits < sum + 1 + 1e-6 * sum);
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_legal_index_radix, start, bytes, size, back, plies, &count),
                     STAMMA_OK);
    assert_int_equal(count, plies);
    assert_memory_equal(back, moves, plies * sizeof *moves);
}

static void within_a_bit_of_the_sum(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (unsigned n = 0; n < 30 * SAMPLE_STARTS; n++) {
        stamma_position start = position_of_fen(sample_starts[n % SAMPLE_STARTS]);
        check_game(&start, (size_t)(random_next(&random) % 300), &random);
    }
}

/* Knights move back and forth for the maximum number of plies. */
static void the_longest_game(void **state)
{
    (void)state;
    uint64_t random = 4;
    stamma_position start = position_of_fen("6nk/6pp/8/8/8/8/PP6/KN6 w - - 0 1");
    check_game(&start, 4000, &random);
    static stamma_move moves[PLIES];
    static uint8_t bytes[STAMMA_CODEC_GAME_SIZE(PLIES)];
    for (unsigned n = 0; n < PLIES; n++) { /* b1c3 g8f6 c3b1 f6g8 */
        static const stamma_move shuffle[4] = {1 << 6 | 18, 62 << 6 | 45, 18 << 6 | 1, 45 << 6 | 62};
        moves[n] = shuffle[n % 4];
    }
    size_t size = 0, count = 0;
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_legal_index_radix, &start, moves, PLIES, bytes,
                                              sizeof bytes, &size, NULL),
                     STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_encode_game(&stamma_codec_legal_index_radix, &start, moves, PLIES - 1, bytes,
                                              sizeof bytes, &size, NULL),
                     STAMMA_OK);
    static stamma_move back[PLIES];
    assert_int_equal(
        stamma_codec_decode_game(&stamma_codec_legal_index_radix, &start, bytes, size, back, PLIES, &count), STAMMA_OK);
    assert_int_equal(count, PLIES - 1);
    assert_memory_equal(back, moves, count * sizeof *moves);
}

/* Three plies from the initial position, computed by hand: 11 + 20 x (10 + 20 x 23) of 20 x 20 x 29 numbers, in 14
 * bits, lowest bit first. */
static void golden_number(void **state)
{
    (void)state;
    static const uint8_t plies[] = {6}; /* 2 x 3 */
    stamma_position start = stamma_position_start(), position = start;
    stamma_move moves[3];
    size_t index[3] = {0}, count[3] = {0}, size = 0, bits = 0;
    static const char *const uci[3] = {"e2e4", "e7e5", "g1f3"};
    for (unsigned n = 0; n < 3; n++) {
        move_sets sets;
        assert_int_equal(stamma_uci_read(&position, text_of(uci[n]), &moves[n]), STAMMA_OK);
        stamma_move_sets_legal(&position, &sets);
        index[n] = stamma_move_sets_index(&sets, &position, moves[n]);
        count[n] = sets.moves;
        stamma_position_make(&position, moves[n], &position);
    }
    assert_int_equal(index[0], 11);
    assert_int_equal(index[1], 10);
    assert_int_equal(index[2], 23);
    assert_int_equal(count[2], 29);
    uint8_t bytes[64];
    assert_int_equal(
        stamma_codec_encode_game(&stamma_codec_legal_index_radix, &start, moves, 3, bytes, sizeof bytes, &size, &bits),
        STAMMA_OK);
    assert_int_equal(bits, 14);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, plies, 1);
    size_t number = index[0] + 20 * (index[1] + 20 * index[2]), read = 0;
    for (unsigned bit = 0; bit < 14; bit++)
        read |= (size_t)(bytes[1 + bit / 8] >> (7 - bit % 8) & 1) << bit;
    assert_int_equal(read, number);
    /* Corrupt: the largest number plus one, and a bit after the last. */
    stamma_move back[3];
    size_t plies_back = 0;
    bytes[2] |= 1;
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_legal_index_radix, &start, bytes, 3, back, 3, &plies_back),
                     STAMMA_ERROR_CORRUPT);
    bytes[1] = 0xFF, bytes[2] = 0xFC;
    assert_int_equal(stamma_codec_decode_game(&stamma_codec_legal_index_radix, &start, bytes, 3, back, 3, &plies_back),
                     STAMMA_ERROR_CORRUPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_number),
        cmocka_unit_test(within_a_bit_of_the_sum),
        cmocka_unit_test(the_longest_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
