/* SPDX-License-Identifier: MIT */
/* Tests the estimated memory for decoding a block, whose head and columns need not be valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"

/* Returns the memory of a block with one tag column of `size` stored bytes. Its model has `bits` slot bits. */
static uint64_t memory_of(unsigned codec, size_t size, uint8_t bits, size_t body_size)
{
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    const uint8_t counts[16 + 9] = {[16] = 1}; /* records */
    uint8_t stored[100] = {bits};
    buffer head = {.allocator = &allocator};
    buffer_add(&head, counts, sizeof counts);
    buffer_add_byte(&head, 1);
    stamma_column_write_entry(COLUMN_TAG, codec, stamma_text_of("Event"), 100, stored, size, &head);
    const uint64_t memory = stamma_block_memory(buffer_cursor(&head), (cursor){stored, stored + body_size, false});
    stamma_buffer_release(&head);
    return memory;
}

/* The size of a model is known from the first byte of its column. */
static void models(void **state)
{
    (void)state;
    const uint64_t plain = memory_of(CODEC_STORED, 100, 0, 100), model = memory_of(CODEC_MIXED, 100, 0, 100);
    assert_int_equal(model - plain, sizeof(mixed_texts));
    for (uint8_t bits = MIXED_SLOT_BITS_MIN; bits <= MIXED_SLOT_BITS_MAX; bits++)
        assert_int_equal(memory_of(CODEC_MIXED, 100, bits, 100) - model, UINT64_C(2) << bits);
    assert_int_equal(memory_of(CODEC_MIXED, 100, MIXED_SLOT_BITS_MIN - 1, 100), model);
    assert_int_equal(memory_of(CODEC_MIXED, 100, MIXED_SLOT_BITS_MAX + 1, 100), model);
    assert_int_equal(memory_of(CODEC_MIXED, 100, MIXED_SLOT_BITS_MAX, 99) + 1, model); /* the column is truncated */
    assert_int_equal(memory_of(CODEC_MIXED, 0, MIXED_SLOT_BITS_MAX, 100), model);      /* it has no bytes */
}

/* A column in codec 10 has a model if it has six streams. */
static void spelt_texts_have_models(void **state)
{
    (void)state;
    const uint64_t plain = memory_of(CODEC_MAPPED, 100, TAG_STREAMS_SPELT - 1, 100);
    assert_int_equal(plain, memory_of(CODEC_STORED, 100, 0, 100));
    assert_int_equal(memory_of(CODEC_MAPPED, 100, TAG_STREAMS_SPELT, 100) - plain,
                     sizeof(mixed_model) + 2 * stamma_spelt_slots(100));
    assert_int_equal(memory_of(CODEC_MAPPED, 0, TAG_STREAMS_SPELT, 100), memory_of(CODEC_STORED, 0, 0, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models), cmocka_unit_test(spelt_texts_have_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
