/* SPDX-License-Identifier: MIT */
/* Tests packed: codes of at most 24 bytes that can be used as keys. */
#include "position_laws.h"

static unsigned longest;

static void measure(const stamma_position *position)
{
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("packed"), position, &code), STAMMA_OK);
    longest = code.bits > longest ? code.bits : longest;
}

/* 84 bits for two kings, 7 for two pieces, 4 for one piece: 189 bits for 32 pieces of any kinds. */
static void sizes(void **state)
{
    (void)state;
    assert_int_equal(bits_of("packed", "7k/8/8/8/8/8/8/K7 w - - 0 1"), 84);
    assert_int_equal(bits_of("packed", "7k/8/8/8/8/8/8/KN6 w - - 0 1"), 88);
    assert_int_equal(bits_of("packed", "7k/8/8/8/8/8/8/KNN5 w - - 0 1"), 91);
    assert_int_equal(bits_of("packed", "rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1"), 189);
    for (unsigned number = 0; number < 960; number++) {
        stamma_position start;
        stamma_position_chess960(number, &start);
        measure(&start);
    }
    each_sample(36, 60, measure);
    assert_int_equal(longest, 189);
}

/* Two positions have the same bytes exactly if they are equal as far as encodings represent them. */
static stamma_position_code known[4096];
static stamma_position seen[4096];
static unsigned known_count;

static void compare(const stamma_position *position)
{
    stamma_position coded = stamma_position_coded(position);
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("packed"), position, &code), STAMMA_OK);
    for (unsigned n = 0; n < known_count; n++)
        assert_int_equal(memcmp(&known[n], &code, sizeof code) == 0, memcmp(&seen[n], &coded, sizeof coded) == 0);
    if (known_count < 4096) {
        known[known_count] = code;
        seen[known_count++] = coded;
    }
}

static void key(void **state)
{
    (void)state;
    each_sample(36, 40, compare);
    assert_true(known_count > 500);
}

/* The same board with each right, en passant, side and clock separately. */
static void all_of_the_state(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq - 0 1",   "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",  "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 1 1",
    };
    stamma_position_code codes[8];
    for (unsigned n = 0; n < 8; n++) {
        stamma_position position = position_of_fen(fens[n]);
        assert_true(law_round_trip(position_codec("packed"), &position));
        assert_int_equal(stamma_position_encode(position_codec("packed"), &position, &codes[n]), STAMMA_OK);
        for (unsigned m = 0; m < n; m++)
            assert_memory_not_equal(&codes[m], &codes[n], sizeof *codes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(key),
                                       cmocka_unit_test(all_of_the_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
