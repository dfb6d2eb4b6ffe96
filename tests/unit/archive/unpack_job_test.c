/* SPDX-License-Identifier: MIT */
/* Tests the check of a block's columns: how much damage is recorded, and failing allocations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "archive/archive.h"
#include "pgn_support.h"

enum { UNKNOWN_COLUMN = 200 };

/* Makes a block of columns of one byte with wrong checksums. */
static buffer make_block(const stamma_allocator *allocator, unsigned id, size_t count, size_t *head_size)
{
    static const uint8_t counts[16 + 9] = {[16] = 1}; /* records */
    buffer payload = {.allocator = allocator};
    buffer_add(&payload, counts, sizeof counts);
    stamma_buffer_add_varint(&payload, count);
    for (size_t n = 0; n < count; n++)
        stamma_column_write_entry(id, CODEC_STORED, (stamma_text){NULL, 0}, 1, counts, 1, &payload);
    *head_size = payload.size;
    for (size_t n = 0; n < count; n++)
        buffer_add_byte(&payload, 77);
    return payload;
}

/* A block has at most 255 columns and 1,024 columns of tags: damage to further columns is not recorded. */
static void many_damaged_columns(void **state)
{
    (void)state;
    enum { MOST = 255 + 1024 };
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (size_t count = MOST - 1; count <= MOST + 1; count++) {
        buffer damaged = {.allocator = &allocator}, search = damaged;
        block_frame place = {.offset = 16};
        buffer payload = make_block(&allocator, UNKNOWN_COLUMN, count, &place.head_size);
        assert_int_equal(stamma_columns_check(&payload, &place, &damaged, &search), STAMMA_ERROR_CORRUPT);
        assert_int_equal(damaged.size / sizeof(damaged_column), count < MOST ? count : MOST);
        assert_int_equal(search.size, 0);
        stamma_buffer_release(&payload);
        stamma_buffer_release(&damaged);
    }
}

/* Damage to search columns is no error, unless the damage cannot be recorded. */
static void damage_without_memory(void **state)
{
    (void)state;
    const stamma_allocator allocator = stamma_allocator_or_default(NULL);
    for (unsigned fails = 0; fails < 2; fails++)
        for (unsigned search = 0; search < 2; search++) {
            failing_memory memory = {.fail_at = fails};
            const stamma_allocator failing = failing_allocator(&memory);
            buffer damaged = {.allocator = &failing}, others = damaged;
            block_frame place = {.offset = 16};
            buffer payload = make_block(&allocator, search ? COLUMN_FACTS : COLUMN_MOVES, 1, &place.head_size);
            const stamma_error error = stamma_columns_check(&payload, &place, &damaged, &others);
            assert_int_equal(error, fails ? STAMMA_ERROR_NO_MEMORY : search ? STAMMA_OK : STAMMA_ERROR_CORRUPT);
            assert_int_equal(damaged.size, fails || search ? 0 : sizeof(damaged_column));
            assert_int_equal(others.size, !fails && search ? sizeof(damaged_column) : 0);
            stamma_buffer_release(&payload);
            stamma_buffer_release(&damaged);
            stamma_buffer_release(&others);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_damaged_columns), cmocka_unit_test(damage_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
