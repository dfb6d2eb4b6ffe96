/* SPDX-License-Identifier: MIT */
/* Tests sections of ascending numbers in index files: each number is found by its index and by its value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index/index_build.h"

/* Writes numbers as a section of a file in memory, and finds each number by its index and by its value. */
static void compare_ascending(const uint32_t *numbers, uint32_t count)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer raw = {.allocator = &allocator}, bytes = {.allocator = &allocator};
    atomic_uchar checked[64];
    for (size_t n = 0; n < sizeof checked; n++)
        atomic_init(&checked[n], 255); /* all pages */
    for (uint32_t n = 0; n < count; n++)
        index_add_u32(&raw, numbers[n]);
    stamma_index_ascending_write(&bytes, raw.data, count);
    index_file file = {.bytes = bytes.data, .size = bytes.size, .checked = checked};
    index_segment s = {.counts[COUNT_LISTS] = count - 1};
    s.parts[SECTION_LIST_STARTS].size = bytes.size;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t pair[2], last = n;
        assert_true(stamma_index_ascending(&file, &s, SECTION_LIST_STARTS, n, pair));
        assert_int_equal(pair[0], numbers[n]);
        assert_int_equal(pair[1], numbers[n + 1 < count ? n + 1 : n]);
        while (last + 1 < count && numbers[last + 1] == numbers[n])
            last++;
        assert_int_equal(stamma_index_ascending_find(&file, &s, SECTION_LIST_STARTS, numbers[n]), last);
    }
    assert_false(file.damaged);
    s.parts[SECTION_LIST_STARTS].size = bytes.size / 2; /* truncated */
    uint32_t pair[2];
    assert_false(stamma_index_ascending(&file, &s, SECTION_LIST_STARTS, count - 1, pair) && !file.damaged);
    stamma_buffer_release(&raw);
    stamma_buffer_release(&bytes);
}

static void ascending_numbers_are_found(void **state)
{
    static uint32_t numbers[5000];
    (void)state;
    for (uint32_t test = 0; test < 60; test++) {
        const uint32_t count = test < 3 ? test + 1 : 1 + test * 2654435761u % 5000;
        const uint64_t step = UINT64_C(1) << test % 20;
        uint64_t at = test % 5 == 0 ? 0 : test;
        for (uint32_t n = 0; n < count; n++) {
            numbers[n] = (uint32_t)at;
            if (n % 7 != 0 && (n ^ test) * 2654435761u >> 28 != 0) /* some are equal, and some far apart */
                at += (n * 2246822519u >> 8) % step * (n % 501 == 500 ? 9 : 1);
            at = at < UINT32_MAX ? at : UINT32_MAX;
        }
        compare_ascending(numbers, count);
    }
    const uint32_t far[] = {0, 0, UINT32_MAX};
    compare_ascending(far, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ascending_numbers_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
