/* SPDX-License-Identifier: MIT */
/* Tests numbers as symbols and bits (clause 14.7), and symbols coded by class (14.9, 14.12): golden values, and
 * round trips of all kinds of numbers and symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entropy/entropy.h"

/* 0, -1, 1 are the symbols 0, 1, 2. 63 and -64 are the last numbers without bits. 64 is 128 and six bits, 96 is 129. */
static void golden_symbols(void **state)
{
    (void)state;
    static const struct {
        int64_t d;
        unsigned symbol, bits;
    } cases[] = {{0, 0, 0},      {-1, 1, 0},    {1, 2, 0},      {63, 126, 0},
                 {-64, 127, 0},  {64, 128, 6},  {95, 128, 6},   {96, 129, 6},
                 {-128, 129, 6}, {128, 130, 7}, {-129, 130, 7}, {INT64_C(1) << 53, 222, 53}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        unsigned bits;
        assert_int_equal(number_symbol(number_fold(cases[n].d), RESIDUAL_DIRECT, &bits), cases[n].symbol);
        assert_int_equal(bits, cases[n].bits);
    }
}

/* References below 32 are symbols themselves. The reference 32 is the symbol 32 and four bits, 48 is 33, 64 is 34 and
 * five bits. */
static void golden_references(void **state)
{
    (void)state;
    static const struct {
        uint64_t u;
        unsigned symbol, bits;
    } cases[] = {{0, 0, 0}, {31, 31, 0}, {32, 32, 4}, {47, 32, 4}, {48, 33, 4}, {64, 34, 5}, {UINT32_MAX, 85, 30}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        unsigned bits;
        assert_int_equal(number_symbol(cases[n].u, REFERENCE_DIRECT, &bits), cases[n].symbol);
        assert_int_equal(bits, cases[n].bits);
    }
}

static bool put(number_sink *s, int64_t d)
{
    unsigned bits, symbol = number_symbol(number_fold(d), RESIDUAL_DIRECT, &bits);
    buffer_add_byte(&s->symbols, (uint8_t)symbol);
    return bits == 0 || stamma_number_put_bits(s, number_fold(d), bits);
}

static void demand(number_source *source, int64_t d)
{
    assert_true(number_unfold(number_take(source)) == d);
}

static void numbers_come_back(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    number_sink sink = {.symbols.allocator = &allocator, .bits.allocator = &allocator};
    for (unsigned size = 0; size < 62; size++)
        for (int64_t near = -3; near <= 3; near++) {
            assert_true(put(&sink, (INT64_C(1) << size) + near));
            assert_true(put(&sink, -(INT64_C(1) << size) + near));
        }
    number_source source = {.symbols = buffer_cursor(&sink.symbols),
                            .bits = {sink.bits.data, sink.bits.size * 8, 0, false}};
    for (unsigned size = 0; size < 62; size++)
        for (int64_t near = -3; near <= 3; near++) {
            demand(&source, (INT64_C(1) << size) + near);
            demand(&source, -(INT64_C(1) << size) + near);
        }
    assert_true(stamma_number_is_done(&source));
    assert_true(number_take(&source) == UINT64_MAX); /* nothing remains */
    stamma_buffer_release(&sink.symbols);
    stamma_buffer_release(&sink.bits);
}

/* Reads each symbol without bits after it: symbols that need no bits are numbers, other symbols lack bits, and symbols
 * from 240 on are invalid. */
static void truncated_bits_are_refused(void **state)
{
    (void)state;
    for (unsigned symbol = 0; symbol < 256; symbol++) {
        uint8_t bits[8] = {0};
        number_source source = {.bits = {bits, 0, 0, false}};
        assert_int_equal(number_value(&source, symbol, RESIDUAL_DIRECT) != UINT64_MAX, symbol < 128);
        source.bits.size = 64;
        assert_int_equal(number_value(&source, symbol, RESIDUAL_DIRECT) != UINT64_MAX, symbol < 240);
    }
}

/* The error is at most a hundredth of a bit. */
static void logarithms_of_powers_are_exact(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 32; n++)
        assert_int_equal(stamma_log2_256(UINT32_C(1) << n), 256 * n);
    assert_int_equal(stamma_log2_256(3), 406); /* 256 * 1.58496 = 405.75 */
    assert_int_equal(stamma_log2_256(1000), 2551);
    assert_in_range(stamma_log2_256(UINT32_MAX), 32 * 256 - 3, 32 * 256);
}

/* Weights have two significant bits. Counts 5, 0, 3 are 2560, 0, 1536 of 4096. 2560 is rounded to 2048, because 3072
 * is nearer only from 2561 on. The weights 2048 and 1536, of 3584 in total, become the frequencies 1170 and 878. */
static void golden_frequencies(void **state)
{
    (void)state;
    const uint32_t counts[NUMBER_SYMBOLS] = {5, 0, 3};
    const uint8_t bytes[] = {3, 0x92, 0x09, 0, 0xEE, 0x06};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    number_frequencies f, read;
    stamma_number_scale(counts, &f);
    assert_int_equal(f.of[0], 1170);
    assert_int_equal(f.of[1], 0);
    assert_int_equal(f.of[2], 878);
    assert_int_equal(f.before[2], 1170);
    stamma_number_write_frequencies(&f, &out);
    assert_int_equal(out.size, sizeof bytes);
    assert_memory_equal(out.data, bytes, sizeof bytes);
    cursor in = buffer_cursor(&out);
    assert_true(stamma_number_read_frequencies(&in, &read));
    assert_memory_equal(&read, &f, sizeof f);
    stamma_buffer_release(&out);
}

