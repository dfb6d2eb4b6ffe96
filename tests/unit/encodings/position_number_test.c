/* SPDX-License-Identifier: MIT */
/* Tests position-number: every reachable position has a number below 2^160. */
#include "position_laws.h"

#include "encodings/position_number.h"

static void number_of(const stamma_position *position, uint8_t bytes[20])
{
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("position-number"), position, &code), STAMMA_OK);
    assert_int_equal(code.bits, 160);
    memcpy(bytes, code.bytes, 20);
}

/* All positions of two kings, with either side to move, have distinct numbers. */
static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 20);
}

static void two_kings(void **state)
{
    (void)state;
    static uint8_t numbers[2 * 64 * 64][20];
    unsigned count = 0;
    for (unsigned n = 0; n < 2 * 64 * 64; n++) {
        stamma_setup setup = {{0}, n >= 4096 ? STAMMA_BLACK : STAMMA_WHITE, {{64, 64}, {64, 64}}, 64, 0, 1};
        stamma_position position;
        memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
        setup.board[n % 64] = STAMMA_KING;
        setup.board[n / 64 % 64] = STAMMA_KING + 8;
        if (stamma_position_set_up(&setup, &position) != STAMMA_OK)
            continue;
        assert_true(law_round_trip(position_codec("position-number"), &position));
        number_of(&position, numbers[count++]);
    }
    assert_int_equal(count, 2 * 3612);
    qsort(numbers, count, 20, by_bytes);
    for (unsigned n = 1; n < count; n++)
        assert_memory_not_equal(numbers[n - 1], numbers[n], 20);
}

/* Random numbers: many decode to no legal position; the others encode to themselves. */
static void random_numbers(void **state)
{
    (void)state;
    uint64_t random = 153;
    unsigned legal = 0;
    for (unsigned n = 0; n < 4000; n++) {
        stamma_position_code code = {160, {0}};
        stamma_position position;
        for (unsigned byte = 0; byte < 20; byte++)
            code.bytes[byte] = (uint8_t)random_next(&random);
        code.bytes[0] &= (uint8_t)(0xFF >> n % 8);
        legal += stamma_position_decode(position_codec("position-number"), &code, &position) == STAMMA_OK;
    }
    assert_true(legal > 20);
}

/* Unreachable positions are rejected, for example promotions without captures. Only this codec checks this. */
static void unreachable(void **state)
{
    (void)state;
    stamma_position queens = position_of_fen("rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1");
    stamma_position reachable = position_of_fen("rnbqkbnr/1qqqqqq1/8/8/8/8/1QQQQQQ1/RNBQKBNR w KQkq - 0 1");
    stamma_position knights = position_of_fen("rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPP1/RNBQKBNR w KQkq - 0 1");
    assert_false(law_round_trip(position_codec("position-number"), &queens));
    assert_false(law_round_trip(position_codec("position-number"), &knights));
    assert_true(law_round_trip(position_codec("position-number"), &reachable));
    assert_true(law_round_trip(position_codec("packed"), &queens));
}

/* There are 952428102155842448167772158234117219125018876720 numbers (generators/position_number_tables.py). That
 * number and the largest number of 160 bits are invalid. Every smaller number decodes to some placement, legal or
 * not. */
static void ends(void **state)
{
    (void)state;
    static const uint8_t end[20] = {0xA6, 0xD4, 0x5A, 0x6A, 0x1F, 0x18, 0x39, 0x31, 0x4D, 0x4E,
                                    0x1D, 0x2A, 0xE2, 0xF2, 0x15, 0x5B, 0x97, 0xC9, 0xDB, 0x30};
    stamma_position position;
    stamma_position_code code = {160, {0}};
    memset(code.bytes, 0xFF, 20);
    assert_int_equal(stamma_position_decode(position_codec("position-number"), &code, &position), STAMMA_ERROR_CORRUPT);
    memcpy(code.bytes, end, 20);
    assert_int_equal(stamma_position_decode(position_codec("position-number"), &code, &position), STAMMA_ERROR_CORRUPT);
    wide number = {{0}};
    position_shape shape;
    for (unsigned byte = 0; byte < 20; byte++)
        number.limb[(19 - byte) / 4] |= (uint32_t)end[byte] << (19 - byte) % 4 * 8;
    stamma_wide_divide(&number, 2 * 101);
    wide last = number, one = {{1}};
    assert_false(stamma_shape_unrank(&number, &shape));
    assert_true(stamma_wide_subtract(&last, &one));
    assert_true(stamma_shape_unrank(&last, &shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_kings),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(unreachable),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
