/* SPDX-License-Identifier: MIT */
/* Tests the conversion of PGN texts to UTF-8: which texts are UTF-8 already, Windows-1252, and escapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <iconv.h>

#include "notation/notation.h"

/* Encodes a number in `length` bytes, even if this is longer than necessary. */
static stamma_text encode(uint32_t number, size_t length, char bytes[4])
{
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; number >>= 6)
        bytes[i] = (char)(0x80 | (number & 0x3F));
    bytes[0] = (char)(marks[length] | number);
    return (stamma_text){bytes, length};
}

/* RFC 3629: the shortest form of the numbers up to 0x10FFFF that are not surrogates. */
static void only_the_shortest_form_is_valid(void **state)
{
    (void)state;
    static const uint32_t limits[] = {0, 0, 1 << 11, 1 << 16, 1 << 21}, least[] = {0, 0, 0x80, 0x800, 0x10000};
    char bytes[4];
    for (size_t length = 2; length <= 4; length++)
        for (uint32_t n = 0; n < limits[length]; n += n % 64 == 0 ? 63 : 1) {
            bool valid = n >= least[length] && n <= 0x10FFFF && (n < 0xD800 || n > 0xDFFF);
            assert_int_equal(stamma_text_is_utf8(encode(n, length, bytes)), valid);
        }
}

static void damaged_sequences_are_invalid(void **state)
{
    (void)state;
    static const uint32_t numbers[] = {0x7FF, 0xFFFF, 0x10FFFF};
    char bytes[4];
    for (size_t length = 2; length <= 4; length++) {
        stamma_text text = encode(numbers[length - 2], length, bytes);
        assert_true(stamma_text_is_utf8(text));
        for (size_t size = 1; size < length; size++) {
            assert_false(stamma_text_is_utf8((stamma_text){bytes, size}));
            assert_false(stamma_text_is_utf8((stamma_text){bytes + size, length - size}));
            bytes[size] ^= 0x40;
            assert_false(stamma_text_is_utf8(text));
            bytes[size] ^= 0x40;
        }
    }
    for (unsigned first = 0xF5; first <= 0xFF; first++) {
        bytes[0] = (char)first;
        assert_false(stamma_text_is_utf8((stamma_text){bytes, 4}));
    }
}

static void texts_are_converted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain, *unescaped;
    } rows[] = {
        {"", "", ""},
        {"plain", "plain", "plain"},
        {"a\\\"b\\\\c", "a\\\"b\\\\c", "a\"b\\c"},
        {"\xC3\xA4 \\\"", "\xC3\xA4 \\\"", "\xC3\xA4 \""},
        {"\xE4\\\"", "\xC3\xA4\\\"", "\xC3\xA4\""},                               /* Windows-1252 */
        {"\x8Aime\x9A \x93x\x94 \x80", "\xC5\xA0ime\xC5\xA1 \xE2\x80\x9Cx\xE2\x80\x9D \xE2\x82\xAC",
         "\xC5\xA0ime\xC5\xA1 \xE2\x80\x9Cx\xE2\x80\x9D \xE2\x82\xAC"},
        {"\xC3\xA4\xFF", "\xC3\x83\xC2\xA4\xC3\xBF", "\xC3\x83\xC2\xA4\xC3\xBF"}, /* one invalid byte: Windows-1252 */
        {"end\\", "end\\", "end\\"},
        {"\\n", "\\n", "\\n"},
        {"\xE4\\", "\xC3\xA4\\", "\xC3\xA4\\"},
    };
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned escaped = 0; escaped < 2; escaped++) {
            const char *wanted = escaped ? rows[i].unescaped : rows[i].plain;
            out.size = 0;
            stamma_utf8_add((stamma_text){rows[i].text, strlen(rows[i].text)}, escaped, &out);
            assert_int_equal(out.size, strlen(wanted));
            assert_true(out.size == 0 || memcmp(out.data, wanted, out.size) == 0);
        }
    out.size = 0;
    stamma_utf8_add((stamma_text){NULL, 0}, true, &out);
    assert_int_equal(out.size, 0);
    stamma_buffer_release(&out);
}

/* The conversion equals the conversion of iconv, except for five bytes that iconv does not convert. */
static void bytes_are_characters(void **state)
{
    (void)state;
    iconv_t converter = iconv_open("UTF-16BE", "CP1252");
    assert_true(converter != (iconv_t)-1);
    unsigned unknown = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        char in[1] = {(char)byte}, out[2], *from = in, *to = out;
        size_t left = 1, room = 2;
        const bool known = iconv(converter, &from, &left, &to, &room) != (size_t)-1;
        const unsigned wanted = known ? (unsigned)(uint8_t)out[0] << 8 | (uint8_t)out[1] : byte;
        unknown += !known;
        assert_int_equal(stamma_windows_1252_read(byte), wanted);
    }
    assert_int_equal(unknown, 5);
    iconv_close(converter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_shortest_form_is_valid),
        cmocka_unit_test(damaged_sequences_are_invalid),
        cmocka_unit_test(texts_are_converted),
        cmocka_unit_test(bytes_are_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
