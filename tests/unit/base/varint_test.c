/* SPDX-License-Identifier: MIT */
/* Tests varints: numbers of one to ten bytes. Only the shortest form is accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

static uint64_t read_bytes(const char *bytes, size_t size, bool *failed, size_t *left)
{
    cursor c = {(const uint8_t *)bytes, (const uint8_t *)bytes + size, false};
    uint64_t value = stamma_cursor_varint(&c);
    *failed = c.failed;
    *left = cursor_left(&c);
    return value;
}

static void known_bytes(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *bytes;
        size_t size;
    } known[] = {
        {0, "\x00", 1},
        {127, "\x7F", 1},
        {128, "\x80\x01", 2},
        {300, "\xAC\x02", 2},
        {16383, "\xFF\x7F", 2},
        {16384, "\x80\x80\x01", 3},
        {UINT64_C(1) << 63, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10},
        {UINT64_MAX, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10},
    };
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        buffer b = {.allocator = &allocator};
        stamma_buffer_add_varint(&b, known[i].value);
        assert_int_equal(b.size, known[i].size);
        assert_memory_equal(b.data, known[i].bytes, b.size);
        stamma_buffer_release(&b);

        bool failed;
        size_t left;
        assert_true(read_bytes(known[i].bytes, known[i].size, &failed, &left) == known[i].value);
        assert_false(failed);
        assert_int_equal(left, 0);
    }
}

/* 2^(7n) - 1 is the largest number of n bytes, and 2^(7n) is the smallest number of n + 1 bytes. */
static void sizes_change_at_powers_of_128(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer b = {.allocator = &allocator};
    for (unsigned bytes = 1; bytes <= 9; bytes++) {
        stamma_buffer_add_varint(&b, (UINT64_C(1) << 7 * bytes) - 1);
        assert_int_equal(b.size, bytes);
        b.size = 0;
        stamma_buffer_add_varint(&b, UINT64_C(1) << 7 * bytes);
        assert_int_equal(b.size, bytes + 1);
        cursor c = {b.data, b.data + b.size, false};
        assert_true(stamma_cursor_varint(&c) == UINT64_C(1) << 7 * bytes);
        assert_false(c.failed);
        b.size = 0;
    }
    stamma_buffer_release(&b);
}

static void what_no_writer_makes_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        const char *bytes;
        size_t size;
    } bad[] = {
        {"nothing", "", 0},
        {"cut short", "\x80", 1},
        {"cut short further on", "\xFF\xFF\xFF", 3},
        {"padded zero", "\x80\x00", 2},
        {"padded", "\xFF\x80\x00", 3},
        {"past 64 bits", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10},
        {"eleven bytes", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool failed;
        size_t left;
        uint64_t value = read_bytes(bad[i].bytes, bad[i].size, &failed, &left);
        if (!failed || value != 0)
            fail_msg("%s: taken", bad[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bytes),
        cmocka_unit_test(sizes_change_at_powers_of_128),
        cmocka_unit_test(what_no_writer_makes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
