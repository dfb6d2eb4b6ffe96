/* SPDX-License-Identifier: MIT */
/* Tests the range coder: decoding returns the written symbols, the code is as short as the probabilities allow, and
 * any bytes can be decoded. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "entropy/range_coder.h"
#include "sample_positions.h"

enum { SYMBOLS = 4000 };

typedef struct symbol {
    uint32_t start, size;
    unsigned bits;
} symbol;

/* Returns a symbol of an extreme or ordinary kind: first or last with a probability of 1 / 2^16, almost certain, or
 * ordinary. */
static symbol any_symbol(uint64_t *seed, unsigned sort)
{
    unsigned bits = sort % 2 ? RANGE_BITS_MAX : 1 + (unsigned)(random_next(seed) % RANGE_BITS_MAX);
    uint32_t total = UINT32_C(1) << bits, start = (uint32_t)(random_next(seed) % total);
    switch (sort / 2 % 4) {
    case 0: return (symbol){start, 1, bits};
    case 1: return (symbol){total - 1, 1, bits};
    case 2: return (symbol){0, total, bits};
    default: return (symbol){start, 1 + (uint32_t)(random_next(seed) % (total - start)), bits};
    }
}

static void round_trip(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    static symbol symbols[SYMBOLS];
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t random = seed;
        size_t count = (size_t)(random_next(&random) % (seed % 4 ? 40 : SYMBOLS));
        unsigned sorts = 1 + (unsigned)(random_next(&random) % 8);
        buffer out = {.allocator = &allocator};
        range_encoder e;
        double bits = 0;
        buffer_add(&out, "front", 5);
        stamma_range_encode_begin(&e, &out);
        for (size_t n = 0; n < count; n++) {
            symbols[n] = any_symbol(&random, (unsigned)(random_next(&random) % sorts) + (unsigned)(seed % 8));
            stamma_range_encode(&e, symbols[n].start, symbols[n].size, symbols[n].bits);
            bits += symbols[n].bits - log2(symbols[n].size);
        }
        stamma_range_encode_end(&e);
        assert_memory_equal(out.data, "front", 5);
        assert_true(out.size == 5 || out.data[out.size - 1] != 0);
        assert_true((double)(out.size - 5) * 8 <= bits + (double)count * 0.006 + 8);
        range_decoder d;
        stamma_range_decode_begin(&d, out.data + 5, out.size - 5);
        for (size_t n = 0; n < count; n++) {
            uint32_t target = range_decode_target(&d, symbols[n].bits);
            assert_true(target >= symbols[n].start && target - symbols[n].start < symbols[n].size);
            range_decode_pass(&d, symbols[n].start, symbols[n].size, symbols[n].bits);
        }
        assert_true(stamma_range_decode_is_exact(&d));
        stamma_buffer_release(&out);
    }
}

/* Decodes symbols with fixed frequencies from any bytes. Returns whether an encoder would write exactly these bytes. */
static bool decode(const uint8_t *bytes, size_t size, uint32_t *symbols, size_t count)
{
    range_decoder d;
    stamma_range_decode_begin(&d, bytes, size);
    for (size_t n = 0; n < count; n++) {
        symbols[n] = range_decode_target(&d, 3) / 3; /* frequencies 3, 3 and 2 */
        range_decode_pass(&d, symbols[n] * 3, symbols[n] == 2 ? 2 : 3, 3);
    }
    return stamma_range_decode_is_exact(&d);
}

/* Of all strings of up to two bytes, exactly one is valid for each sequence of symbols: the string that the encoder
 * writes. */
static void exact(void **state)
{
    (void)state;
    enum { COUNT = 9 };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    unsigned found = 0;
    for (unsigned value = 0; value < 257 * 256; value++) {
        uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
        uint32_t symbols[COUNT];
        size_t size = value >= 65536 ? value > 65536 : 2;
        if (size < 2)
            bytes[0] = (uint8_t)value;
        buffer out = {.allocator = &allocator};
        range_encoder e;
        bool is_exact = decode(bytes, size, symbols, COUNT);
        stamma_range_encode_begin(&e, &out);
        for (size_t n = 0; n < COUNT; n++)
            stamma_range_encode(&e, symbols[n] * 3, symbols[n] == 2 ? 2 : 3, 3);
        stamma_range_encode_end(&e);
        assert_int_equal(is_exact, out.size == size && (size == 0 || memcmp(out.data, bytes, size) == 0));
        found += is_exact;
        stamma_buffer_release(&out);
    }
    assert_true(found > 10000 && found <= 19683); /* the sequences, of 3^9, that fit in two bytes */
}

