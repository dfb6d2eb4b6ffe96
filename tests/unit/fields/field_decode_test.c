/* SPDX-License-Identifier: MIT */
/* Tests decoding fields (clause 14) from hand-made streams: streams that no encoder makes are rejected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fields/fields.h"
#include "pgn_support.h"

enum { TEMPLATES, NUMBERS, OTHERS, PARAMETERS, FIRST };

static stamma_allocator allocator;
static field_streams in;
static field_reader reader;

static int begin(void **state)
{
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    stamma_field_streams_init(&in, &allocator);
    return 0;
}

static int end(void **state)
{
    (void)state;
    stamma_field_reader_close(&reader);
    memset(&reader, 0, sizeof reader);
    stamma_field_streams_release(&in);
    return 0;
}

static void fill(size_t stream, const void *bytes, size_t size)
{
    in.streams[stream].size = 0;
    buffer_add(&in.streams[stream], bytes, size);
}

static stamma_error open_streams(size_t count)
{
    in.count = count;
    return stamma_field_reader_open(&reader, &in, &allocator);
}

static void expect(size_t count, bool valid)
{
    assert_int_equal(open_streams(count), valid ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
}

/* A column has four streams, two more for each number, and one more for each word. */
static void streams_are_counted(void **state)
{
    (void)state;
    static const uint8_t parameters[] = {0, 0, 0, 1, 0};
    for (size_t count = 0; count < 6; count++)
        expect(count, count == 4);
    fill(TEMPLATES, "\1w", 3);
    for (size_t count = 0; count < 8; count++)
        expect(count, count == 5);
    fill(TEMPLATES, "\1n", 3);
    fill(PARAMETERS, parameters, sizeof parameters);
    for (size_t count = 0; count < 9; count++)
        expect(count, count == 6);
}

static void templates_are_limited(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *text;
        bool valid;
    } rows[] = {{2, "a", true},    {1, "a", false},       {3, "\1w", true},    {2, "\1", false},
                {3, "\1z", false}, {5, "\1w\1\1", false}, {4, "\1w\1", false}, {2, "\1w", false}};
    uint8_t text[300];
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        fill(TEMPLATES, rows[n].text, rows[n].size);
        expect(4 + (rows[n].text[0] == 1), rows[n].valid);
    }
    for (size_t size = 248; size < 254; size++) { /* at most 250 bytes */
        memset(text, 'a', size);
        text[size] = 0;
        fill(TEMPLATES, text, size + 1);
        expect(4, size <= 250);
    }
    for (size_t fields = 30; fields < 35; fields++) { /* at most 32 fields */
        for (size_t f = 0; f < fields; f++)
            memcpy(text + 2 * f, "\1w", 2);
        text[2 * fields] = 0;
        fill(TEMPLATES, text, 2 * fields + 1);
        expect(5, fields <= 32);
    }
}

/* At most 4,096 templates and 254 keys. */
static void templates_are_counted(void **state)
{
    (void)state;
    fill(TEMPLATES, "", 0);
    for (unsigned n = 0; n < 4096; n++)
        buffer_add(&in.streams[TEMPLATES], "a", 2);
    expect(4, true);
    buffer_add(&in.streams[TEMPLATES], "a", 2);
    expect(4, false);
    fill(TEMPLATES, "", 0);
    for (unsigned n = 0; n < 255; n++) {
        const char text[5] = {(char)('a' + n / 16), (char)('a' + n % 16), 1, 'w', 0};
        buffer_add(&in.streams[TEMPLATES], text, sizeof text);
        if (n >= 252)
            expect(4 + n + 1, n + 1 <= 254);
    }
}

/* Parameters are the predictor, two other streams, the divisor and the kind of symbols; for mixed symbols, also the
 * size of the map. */
static void parameters_are_known(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t bytes[8];
        bool valid;
    } rows[] = {
        {5, {PREDICTORS - 1, 0, 0, 1, 0}, true},
        {5, {PREDICTORS, 0, 0, 1, 0}, false},
        {5, {0, 1, 0, 1, 0}, false},
        {5, {0, 0, 1, 1, 0}, false},
        {5, {0, 0, 0, 0, 0}, false},
        {7, {0, 0, 0, 0xC0, 0x84, 0x3D, 0}, true}, /* a divisor of 1,000,000 */
        {7, {0, 0, 0, 0xC1, 0x84, 0x3D, 0}, false},
        {5, {0, 0, 0, 1, 3}, false},
        {6, {0, 0, 0, 1, 2, 11}, false},
        {6, {0, 0, 0, 1, 2, 12}, true},
        {6, {0, 0, 0, 1, 2, 20}, true},
        {6, {0, 0, 0, 1, 2, 21}, false},
        {6, {0, 0, 0, 1, 0, 0}, false},
    };
    fill(TEMPLATES, "\1n", 3);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        fill(PARAMETERS, rows[n].bytes, rows[n].size);
        expect(6, rows[n].valid);
        for (size_t size = 0; rows[n].valid && size < rows[n].size; size++) {
            fill(PARAMETERS, rows[n].bytes, size);
            expect(6, false);
        }
    }
}

static void mixers_are_limited(void **state)
{
    (void)state;
    fill(TEMPLATES, "", 0);
    fill(PARAMETERS, "", 0);
    for (unsigned n = 0; n < 9; n++) {
        const char text[5] = {'k', (char)('a' + n), 1, 'n', 0};
        static const uint8_t mixed[] = {0, 0, 0, 1, 2, 12};
        buffer_add(&in.streams[TEMPLATES], text, sizeof text);
        buffer_add(&in.streams[PARAMETERS], mixed, sizeof mixed);
        expect(4 + 2 * (n + 1), n < 8);
    }
    fill(TEMPLATES, "\1n", 3);
    fill(PARAMETERS, "\0\0\0\1\2\14", 6);
    fill(FIRST + 1, "x", 1); /* a mixed stream must not have bits */
    expect(6, false);
}

