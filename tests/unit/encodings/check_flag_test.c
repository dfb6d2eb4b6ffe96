/* SPDX-License-Identifier: MIT */
/* Tests `check-flag`: the flag that is computed before a move is set exactly if the opponent is in check after the
 * move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encodings/encodings.h"
#include "sample_positions.h"

static unsigned flag_of(const stamma_position *position, stamma_move move)
{
    stamma_code code = {9, 9};
    assert_int_equal(stamma_codec_encode(&stamma_codec_check_flag, position, move, &code), STAMMA_OK);
    assert_int_equal(code.bits, 1);
    return (unsigned)code.value;
}

static void checks_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *what, *fen, *uci;
        bool check;
    } cases[] = {
        {"direct", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", true},
        {"discovered", "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1", "e2c3", true},
        {"the shield moves along the line", "4k3/8/8/8/4P3/8/8/4RK2 w - - 0 1", "e4e5", false},
        {"en passant opens a diagonal of the taken pawn", "8/1k6/8/3pP3/8/8/6B1/4K3 w - d6 0 1", "e5d6", true},
        {"en passant opens a rank", "8/8/8/R1Pp2k1/8/8/8/4K3 w - d6 0 1", "c5d6", true},
        {"castling", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true},
        {"castling in Chess960 where the rook stays", "k7/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", false},
        {"promotion to a queen", "k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", true},
        {"promotion to a knight", "8/2k1P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", true},
        {"promotion along the file it came from", "8/4P3/8/8/4k3/8/8/K7 w - - 0 1", "e7e8r", true},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        stamma_position position = position_of_fen(cases[n].fen);
        stamma_move move = STAMMA_MOVE_NULL;
        if (stamma_uci_read(&position, text_of(cases[n].uci), &move) != STAMMA_OK ||
            flag_of(&position, move) != cases[n].check)
            fail_msg("%s", cases[n].what);
    }
}

static void equals_make_and_look(const stamma_position *position)
{
    stamma_move moves[STAMMA_MOVES_MAX];
    for (size_t n = stamma_legal_moves(position, moves); n > 0; n--) {
        stamma_position after;
        stamma_position_make(position, moves[n - 1], &after);
        assert_int_equal(flag_of(position, moves[n - 1]), stamma_position_in_check(&after));
    }
}

static void sample_positions(void **state)
{
    (void)state;
    each_sample(16 * SAMPLE_STARTS, 50, equals_make_and_look);
}

static void there_is_no_way_back(void **state)
{
    (void)state;
    stamma_position start = stamma_position_start();
    stamma_move move = 77;
    for (unsigned bit = 0; bit < 2; bit++)
        assert_int_equal(stamma_codec_decode(&stamma_codec_check_flag, &start, (stamma_code){bit, 1}, &move),
                         STAMMA_ERROR_UNSUPPORTED);
    assert_int_equal(stamma_codec_decode(&stamma_codec_check_flag, &start, (stamma_code){0, 0}, &move),
                     STAMMA_ERROR_CORRUPT);
    assert_int_equal(move, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_of_every_kind),
        cmocka_unit_test(sample_positions),
        cmocka_unit_test(there_is_no_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
