/* SPDX-License-Identifier: MIT */
/* Tests the board representation mailbox-12x12: two rows of guards on every side. */
#include "board_laws.h"

static void laws(void **state)
{
    (void)state;
    law_all("mailbox-12x12", UINT16_MAX);
}

static bool is_guard(unsigned index)
{
    return index / 12 < 2 || index / 12 > 9 || index % 12 < 2 || index % 12 > 9;
}

static void check_guards(const stamma_position *position)
{
    stamma_board_state state;
    assert_int_equal(board_named("mailbox-12x12")->set_up(position, &state), STAMMA_OK);
    for (unsigned index = 0; index < 144; index++)
        assert_int_equal(state.bytes[index] == 99, is_guard(index));
}

/* As drawn in mailbox_12x12.c: a1 has index 26, h8 has 117, and exactly the other 80 entries are 99. */
static void guards(void **unused)
{
    (void)unused;
    stamma_position start = stamma_position_start();
    stamma_board_state state;
    assert_int_equal(board_named("mailbox-12x12")->set_up(&start, &state), STAMMA_OK);
    assert_int_equal((int8_t)state.bytes[26], 4);
    assert_int_equal((int8_t)state.bytes[30], 6);
    assert_int_equal((int8_t)state.bytes[117], -4);
    each_sample(18, 30, check_guards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws), cmocka_unit_test(guards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
