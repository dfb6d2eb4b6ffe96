/* SPDX-License-Identifier: MIT */
/* Tests the Huffman codes of rests (19.4): the lengths are optimal, or nearly optimal if they are limited to eleven
 * bits, and the tables equal the tables of RFC 1951 (3.2.2). Written codes are decoded from any place on, up to the
 * last byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "entropy/prefix_column.h"
#include "sample_positions.h"

enum { STRING = 300 };

/* Returns the number of strings of eleven bits that the lengths leave unused. */
static int room_left(const uint8_t lengths[PREFIX_SYMBOLS])
{
    int left = 1 << PREFIX_BITS_MAX;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        left -= lengths[n] ? 1 << (PREFIX_BITS_MAX - lengths[n]) : 0;
    return left;
}

static uint64_t bits_of(const uint32_t counts[PREFIX_SYMBOLS], const uint8_t lengths[PREFIX_SYMBOLS])
{
    uint64_t bits = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        bits += (uint64_t)counts[n] * lengths[n];
    return bits;
}

/* Returns the minimal number of bits for all symbols: each merge costs the sum of the two smallest counts. */
static uint64_t fewest_bits(const uint32_t counts[PREFIX_SYMBOLS])
{
    uint64_t left[PREFIX_SYMBOLS], bits = 0;
    size_t size = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        if (counts[n] > 0)
            left[size++] = counts[n];
    while (size > 1) {
        uint64_t sum = 0;
        for (unsigned turn = 0; turn < 2; turn++) {
            size_t least = 0;
            for (size_t n = 1; n < size; n++)
                least = left[n] < left[least] ? n : least;
            sum += left[least];
            left[least] = left[--size];
        }
        left[size++] = sum;
        bits += sum;
    }
    return bits;
}

/* No symbol is so rare that its optimal code exceeds eleven bits. */
static void best_lengths(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned turn = 0; turn < 300; turn++) {
        uint32_t counts[PREFIX_SYMBOLS] = {0};
        uint8_t lengths[PREFIX_SYMBOLS];
        unsigned symbols = 2 + turn % 200;
        for (unsigned n = 0; n < symbols; n++)
            counts[random_next(&random) % PREFIX_SYMBOLS] = 50 + (uint32_t)(random_next(&random) % 100);
        stamma_prefix_lengths(counts, lengths);
        assert_int_equal(room_left(lengths), 0);
        assert_int_equal(bits_of(counts, lengths), fewest_bits(counts));
        for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
            assert_int_equal(lengths[n] > 0, counts[n] > 0);
    }
}

/* The Huffman tree of Fibonacci numbers is as deep as the number of symbols. */
static void lengths_within_eleven_bits(void **state)
{
    (void)state;
    for (unsigned symbols = 3; symbols < 40; symbols++) {
        uint32_t counts[PREFIX_SYMBOLS] = {1, 1};
        uint8_t lengths[PREFIX_SYMBOLS];
        for (unsigned n = 2; n < symbols; n++)
            counts[n] = counts[n - 1] + counts[n - 2];
        stamma_prefix_lengths(counts, lengths);
        assert_int_equal(room_left(lengths), 0);
        assert_int_equal(lengths[0], symbols - 1 < PREFIX_BITS_MAX ? symbols - 1 : lengths[0]);
        assert_true(bits_of(counts, lengths) <= fewest_bits(counts) * 21 / 20);
        for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
            assert_true(lengths[n] <= PREFIX_BITS_MAX && (lengths[n] > 0) == (n < symbols));
    }
    uint32_t all[PREFIX_SYMBOLS];
    uint8_t lengths[PREFIX_SYMBOLS];
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
        all[n] = n == 0 ? UINT32_MAX / 2 : 1;
    stamma_prefix_lengths(all, lengths);
    assert_int_equal(room_left(lengths), 0);
    assert_int_equal(lengths[0], 1);
}

