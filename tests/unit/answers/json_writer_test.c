/* SPDX-License-Identifier: MIT */
/* Tests the JSON writer: which characters of a text are escaped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "answers/answers.h"

/* Control characters (U+0000 to U+001F, U+007F to U+009F), quotes, and characters that change the direction of text are
 * escaped. Adjacent characters and truncated characters are not escaped. */
static void escapes(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\x01\x1F \x7E\x7F", "\"\\u0001\\u001f ~\\u007f\""},
        {"\xC2\x80\xC2\x9F\xC2\xA0", "\"\\u0080\\u009f\xC2\xA0\""},
        {"\xC3\x9F", "\"\xC3\x9F\""},
        {"\xC2", "\"\xC2\""},
        {"\xE2\x80\x8D\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\x90", "\"\xE2\x80\x8D\\u200e\\u200f\xE2\x80\x90\""},
        {"\xE2\x80\xA9\xE2\x80\xAA\xE2\x80\xAE\xE2\x80\xAF", "\"\xE2\x80\xA9\\u202a\\u202e\xE2\x80\xAF\""},
        {"\xE2\x81\xA5\xE2\x81\xA6\xE2\x81\xA9\xE2\x81\xAA", "\"\xE2\x81\xA5\\u2066\\u2069\xE2\x81\xAA\""},
        {"\xE2\x82\xAE\xE2\x80", "\"\xE2\x82\xAE\xE2\x80\""},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char out[100];
        json_writer w = {out, sizeof out, 0, false};
        stamma_json_string(&w, NULL, cases[n].text);
        assert_int_equal(stamma_json_end(&w), strlen(cases[n].json));
        assert_string_equal(out, cases[n].json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
