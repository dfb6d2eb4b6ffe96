/* SPDX-License-Identifier: MIT */
/* Tests the stored list of styles (clause 6): which styles are rejected, and the maximum number of styles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "record/record.h"

static stamma_error read_styles(const void *bytes, size_t size, size_t *count)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    style_list list = {NULL, 0, 0};
    cursor in = {bytes, (const uint8_t *)bytes + size, false};
    stamma_error error = stamma_styles_read(&in, &list, &allocator);
    *count = list.count;
    stamma_styles_release(&list, &allocator);
    return error;
}

/* Line end, wrapping, breakable blanks, flags, spelling, limit, number of templates; context, size and bytes of each
 * template. */
static void only_known_values_are_read(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[16];
        bool valid;
    } rows[] = {
        {7, {0, 0, 0, 0, 0, 0, 0}, true},
        {7, {2, 2, 5, 1, 127 - 2 - 4, 79, 0}, true},
        {7, {3, 0, 0, 0, 0, 0, 0}, false},
        {7, {0, 3, 0, 0, 0, 0, 0}, false},
        {7, {0, 0, 6, 0, 0, 0, 0}, false},
        {7, {0, 0, 0, 2, 0, 0, 0}, false},
        {7, {0, 0, 0, 0, 128, 0, 0}, false},
        {7, {0, 0, 0, 0, 2 + 4, 0, 0}, false}, /* two spellings of mate */
        {7, {0, 0, 0, 0, 2 + 8, 0, 0}, false},
        {11, {0, 0, 0, 0, 0, 255, 255, 255, 255, 15, 0}, true},
        {11, {0, 0, 0, 0, 0, 128, 128, 128, 128, 16, 0}, false}, /* a limit of 33 bits */
        {10, {0, 0, 0, 0, 0, 0, 1, 17, 1, ' '}, true},
        {13, {0, 0, 0, 0, 0, 0, 2, 17, 1, ' ', 18, 1, ' '}, true},
        {13, {0, 0, 0, 0, 0, 0, 2, 17, 1, ' ', 17, 1, ' '}, false}, /* a template twice */
        {10, {0, 0, 0, 0, 0, 0, 1, 17, 31, ' '}, false},
        {8, {0, 0, 0, 0, 0, 0, 129, 2}, false}, /* 257 templates */
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        size_t count;
        stamma_error error = read_styles(rows[n].bytes, rows[n].size, &count);
        if (error != (rows[n].valid ? STAMMA_OK : STAMMA_ERROR_CORRUPT))
            fail_msg("row %zu: %d", n, (int)error);
        for (size_t size = 1; rows[n].valid && size < rows[n].size; size++)
            assert_int_equal(read_styles(rows[n].bytes, size, &count), STAMMA_ERROR_CORRUPT);
    }
}

/* A template of 31 bytes would not fit. */
static void templates_are_short(void **state)
{
    (void)state;
    for (uint8_t size = 0; size < 40; size++) {
        uint8_t bytes[9 + 40] = {0, 0, 0, 0, 0, 0, 1, 17, size};
        size_t count;
        memset(bytes + 9, ' ', size);
        assert_int_equal(read_styles(bytes, 9u + size, &count), size <= 30 ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
    }
}

static void styles_are_limited(void **state)
{
    (void)state;
    static const uint8_t bytes[7 * (4096 + 1)] = {0};
    size_t count;
    assert_int_equal(read_styles(bytes, sizeof bytes - 7, &count), STAMMA_OK);
    assert_int_equal(count, 4096);
    assert_int_equal(read_styles(bytes, sizeof bytes, &count), STAMMA_ERROR_CORRUPT);
}

/* Clause 6.4: the contexts whose blanks are breakable or fixed, by the rule for blanks. */
static void blanks_of_contexts(void **state)
{
    (void)state;
    for (unsigned n = 0; n < CONTEXTS * 6 * 3; n++) {
        const unsigned context = n % CONTEXTS, before = context >> 4, after = context & 15;
        style s = {.wrap = (uint8_t)(n / CONTEXTS % 3), .breakable = (uint8_t)(n / CONTEXTS / 3)};
        gap_template *t = &s.templates[context];
        const bool movetext = before != 0 && before != 12 && after != 0 && after != 1 && after != 12 && after != 13;
        const bool first = s.breakable == BREAK_FIRST || (s.breakable == BREAK_WHITE && after == 14) ||
                           (s.breakable == BREAK_MOVES && (after == 14 || after == 15 || after == 3));
        const bool all = s.breakable == BREAK_ALL || (s.breakable == BREAK_NOT_RESULT && after != 3);
        memcpy(t->bytes, "  x ", t->size = 4);
        stamma_style_prepare(&s, context);
        assert_int_equal(t->breaks, !movetext || s.wrap == WRAP_NONE ? 0 : all ? 11 : first ? 1 : 0);
        assert_int_equal(t->fixed, movetext && s.wrap != WRAP_NONE && s.breakable == BREAK_NOT_RESULT && after == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_known_values_are_read),
        cmocka_unit_test(templates_are_short),
        cmocka_unit_test(styles_are_limited),
        cmocka_unit_test(blanks_of_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