static void none_and_one(void **state)
{
    (void)state;
    static prefix_table table;
    uint32_t counts[PREFIX_SYMBOLS] = {0};
    uint8_t lengths[PREFIX_SYMBOLS];
    stamma_prefix_lengths(counts, lengths);
    assert_int_equal(room_left(lengths), 1 << PREFIX_BITS_MAX);
    assert_true(stamma_prefix_table(lengths, table));
    for (unsigned at = 0; at < 1 << PREFIX_BITS_MAX; at++)
        assert_int_equal(table[at], 0);
    counts[77] = 1000000;
    stamma_prefix_lengths(counts, lengths);
    assert_int_equal(lengths[77], 1);
    assert_int_equal(bits_of(counts, lengths), 1000000);
    assert_true(stamma_prefix_table(lengths, table));
    for (unsigned at = 0; at < 1 << PREFIX_BITS_MAX; at++)
        assert_int_equal(table[at], at % 2 == 0 ? 77 << 8 | 1 : 0);
}

/* The example of RFC 1951, 3.2.2: A to H of lengths 3, 3, 3, 3, 3, 2, 4, 4. The first bit of a code is the lowest
 * bit. */
static void codes_of_the_standard(void **state)
{
    (void)state;
    static const uint8_t own[] = {3, 3, 3, 3, 3, 2, 4, 4};
    static const uint16_t expected[] = {2 /* 010 */, 6 /* 011 */, 1, 5, 3 /* 110 */, 0, 7 /* 1110 */, 15};
    uint8_t lengths[PREFIX_SYMBOLS] = {0};
    uint16_t codes[PREFIX_SYMBOLS];
    memcpy(&lengths['A'], own, sizeof own);
    assert_true(stamma_prefix_codes(lengths, codes));
    for (unsigned n = 0; n < sizeof own; n++)
        assert_int_equal(codes['A' + n], expected[n]);
}

static void lengths_without_codes(void **state)
{
    (void)state;
    static prefix_table table;
    uint16_t codes[PREFIX_SYMBOLS];
    uint8_t three[PREFIX_SYMBOLS] = {1, 1, 11}, longer[PREFIX_SYMBOLS] = {12}, many[PREFIX_SYMBOLS],
            left[PREFIX_SYMBOLS];
    memset(many, 7, sizeof many);
    memset(left, 9, sizeof left);
    assert_false(stamma_prefix_codes(three, codes) || stamma_prefix_table(three, table));
    assert_false(stamma_prefix_codes(longer, codes) || stamma_prefix_table(longer, table));
    assert_false(stamma_prefix_codes(many, codes) || stamma_prefix_table(many, table));
    assert_true(stamma_prefix_codes(left, codes) && stamma_prefix_table(left, table));
}

/* ---- decoding ---- */

typedef struct sample {
    prefix_table tables[PREFIX_TABLES];
    uint16_t codes[PREFIX_TABLES][PREFIX_SYMBOLS];
    uint8_t lengths[PREFIX_TABLES][PREFIX_SYMBOLS];
    uint8_t string[STRING];
    uint8_t bytes[2 * STRING];
    size_t bits;
} sample;

/* Makes tables, each with other codes. */
static sample *make_tables(uint64_t seed)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (unsigned k = 0; k < PREFIX_TABLES; k++) {
        uint32_t counts[PREFIX_SYMBOLS];
        for (unsigned n = 0; n < PREFIX_SYMBOLS; n++)
            counts[n] = 1 + (uint32_t)(random_next(&seed) % (n % 8 == k ? 2000 : 3));
        stamma_prefix_lengths(counts, s->lengths[k]);
        assert_true(stamma_prefix_codes(s->lengths[k], s->codes[k]));
        assert_true(stamma_prefix_table(s->lengths[k], s->tables[k]));
    }
    return s;
}

/* Makes a string of codes that begins at a place. */
static void make_string(sample *s, uint64_t seed, size_t place, size_t size)
{
    memset(s->bytes, 0, sizeof s->bytes);
    s->bits = 0;
    for (size_t n = 0; n < size; n++) {
        size_t k = (place + n) / 16 < 8 ? (place + n) / 16 : 7;
        s->string[n] = (uint8_t)(random_next(&seed) % PREFIX_SYMBOLS);
        for (unsigned bit = 0; bit < s->lengths[k][s->string[n]]; bit++, s->bits++)
            s->bytes[s->bits / 8] |= (uint8_t)((s->codes[k][s->string[n]] >> bit & 1) << s->bits % 8);
    }
}