/* Reads one text, and returns whether it is valid and all streams are consumed. */
static bool read_one(const char *wanted)
{
    buffer out = {.allocator = &allocator};
    bool fine = stamma_field_reader_next(&reader, 1, &out);
    if (fine) {
        assert_int_equal(out.size, strlen(wanted) + 1);
        assert_string_equal((const char *)out.data, wanted);
    }
    stamma_buffer_release(&out);
    return fine && stamma_field_reader_is_done(&reader);
}

static void texts_end_where_their_streams_end(void **state)
{
    (void)state;
    static const struct {
        const char *numbers, *others, *words;
        size_t numbers_size, others_size, words_size;
        bool valid;
    } rows[] = {
        {"\0", "text", "", 1, 5, 0, true},      {"\0", "text", "", 1, 4, 0, false},
        {"\0", "text", "more", 1, 5, 5, false}, {"\0", "text\0", "", 1, 6, 0, false},
        {"", "text", "", 0, 5, 0, false},       {"\0\0", "text", "", 2, 5, 0, false},
        {"\1", "", "text", 1, 0, 5, true},      {"\1", "", "text", 1, 0, 4, false},
        {"\1", "x", "text", 1, 2, 5, false},    {"\2", "", "text", 1, 0, 5, false},
        {"\200", "", "text", 1, 0, 5, false},
    };
    fill(TEMPLATES, "\1w", 3);
    fill(PARAMETERS, "", 0);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        fill(NUMBERS, rows[n].numbers, rows[n].numbers_size);
        fill(OTHERS, rows[n].others, rows[n].others_size);
        fill(FIRST, rows[n].words, rows[n].words_size);
        expect(5, true);
        if (read_one("text") != rows[n].valid)
            fail_msg("row %zu", n);
    }
}

/* Values are at most 2^53, and values of whole numbers are not below 0. */
static void values_are_limited(void **state)
{
    (void)state;
    const int64_t most = (int64_t)1 << 53;
    const struct {
        const char *template;
        int64_t first, change;
        bool valid;
    } rows[] = {{"\1n", most, 0, true},      {"\1n", most, 1, false}, {"\1n", 0, -1, false},    {"\1n", 5, -5, true},
                {"\1n", most + 1, 0, false}, {"\1C", -most, 0, true}, {"\1C", -most, -1, false}};
    static const uint8_t parameters[] = {PREDICT_LAST, 0, 0, 1, 0};
    fill(PARAMETERS, parameters, sizeof parameters);
    fill(NUMBERS, "\1\1", 2);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const int64_t values[2] = {rows[n].first, rows[n].change};
        number_sink sink = {.symbols.allocator = &allocator, .bits.allocator = &allocator};
        for (unsigned i = 0; i < 2; i++) {
            unsigned bits, symbol = number_symbol(number_fold(values[i]), RESIDUAL_DIRECT, &bits);
            buffer_add_byte(&sink.symbols, (uint8_t)symbol);
            assert_true(bits == 0 || stamma_number_put_bits(&sink, number_fold(values[i]), bits));
        }
        fill(TEMPLATES, rows[n].template, 3);
        fill(FIRST, sink.symbols.data, sink.symbols.size);
        fill(FIRST + 1, sink.bits.data, sink.bits.size);
        expect(6, true);
        buffer out = {.allocator = &allocator};
        bool first = stamma_field_reader_next(&reader, 1, &out);
        if ((first && stamma_field_reader_next(&reader, 1, &out)) != rows[n].valid)
            fail_msg("row %zu", n);
        stamma_buffer_release(&out);
        stamma_buffer_release(&sink.symbols);
        stamma_buffer_release(&sink.bits);
    }
}

/* Memory is reserved for a template, and again after each word. */
static void memory_for_words(void **state)
{
    (void)state;
    enum { SIZE = 5000 };
    static char words[2 * SIZE];
    unsigned failed = 0;
    memset(words, 'a', sizeof words);
    words[SIZE - 1] = words[2 * SIZE - 1] = 0;
    fill(TEMPLATES, "\1w, b=\1w", 9);
    fill(NUMBERS, "\1", 1);
    fill(PARAMETERS, "", 0);
    fill(FIRST, words, SIZE);
    fill(FIRST + 1, words + SIZE, SIZE);
    for (unsigned at = 1; failed + 1 == at; at++) {
        failing_memory memory = {.fail_at = at};
        const stamma_allocator failing = failing_allocator(&memory);
        buffer out = {.allocator = &failing};
        expect(6, true);
        bool fine = stamma_field_reader_next(&reader, 1, &out);
        assert_int_equal(out.failed, !fine);
        failed += !fine;
        stamma_buffer_release(&out);
    }
    assert_true(failed > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(streams_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(templates_are_limited, begin, end),
        cmocka_unit_test_setup_teardown(templates_are_counted, begin, end),
        cmocka_unit_test_setup_teardown(parameters_are_known, begin, end),
        cmocka_unit_test_setup_teardown(mixers_are_limited, begin, end),
        cmocka_unit_test_setup_teardown(texts_end_where_their_streams_end, begin, end),
        cmocka_unit_test_setup_teardown(values_are_limited, begin, end),
        cmocka_unit_test_setup_teardown(memory_for_words, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