/* Frequencies must sum to 2,048, exist for at most 240 symbols, and be complete. */
static void bad_frequencies_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[12];
        bool fine;
    } cases[] = {
        {3, {1, 0x80, 0x10}, true},                                                /* 2,048 */
        {3, {1, 0xFF, 0x0F}, false},                                               /* 2,047 */
        {5, {2, 0xFF, 0x0F, 2, 0}, false},                                         /* 2,049 */
        {1, {0}, false},                                                           /* no symbol */
        {3, {2, 0x80, 0x10}, false},                                               /* the second is missing */
        {11, {2, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, false}, /* a sum that overflows */
        {3, {241, 0x80, 0x10}, false},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        number_frequencies f;
        cursor in = {cases[n].bytes, cases[n].bytes + cases[n].size, false};
        assert_int_equal(stamma_number_read_frequencies(&in, &f), cases[n].fine);
    }
}

static uint64_t next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return *random >> 33;
}

/* Cases: all symbols once and one very often; a single symbol; two equally frequent symbols. All slots are assigned,
 * and each symbol that occurs has at least one. */
static void frequencies_fill_the_slots(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (unsigned round = 0; round < 500; round++) {
        uint32_t counts[NUMBER_SYMBOLS] = {0};
        number_slots slots;
        unsigned kinds = 1 + (unsigned)next_random(&random) % NUMBER_SYMBOLS, sum = 0;
        for (unsigned i = 0; i < kinds; i++)
            counts[i] = (uint32_t)(next_random(&random) >> next_random(&random) % 31);
        counts[next_random(&random) % NUMBER_SYMBOLS] += 1;
        number_frequencies f;
        stamma_number_scale(counts, &f);
        for (unsigned i = 0; i < NUMBER_SYMBOLS; sum += f.of[i++]) {
            assert_int_equal(f.of[i] > 0, counts[i] > 0);
            assert_int_equal(f.before[i], sum);
        }
        assert_int_equal(sum, NUMBER_SLOTS);
        stamma_number_fill_slots(&f, &slots);
        for (unsigned i = 0; i < NUMBER_SLOTS; i++)
            assert_true(i - f.before[slots.symbol[i]] < f.of[slots.symbol[i]]);
    }
}

/* Two equally frequent symbols need one bit each: 20 bits, and 16 for the final state. reference/archive_fields.py
 * reads these bytes as the same symbols. */
static void golden_code(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0x55, 0x29, 0x10, 0x00, 0x00, 0x54};
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    const uint32_t counts[NUMBER_SYMBOLS] = {1, 1};
    number_frequencies f;
    classed_symbol list[20];
    stamma_number_scale(counts, &f);
    for (size_t i = 0; i < 20; i++)
        list[i] = (classed_symbol){(uint8_t)(i % 2), 0};
    assert_true(stamma_number_code(list, 20, &f, &out));
    assert_int_equal(out.size, 6);
    assert_memory_equal(out.data, bytes, 6);
    stamma_buffer_release(&out);
}

enum { CODED = 5000, CLASSES = 3 };

/* Symbols of three classes, one with a single symbol, are decoded completely. If a byte is missing, they are not, which
 * the final state shows. */
static void coded_symbols_come_back(void **state)
{
    (void)state;
    static classed_symbol list[CODED];
    static uint32_t counts[CLASSES][NUMBER_SYMBOLS];
    static number_slots slots[CLASSES];
    number_frequencies f[CLASSES];
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    buffer out = {.allocator = &allocator};
    uint64_t random = 1;
    for (size_t i = 0; i < CODED; i++) {
        unsigned class = (unsigned)next_random(&random) % CLASSES;
        unsigned symbol = class == 0 ? 7 : (unsigned)next_random(&random) % NUMBER_SYMBOLS >> next_random(&random) % 8;
        list[i] = (classed_symbol){(uint8_t)symbol, (uint8_t) class};
        counts[class][symbol]++;
    }
    for (size_t c = 0; c < CLASSES; c++) {
        stamma_number_scale(counts[c], &f[c]);
        stamma_number_fill_slots(&f[c], &slots[c]);
    }
    assert_true(stamma_number_code(list, CODED, f, &out));
    for (size_t less = 0; less < 3; less++) {
        number_source source = {.symbols = {out.data, out.data + out.size - less, false}};
        bool fine = true;
        assert_true(stamma_number_begin(&source));
        for (size_t i = 0; i < CODED && fine; i++) {
            unsigned symbol = number_decode(&source, &slots[list[i].table], &fine);
            assert_true(!fine || symbol == list[i].symbol);
        }
        assert_int_equal(fine, less == 0);
        assert_int_equal(cursor_left(&source.symbols) == 0 && source.state == NUMBER_STATE, less == 0);
    }
    stamma_buffer_release(&out);
}

static void a_state_must_be_there(void **state)
{
    (void)state;
    const uint8_t low[] = {0xFF, 0xFF, 0, 0}, least[] = {0, 0, 1, 0};
    number_source source = {.symbols = {low, low + 4, false}};
    assert_false(stamma_number_begin(&source));
    source = (number_source){.symbols = {least, least + 3, false}};
    assert_false(stamma_number_begin(&source));
    source = (number_source){.symbols = {least, least + 4, false}};
    assert_true(stamma_number_begin(&source));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_symbols),
        cmocka_unit_test(golden_references),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(truncated_bits_are_refused),
        cmocka_unit_test(logarithms_of_powers_are_exact),
        cmocka_unit_test(golden_frequencies),
        cmocka_unit_test(bad_frequencies_are_refused),
        cmocka_unit_test(frequencies_fill_the_slots),
        cmocka_unit_test(golden_code),
        cmocka_unit_test(coded_symbols_come_back),
        cmocka_unit_test(a_state_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
