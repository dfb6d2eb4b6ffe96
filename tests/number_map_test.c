/* Maps from keys to numbers: they keep what was put into them, and keys chosen to be slow are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/tables.h"

#include "chosen_texts.h"

/* Maps keep what was put into them, however many there are, and forget it when cleared. */
static void maps_keep_numbers(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    number_map map = {0};
    for (int round = 0; round < 2; round++) {
        for (uint32_t key = 0; key < 5000; key++) {
            uint32_t *place = stamma_number_map_at(&map, key * 77, &allocator);
            assert_non_null(place);
            assert_int_equal(*place, 0);
            *place = key + 1;
        }
        for (uint32_t key = 0; key < 5000; key++)
            assert_int_equal(*stamma_number_map_at(&map, key * 77, &allocator), key + 1);
        assert_int_equal(map.count, 5000);
        assert_null(stamma_number_map_find(&map, 1));
        assert_int_equal(*stamma_number_map_find(&map, 77), 2);
        stamma_number_map_clear(&map);
    }
    stamma_number_map_release(&map, &allocator);
}

/* Keys that a multiplication by the golden ratio brings to the same place, and keys in a row. */
static void chosen_keys_are_quick(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (int chosen = 0; chosen < 2; chosen++) {
        number_map map = {0};
        uint32_t product = 0;
        for (uint32_t n = 1; n <= CHOSEN_KEYS_MAX; n++) {
            uint32_t key = chosen ? next_chosen_key(&product) : n;
            assert_true(!chosen || (key * 0x9E3779B1u) >> 18 == 0);
            assert_non_null(stamma_number_map_at(&map, key, &allocator));
        }
        assert_int_equal(map.count, CHOSEN_KEYS_MAX);
        assert_true(map.steps <= (uint64_t)STEPS_EACH * CHOSEN_KEYS_MAX);
        stamma_number_map_release(&map, &allocator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_keep_numbers),
        cmocka_unit_test(chosen_keys_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
