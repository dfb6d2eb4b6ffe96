/* SPDX-License-Identifier: MIT */
/* Tests structs that begin with their size: options and results of older and newer callers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

typedef struct older {
    size_t size;
    uint64_t a;
} older;
typedef struct known {
    size_t size;
    uint64_t a;
    uint64_t b;
} known;
typedef struct newer {
    size_t size;
    uint64_t a;
    uint64_t b;
    uint64_t c;
} newer;

static void options_of_any_version(void **state)
{
    (void)state;
    known k;
    assert_int_equal(stamma_options_read(NULL, &k, sizeof k), STAMMA_OK);
    assert_true(k.size == sizeof k && k.a == 0 && k.b == 0);
    older o = {sizeof o, 7};
    memset(&k, 0xFF, sizeof k);
    assert_int_equal(stamma_options_read(&o, &k, sizeof k), STAMMA_OK);
    assert_true(k.size == sizeof k && k.a == 7 && k.b == 0);
    known same = {sizeof same, 1, 2};
    assert_int_equal(stamma_options_read(&same, &k, sizeof k), STAMMA_OK);
    assert_true(k.a == 1 && k.b == 2);
    newer n = {sizeof n, 3, 4, 0};
    assert_int_equal(stamma_options_read(&n, &k, sizeof k), STAMMA_OK);
    assert_true(k.size == sizeof k && k.a == 3 && k.b == 4);
    n.c = 1;
    assert_int_equal(stamma_options_read(&n, &k, sizeof k), STAMMA_ERROR_UNSUPPORTED);
    n.size = 0;
    assert_int_equal(stamma_options_read(&n, &k, sizeof k), STAMMA_ERROR_BAD_ARGUMENT);
}

/* Each result is directly before other memory, which must not be written. */
static void results_for_any_version(void **state)
{
    (void)state;
    const known k = {sizeof k, 5, 6};
    struct {
        older result;
        uint64_t next;
    } o = {{sizeof o.result, 0}, 99};
    stamma_result_write(&k, sizeof k, &o.result);
    assert_true(o.result.size == sizeof o.result && o.result.a == 5 && o.next == 99);
    struct {
        newer result;
        uint64_t next;
    } n = {{sizeof n.result, 9, 9, 9}, 99};
    stamma_result_write(&k, sizeof k, &n.result);
    assert_true(n.result.size == sizeof n.result && n.result.a == 5 && n.result.b == 6 && n.result.c == 0);
    assert_true(n.next == 99);
    size_t none = sizeof none;
    stamma_result_write(&k, sizeof k, &none);
    assert_int_equal(none, sizeof none);
    stamma_result_write(&k, sizeof k, NULL);
    none = 1;
    assert_false(stamma_result_has_size(&none));
    assert_true(stamma_result_has_size(&k));
    assert_true(stamma_result_has_size(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_any_version),
        cmocka_unit_test(results_for_any_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
