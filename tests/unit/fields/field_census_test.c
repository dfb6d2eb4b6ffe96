/* SPDX-License-Identifier: MIT */
/* Tests the statistics of the fields in a column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fields/fields.h"

static stamma_allocator allocator;
static byte_packer coder;
static field_encoder *encoder;
static field_streams *streams; /* owned by the encoder */

/* The reported fields, one line each. */
static char reported[1024];

static void report(void *context, stamma_text before, uint64_t values, uint64_t stored, uint64_t plain)
{
    size_t at = strlen(reported);
    (void)context;
    snprintf(reported + at, sizeof reported - at, "%.*s|%d %d %d\n", (int)before.size, before.data, (int)values,
             (int)stored, (int)plain);
}

static buffer column_of(const char *const *texts, uint32_t count)
{
    buffer column = {.allocator = &allocator};
    for (uint32_t i = 0; i < count; i++)
        buffer_add(&column, texts[i % 5], strlen(texts[i % 5]) + 1);
    return column;
}

static int make_streams(void **state)
{
    static const char *const texts[] = {"[%eval 0.17] [%clk 0:03:00]", "[%eval #-3] [%clk 0:02:59]",
                                        "d=27, pv=e4 e5, R50=100.00", "+0.31/18 1.2s", "nothing to count"};
    const uint32_t count = 100;
    (void)state;
    allocator = stamma_allocator_or_default(NULL);
    encoder = stamma_field_encoder_new(&allocator);
    assert_non_null(encoder);
    buffer column = column_of(texts, count);
    assert_int_equal(stamma_fields_encode(encoder, false, &coder, &column, &count, 1, &streams), STAMMA_OK);
    stamma_buffer_release(&column);
    for (size_t i = 0; i < streams->count; i++)
        streams->stored[i] = i; /* simulated sizes */
    reported[0] = 0;
    return 0;
}

static int release_streams(void **state)
{
    (void)state;
    stamma_field_encoder_release(encoder);
    stamma_byte_packer_release(&coder);
    return 0;
}

/* A key's stored bytes are the sum of its streams' bytes: 4 + 5, 6 + 7 ...; the word has only one stream. "+0.31"
 * has the key of "[%eval 0.17]": two decimals, and no key before them (14.4). The first clock is stored as bits. */
static void each_key_is_reported(void **state)
{
    (void)state;
    assert_int_equal(stamma_fields_count(streams, &allocator, report, NULL), STAMMA_OK);
    assert_string_equal(reported, "[%eval|40 9 40\n"
                                  "[%clk|40 13 42\n"
                                  "[%eval #-|20 17 20\n"
                                  "d=|20 21 20\n"
                                  "pv=|20 12 120\n"
                                  "R50=|20 27 20\n"
                                  "/|20 31 20\n"
                                  "|20 35 20\n");
}

static void missing_streams_are_corrupt(void **state)
{
    (void)state;
    for (size_t count = streams->count; count-- > 0;) {
        streams->count = count;
        assert_int_equal(stamma_fields_count(streams, &allocator, report, NULL), STAMMA_ERROR_CORRUPT);
    }
}

static void damaged_templates_do_no_harm(void **state)
{
    (void)state;
    buffer *templates = &streams->streams[0];
    for (size_t at = 0; at < templates->size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            reported[0] = 0;
            templates->data[at] ^= (uint8_t)(1u << bit);
            stamma_error error = stamma_fields_count(streams, &allocator, report, NULL);
            assert_true(error == STAMMA_OK || error == STAMMA_ERROR_CORRUPT);
            templates->data[at] ^= (uint8_t)(1u << bit);
        }
}

/* Numbers and sizes of templates are limited (14.2). */
static void templates_are_limited(void **state)
{
    (void)state;
    enum { TEMPLATES_MAX = 4096, SIZE_MAX_OF_ONE = 250, WAYS = 8 };
    for (unsigned way = 0; way < WAYS; way++) {
        field_streams in;
        stamma_field_streams_init(&in, &allocator);
        in.count = 4;
        for (unsigned n = 0; n < TEMPLATES_MAX + (way == 1); n++)
            buffer_add(&in.streams[0], "a", 2);
        if (way == 2 || way == 3) {
            in.streams[0].size = 0;
            for (unsigned n = 0; n < SIZE_MAX_OF_ONE + (way == 3); n++)
                buffer_add_byte(&in.streams[0], 'b');
            buffer_add_byte(&in.streams[0], 0);
        }
        if (way == 4)
            buffer_add_byte(&in.streams[0], 'a'); /* no zero after the last template */
        if (way == 5 || way == 6)
            stamma_buffer_add_varint(&in.streams[1], TEMPLATES_MAX + (way == 6));
        if (way == 7)
            buffer_add_byte(&in.streams[1], 0x80); /* a number without an end */
        const bool valid = way == 0 || way == 2 || way == 5;
        assert_int_equal(stamma_fields_count(&in, &allocator, report, NULL), valid ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
        stamma_field_streams_release(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_key_is_reported, make_streams, release_streams),
        cmocka_unit_test_setup_teardown(missing_streams_are_corrupt, make_streams, release_streams),
        cmocka_unit_test_setup_teardown(damaged_templates_do_no_harm, make_streams, release_streams),
        cmocka_unit_test_setup_teardown(templates_are_limited, make_streams, release_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
