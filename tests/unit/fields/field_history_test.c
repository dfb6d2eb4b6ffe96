/* SPDX-License-Identifier: MIT */
/* Tests the contexts of a field's next value (clause 14.10). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/fields.h"

/* Position buckets begin at 0, 1, 2, 3, 5, 7, 11 ... values. Sizes are in bits. */
static void levels_follow_the_game(void **state)
{
    (void)state;
    static const uint8_t buckets[] = {0, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8};
    field_keys keys = {.count = 1};
    field_stream *x = &keys.list[0];
    field_enter_game(x, 1);
    for (unsigned n = 0; n < 300; n++) {
        unsigned top = bits_last(n + 1), level = n == 0 ? 0 : 2 * top + ((n + 1) >> (top - 1) & 1);
        assert_int_equal(x->levels[CONTEXT_POSITION], level < 15 ? level : 15);
        assert_true(n >= sizeof buckets || level == buckets[n]);
        context_note(x, n == 298 ? 5 : 1u << 30);
        field_push(x, 1024 + (n > 0));
    }
    assert_int_equal(x->levels[CONTEXT_FIRST], 11);
    assert_int_equal(x->levels[CONTEXT_LAST], 15);
    assert_int_equal(x->levels[CONTEXT_SECOND], 3);
    field_enter_game(x, 2);
    assert_int_equal(x->levels[CONTEXT_FIRST], 11);
    for (unsigned context = CONTEXT_POSITION; context <= CONTEXT_SECOND; context++)
        assert_int_equal(x->levels[context], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_follow_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