/* Of all strings of up to 13 bits, followed by any bits, exactly the strings that an encoder writes are accepted. */
static void exact_bits(void **state)
{
    (void)state;
    enum { COUNT = 6, MOST = 13 };
    static const uint8_t following[3] = {0, 0xFF, 0x5A};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    unsigned found = 0;
    for (unsigned size = 1; size <= MOST; size++)
        for (unsigned value = 0; value < 1u << size; value++)
            for (unsigned turn = 0; turn < sizeof following; turn++) {
                uint8_t bytes[16];
                memset(bytes, following[turn], sizeof bytes);
                uint32_t head = (uint32_t)value << (16 - size) | ((following[turn] * 0x0101u) & (0xFFFFu >> size));
                bytes[0] = (uint8_t)(head >> 8);
                bytes[1] = (uint8_t)head;
                range_decoder d;
                range_encoder e;
                buffer out = {.allocator = &allocator};
                size_t bits;
                stamma_range_decode_begin(&d, bytes, sizeof bytes);
                stamma_range_encode_begin(&e, &out);
                for (unsigned n = 0; n < COUNT; n++) {
                    uint32_t symbol = range_decode_target(&d, 3) / 3;
                    range_decode_pass(&d, symbol * 3, symbol == 2 ? 2 : 3, 3);
                    stamma_range_encode(&e, symbol * 3, symbol == 2 ? 2 : 3, 3);
                }
                size_t written = stamma_range_encode_end_bits(&e);
                bool same = written <= 8 * sizeof bytes;
                for (size_t n = 0; n < written && same; n++)
                    same = (bytes[n / 8] >> (7 - n % 8) & 1) == (out.data[n / 8] >> (7 - n % 8) & 1);
                assert_int_equal(stamma_range_decode_end_bits(&d, &bits), same);
                assert_true(!same || bits == written);
                found += same && written == size;
                stamma_buffer_release(&out);
            }
    assert_int_equal(found % 3, 0); /* the following bits do not matter */
    assert_true(found / 3 > 600 && found / 3 <= 729);
}

/* No symbols need no bytes. Neither does a string of only the most likely symbols. */
static void empty(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    range_encoder e;
    stamma_range_encode_begin(&e, &out);
    stamma_range_encode_end(&e);
    assert_int_equal(out.size, 0);
    stamma_range_encode_begin(&e, &out);
    for (unsigned n = 0; n < 50; n++)
        stamma_range_encode(&e, 0, 3, 2);
    stamma_range_encode_end(&e);
    assert_int_equal(out.size, 0);
    stamma_buffer_release(&out);
}

/* Golden bytes: eight symbols with a probability of a quarter each are two bytes, two bits per symbol. */
static void golden(void **state)
{
    (void)state;
    static const uint8_t quarters[2] = {0x1B, 0xE4};
    static const uint32_t of[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    range_encoder e;
    stamma_range_encode_begin(&e, &out);
    for (unsigned n = 0; n < 8; n++)
        stamma_range_encode(&e, of[n], 1, 2);
    stamma_range_encode_end(&e);
    assert_int_equal(out.size, sizeof quarters);
    assert_memory_equal(out.data, quarters, sizeof quarters);
    stamma_buffer_release(&out);
}

/* Any bytes decode to symbols, for any frequencies. */
static void noise(void **state)
{
    (void)state;
    uint8_t bytes[24];
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t random = seed;
        size_t size = (size_t)(random_next(&random) % (sizeof bytes + 1));
        for (size_t n = 0; n < size; n++)
            bytes[n] = (uint8_t)(seed % 3 ? random_next(&random) : 255);
        range_decoder d;
        stamma_range_decode_begin(&d, bytes, size);
        for (unsigned n = 0; n < 200; n++) {
            unsigned bits = 1 + (unsigned)(random_next(&random) % RANGE_BITS_MAX);
            uint32_t target = range_decode_target(&d, bits), room = (UINT32_C(1) << bits) - target;
            assert_true(target < UINT32_C(1) << bits);
            range_decode_pass(&d, target, 1 + (uint32_t)(random_next(&random) % room), bits);
        }
    }
}

/* No encoder writes a string that begins with four bytes 255: its code is not below the initial range. */
static void strings_above_the_range_are_not_exact(void **state)
{
    (void)state;
    uint8_t bytes[24] = {255, 255, 255, 255};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        size_t size = 4 + (size_t)(random_next(&random) % (sizeof bytes - 3)), used;
        for (size_t n = 4; n < size; n++)
            bytes[n] = (uint8_t)(random_next(&random) | (seed % 3 ? 1 : 255));
        range_decoder d;
        stamma_range_decode_begin(&d, bytes, size);
        for (unsigned n = 0; n < 40; n++) {
            assert_false(stamma_range_decode_is_exact(&d) || stamma_range_decode_end_bits(&d, &used));
            uint32_t target = range_decode_target(&d, 4);
            range_decode_pass(&d, target, 1, 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(exact),
                                       cmocka_unit_test(exact_bits), cmocka_unit_test(empty),
                                       cmocka_unit_test(golden),     cmocka_unit_test(noise),
                                       cmocka_unit_test(strings_above_the_range_are_not_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
