/* SPDX-License-Identifier: MIT */
/* Tests the numbering of pawn placements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_number.h"
#include "sample_positions.h"

/* Asserts that the codes contain the pawns and pairs of the shape and, for en passant, the pushed pawn and its
 * neighbour. */
static void check_codes(const position_shape *s, const uint16_t codes[8])
{
    stamma_position position;
    unsigned pairs = 0;
    memset(&position, 0, sizeof position);
    stamma_pawns_put(codes, &position);
    for (unsigned file = 0; file < 8; file++)
        pairs += stamma_pawns_pairs(codes[file]);
    assert_int_equal(bits_count(position.by_color[0]), s->pawns[0]);
    assert_int_equal(bits_count(position.by_color[1]), s->pawns[1]);
    assert_int_equal(pairs, s->pairs);
    if (s->en_passant) {
        unsigned file = s->en_passant / 2;
        position.side = STAMMA_WHITE;
        assert_true(stamma_en_passant_choices(&position) >> (40 + file) & 1);
        assert_true(position.by_color[0] >> (32 + (s->en_passant & 1 ? file + 1 : file - 1)) & 1);
    }
}

static void check_number(const position_shape *s, uint64_t number)
{
    uint16_t codes[8] = {0};
    stamma_pawns_unrank(s, number, codes);
    check_codes(s, codes);
    assert_true(stamma_pawns_rank(s, codes) == number);
}

/* All numbers of all classes with up to three pawns. Their count equals the number of placements. */
static void small_classes(void **state)
{
    (void)state;
    for (unsigned en_passant = 0; en_passant <= 14; en_passant += en_passant ? 3 : 1)
        for (unsigned white = 0; white <= 2; white++)
            for (unsigned black = 0; black + white <= 3 && black <= 2; black++)
                for (unsigned pairs = 0; pairs <= white && pairs <= black; pairs++) {
                    position_shape s = {.pawns = {white, black}, .pairs = pairs, .en_passant = en_passant};
                    uint64_t count = stamma_pawns_count(&s);
                    for (uint64_t number = 0; number < count; number++)
                        check_number(&s, number);
                }
}

static void random_numbers(void **state)
{
    (void)state;
    uint64_t random = 8;
    for (unsigned n = 0; n < 20000; n++) {
        position_shape s = {.pawns = {(unsigned)(random_next(&random) % 9), (unsigned)(random_next(&random) % 9)}};
        unsigned fewer = s.pawns[0] < s.pawns[1] ? s.pawns[0] : s.pawns[1];
        s.pairs = (unsigned)(random_next(&random) % (fewer + 1));
        s.en_passant = n % 4 ? 0 : (unsigned)(random_next(&random) % 15);
        if (stamma_pawns_count(&s) > 0)
            check_number(&s, random_next(&random) % stamma_pawns_count(&s));
    }
}

/* The total number of placements without regard to pairs, by binomials, equals the sum of the classes. */
static void totals(void **state)
{
    (void)state;
    for (unsigned white = 0; white <= 8; white++)
        for (unsigned black = 0; black <= 8; black++) {
            uint64_t ways = 0;
            for (unsigned pairs = 0; pairs <= white && pairs <= black; pairs++) {
                position_shape s = {.pawns = {white, black}, .pairs = pairs};
                ways += stamma_pawns_count(&s);
            }
            assert_true(ways == stamma_binomials[48][white] * stamma_binomials[48 - white][black]);
        }
}

/* Opposed pairs on a file, from its second rank on: a white pawn is opposed to at most one black pawn above it. */
static void pairs(void **state)
{
    (void)state;
    assert_int_equal(stamma_pawns_pairs(1 + 3 * 2), 1);                  /* w b */
    assert_int_equal(stamma_pawns_pairs(2 + 3 * 1), 0);                  /* b w */
    assert_int_equal(stamma_pawns_pairs(1 + 3 * 1 + 9 * 2), 1);          /* w w b */
    assert_int_equal(stamma_pawns_pairs(1 + 3 * 2 + 9 * 1 + 27 * 2), 2); /* w b w b */
    assert_int_equal(stamma_pawns_pairs(2 + 3 * 1 + 9 * 2 + 27 * 2), 1); /* b w b b */
    assert_int_equal(stamma_pawns_pairs(1 + 81 * 2), 1);                 /* w . . . b */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_classes),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(totals),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
