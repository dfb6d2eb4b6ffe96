/* SPDX-License-Identifier: MIT */
/* Tests the numbering of the kinds of pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/position_number.h"
#include "sample_positions.h"

/* Converts digits of base five (N B R Q K) to kinds. Returns false unless there is exactly one king, or none if the
 * king is fixed. */
static bool kinds_from(unsigned digits, unsigned count, unsigned fixed, piece_kinds *kinds)
{
    memset(kinds, 0, sizeof *kinds);
    for (unsigned place = 0; place < count; place++, digits /= 5)
        kinds->places[STAMMA_KNIGHT + digits % 5] |= square_bit(place);
    return bits_count(kinds->places[STAMMA_KING]) == (fixed ? 0u : 1u);
}

static unsigned power_of_five(unsigned count)
{
    unsigned power = 1;
    while (count-- > 0)
        power *= 5;
    return power;
}

/* Enumerates all kinds of a shape: the numbers are below the count, and each occurs once. */
static void check_shape(const position_shape *s)
{
    uint64_t count = stamma_kinds_count(s), found = 0;
    unsigned white_end = power_of_five(s->pieces[0]), black_end = power_of_five(s->pieces[1]);
    bool *seen = calloc(count + 1, sizeof *seen);
    assert_non_null(seen);
    for (unsigned n = 0; n < white_end * black_end; n++) {
        piece_kinds kinds[2], again[2];
        uint64_t number;
        if (!kinds_from(n % white_end, s->pieces[0], s->fixed[0], &kinds[0]) ||
            !kinds_from(n / white_end, s->pieces[1], s->fixed[1], &kinds[1]) || !stamma_kinds_rank(s, kinds, &number))
            continue;
        assert_true(number < count && !seen[number]);
        seen[number] = true;
        found++;
        stamma_kinds_unrank(s, number, again);
        assert_memory_equal(kinds, again, sizeof kinds);
    }
    assert_int_equal(found, count);
    free(seen);
}

static void small_shapes(void **state)
{
    (void)state;
    static const position_shape shapes[] = {
        {.pieces = {1, 1}},                                   /* only the two kings */
        {.pieces = {4, 3}, .pawns = {0, 0}},                  /* any three and two pieces */
        {.pieces = {5, 3}, .pawns = {8, 7}, .pairs = 7},      /* no promotion of White, one promotion of Black */
        {.pieces = {5, 2}, .pawns = {6, 8}, .pairs = 2},      /* two promotions of White, none of Black */
        {.pieces = {4, 3}, .fixed = {1, 2}, .pawns = {7, 7}}, /* king and rooks fixed */
        {.pieces = {3, 3}, .fixed = {2, 0}, .pawns = {8, 8}, .pairs = 8},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        check_shape(&shapes[n]);
}

/* Unreachable material has no kinds: promotions without captures, or more captures than there were. */
static void captures_explain_promotions(void **state)
{
    (void)state;
    position_shape start = {.pieces = {8, 8}, .pawns = {8, 8}, .pairs = 8};
    assert_true(stamma_kinds_count(&start) > 0);
    position_shape queen = {.pieces = {9, 8}, .pawns = {7, 8}, .pairs = 7}; /* 32 pieces, one of them promoted */
    assert_true(stamma_kinds_count(&queen) == 0);
    /* One pawn captured by a pawn ends two pairs: at most three promotions. */
    position_shape three = {.pieces = {10, 9}, .pawns = {6, 6}, .pairs = 6};
    assert_true(stamma_kinds_count(&three) > 0);
    position_shape four = {.pieces = {10, 9}, .pawns = {6, 6}, .pairs = 5};
    assert_true(stamma_kinds_count(&four) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_shapes), cmocka_unit_test(captures_explain_promotions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
