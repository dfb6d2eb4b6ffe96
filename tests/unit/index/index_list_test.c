/* SPDX-License-Identifier: MIT */
/* Tests lists of numbers in index files: each number is read back, and a truncated list ends with an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "index/index.h"

static void lists_return_their_numbers(void **state)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    static uint32_t numbers[3000];
    (void)state;
    for (unsigned test = 0; test < 200; test++) {
        uint32_t universe = test % 7 == 0 ? UINT32_C(1) << 28 : 3000 + 977 * test, count = 0;
        for (uint32_t at = test; at < universe && count < 3000;
             at += 1 + (at * 2654435761u >> 8) % (test % 50 * 40 + 1))
            numbers[count++] = at;
        count = test == 3 ? 0 : test == 4 ? 1 : count;
        buffer bytes = {.allocator = &allocator};
        index_list list;
        uint32_t number, n = 0;
        stamma_index_list_write(&bytes, numbers, count, universe);
        stamma_index_list_begin(&list, bytes.data, bytes.size, universe);
        for (; stamma_index_list_next(&list, universe, &number); n++)
            assert_true(n < count && number == numbers[n]);
        assert_true(n == count && !list.failed);
        for (size_t size = 0; size < bytes.size;
             size += 1 + size / 8) { /* a truncated list ends with an error */
            stamma_index_list_begin(&list, bytes.data, size, universe);
            for (n = 0; stamma_index_list_next(&list, universe, &number); n++)
                assert_true(n < count && number == numbers[n]);
            assert_true(list.failed || n == 0);
        }
        stamma_buffer_release(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_return_their_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
