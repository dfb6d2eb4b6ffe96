/* SPDX-License-Identifier: MIT */
/* Tests `direction-target`: the counts of 756 pairs of target and direction and of 66 under-promotions, and that
 * codes decode to the legal moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

/* Counts each pair of target and direction with an origin on the board, and for each side the 22 ways to the last
 * rank, with three under-promotions each. */
static void the_count_of_the_source(void **state)
{
    (void)state;
    unsigned pairs = 0, ways = 0;
    for (int target = 0; target < 64; target++)
        for (int files = -2; files <= 2; files++)
            for (int ranks = -2; ranks <= 2; ranks++) {
                int length = files * files + ranks * ranks, file = target % 8 - files, rank = target / 8 - ranks;
                bool direction = length == 1 || length == 2 || length == 5;
                pairs += direction && file >= 0 && file < 8 && rank >= 0 && rank < 8;
                ways += target >= 56 && ranks == 1 && files * files <= 1 && file >= 0 && file < 8;
            }
    assert_int_equal(pairs, 756);
    assert_int_equal(3 * ways, 66);
    assert_int_equal(pairs + 3 * ways, 822);
    for (unsigned number = 0; number < 756; number++) {
        unsigned pair = stamma_direction_pairs[number];
        assert_int_equal(stamma_direction_numbers[pair >> 4][pair & 15], number);
    }
}

static size_t codes_that_are_moves(const stamma_position *position, bool *used)
{
    size_t found = 0;
    for (unsigned value = 0; value < 1024; value++) {
        stamma_move move = STAMMA_MOVE_NULL;
        if (stamma_codec_decode(&stamma_codec_direction_target, position, (stamma_code){value, 10}, &move) != STAMMA_OK)
            continue;
        stamma_code again;
        assert_int_equal(stamma_codec_encode(&stamma_codec_direction_target, position, move, &again), STAMMA_OK);
        assert_int_equal(again.value, value);
        assert_true(value < 822 || move == STAMMA_MOVE_NULL);
        used[value] = true;
        found++;
    }
    return found;
}

static bool used_codes[2][1024];

static void count_codes(const stamma_position *position)
{
    size_t found = codes_that_are_moves(position, used_codes[position->side]);
    assert_int_equal(found, stamma_legal_moves_count(position) + !stamma_position_in_check(position));
}

static void codes_are_the_legal_moves(void **state)
{
    (void)state;
    each_sample(4 * SAMPLE_STARTS, 40, count_codes);
}

/* Each of the 822 codes is the code of a queen's or knight's move or an under-promotion of either side. */
static void every_code_is_used(void **state)
{
    (void)state;
    static const uint8_t corners[4] = {0, 7, 56, 63};
    for (unsigned color = 0; color < 2; color++) {
        memset(used_codes[color], 0, sizeof used_codes[color]);
        for (unsigned square = 0; square < 64; square++)
            for (unsigned type = STAMMA_KNIGHT; type <= STAMMA_QUEEN; type += STAMMA_QUEEN - STAMMA_KNIGHT)
                for (unsigned kings = 0; kings < 16; kings++) {
                    stamma_setup setup = {.side = (stamma_color)color, .en_passant = 64, .fullmove_number = 1};
                    memset(setup.castling, 64, sizeof setup.castling);
                    memset(setup.board, STAMMA_PIECE_NONE, sizeof setup.board);
                    setup.board[corners[kings / 4]] = (stamma_piece)(STAMMA_KING + 8 * color);
                    setup.board[corners[kings % 4]] = (stamma_piece)(STAMMA_KING + 8 * !color);
                    stamma_position position;
                    if (setup.board[square] != STAMMA_PIECE_NONE)
                        continue;
                    setup.board[square] = (stamma_piece)(type + 8 * color);
                    if (stamma_position_set_up(&setup, &position) == STAMMA_OK)
                        count_codes(&position);
                }
    }
    const char *white[] = {"nnnnnnnn/PPPPPPPP/8/8/8/8/8/k1K5 w - - 0 1", "8/PPPPPPPP/8/8/8/8/8/k1K5 w - - 0 1"};
    const char *black[] = {"k1K5/8/8/8/8/8/pppppppp/NNNNNNNN b - - 0 1", "k1K5/8/8/8/8/8/pppppppp/8 b - - 0 1"};
    for (unsigned n = 0; n < 2; n++) {
        stamma_position position = position_of_fen(white[n]);
        count_codes(&position);
        position = position_of_fen(black[n]);
        count_codes(&position);
    }
    for (unsigned color = 0; color < 2; color++)
        for (unsigned code = 0; code < 822; code++)
            assert_true(used_codes[color][code]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_of_the_source),
        cmocka_unit_test(codes_are_the_legal_moves),
        cmocka_unit_test(every_code_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
