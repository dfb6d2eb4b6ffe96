/* Numbers as symbols and bits (clause 10.7): golden bytes, and numbers of every size there and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

/* 0, -1, 1 are 0, 1, 2; 63 and -64 the last without bits; 64 is 128 and six bits, 96 is 129. */
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
        assert_int_equal(stamma_number_symbol(cases[n].d, &bits), cases[n].symbol);
        assert_int_equal(bits, cases[n].bits);
    }
}

static void numbers_come_back(void **state)
{
    (void)state;
    stamma_allocator allocator = stamma_allocator_or_default(NULL);
    number_sink sink = {.symbols.allocator = &allocator, .bits.allocator = &allocator};
    for (unsigned size = 0; size < 62; size++)
        for (int64_t near = -3; near <= 3; near++) {
            assert_true(stamma_number_put(&sink, (INT64_C(1) << size) + near));
            assert_true(stamma_number_put(&sink, -(INT64_C(1) << size) + near));
        }
    number_source source = {.symbols = {sink.symbols.data, sink.symbols.data + sink.symbols.size, false},
                            .bits = {sink.bits.data, sink.bits.size * 8, 0, false}};
    int64_t d;
    for (unsigned size = 0; size < 62; size++)
        for (int64_t near = -3; near <= 3; near++) {
            assert_true(stamma_number_take(&source, &d));
            assert_true(d == (INT64_C(1) << size) + near);
            assert_true(stamma_number_take(&source, &d));
            assert_true(d == -(INT64_C(1) << size) + near);
        }
    assert_int_equal(cursor_left(&source.symbols), 0);
    assert_false(stamma_number_take(&source, &d)); /* nothing is left */
    stamma_buffer_release(&sink.symbols);
    stamma_buffer_release(&sink.bits);
}

/* Every symbol alone: those without bits are numbers, the others miss theirs, and 240 and on there are not. */
static void truncated_streams_are_refused(void **state)
{
    (void)state;
    for (unsigned symbol = 0; symbol < 256; symbol++) {
        uint8_t byte = (uint8_t)symbol, bits[8] = {0};
        int64_t d;
        number_source source = {.symbols = {&byte, &byte + 1, false}, .bits = {bits, 0, 0, false}};
        assert_int_equal(stamma_number_take(&source, &d), symbol < 128);
        source = (number_source){.symbols = {&byte, &byte + 1, false}, .bits = {bits, 64, 0, false}};
        assert_int_equal(stamma_number_take(&source, &d), symbol < 240);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_symbols),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(truncated_streams_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
