/* SPDX-License-Identifier: MIT */
/* Tests kings-castling: both kings and all rights in 12 bits (end of Wikipedia's article). */
#include "position_laws.h"

#include "encodings/position_codes.h"

/* Every number below 3,969 decodes to a combination of kings and rights, and every combination has a number. */
static void bijection(void **state)
{
    (void)state;
    unsigned without = 0;
    for (unsigned number = 0; number < STAMMA_KINGS_CASTLING_COUNT; number++) {
        stamma_kings_castling k;
        uint16_t again = 9999;
        assert_int_equal(stamma_kings_castling_unrank(number, &k), STAMMA_OK);
        assert_int_equal(stamma_kings_castling_rank(&k, &again), STAMMA_OK);
        assert_int_equal(again, number);
        without += !k.right[0][0] && !k.right[0][1] && !k.right[1][0] && !k.right[1][1];
    }
    assert_int_equal(without, 3612);
    stamma_kings_castling k;
    assert_int_equal(stamma_kings_castling_unrank(STAMMA_KINGS_CASTLING_COUNT, &k), STAMMA_ERROR_BAD_ARGUMENT);
}

/* Returns the number of combinations of kings' squares and at least one right that `exclude` does not exclude. */
static unsigned count_with_rights(bool (*exclude)(const stamma_kings_castling *k))
{
    unsigned count = 0;
    for (unsigned n = 0; n < 64 * 64 * 16; n++) {
        stamma_kings_castling k = {{(stamma_square)(n % 64), (stamma_square)(n / 64 % 64)}, {{false}}};
        uint16_t number;
        for (unsigned right = 0; right < 4; right++)
            k.right[right / 2][right % 2] = n / 4096 >> right & 1;
        if (n / 4096 != 0 && stamma_kings_castling_rank(&k, &number) == STAMMA_OK && !exclude(&k)) {
            assert_true(number >= 3612);
            count++;
        }
    }
    return count;
}

static bool nothing(const stamma_kings_castling *k)
{
    (void)k;
    return false;
}

/* Returns the distance of the other king from a castling rook of `color`: the sum of ranks and files; 99 without the
 * right. */
static unsigned distance_to_rook(const stamma_kings_castling *k, unsigned color, unsigned side)
{
    unsigned rook = 56 * color + (side == STAMMA_KING_SIDE ? 7 : 0), king = k->king[color ^ 1];
    if (!k->right[color][side])
        return 99;
    unsigned ranks = king / 8 > rook / 8 ? king / 8 - rook / 8 : rook / 8 - king / 8;
    unsigned files = king % 8 > rook % 8 ? king % 8 - rook % 8 : rook % 8 - king % 8;
    return ranks + files;
}

static bool on_rook(const stamma_kings_castling *k)
{
    return distance_to_rook(k, 0, 0) == 0 || distance_to_rook(k, 0, 1) == 0 || distance_to_rook(k, 1, 0) == 0 ||
           distance_to_rook(k, 1, 1) == 0;
}

/* Next to a rook that has never moved, on its rank or file, the king would have moved into check. */
static bool beside_rook(const stamma_kings_castling *k)
{
    return distance_to_rook(k, 0, 0) <= 1 || distance_to_rook(k, 0, 1) <= 1 || distance_to_rook(k, 1, 0) <= 1 ||
           distance_to_rook(k, 1, 1) <= 1;
}

static void counts(void **state)
{
    (void)state;
    assert_int_equal(count_with_rights(nothing), 357);
    assert_int_equal(count_with_rights(on_rook), 349);
    assert_int_equal(count_with_rights(beside_rook), 333);
}

/* The source counts four combinations fewer than 333, because it excludes Black's king on c1 if White has both rights.
 * This game reaches this position: the knight on b1 protects the king from the rook. */
static void king_on_c1(void **state)
{
    (void)state;
    static const char *const game[] = {"a4",   "e6", "c4",  "Ke7", "d3",  "Kd6", "Bh6", "gxh6", "Qb3", "h5", "Qb6+",
                                       "cxb6", "h3", "Kc5", "g3",  "Kb4", "g4",  "Kb3", "h4",   "Kc2", "f3", "Kc1"};
    stamma_position position = stamma_position_start();
    for (size_t n = 0; n < sizeof game / sizeof *game; n++) {
        stamma_move move;
        assert_int_equal(stamma_san_read(&position, text_of(game[n]), &move), STAMMA_OK);
        stamma_position_make(&position, move, &position);
    }
    assert_int_equal(stamma_position_piece(&position, 2), STAMMA_KING + 8);
    assert_int_equal(position.castling[STAMMA_WHITE][STAMMA_KING_SIDE], 7);
    assert_int_equal(position.castling[STAMMA_WHITE][STAMMA_QUEEN_SIDE], 0);
    stamma_position_code code;
    assert_int_equal(stamma_position_encode(position_codec("kings-castling"), &position, &code), STAMMA_OK);
    assert_int_equal(code.bits, 12);
}

static void errors(void **state)
{
    (void)state;
    uint16_t number = 77;
    stamma_kings_castling k = {{0, 1}, {{false}}};
    assert_int_equal(stamma_kings_castling_rank(&k, &number), STAMMA_ERROR_ILLEGAL);
    k.king[1] = 0;
    assert_int_equal(stamma_kings_castling_rank(&k, &number), STAMMA_ERROR_ILLEGAL);
    k.king[1] = 64;
    assert_int_equal(stamma_kings_castling_rank(&k, &number), STAMMA_ERROR_ILLEGAL);
    k.king[1] = 60;
    k.right[0][0] = true; /* the king is on a1 */
    assert_int_equal(stamma_kings_castling_rank(&k, &number), STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(number, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bijection),
        cmocka_unit_test(counts),
        cmocka_unit_test(king_on_c1),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