static sample *make(uint64_t seed, size_t place, size_t size)
{
    sample *s = make_tables(seed);
    make_string(s, seed, place, size);
    return s;
}

/* Decodes from a block of exactly `bytes` bytes. */
static bool decode(const sample *s, size_t bytes, size_t *at, size_t place, uint8_t *codes, size_t count)
{
    uint8_t *own = malloc(bytes + 1);
    assert_non_null(own);
    uint8_t *begin = own + 1; /* the end of the string is the end of the block, so a sanitizer detects reads past it */
    memcpy(begin, s->bytes, bytes);
    bool fine = stamma_prefix_decode((const prefix_table *)s->tables, begin, bytes, at, place, codes, count);
    free(own);
    return fine;
}

static void decodes_from_any_place(void **state)
{
    (void)state;
    for (size_t place = 0; place < 150; place += 7) {
        sample *s = make_tables(place);
        for (size_t size = 0; size <= STRING; size += 1 + size / 9) {
            make_string(s, place + size + 1, place, size);
            uint8_t codes[STRING];
            size_t at = 0, first = size / 3, bytes = (s->bits + 7) / 8;
            assert_true(decode(s, bytes, &at, place, codes, first));
            assert_true(decode(s, bytes, &at, place + first, codes + first, size - first));
            assert_int_equal(at, s->bits);
            assert_true(size == 0 || memcmp(codes, s->string, size) == 0);
        }
        free(s);
    }
}

static void bytes_that_end_early(void **state)
{
    (void)state;
    sample *s = make(3, 10, 100);
    uint8_t codes[STRING];
    for (size_t bytes = 0; bytes < s->bits / 8; bytes++) {
        size_t at = 0;
        assert_false(decode(s, bytes, &at, 10, codes, 100));
        assert_int_equal(at, 0);
    }
    free(s);
}

static void bits_that_are_no_code(void **state)
{
    (void)state;
    sample *s = make(4, 0, 100);
    uint8_t codes[STRING];
    size_t at = 0, last = 0;
    for (unsigned n = 0; n < PREFIX_SYMBOLS; n++) /* lengths without the last symbol leave the other codes unchanged */
        last = s->lengths[2][n] >= s->lengths[2][last] ? n : last;
    for (unsigned n = 0; n < 1 << PREFIX_BITS_MAX; n++)
        if (s->tables[2][n] >> 8 == last)
            s->tables[2][n] = 0;
    memset(s->bytes, 0xff, sizeof s->bytes);
    assert_true(stamma_prefix_decode((const prefix_table *)s->tables, s->bytes, sizeof s->bytes, &at, 0, codes, 32));
    assert_false(stamma_prefix_decode((const prefix_table *)s->tables, s->bytes, sizeof s->bytes, &at, 32, codes, 1));
    free(s);
}

static void any_bytes(void **state)
{
    (void)state;
    uint64_t random = 8;
    unsigned fine = 0;
    sample *s = make(9, 0, 0);
    for (unsigned turn = 0; turn < 2000; turn++) {
        uint8_t codes[STRING];
        size_t at = turn % 9, bytes = 2 + (size_t)(random_next(&random) % 200);
        for (size_t n = 0; n < bytes; n++)
            s->bytes[n] = (uint8_t)random_next(&random);
        bool decoded = decode(s, bytes, &at, turn % 200, codes, turn % STRING);
        assert_true(!decoded || at <= 8 * bytes);
        fine += decoded;
    }
    assert_true(fine > 100 && fine < 1900);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_lengths),
        cmocka_unit_test(lengths_within_eleven_bits),
        cmocka_unit_test(none_and_one),
        cmocka_unit_test(codes_of_the_standard),
        cmocka_unit_test(lengths_without_codes),
        cmocka_unit_test(decodes_from_any_place),
        cmocka_unit_test(bytes_that_end_early),
        cmocka_unit_test(bits_that_are_no_code),
        cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
