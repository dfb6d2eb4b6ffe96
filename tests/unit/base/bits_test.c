/* SPDX-License-Identifier: MIT */
/* Tests bit strings: written values are read back, most significant bit first; reading and writing stay within
 * bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

#include "sample_positions.h"

enum { FIELDS = 500 };

static void golden_vector(void **state)
{
    (void)state;
    uint8_t bytes[3] = {0xFF, 0xFF, 0xFF};
    bit_writer w = {.data = bytes, .capacity = 24};
    stamma_bits_write(&w, 5, 3);     /* 101 */
    stamma_bits_write(&w, 0, 0);     /* no bits */
    stamma_bits_write(&w, 0x3C1, 9); /* the low nine bits: 1 1100 0001 */
    assert_false(w.failed);
    assert_int_equal(w.size, 12);
    assert_int_equal(bytes[0], 0xBC);
    assert_int_equal(bytes[1], 0x10); /* the remaining bits of the last byte are 0 */
    assert_int_equal(bytes[2], 0xFF); /* the next byte is unchanged */
}

static void fields_of_any_width_come_back(void **state)
{
    (void)state;
    uint8_t bytes[FIELDS * 8];
    uint64_t values[FIELDS], random = 1;
    unsigned counts[FIELDS];
    bit_writer w = {.data = bytes, .capacity = sizeof bytes * 8};
    for (size_t i = 0; i < FIELDS; i++) {
        counts[i] = (unsigned)(random_next(&random) % 65);
        values[i] = random_next(&random);
        stamma_bits_write(&w, values[i], counts[i]);
    }
    assert_false(w.failed);
    bit_reader r = {.data = bytes, .size = w.size};
    for (size_t i = 0; i < FIELDS; i++) {
        uint64_t mask = counts[i] == 64 ? UINT64_MAX : (UINT64_C(1) << counts[i]) - 1;
        assert_true(stamma_bits_read(&r, counts[i]) == (values[i] & mask));
    }
    assert_false(r.failed);
    assert_int_equal(r.at, w.size);
}

static void a_full_writer_writes_nothing_more(void **state)
{
    (void)state;
    uint8_t bytes[2] = {0, 0xAA};
    bit_writer w = {.data = bytes, .capacity = 7};
    stamma_bits_write(&w, 0x7F, 5);
    stamma_bits_write(&w, 7, 3);
    assert_true(w.failed);
    stamma_bits_write(&w, 1, 1); /* would fit, but the string has already failed */
    assert_int_equal(w.size, 5);
    assert_int_equal(bytes[0], 0xF8);
    assert_int_equal(bytes[1], 0xAA);
}

static void past_the_end_come_zeros(void **state)
{
    (void)state;
    uint8_t byte = 0xFF;
    bit_reader r = {.data = &byte, .size = 6};
    assert_int_equal(stamma_bits_read(&r, 5), 31);
    assert_int_equal(stamma_bits_read(&r, 2), 0);
    assert_true(r.failed);
    assert_int_equal(stamma_bits_read(&r, 1), 0);
    assert_int_equal(r.at, 6);
}

/* bits_for returns the number of bits of an index below `count`. The other functions are compared with simple loops. */
static void single_words(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        unsigned bits;
    } known[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {218, 8}, {256, 8}, {257, 9}, {UINT64_MAX, 64}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(bits_for(known[i].count), known[i].bits);
    uint64_t random = 2;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = random_next(&random) & random_next(&random) & random_next(&random);
        unsigned count = 0, first = 64, last = 0;
        for (unsigned bit = 0; bit < 64; bit++)
            if (x >> bit & 1) {
                count++;
                first = first == 64 ? bit : first;
                last = bit;
            }
        assert_int_equal(bits_count(x), count);
        if (x) {
            assert_int_equal(bits_first(x), first);
            assert_int_equal(bits_last(x), last);
            assert_true(bits_rest(x) == x - (UINT64_C(1) << first));
        }
    }
}

/* Comparing sixteen bytes at once has the same result as comparing each byte. */
static void sixteen_bytes_are_distinguished(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (unsigned n = 0; n < 20000; n++) {
        uint8_t bytes[16], wanted = (uint8_t)random_next(&random), limit = (uint8_t)(random_next(&random) % 128 + 1);
        unsigned equal = 0, below = 0;
        for (unsigned i = 0; i < 16; i++) {
            uint64_t any = random_next(&random);
            bytes[i] = any >> 8 & 1 ? wanted : any >> 9 & 1 ? (uint8_t)(limit - 1 + (any >> 10 & 1)) : (uint8_t)any;
            equal |= (unsigned)(bytes[i] == wanted) << i;
            below |= (unsigned)(bytes[i] < limit) << i;
        }
        assert_int_equal(bytes_equal(bytes, wanted), equal);
        assert_int_equal(bytes_below(bytes, limit), below);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_vector),
        cmocka_unit_test(fields_of_any_width_come_back),
        cmocka_unit_test(a_full_writer_writes_nothing_more),
        cmocka_unit_test(past_the_end_come_zeros),
        cmocka_unit_test(single_words),
        cmocka_unit_test(sixteen_bytes_are_distinguished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
