/* SPDX-License-Identifier: MIT */
/* Tests the mixed coder (clause 21): decoding returns the written bits, likely decisions need almost no space, and
 * the arithmetic is the same everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entropy/mixed_coder.h"
#include "sample_positions.h"

enum { DECISIONS = 20000, SETS = 4 };

static stamma_allocator allocator;

/* Returns a decision with any number of contexts. Some of the contexts predict the bit. */
static mixed_decision decision_at(uint64_t *random, unsigned *bit, unsigned noise)
{
    mixed_decision d = {.count = (unsigned)(random_next(random) % (MIXED_CONTEXTS + 1)),
                        .kind = (unsigned)(random_next(random) % MIXED_KINDS),
                        .node = (uint32_t)(random_next(random) % 256),
                        .set = (size_t)(random_next(random) % SETS)};
    uint32_t key = (uint32_t)(random_next(random) % 50);
    for (unsigned n = 0; n < d.count; n++)
        d.contexts[n] = n % 2 ? (uint32_t)random_next(random) : mixed_hash(key, n);
    d.node = key;
    *bit = key % 3 == 0;
    if (random_next(random) % 100 < noise)
        *bit = (unsigned)(random_next(random) % 2);
    return d;
}

enum { DIRECT = 32 }; /* added to `slot_bits` for a model without slots */

static mixed_model *make_model(unsigned bits)
{
    return bits < DIRECT ? stamma_mixed_new(&allocator, bits, SETS)
                         : stamma_mixed_new_direct(&allocator, bits - DIRECT, SETS);
}

static void write_all(uint64_t seed, unsigned noise, unsigned slot_bits, buffer *out)
{
    mixed_model *m = make_model(slot_bits);
    mixed_stream s;
    unsigned bit;
    assert_non_null(m);
    stamma_range_encode_begin(&s.out, out);
    for (unsigned n = 0; n < DECISIONS; n++) {
        const mixed_decision d = decision_at(&seed, &bit, noise);
        assert_int_equal(stamma_mixed_bit(m, &s, &d, bit), bit);
    }
    stamma_range_encode_end(&s.out);
    stamma_mixed_delete(m);
}

/* Returns whether all bits are decoded correctly. */
static bool read_all(uint64_t seed, unsigned noise, unsigned slot_bits, const buffer *in)
{
    mixed_model *m = make_model(slot_bits);
    mixed_stream s = {.out = {.out = NULL}};
    unsigned bit, same = 0;
    assert_non_null(m);
    stamma_range_decode_begin(&s.in, in->data, in->size);
    for (unsigned n = 0; n < DECISIONS; n++) {
        const mixed_decision d = decision_at(&seed, &bit, noise);
        same += stamma_mixed_bit(m, &s, &d, 0) == bit;
    }
    stamma_mixed_delete(m);
    return same == DECISIONS && stamma_range_decode_is_exact(&s.in);
}

static void round_trip(void **state)
{
    (void)state;
    static const unsigned noises[] = {0, 5, 100};
    static const unsigned bits[] = {MIXED_SLOT_BITS_MIN, 17, MIXED_SLOT_BITS_MAX, DIRECT + MIXED_MAP_BITS_MIN,
                                    DIRECT + MIXED_MAP_BITS_MAX};
    for (unsigned n = 0; n < 15; n++) {
        buffer out = {.allocator = &allocator};
        write_all(n, noises[n / 5], bits[n % 5], &out);
        assert_true(read_all(n, noises[n / 5], bits[n % 5], &out));
        assert_false(read_all(n, noises[n / 5], bits[n % 5] == 17 ? 16 : 17, &out));
        stamma_buffer_release(&out);
    }
}

/* Predictive contexts are learnt. An unpredictable bit needs little more than one bit. */
static void decisions_are_learnt(void **state)
{
    (void)state;
    for (unsigned bits = 20; bits <= DIRECT + 20; bits += DIRECT) {
        buffer sure = {.allocator = &allocator}, random = sure;
        write_all(1, 0, bits, &sure);
        write_all(1, 100, bits, &random);
        assert_true(sure.size < DECISIONS / 8 / 5);
        assert_true(random.size > DECISIONS / 8 - 20 && random.size < DECISIONS / 8 / 16 * 17);
        stamma_buffer_release(&sure);
        stamma_buffer_release(&random);
    }
}

/* Any bytes can be decoded. */
static void any_bytes_are_read(void **state)
{
    (void)state;
    buffer bytes = {.allocator = &allocator};
    uint64_t random = 5;
    for (unsigned n = 0; n < 1000; n++)
        buffer_add_byte(&bytes, (uint8_t)random_next(&random));
    for (bytes.size = 0; bytes.size < 1000; bytes.size += 333)
        assert_false(read_all(3, 5, 12, &bytes));
    stamma_buffer_release(&bytes);
}

/* Golden vectors: the first bytes of a stream and hashes of all bytes. If they change, the format changes. */
static void arithmetic_stays(void **state)
{
    (void)state;
    static const uint8_t first[8] = {0xEB, 0xDF, 0x6F, 0xC0, 0x2C, 0x6D, 0xE1, 0xAC};
    static const uint32_t hashes[2] = {0x8D2B3294, 0x6EF8CD15};
    for (unsigned k = 0; k < 2; k++) {
        uint32_t hash = 0;
        buffer out = {.allocator = &allocator};
        write_all(2, 5, 16 + k * DIRECT, &out);
        if (k == 0)
            assert_memory_equal(out.data, first, sizeof first);
        for (size_t n = 0; n < out.size; n++)
            hash = mixed_hash(hash, out.data[n]);
        assert_int_equal(hash, hashes[k]);
        stamma_buffer_release(&out);
    }
}

int main(void)
{
    allocator = stamma_allocator_or_default(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(decisions_are_learnt),
        cmocka_unit_test(any_bytes_are_read),
        cmocka_unit_test(arithmetic_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
