/* SPDX-License-Identifier: MIT */
/* Tests the names of errors, the version of the library, and the report of the processor's features. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

static void every_error_has_its_own_name(void **state)
{
    (void)state;
    const char *unknown = stamma_error_text((stamma_error)1000);
    assert_string_equal(unknown, "unknown error");
    for (int a = STAMMA_OK; a <= STAMMA_ERROR_SELF_CHECK; a++) {
        assert_string_not_equal(stamma_error_text((stamma_error)a), unknown);
        for (int b = STAMMA_OK; b < a; b++)
            assert_string_not_equal(stamma_error_text((stamma_error)a), stamma_error_text((stamma_error)b));
    }
    assert_string_equal(stamma_error_text((stamma_error)(STAMMA_ERROR_SELF_CHECK + 1)), unknown);
}

static void header_and_library_are_of_one_version(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", STAMMA_VERSION_MAJOR, STAMMA_VERSION_MINOR, STAMMA_VERSION_PATCH);
    size_t numbers = strlen(version);
    assert_memory_equal(version, STAMMA_VERSION, numbers);
    assert_true(STAMMA_VERSION[numbers] == '\0' || STAMMA_VERSION[numbers] == '-'); /* 1.0.0-rc1: a candidate */
    assert_string_equal(stamma_version(), STAMMA_VERSION);
}

static void the_processor_keeps_its_word(void **state)
{
    (void)state;
    bool first = stamma_cpu_has_bmi2();
    for (int i = 0; i < 3; i++)
        assert_int_equal(stamma_cpu_has_bmi2(), first);
#if !STAMMA_HAVE_BMI2
    assert_false(first);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_its_own_name),
        cmocka_unit_test(header_and_library_are_of_one_version),
        cmocka_unit_test(the_processor_keeps_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
